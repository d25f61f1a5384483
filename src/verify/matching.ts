/**
 * Which destination of the squad each way from assistant to assistant has become.
 *
 * The ways of one node (or all global ways) to one assistant share a destination, those that the
 * platform judges apart from the others. It is known by where it leads and by its description; among
 * several that read the same, by what it carries. A destination that reads otherwise, or leads
 * elsewhere, is taken for a way only when it is nobody's.
 */
import type { Crossway } from './crossways.js';
import { type DestinationIndex, indexDestinations } from './destination-index.js';
import type { Passage } from './passages.js';
import { listNames, readPlan } from './plan-reading.js';
import type { Destination, SquadReading } from './squad-reading.js';

/** How well a destination fits the ways that it was taken for. */
export type Fit = 'exact' | 'described-otherwise' | 'leads-elsewhere';

export interface Matched {
  readonly destination: Destination;
  readonly fit: Fit;
}

export interface Match {
  readonly crossways: readonly Crossway[];
  readonly of: (crossway: Crossway) => Matched | null;
  readonly passagesOf: (destination: Destination) => readonly Passage[];
}

/** The variables that cross with the ways. */
export type Carried = (crossway: Crossway) => ReadonlySet<string>;

export function matchDestinations(
  squad: SquadReading,
  crossways: readonly Crossway[],
  carried: Carried,
): Match {
  const index = indexDestinations(squad);
  const matched = settleAll(index, crossways, carried);
  const passages = invert(matched);
  return {
    crossways,
    of: (crossway) => matched.get(crossway) ?? null,
    passagesOf: (destination) => passages.get(destination) ?? nothing,
  };
}

const nothing: readonly Passage[] = [];

function settleAll(
  { alike, between, of }: DestinationIndex,
  crossways: readonly Crossway[],
  carried: Carried,
): ReadonlyMap<Crossway, Matched> {
  const taken = new Set<Destination>();
  const matched = new Map<Crossway, Matched>();
  const isFree = (it: Destination) => !taken.has(it);
  const settle = (fit: Fit, find: (crossway: Crossway) => Destination | undefined): void => {
    // In a faithful squad nothing is left to be looked for.
    if (matched.size === crossways.length) return;
    for (const crossway of crossways) {
      const destination = matched.has(crossway) ? undefined : find(crossway);
      if (destination === undefined) continue;
      taken.add(destination);
      matched.set(crossway, { destination, fit });
    }
  };
  settle('exact', (crossway) => {
    const all = alike(crossway);
    if (all.length < 2) return all.find(isFree);
    const same = all.filter(isFree);
    if (same.length < 2) return same[0];
    return same.find((it) => carriesAll(it, carried(crossway))) ?? same[0];
  });
  settle('exact', (crossway) =>
    crossway.isStrict ? undefined : between(crossway).find((it) => holds(it, crossway)),
  );
  settle('described-otherwise', (crossway) => between(crossway).find(isFree));
  settle('leads-elsewhere', (crossway) =>
    of(crossway.member).find((it) => isFree(it) && holds(it, crossway)),
  );
  return matched;
}

/** Whether the description holds the conditions, whatever else it says. */
function holds({ description }: Destination, { passages }: Crossway): boolean {
  return passages.every(({ condition }) =>
    condition === null ? description.trim() !== '' : description.includes(condition.value),
  );
}

function carriesAll(destination: Destination, wanted: ReadonlySet<string>): boolean {
  const carried = listNames(readPlan(destination));
  return carried.size === wanted.size && [...carried].every((name) => wanted.has(name));
}

function invert(matched: ReadonlyMap<Crossway, Matched>): Map<Destination, readonly Passage[]> {
  const passages = new Map<Destination, readonly Passage[]>();
  const several = new Map<Destination, Passage[]>();
  for (const [crossway, { destination }] of matched) {
    const known = passages.get(destination);
    if (known === undefined) {
      passages.set(destination, crossway.passages);
      continue;
    }
    const list = several.get(destination) ?? [...known];
    for (const passage of crossway.passages) list.push(passage);
    several.set(destination, list);
    passages.set(destination, list);
  }
  return passages;
}

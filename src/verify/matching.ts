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
  const count = squad.destinations.length;
  const { matched, passages } = settleAll(index, crossways, count, carried);
  return {
    crossways,
    of: (crossway) => matched[crossway.index]!,
    passagesOf: (destination) => passages[destination.index]!,
  };
}

const nothing: readonly Passage[] = [];

/** By crossway what it has become, and by destination the ways that it stands for. */
interface Settled {
  readonly matched: readonly (Matched | null)[];
  readonly passages: readonly (readonly Passage[])[];
}

function settleAll(
  { alike, between, of }: DestinationIndex,
  crossways: readonly Crossway[],
  destinationCount: number,
  carried: Carried,
): Settled {
  const passages = new Array<readonly Passage[]>(destinationCount).fill(nothing);
  const matched = new Array<Matched | null>(crossways.length).fill(null);
  let left = crossways.length;
  // Most destinations stand for one crossway; the lists of the others are their own.
  const several: (Passage[] | undefined)[] = [];
  const standFor = ({ index }: Destination, more: readonly Passage[]): void => {
    const known = passages[index]!;
    if (known === nothing) {
      passages[index] = more;
      return;
    }
    const list = several[index] ?? [...known];
    for (const passage of more) list.push(passage);
    several[index] = list;
    passages[index] = list;
  };
  const isFree = (it: Destination) => passages[it.index] === nothing;
  const settle = (fit: Fit, find: (crossway: Crossway) => Destination | undefined): void => {
    // In a faithful squad nothing is left to be looked for.
    if (left === 0) return;
    for (const crossway of crossways) {
      const destination = matched[crossway.index] === null ? find(crossway) : undefined;
      if (destination === undefined) continue;
      standFor(destination, crossway.passages);
      matched[crossway.index] = { destination, fit };
      left -= 1;
    }
  };
  settle('exact', (crossway) => {
    const all = alike(crossway);
    if (all.length < 2) return all.length === 1 && isFree(all[0]!) ? all[0] : undefined;
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
  return { matched, passages };
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

/**
 * Which destination of the squad each way from assistant to assistant has become.
 *
 * The ways of one node (or all global ways) to one assistant share a destination, those that the
 * platform judges apart from the others. It is known by where it leads and by its description; among
 * several that read the same, by what it carries. A destination that reads otherwise, or leads
 * elsewhere, is taken for a way only when it is nobody's.
 */
import type { Crossway } from './crossways.js';
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
  const byWords = groupBy(squad.destinations, (it) => wordsKey(it, it.description));
  const taken = new Set<Destination>();
  const matched = new Map<Crossway, Matched>();
  const settle = (fit: Fit, find: (crossway: Crossway) => Destination | undefined): void => {
    if (matched.size === crossways.length) return;
    for (const crossway of crossways) {
      const destination = matched.has(crossway) ? undefined : find(crossway);
      if (destination === undefined) continue;
      taken.add(destination);
      matched.set(crossway, { destination, fit });
    }
  };
  const isFree = (it: Destination) => !taken.has(it);
  settle('exact', (crossway) => {
    const same =
      byWords.get(wordsKey(crossway, crossway.parts.join(between)))?.filter(isFree) ?? [];
    if (same.length < 2) return same[0];
    return same.find((it) => carriesAll(it, carried(crossway))) ?? same[0];
  });
  const isDone = matched.size === crossways.length;
  const byEnds = isDone ? nowhere : groupBy(squad.destinations, endsKey);
  const byMember = isDone ? nowhere : groupBy(squad.destinations, ({ member }) => `${member}`);
  settle('exact', (crossway) =>
    crossway.isStrict
      ? undefined
      : byEnds.get(endsKey(crossway))?.find((it) => holds(it, crossway)),
  );
  settle('described-otherwise', (crossway) => byEnds.get(endsKey(crossway))?.find(isFree));
  settle('leads-elsewhere', (crossway) =>
    byMember.get(`${crossway.member}`)?.find((it) => isFree(it) && holds(it, crossway)),
  );
  const passages = invert(matched);
  return {
    crossways,
    of: (crossway) => matched.get(crossway) ?? null,
    passagesOf: (destination) => passages.get(destination) ?? [],
  };
}

const between = '; or ';

/** In a faithful squad nothing is left to be looked for. */
const nowhere: ReadonlyMap<string, Destination[]> = new Map();

type Ends = Pick<Crossway, 'member' | 'target' | 'isGuarded'>;

function endsKey(it: Ends | Destination): string {
  if ('isGuarded' in it) return `${it.member} ${it.target} ${it.isGuarded}`;
  return `${it.member} ${it.leadsTo} ${it.tool['rejectionPlan'] !== undefined}`;
}

/** Alternatives may stand in any order. */
function wordsKey(ends: Ends | Destination, description: string): string {
  const words = description.includes(between)
    ? description.split(between).sort().join(between)
    : description;
  return `${endsKey(ends)} ${words}`;
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

function invert(matched: ReadonlyMap<Crossway, Matched>): Map<Destination, Passage[]> {
  const passages = new Map<Destination, Passage[]>();
  for (const [crossway, { destination }] of matched) {
    const known = passages.get(destination);
    if (known === undefined) passages.set(destination, [...crossway.passages]);
    else for (const passage of crossway.passages) known.push(passage);
  }
  return passages;
}

function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [value]);
    else known.push(value);
  }
  return groups;
}

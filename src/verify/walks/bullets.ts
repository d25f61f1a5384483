/**
 * The lines under a step that say what comes next, read against the ways that the source has.
 *
 * In: the ways, and a cursor behind the step's own work. Out: where each way leads, which have no
 * line, and which lines belong to no way. The source's words are looked for where they are
 * expected, so that whatever they say, they are not taken for squadc's.
 */
import { type Cursor, eat, skipLine, takeLine } from '../reading/cursor.js';
import { put } from '../variables/lists.js';
import type { Ground } from './ground.js';
import { type Next, readNext } from './line-endings.js';
import { readOpenings } from './line-openings.js';
import type { Way } from './ways.js';

/** What a line says that comes next. */
export interface Bullet {
  readonly way: Way;
  readonly next: Next;
  /** The words that squadc has put where the source gives no condition. */
  readonly sentence: string;
}

export interface Bullets {
  readonly read: readonly Bullet[];
  /** Ways that no line speaks of. */
  readonly missing: readonly Way[];
  /** Ways to an exit whose line ends otherwise than the exit says. */
  readonly broken: readonly Way[];
  /** Lines that speak of no way. */
  readonly unaccounted: readonly string[];
}

export function readBullets(
  ground: Ground,
  member: number,
  ways: readonly Way[],
  cursor: Cursor,
): Bullets {
  // Most steps that lead nowhere say nothing either.
  if (cursor.at >= cursor.end) {
    return { read: nothing, missing: ways, broken: nothing, unaccounted: nothing };
  }
  let read: Bullet[] | null = null;
  let broken: Way[] | null = null;
  let unaccounted: string[] | null = null;
  const rest: Rest = { ways: [...ways], first: 0 };
  while (cursor.at < cursor.end) {
    const from = cursor.at;
    const bullet = readLine(ground, member, rest, cursor);
    if (bullet === null) {
      cursor.at = from;
      unaccounted = put(unaccounted, takeLine(cursor));
      continue;
    }
    if ('next' in bullet) read = put(read, bullet);
    else broken = put(broken, bullet.way);
    takeOff(rest, bullet.way);
  }
  return {
    read: read ?? nothing,
    missing: rest.first === ways.length ? nothing : rest.ways.filter((it) => it !== null),
    broken: broken ?? nothing,
    unaccounted: unaccounted ?? nothing,
  };
}

const nothing: readonly never[] = [];

/** The ways that no line speaks of so far; before `first` there is none any more. */
interface Rest {
  readonly ways: (Way | null)[];
  first: number;
}

/** Lines stand in the order of the ways, or nearly so. */
function takeOff(rest: Rest, way: Way): void {
  const { ways } = rest;
  ways[ways.indexOf(way, rest.first)] = null;
  while (ways[rest.first] === null) rest.first += 1;
}

/** The first way whose words stand here; where its line goes on wrongly, the way alone. */
function readLine(
  ground: Ground,
  member: number,
  { ways, first }: Rest,
  cursor: Cursor,
): Bullet | { readonly way: Way } | null {
  if (!eat(cursor, '- ')) return null;
  const from = cursor.at;
  let begun: { readonly way: Way; readonly end: number } | null = null;
  let unknown: (Bullet & { readonly end: number }) | null = null;
  for (let at = first; at < ways.length; at += 1) {
    const way = ways[at]!;
    if (way === null) continue;
    cursor.at = from;
    for (const { sentence, end } of readOpenings(ground, member, way, cursor)) {
      cursor.at = end;
      const next = readNext(ground, way, cursor);
      if (next !== null && isKnown(ground, next)) return { way, next, sentence };
      unknown ??= next && { way, next, sentence, end: cursor.at };
      begun ??= { way, end };
    }
  }
  if (unknown !== null) {
    cursor.at = unknown.end;
    return unknown;
  }
  if (begun === null || !begun.way.isExit) return null;
  cursor.at = begun.end;
  skipLine(cursor);
  return { way: begun.way };
}

/** A name can hold the words that stand before a name; the one that a member bears is meant. */
function isKnown({ byName }: Ground, next: Next): boolean {
  return next.kind !== 'handoff' || byName.has(next.name);
}

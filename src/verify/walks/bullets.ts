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
import { eatCondition, eatDone, eatShort, listOpenings } from './line-openings.js';
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
  const rest: Rest = { ways, first: 0, spoken: null };
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
    missing: rest.first === ways.length ? nothing : listUnspoken(rest),
    broken: broken ?? nothing,
    unaccounted: unaccounted ?? nothing,
  };
}

const nothing: readonly never[] = [];

/** The ways that no line speaks of so far. */
interface Rest {
  readonly ways: readonly Way[];
  /** Before it there is none any more. */
  first: number;
  /** Those behind it of which a line speaks; null where there is none. */
  spoken: Set<number> | null;
}

function isSpoken({ first, spoken }: Rest, at: number): boolean {
  return at < first || spoken?.has(at) === true;
}

function listUnspoken(rest: Rest): readonly Way[] {
  return rest.ways.filter((_, at) => !isSpoken(rest, at));
}

/** Lines stand in the order of the ways, or nearly so. */
function takeOff(rest: Rest, way: Way): void {
  const at = rest.ways.indexOf(way, rest.first);
  if (at === rest.first) rest.first += 1;
  else {
    rest.spoken ??= new Set();
    rest.spoken.add(at);
  }
  while (rest.spoken?.has(rest.first) === true) rest.first += 1;
}

/** A line that some way begins, but does not end as squadc ends it. */
interface Doubts {
  begun: { readonly way: Way; readonly end: number } | null;
  /** It names an assistant that there is not. */
  unknown: (Bullet & { readonly end: number }) | null;
}

/** The first way whose words stand here; where its line goes on wrongly, the way alone. */
function readLine(
  ground: Ground,
  member: number,
  rest: Rest,
  cursor: Cursor,
): Bullet | { readonly way: Way } | null {
  if (!eat(cursor, '- ')) return null;
  const from = cursor.at;
  const bullet = readByWays(ground, member, rest, cursor, null);
  if (bullet !== null) return bullet;
  // Few lines are doubtful, so the doubts are taken down when there is nothing else.
  cursor.at = from;
  const doubts: Doubts = { begun: null, unknown: null };
  readByWays(ground, member, rest, cursor, doubts);
  return takeDoubtful(doubts, cursor);
}

function readByWays(
  ground: Ground,
  member: number,
  rest: Rest,
  cursor: Cursor,
  doubts: Doubts | null,
): Bullet | null {
  const { ways } = rest;
  const from = cursor.at;
  for (let at = rest.first; at < ways.length; at += 1) {
    if (isSpoken(rest, at)) continue;
    cursor.at = from;
    const bullet = readWay(ground, member, ways[at]!, cursor, doubts);
    if (bullet !== null) return bullet;
  }
  return null;
}

/** The line, if it speaks of the way; a condition ends where it ends, other words at any of some. */
function readWay(
  ground: Ground,
  member: number,
  way: Way,
  cursor: Cursor,
  doubts: Doubts | null,
): Bullet | null {
  const { condition } = way;
  if (condition !== null) {
    const isHere = eatCondition(ground, member, condition, cursor);
    return isHere ? readEnding(ground, way, condition.value, cursor, doubts) : null;
  }
  if (eatShort(ground, way, cursor)) return readEnding(ground, way, '', cursor, doubts);
  const from = cursor.at;
  const done = eatDone(ground, member, way, cursor);
  // The commonest by itself; it is the first of all openings as well.
  const plain = done === null ? null : readEnding(ground, way, done, cursor, null);
  if (plain !== null) return plain;
  cursor.at = from;
  for (const { sentence, end } of listOpenings(ground, member, way, cursor)) {
    cursor.at = end;
    const bullet = readEnding(ground, way, sentence, cursor, doubts);
    if (bullet !== null) return bullet;
  }
  return null;
}

function readEnding(
  ground: Ground,
  way: Way,
  sentence: string,
  cursor: Cursor,
  doubts: Doubts | null,
): Bullet | null {
  const end = cursor.at;
  const next = readNext(ground, way, cursor);
  if (next !== null && isKnown(next)) return { way, next, sentence };
  if (doubts === null) return null;
  doubts.unknown ??= next && { way, next, sentence, end: cursor.at };
  doubts.begun ??= { way, end };
  return null;
}

function takeDoubtful(
  { begun, unknown }: Doubts,
  cursor: Cursor,
): Bullet | { readonly way: Way } | null {
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
function isKnown(next: Next): boolean {
  return next.kind !== 'handoff' || next.member !== null;
}

/** What a line under a step says before it says where to go: when the way is taken. */
import type { Condition } from '../../compiler/ir/workflow.js';
import { type Cursor, eat, eatPattern } from '../reading/cursor.js';
import { calleeOf } from './calls.js';
import type { Ground } from './ground.js';
import { enumerate } from './sentences.js';
import type { Way } from './ways.js';

/** Moves past the condition of a way, and what is to be done before it; false where it is not here. */
export function eatCondition(
  ground: Ground,
  member: number,
  condition: Condition,
  cursor: Cursor,
): boolean {
  if (!eatDemands(ground, member, condition, cursor)) return false;
  return eat(cursor, 'when ') && eat(cursor, condition.value);
}

/** What a line says before it says where to go, and where that ends. */
export interface Opening {
  readonly sentence: string;
  readonly end: number;
}

/** Moves past the words for a way without a condition where they are no sentence; false elsewhere. */
export function eatShort({ graph }: Ground, way: Way, cursor: Cursor): boolean {
  if (way.edge === null || graph.nodeAt(way.to).role === 'exit') return false;
  return eatBeforeGo(cursor, way.otherwise ? 'otherwise' : 'when done');
}

/**
 * Moves past the words that a way out of the call, or one from an assistant that collects nothing,
 * has in the place of a condition, and returns them; null where they do not stand here.
 */
export function eatDone(
  { squad }: Ground,
  member: number,
  { edge, otherwise }: Way,
  cursor: Cursor,
): string | null {
  const from = cursor.at;
  const isHere =
    edge !== null &&
    (!otherwise || eat(cursor, 'otherwise, ')) &&
    eat(cursor, 'when done with ') &&
    eat(cursor, squad.members[member]!.name ?? '');
  if (isHere && isNext(cursor.text, cursor.at)) {
    const sentence = cursor.text.slice(from, cursor.at);
    // A line ends where it ends, whatever the name is.
    if (!sentence.includes('\n')) return sentence;
  }
  cursor.at = from;
  return null;
}

/** A sentence of squadc's own, for a way without a condition, ends at any words that follow it. */
export function listOpenings(
  ground: Ground,
  member: number,
  way: Way,
  cursor: Cursor,
): readonly Opening[] {
  const from = cursor.at;
  if (way.edge !== null && way.otherwise && !eat(cursor, 'otherwise, ')) return nothing;
  if (eatPattern(cursor, way.edge === null ? whenNeeded : ownSentence) === null) return nothing;
  const ends = listEnds(cursor).map((end) => ({ sentence: cursor.text.slice(from, end), end }));
  if (ends.length < 2) return ends;
  // The assistant's own name comes first: it can hold the words that follow it.
  const own = `when done with ${ground.squad.members[member]!.name ?? ''}`;
  const isOwn = ({ sentence }: Opening) => sentence.endsWith(own);
  return [...ends.filter(isOwn), ...ends.filter((it) => !isOwn(it))];
}

const nothing: readonly Opening[] = [];

/** Moves past the words where a step or a line of its own follows them. */
function eatBeforeGo(cursor: Cursor, words: string): boolean {
  const from = cursor.at;
  const { text } = cursor;
  if (!eat(cursor, words)) return false;
  if (text.startsWith(', go to step ', cursor.at) || text.startsWith(':\n', cursor.at)) return true;
  cursor.at = from;
  return false;
}

/** The places on this line at which squadc's words for what comes next begin. */
function listEnds({ text, at, end }: Cursor): number[] {
  const newline = text.indexOf('\n', at);
  const ends: number[] = [];
  for (let place = at; place < (newline === -1 ? end : newline); place += 1) {
    const letter = text.charCodeAt(place);
    if ((letter === comma || letter === colon) && isNext(text, place)) ends.push(place);
  }
  return ends;
}

const comma = 44;
const colon = 58;

/** Whether squadc's words for what comes next stand there. */
function isNext(text: string, at: number): boolean {
  return (
    text.startsWith(', go to step ', at) ||
    text.startsWith(', hand off to "', at) ||
    text.startsWith(', then ', at) ||
    text.startsWith(':\n', at)
  );
}

/** What must be known or called before an exact condition can be judged. */
function eatDemands(ground: Ground, member: number, condition: Condition, cursor: Cursor): boolean {
  if (condition.call !== null) {
    const found = eatPattern(cursor, firstCall);
    return found !== null && calleeOf(ground, member, condition.call, found[1] ?? '');
  }
  if (condition.routing !== 'extract' || condition.uses.length === 0) return true;
  const names = condition.uses.map(({ name }) => name);
  return eat(cursor, `first make sure that you know ${enumerate([...new Set(names)])}; `);
}

const firstCall = /first call the tool ([^\n;]+); /y;
const ownSentence = /after collecting |when done with /y;
const whenNeeded = /when the caller needs /y;

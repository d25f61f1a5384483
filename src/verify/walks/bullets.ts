/**
 * The lines under a step that say what comes next, read against the ways that the source has.
 *
 * In: the ways, and a cursor behind the step's own work. Out: where each way leads, which have no
 * line, and which lines belong to no way. The source's words are looked for where they are
 * expected, so that whatever they say, they are not taken for squadc's.
 */
import type { WorkflowNode } from '../../compiler/ir/workflow.js';
import { type Cursor, eat, eatPattern, skipLine } from '../reading/cursor.js';
import { calleeOf } from './calls.js';
import type { Ground } from './ground.js';
import { enumerate } from './sentences.js';
import type { Way } from './ways.js';

/** What a line says that comes next. */
export interface Bullet {
  readonly way: Way;
  readonly next:
    | { readonly kind: 'step'; readonly step: number; readonly repeats: boolean }
    | { readonly kind: 'handoff'; readonly name: string }
    | { readonly kind: 'left' };
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
  const read: Bullet[] = [];
  const broken: Way[] = [];
  const unaccounted: string[] = [];
  const rest = new Set(ways);
  while (cursor.at < cursor.end) {
    const from = cursor.at;
    const bullet = readNext(ground, member, rest, cursor);
    if (bullet === null) {
      cursor.at = from;
      unaccounted.push(skipLine(cursor));
    } else if ('next' in bullet) {
      read.push(bullet);
      rest.delete(bullet.way);
    } else {
      broken.push(bullet.way);
      rest.delete(bullet.way);
    }
  }
  return { read, missing: [...rest], broken, unaccounted };
}

const nothing: readonly never[] = [];

/** The first way whose words stand here; where its line goes on wrongly, the way alone. */
function readNext(
  ground: Ground,
  member: number,
  rest: ReadonlySet<Way>,
  cursor: Cursor,
): Bullet | { readonly way: Way } | null {
  if (!eat(cursor, '- ')) return null;
  const from = cursor.at;
  let begun: { readonly way: Way; readonly end: number } | null = null;
  let unknown: (Bullet & { readonly end: number }) | null = null;
  for (const way of rest) {
    cursor.at = from;
    for (const { sentence, end } of readOpenings(ground, member, way, cursor)) {
      cursor.at = end;
      const next = readRest(ground, way, cursor);
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
function isKnown({ byName }: Ground, next: Bullet['next']): boolean {
  return next.kind !== 'handoff' || byName.has(next.name);
}

/** What a line says before it says where to go, and where that ends. */
interface Opening {
  readonly sentence: string;
  readonly end: number;
}

/** A condition ends where it ends; a sentence of squadc's own, at any of the words that follow it. */
function readOpenings(
  ground: Ground,
  member: number,
  way: Way,
  cursor: Cursor,
): readonly Opening[] {
  const { condition, to } = way;
  if (condition !== null) {
    if (!eatDemands(ground, member, way, cursor)) return nothing;
    if (!eat(cursor, 'when ') || !eat(cursor, condition.value)) return nothing;
    return [{ sentence: condition.value, end: cursor.at }];
  }
  if (way.edge !== null && ground.graph.nodeAt(to).role !== 'exit') {
    const done = eatPattern(cursor, way.otherwise ? otherwiseGo : doneGo);
    if (done !== null) return [{ sentence: '', end: cursor.at }];
  }
  const from = cursor.at;
  if (way.edge !== null && way.otherwise && !eat(cursor, 'otherwise, ')) return [];
  if (eatPattern(cursor, way.edge === null ? whenNeeded : ownSentence) === null) return [];
  const ends = listEnds(cursor).map((end) => ({ sentence: cursor.text.slice(from, end), end }));
  // The assistant's own name comes first: it can hold the words that follow it.
  const own = `when done with ${ground.squad.members[member]!.name ?? ''}`;
  const isOwn = ({ sentence }: Opening) => sentence.endsWith(own);
  return [...ends.filter(isOwn), ...ends.filter((it) => !isOwn(it))];
}

/** The places on this line at which squadc's words for what comes next begin. */
function listEnds({ text, at, end }: Cursor): number[] {
  const newline = text.indexOf('\n', at);
  const line = text.slice(at, newline === -1 ? end : newline + 1);
  return Array.from(line.matchAll(nextWords), ({ index }) => at + index);
}

/** What must be known or called before an exact condition can be judged. */
function eatDemands(ground: Ground, member: number, { condition }: Way, cursor: Cursor): boolean {
  if (condition === null) return true;
  if (condition.call !== null) {
    const found = eatPattern(cursor, firstCall);
    return found !== null && calleeOf(ground, member, condition.call, found[1] ?? '');
  }
  if (condition.routing !== 'extract' || condition.uses.length === 0) return true;
  const names = condition.uses.map(({ name }) => name);
  return eat(cursor, `first make sure that you know ${enumerate([...new Set(names)])}; `);
}

function readRest(ground: Ground, { to, isExit }: Way, cursor: Cursor): Bullet['next'] | null {
  const node = ground.graph.nodeAt(to);
  if (isExit) return eat(cursor, leaving(node)) ? { kind: 'left' } : null;
  const direct = eatPattern(cursor, goTo);
  if (direct !== null) return { kind: 'step', step: Number(direct[1]), repeats: false };
  const handoff = eatPattern(cursor, handOff);
  if (handoff !== null) return { kind: 'handoff', name: handoff[1] ?? '' };
  const line = node.firstMessage;
  if (line === null || !eat(cursor, `:\n  Say: "${line.value}"\n  then`)) return null;
  const repeated = eatPattern(cursor, goAfterLine);
  return repeated && { kind: 'step', step: Number(repeated[1]), repeats: true };
}

/** What the prompt says of an exit: its line, its instruction, and how the call goes on. */
function leaving({ firstMessage, systemPrompt, type, transfer }: WorkflowNode): string {
  const said = [
    ...(firstMessage === null ? [] : [`  Say: "${firstMessage.value}"\n`]),
    ...(systemPrompt === null ? [] : [`  ${systemPrompt.value}\n`]),
  ];
  const all = transfer === null ? [] : [transfer, ...transfer.others];
  const addresses = all.flatMap(({ destination }) => {
    if (destination === null) return [];
    const { value } = destination;
    return [value.type === 'sip' ? value.sipUri : value.number];
  });
  const action =
    type === 'transferCall' ? `transfer the call to ${addresses.join(' or ')}` : 'end the call';
  return `${said.length === 0 ? ', ' : `:\n${said.join('')}  `}then ${action}\n`;
}

const firstCall = /first call the tool ([^\n;]+); /y;
const goTo = /, go to step (\d+)\n/y;
const goAfterLine = / go to step (\d+)\n/y;
const handOff = /, hand off to "([^\n]*)"\n/y;
const doneGo = /when done(?=, go to step |:\n)/y;
const otherwiseGo = /otherwise(?=, go to step |:\n)/y;
const ownSentence = /after collecting |when done with /y;
const whenNeeded = /when the caller needs /y;
const nextWords = /, go to step |, hand off to "|, then |:\n/g;

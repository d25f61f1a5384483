/**
 * A step of a prompt, read against the node that a call is at.
 *
 * The node's line, its instruction, what it captures and what it calls stand in this order, word
 * for word; then come the ways on. Whatever else stands there is somebody else's.
 */
import type { JsonPointer } from '../../compiler/ir/ids.js';
import type { WorkflowNode } from '../../compiler/ir/workflow.js';
import { type Cursor, eat, eatPattern } from '../reading/cursor.js';
import type { Member } from '../squad-reading.js';
import { put } from '../variables/lists.js';
import { type Bullets, readBullets } from './bullets.js';
import { calleeOf, isGivenTool, isToolOf } from './calls.js';
import type { Ground } from './ground.js';
import { listStepTexts, type StepText, sayTexts } from './step-texts.js';

/** A text of the node that the step lacks. */
export interface Lost {
  readonly what: StepText['what'] | 'tool call';
  readonly text: string;
  readonly at: JsonPointer;
}

export interface Block {
  readonly lost: readonly Lost[];
  /** What stands between the node's texts. */
  readonly unaccounted: readonly string[];
  readonly bullets: Bullets;
}

export function readBlock(ground: Ground, member: number, step: number, node: WorkflowNode): Block {
  const cursor = cursorAt(ground, member, step);
  const { lost, unaccounted } = readTexts(ground, member, step, node, cursor);
  const uncalled = callsTools(node) ? readCalls(ground, member, node, cursor) : nothing;
  const bullets = readBullets(ground, member, ground.waysFrom(node.index), cursor);
  return { lost: uncalled.length === 0 ? lost : [...lost, ...uncalled], unaccounted, bullets };
}

const nothing: readonly never[] = [];

const allThere: Pick<Block, 'lost' | 'unaccounted'> = { lost: nothing, unaccounted: nothing };

/** The line, the instruction and the captures. */
function readTexts(
  ground: Ground,
  member: number,
  step: number,
  node: WorkflowNode,
  cursor: Cursor,
): Pick<Block, 'lost' | 'unaccounted'> {
  // A line without words may be said or not.
  if (node.firstMessage?.value === '') eat(cursor, 'Say: ""\n');
  else if (skipHead(ground, member, step, node, cursor)) return allThere;
  let lost: Lost[] | null = null;
  let unaccounted: string[] | null = null;
  const greeted = isGreeted(ground.squad.members[member]!, step);
  for (const { what, text, at } of listStepTexts(node, greeted)) {
    if (eat(cursor, text)) continue;
    // A text that stands further down is there, and what stands before it is not the node's.
    const later = cursor.text.indexOf(text, cursor.at);
    if (later === -1 || later + text.length > cursor.end) {
      lost = put(lost, { what, text, at });
    } else {
      unaccounted = put(unaccounted, cursor.text.slice(cursor.at, later));
      cursor.at = later + text.length;
    }
  }
  return { lost: lost ?? nothing, unaccounted: unaccounted ?? nothing };
}

/** Whether the step begins as the node does; a node without texts fits anywhere. */
export function fitsHead(
  ground: Ground,
  member: number,
  step: number,
  node: WorkflowNode,
): boolean {
  const cursor = cursorAt(ground, member, step);
  const greeted = isGreeted(ground.squad.members[member]!, step);
  if (!sayTexts(node, greeted, eat, cursor)) return false;
  const { heads, numberOf } = ground;
  const position = numberOf(member, step);
  heads.nodes[position] = node.index;
  heads.ends[position] = cursor.at;
  return true;
}

/** Most steps are read behind a look at how they begin; what was found then is not read again. */
function skipHead(
  { heads, numberOf }: Ground,
  member: number,
  step: number,
  { index }: WorkflowNode,
  cursor: Cursor,
): boolean {
  const position = numberOf(member, step);
  if (heads.nodes[position] !== index) return false;
  cursor.at = heads.ends[position]!;
  return true;
}

function cursorAt({ prompts }: Ground, member: number, step: number): Cursor {
  const { text, steps } = prompts[member]!;
  const { start, end } = steps[step - 1]!;
  return { text, at: start, end };
}

/** The first step of an assistant with a line of its own is greeted with it. */
export function isGreeted({ firstMessage }: Member, step: number): boolean {
  return step === 1 && firstMessage !== null && firstMessage !== '';
}

/** Most nodes call nothing. */
function callsTools({ request, type, calls }: WorkflowNode): boolean {
  return request !== null || type === 'tool' || calls.length > 0;
}

/** The node's own tool, then those that an answer puts behind its captures: what is missing. */
function readCalls(
  ground: Ground,
  member: number,
  node: WorkflowNode,
  cursor: Cursor,
): readonly Lost[] {
  const { request, id, at } = node;
  const lost: Lost[] = [];
  if (request !== null && !eatCall(cursor, (name) => isToolOf(ground, member, node, name))) {
    lost.push({ what: 'tool call', text: id, at });
  }
  for (const tool of node.type === 'tool' ? node.tools : []) {
    if (!eatCall(cursor, (name) => isGivenTool(tool, name))) {
      lost.push({ what: 'tool call', text: id, at });
    }
  }
  for (const call of node.calls) {
    if (call.moment !== 'captured') continue;
    if (!eatCall(cursor, (name) => calleeOf(ground, member, call, name))) {
      lost.push({ what: 'tool call', text: call.tool, at: call.at });
    }
  }
  return lost;
}

function eatCall(cursor: Cursor, isRight: (name: string) => boolean): boolean {
  const from = cursor.at;
  const found = eatPattern(cursor, callLine);
  if (found !== null && isRight(found[1] ?? '')) return true;
  cursor.at = from;
  return false;
}

const callLine = /- call the tool ([^\n]+)\n/y;

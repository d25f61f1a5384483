/**
 * A step of a prompt, read against the node that a call is at.
 *
 * The node's line, its instruction, what it captures and what it calls stand in this order, word
 * for word; then come the ways on. Whatever else stands there is somebody else's.
 */
import type { JsonPointer } from '../../compiler/ir/ids.js';
import type { Capture, WorkflowNode } from '../../compiler/ir/workflow.js';
import { type Cursor, eat, eatPattern } from '../reading/cursor.js';
import type { Member } from '../squad-reading.js';
import { type Bullets, readBullets } from './bullets.js';
import { calleeOf, isGivenTool, isToolOf } from './calls.js';
import type { Ground } from './ground.js';

/** A text of the node that the step lacks. */
export interface Lost {
  readonly what: 'line' | 'instruction' | 'variable' | 'tool call';
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
  const lost: Lost[] = [];
  const unaccounted: string[] = [];
  // A line without words may be said or not.
  if (node.firstMessage?.value === '') eat(cursor, 'Say: ""\n');
  for (const { what, text, at } of listTexts(ground, member, step, node)) {
    if (eat(cursor, text)) continue;
    // A text that stands further down is there, and what stands before it is not the node's.
    const later = cursor.text.indexOf(text, cursor.at);
    if (later === -1 || later + text.length > cursor.end) {
      lost.push({ what, text, at });
    } else {
      unaccounted.push(cursor.text.slice(cursor.at, later));
      cursor.at = later + text.length;
    }
  }
  for (const lostCall of readCalls(ground, member, node, cursor)) lost.push(lostCall);
  const bullets = readBullets(ground, member, ground.waysFrom(node.index), cursor);
  return { lost, unaccounted, bullets };
}

/** Whether the step begins as the node does; a node without texts fits anywhere. */
export function fitsHead(
  ground: Ground,
  member: number,
  step: number,
  node: WorkflowNode,
): boolean {
  const cursor = cursorAt(ground, member, step);
  return listTexts(ground, member, step, node).every(({ text }) => eat(cursor, text));
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

function listTexts(
  { squad }: Ground,
  member: number,
  step: number,
  { firstMessage, systemPrompt, captures }: WorkflowNode,
): Lost[] {
  const texts: Lost[] = [];
  if (
    firstMessage !== null &&
    firstMessage.value !== '' &&
    !isGreeted(squad.members[member]!, step)
  ) {
    texts.push({ what: 'line', text: `Say: "${firstMessage.value}"\n`, at: firstMessage.at });
  }
  if (systemPrompt !== null) {
    texts.push({ what: 'instruction', text: `${systemPrompt.value}\n`, at: systemPrompt.at });
  }
  for (const capture of captures) {
    texts.push({ what: 'variable', text: captureLine(capture), at: capture.at });
  }
  return texts;
}

/** The line that asks for a variable, or says what it is made of. */
export function captureLine({ name, type, description, enum: values, alias }: Capture): string {
  if (alias !== undefined) return derivedLine(name, alias.value);
  const described = description === null ? '' : `: ${description.value}`;
  const listed = values === null ? '' : `; one of ${values.join(', ')}`;
  return `- find out ${name} (${type})${described}${listed}\n`;
}

/** A template is not to be filled in there; one that ends such a passage itself stands as it is. */
function derivedLine(name: string, template: string): string {
  const isPlain = /\{%-?\s*endraw\b/.test(template);
  const shown = isPlain ? template : `{% raw %}${template}{% endraw %}`;
  return `- derive ${name} as ${shown}\n`;
}

/** The node's own tool, then those that an answer puts behind its captures. */
function* readCalls(
  ground: Ground,
  member: number,
  node: WorkflowNode,
  cursor: Cursor,
): Generator<Lost> {
  const { request, id, at } = node;
  if (request !== null && !eatCall(cursor, (name) => isToolOf(ground, member, node, name))) {
    yield { what: 'tool call', text: id, at };
  }
  for (const tool of node.type === 'tool' ? node.tools : []) {
    if (!eatCall(cursor, (name) => isGivenTool(tool, name))) {
      yield { what: 'tool call', text: id, at };
    }
  }
  for (const call of node.calls) {
    if (call.moment !== 'captured') continue;
    if (!eatCall(cursor, (name) => calleeOf(ground, member, call, name))) {
      yield { what: 'tool call', text: call.tool, at: call.at };
    }
  }
}

function eatCall(cursor: Cursor, isRight: (name: string) => boolean): boolean {
  const from = cursor.at;
  const found = eatPattern(cursor, callLine);
  if (found !== null && isRight(found[1] ?? '')) return true;
  cursor.at = from;
  return false;
}

const callLine = /- call the tool ([^\n]+)\n/y;

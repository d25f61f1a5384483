/**
 * Texts of the source with a line that reads like a heading of squadc's prompts.
 *
 * Nothing keeps an instruction from saying "Step 2" on a line of its own. Such texts are known
 * beforehand, so a heading in a prompt can be told from one that stands inside of a text.
 */
import type { Workflow, WorkflowNode } from '../../compiler/ir/workflow.js';

export interface Disguises {
  /** Whether the heading whose first letter is at this offset stands inside of a source's text. */
  readonly cover: (prompt: string, at: number) => boolean;
}

const headingLine = /^(?:Step \d+|At any time)$/gm;

/** Where a text of the source can begin, and what can follow it, in the prompts of squadc. */
const before = /(?:^|(?:^|\n)Step \d+\n|"\n|: |; or |when |If | {2}|Say: ")$/;
const after = /[\n",:;]/y;

/** By the line that looks like a heading, the texts that it stands in, and where. */
type Lines = Map<string, { readonly text: string; readonly offset: number }[]>;

export function findDisguises(workflow: Workflow): Disguises {
  const lines: Lines = new Map();
  note(lines, workflow.globalPrompt?.value);
  for (const node of workflow.nodes) noteNode(lines, node);
  for (const { condition } of workflow.edges) note(lines, condition?.value);
  if (lines.size === 0) return { cover: () => false };
  return {
    cover: (prompt, at) => {
      const end = prompt.indexOf('\n', at);
      const texts = lines.get(prompt.slice(at, end === -1 ? prompt.length : end)) ?? [];
      return texts.some(({ text, offset }) => stands(prompt, text, at - offset));
    },
  };
}

/** Whether the text stands there, at a place where a text of the source can stand. */
function stands(prompt: string, text: string, at: number): boolean {
  if (at < 0 || !prompt.startsWith(text, at)) return false;
  after.lastIndex = at + text.length;
  return before.test(prompt.slice(Math.max(0, at - 24), at)) && after.test(prompt);
}

function noteNode(lines: Lines, { firstMessage, systemPrompt, global, captures }: WorkflowNode) {
  note(lines, firstMessage?.value);
  note(lines, systemPrompt?.value);
  note(lines, global?.condition?.value);
  for (const { name, description, alias, enum: values } of captures) {
    note(lines, name);
    note(lines, description?.value);
    note(lines, alias?.value);
    for (const value of values ?? []) note(lines, value);
  }
}

/** A line can only be taken for a heading where it stands behind an empty one. */
function note(lines: Lines, text: string | undefined): void {
  if (text === undefined || !mayHold(text)) return;
  for (const { 0: line, index: offset } of text.matchAll(headingLine)) {
    const isBehindEmpty = offset === 1 || text[offset - 2] === '\n';
    if (text[offset - 1] !== '\n' || !isBehindEmpty) continue;
    const known = lines.get(line);
    if (known === undefined) lines.set(line, [{ text, offset }]);
    else known.push({ text, offset });
  }
}

/** Most texts are ruled out without a pattern: a heading stands behind a newline, and few have one. */
function mayHold(text: string): boolean {
  const newline = text.indexOf('\n');
  if (newline === -1) return false;
  return text.includes('\nStep ', newline) || text.includes('\nAt any time', newline);
}

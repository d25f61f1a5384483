/**
 * Compares what a step of a prompt says with its node, and what a branch says with its exit.
 *
 * Which tools a step calls is compared with the tools.
 */
import {
  plain,
  type ReadBranch,
  type ReadCapture,
  type ReadStep,
  unraw,
} from '../../call/prompt.js';
import { numbersOf, transfersOf } from '../../call/vocabulary.js';
import { spellCapture } from '../../compiler/ir/prompt.js';
import { linesOfTool, startLineOf } from '../../compiler/ir/texts.js';
import { saysIf } from '../../compiler/ir/wording.js';
import type { Capture, Condition, Text, WorkflowNode } from '../../compiler/ir/workflow.js';
import { ofDifferences } from '../../diagnostics/checklist.js';
import type { JsonPointer } from '../../text/pointer.js';

/** Reports differences of an assistant. */
export interface Report {
  /** What sentences call it. */
  readonly called: string;
  readonly note: (
    text: string,
    source: readonly (JsonPointer | { readonly at: JsonPointer })[],
    item?: number | null,
    at?: JsonPointer,
  ) => void;
}

/** Instructions of white space only are none. */
const wordsOf = (text: Text | null) =>
  text === null || text.value.trim() === '' ? '' : plain(text);
const toldIn = ({ instructions }: Pick<ReadStep, 'instructions'>) =>
  instructions === null || instructions.value.trim() === '' ? '' : instructions.value;

/** A transition: its condition, or those of the others. */
interface Leaving {
  readonly condition: Condition | null;
  readonly beside: readonly Condition[];
}

/** The first line of a transition. */
export function spellBranch({ condition, beside }: Leaving): string {
  if (condition !== null) {
    const words = plain(condition);
    return saysIf(words) ? `- ${words}` : `- If: ${words}`;
  }
  return beside.length > 0 ? '- Otherwise, when done' : '- When done';
}

const spellExpected = (capture: Capture) => unraw(spellCapture(capture)).plain.slice(0, -1);

const spellFound = ({ name, type, description, choices, template }: ReadCapture) => {
  if (template !== null) return `- Derive ${name} as ${template.value}`;
  const about = description === null ? '' : `: ${description.value}`;
  return `- Find out ${name} (${type})${about}${choices === null ? '' : `; one of ${choices}`}`;
};

/** Whether a step is word for word what the node says: instructions can read like a line to say. */
function soundsLike({ firstMessage, systemPrompt }: WorkflowNode, step: ReadStep): boolean {
  const sayingOf = (line: string) => `Say: "${line}"`;
  const lines = step.lines.map(({ value, at }) => ({ at, value: sayingOf(value) }));
  const parts = [...lines, ...(step.instructions === null ? [] : [step.instructions])].toSorted(
    (one, other) => one.at - other.at,
  );
  const line = firstMessage === null ? '' : sayingOf(plain(firstMessage));
  let left = [line, wordsOf(systemPrompt)].filter((it) => it !== '').join('\n');
  for (const { value } of parts) {
    if (!left.startsWith(value)) return false;
    // Blank lines beside a line to say are not read.
    left = left.slice(value.length).replace(/^\n+/, '');
  }
  return left === '';
}

/** Whether the instructions and captures of a step are the node's. */
export function holdsStep(node: WorkflowNode, step: ReadStep | undefined): boolean {
  if (step === undefined) return false;
  const [wanted, told] = [wordsOf(node.systemPrompt), toldIn(step)];
  if (told !== wanted && told !== wanted.trim() && !soundsLike(node, step)) return false;
  return step.captures.map(spellFound).join('\n') === node.captures.map(spellExpected).join('\n');
}

/** Whether the model says the line of the node's tool: then the step says it last. */
export function saysStart(node: WorkflowNode, { lines }: ReadStep): boolean {
  const start = startLineOf(node);
  return start !== null && lines.at(-1)?.value === plain(start);
}

/** What was said on the way to a step, in whole if by the first message, which stands at a place. */
interface Before {
  readonly before: readonly string[];
  readonly openingAt: JsonPointer | null;
}

export function compareStep(
  node: WorkflowNode,
  step: ReadStep,
  { before, openingAt }: Before,
  report: Report,
): void {
  if (before.length > 0 || !soundsLike(node, step))
    compareTexts(node, step, { before, openingAt }, report);
  const captures = node.captures.map((it) => ({ words: spellExpected(it), at: it.at }));
  compareLists(captures, step.captures.map(spellFound), node.at, report, [4, null]);
}

function compareTexts(
  node: WorkflowNode,
  step: ReadStep,
  { before, openingAt }: Before,
  { called, note }: Report,
): void {
  const line = node.firstMessage === null ? null : plain(node.firstMessage);
  const said = step.lines.map(({ value }) => value);
  const heard = [...before, ...(saysStart(node, step) ? said.slice(0, -1) : said)];
  const at = openingAt ?? undefined;
  if (line !== null && !heard.includes(line)) {
    note(ofDifferences.lineElsewhere(called, line, node.id), [node.firstMessage!], null, at);
  } else {
    const extra = line === null ? heard : heard.toSpliced(heard.indexOf(line), 1);
    for (const words of extra) {
      const isGreeting = openingAt !== null && words === before[0];
      if (isGreeting) note(ofDifferences.greetsWith(called, words, node.id), [node], null, at);
      else note(ofDifferences.unaccounted(called, words), [node]);
    }
  }
  const wanted = wordsOf(node.systemPrompt);
  const told = toldIn(step);
  if (wanted !== told && wanted !== '')
    note(ofDifferences.textLost(called, wanted), [node.systemPrompt!]);
  if (wanted !== told && told !== '') note(ofDifferences.unaccounted(called, told), [node]);
}

/** Compares lines, and reports lost ones and others with these items. */
export function compareLists(
  wanted: readonly { readonly words: string; readonly at: JsonPointer }[],
  given: readonly string[],
  place: JsonPointer,
  { called, note }: Report,
  [ofLost, ofOthers]: readonly [number, number | null],
): void {
  const left = [...given];
  const lost = wanted.filter(({ words }) => {
    const at = left.indexOf(words);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  for (const { words, at } of lost) note(ofDifferences.lineLost(called, words), [at], ofLost);
  for (const words of left) note(ofDifferences.unaccounted(called, words), [place], ofOthers);
  if (lost.length + left.length > 0) return;
  const moved = wanted.find(({ words }, at) => given[at] !== words);
  if (moved) note(ofDifferences.lineMoved(called, moved.words), [moved.at], ofLost);
}

/** Lines of its tool that the model says itself; the tools are held to it. */
export function saidAtExit(node: WorkflowNode, { lines }: ReadBranch): readonly string[] {
  const { firstMessage, lineBy } = node;
  const said = lines.map(({ value }) => value);
  const isFirst = lineBy === null && firstMessage !== null && said[0] === plain(firstMessage);
  return isFirst ? said.slice(1) : said;
}

/** What a branch says otherwise before the end, or lacks, each with its place in the source. */
export function compareExit(node: WorkflowNode, branch: ReadBranch, it: Leaving, called: string) {
  const { firstMessage, lineBy, systemPrompt } = node;
  const found: (readonly [text: string, source: { readonly at: JsonPointer }])[] = [];
  const line = firstMessage === null || lineBy !== null ? null : plain(firstMessage);
  const messages = linesOfTool(node).map(plain);
  if (line !== null && branch.lines[0]?.value !== line)
    found.push([ofDifferences.textLost(called, line), firstMessage!]);
  const said = saidAtExit(node, branch);
  for (const [at, words] of said.entries()) {
    const isAgain = said.indexOf(words) < at && !messages.includes(words, at);
    if (!messages.includes(words) || isAgain)
      found.push([ofDifferences.unaccounted(called, words), node]);
  }
  const [wanted, told] = [wordsOf(systemPrompt), toldIn(branch)];
  if (wanted !== told && wanted === '') found.push([ofDifferences.unaccounted(called, told), node]);
  else if (wanted !== told) found.push([ofDifferences.textLost(called, wanted), systemPrompt!]);
  if (branch.isOtherwise !== (it.condition === null && it.beside.length > 0))
    found.push([ofDifferences.lineLost(called, spellBranch(it)), node]);
  const numbers = transfersOf(node).flatMap(numbersOf);
  const { action } = branch;
  if (action.kind === 'transfer' && numbers.join('\n') !== action.numbers.join('\n'))
    found.push([ofDifferences.textLost(called, numbers.join(' or ')), node]);
  return found;
}

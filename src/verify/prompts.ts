/**
 * What an assistant says otherwise than the source.
 *
 * In: a member, and what it is to say. Out: differences, each with the item that it fails. A prompt in
 * the wording of squadc equals the prompt that the wording spells, line by line. In other prose every
 * text stands word for word; the order of steps and what belongs to which condition it cannot show.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import { withoutRaw } from '../compiler/ir/tokens.js';
import type { WorkflowNode } from '../compiler/ir/workflow.js';
import { ofDifferences } from '../diagnostics/checklist.js';
import type { CallNames, Difference, ExpectedPrompt, Part } from './expected/prompts.js';
import { listWays, type Owners, type SourceGraph } from './expected/source.js';
import type { Member } from './squad.js';

/** A prompt in the wording of squadc, against what that spells. */
export function comparePrompt(
  graph: SourceGraph,
  member: Member,
  expected: ExpectedPrompt,
): Difference[] {
  const { prompt, promptAt, index, called, messages } = member;
  const { nodes, spelt, listParts } = expected;
  // Whether anybody comes to the assistant at all is the business of item 2.
  if (nodes.length === 0) return [];
  const differences = compareOpening(graph, member, expected);
  const note = (text: string, lost: Partial<Part> = {}): void => {
    const place = { member: index, node: null, edge: null, source: [], output: [promptAt] };
    const { item = null, source = [], node = null, edge = null } = lost;
    differences.push({ ...place, item, text, source, node, edge });
  };
  if (messages !== 1) note(ofDifferences.stepsLost(called));
  if (prompt === spelt) return differences;

  const [there, wanted] = [countLines(prompt), countLines(spelt)];
  const missing = subtract(wanted, there);
  missing.delete('');
  const parts = listParts();
  const lost = parts.filter((part) => {
    const own = part.spelt.split('\n').filter((line) => (missing.get(line) ?? 0) > 0);
    for (const line of own) missing.set(line, missing.get(line)! - 1);
    return own.length > 0;
  });
  for (const part of lost) note(part.text, part);
  const extra = [...subtract(there, wanted).keys()].filter((line) => line.trim() !== '');
  for (const line of extra) {
    note(ofDifferences.unaccounted(called, line), { item: endsCall(line) ? 6 : null });
  }
  // What no part accounts for are headings. Where every line is there, what differs is the order.
  const isHeaded = [...missing.values()].every((count) => count === 0);
  const isMoved = isHeaded && lost.length + extra.length === 0;
  const moved = isMoved ? findMisplaced(prompt, spelt, parts) : null;
  if (moved !== null) note(moved.text, moved);
  else if (isMoved || !isHeaded) note(ofDifferences.stepsLost(called));
  return differences;
}

/** Lines that are there, with how often; blank ones among them. */
function countLines(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

function subtract(some: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>) {
  const left = [...some].map(([line, count]) => [line, count - (others.get(line) ?? 0)] as const);
  return new Map(left.filter(([, count]) => count > 0));
}

/** The part that is to stand where the two texts part. */
function findMisplaced(prompt: string, spelt: string, parts: readonly Part[]): Part | null {
  let same = 0;
  while (same < spelt.length && prompt[same] === spelt[same]) same += 1;
  let end = 0;
  for (const part of parts) {
    const found = spelt.indexOf(part.spelt, end);
    if (found === -1) continue;
    end = found + part.spelt.length;
    if (end > same) return part;
  }
  return null;
}

/** An assistant opens with the line of the only node that a call can begin at. */
function compareOpening(
  graph: SourceGraph,
  { firstMessage, firstMessageAt: at, index, called }: Member,
  { line, nodes, entryCount }: ExpectedPrompt,
): Difference[] {
  const said = firstMessage ?? '';
  if (said === (line?.value ?? '')) return [];
  const [node = null] = nodes;
  const id = node === null ? '' : graph.nodeAt(node).id;
  const text =
    line !== null
      ? ofDifferences.lineElsewhere(called, id, line.value)
      : entryCount > 1
        ? ofDifferences.greetsEverybody(called, said)
        : ofDifferences.greetsWith(called, id, said);
  const source = line === null ? [] : [line.at];
  return [{ item: null, text, source, output: [at], member: index, node, edge: null }];
}

/** A prompt in other prose, or a saved assistant of the source, which has no prompt at all. */
export function compareProse(
  graph: SourceGraph,
  owners: Owners,
  member: Member,
  { nodes }: ExpectedPrompt,
  names: CallNames,
): Difference[] {
  const { index, called, prompt, firstMessage, saved, tools } = member;
  const { globalPrompt } = graph.workflow;
  const [first = null] = nodes;
  const differences: Difference[] = [];
  const note = (text: string, at: JsonPointer, shown: Partial<Difference>): void => {
    const place = { output: [saved ? member.at : member.promptAt], member: index };
    differences.push({
      item: null,
      node: null,
      edge: null,
      ...place,
      text,
      source: [at],
      ...shown,
    });
  };
  const shown = withoutRaw(prompt);
  const says = (text: string) => shown.includes(withoutRaw(text));
  const inTools = (words: string) =>
    tools.some(({ value }) => JSON.stringify(value).includes(words));
  const checkTexts = (node: WorkflowNode, shown: Partial<Difference>): void => {
    const lose = (what: string, text: string, at: JsonPointer) =>
      note(ofDifferences.textLost(called, node.id, what, text), at, shown);
    const { firstMessage: line, systemPrompt, captures } = node;
    const isOpening = line?.value === firstMessage;
    if (line !== null && !isOpening && !says(line.value)) lose('line', line.value, line.at);
    const said = systemPrompt === null || says(systemPrompt.value);
    if (!said) lose('instruction', systemPrompt.value, systemPrompt.at);
    for (const { name, description, alias, at } of captures) {
      // What is derived is made at the handoffs, so a prompt need not speak of it.
      const isSaid = says(name) || (description !== null && says(description.value));
      if (alias === undefined && !isSaid) lose('variable', name, at);
    }
  };
  const isToldWhen = (name: string) => {
    const tool = tools.find((it) => it.name === name);
    return /"description":"[^"]/.test(JSON.stringify(tool?.value ?? null));
  };
  if (!saved && globalPrompt !== null && !says(globalPrompt.value)) {
    note(ofDifferences.promptLost(called), globalPrompt.at, {});
  }
  for (const own of nodes) {
    const node = graph.nodeAt(own);
    const { id, at } = node;
    if (!saved || node.assistant?.savedAs == null) checkTexts(node, { node: own });
    for (const name of node.role === 'act' ? names(index, node) : []) {
      if (says(name) || isToldWhen(name)) continue;
      note(ofDifferences.textLost(called, id, 'tool call', id), at, { node: own });
    }
    for (const { to, condition, edge, isExit } of listWays(graph, owners.standsFor, own)) {
      const end = graph.nodeAt(to);
      const shown = { node: own, edge, item: isExit ? itemOfExit(end) : null };
      if (isExit) checkTexts(end, shown);
      else if (saved || !owners.of(to).has(index)) continue;
      if (condition === null || says(condition.value)) continue;
      const quoted = JSON.stringify(condition.value).slice(1, -1);
      if (end.type === 'transferCall' && (saved || inTools(quoted))) continue;
      note(ofDifferences.wayLost(called, id, end.id, condition.value), condition.at, shown);
    }
  }
  for (const global of graph.globals.filter(({ role }) => role === 'exit')) {
    checkTexts(global, { node: first, item: itemOfExit(global) });
  }
  const isLine = nodes.some((node) => graph.nodeAt(node).firstMessage?.value === firstMessage);
  if (!saved && firstMessage && !isLine) {
    const { id, at } = graph.nodeAt(first ?? graph.start);
    const text = ofDifferences.greetsWith(called, first === null ? '' : id, firstMessage);
    note(text, at, { node: first, output: [member.firstMessageAt] });
  }
  return differences;
}

/** A call that ends says so in its prompt; a transfer is a tool. */
function itemOfExit({ type }: WorkflowNode): number | null {
  return type === 'transferCall' ? null : 6;
}

/** Whether a sentence says to end the call, and not that it is not to be ended. */
export function endsCall(text: string): boolean {
  const sentences = text.split(/(?<=[.!?;])\s|\n/);
  return sentences.some((it) => it.includes('end the call') && !negation.test(it));
}

const negation =
  /\b(?:not|never|don[’']t|doesn[’']t|without|no one|nobody|cannot|can[’']t|refuse|avoid)\b/i;

/**
 * What an assistant says otherwise than the source.
 *
 * In: a member, and what it is to say. Out: differences, each with the item that it fails. A prompt in
 * the wording of squadc equals the prompt that the wording spells, line by line. In other prose every
 * text stands word for word; the order of steps and what belongs to which condition it cannot show.
 */
import type { JsonPointer, NodeIndex } from '../compiler/ir/ids.js';
import type { Way } from '../compiler/ir/wording.js';
import type { WorkflowEdge, WorkflowNode } from '../compiler/ir/workflow.js';
import { ofDifferences } from '../diagnostics/checklist.js';
import type { Owners, SourceGraph } from './expected.js';
import {
  type CallNames,
  type ExpectedPrompt,
  spell,
  spellEntry,
  spellStep,
} from './expected-prompts.js';
import { listWays } from './passages.js';
import type { Member } from './squad.js';

export interface Difference {
  /** The item of the checklist that it fails; null where the walk alone shows it. */
  readonly item: number | null;
  readonly text: string;
  readonly source: readonly JsonPointer[];
  readonly output: readonly JsonPointer[];
  readonly member: number;
  /** The node and the way at which a call shows it; null where any does. */
  readonly node: NodeIndex | null;
  readonly edge: WorkflowEdge | null;
}

/** A part of a prompt, and what is to be said where it is not there. */
interface Part {
  readonly spelt: string;
  readonly lost: Pick<Difference, 'item' | 'text' | 'source' | 'node' | 'edge'>;
}

/** A prompt in the wording of squadc, against what that spells. */
export function comparePrompt(
  graph: SourceGraph,
  owners: Owners,
  member: Member,
  expected: ExpectedPrompt,
): Difference[] {
  const { prompt, promptAt: at, index, called, messages } = member;
  const output = [at];
  const none = { member: index, node: null, edge: null, source: [], output };
  // Whether anybody comes to the assistant at all is the business of item 2.
  if (expected.nodes.length === 0) return [];
  const differences = compareOpening(graph, member, expected);
  const walk = (text: string) => differences.push({ item: null, text, ...none });
  if (messages !== 1) walk(ofDifferences.stepsLost(called));
  const spelt = spell(expected.content);
  if (prompt === spelt) return differences;

  const [there, wanted] = [countLines(prompt), countLines(spelt)];
  const missing = subtract(wanted, there);
  missing.delete('');
  const parts = listParts(graph, owners, member, expected);
  const lost = parts.filter(({ spelt: part }) => {
    const own = part.split('\n').filter((line) => (missing.get(line) ?? 0) > 0);
    for (const line of own) missing.set(line, missing.get(line)! - 1);
    return own.length > 0;
  });
  for (const part of lost) differences.push({ ...none, ...part.lost });
  const extra = [...subtract(there, wanted)].filter(([line]) => line.trim() !== '');
  for (const [line] of extra) {
    const item = endsCall(line) ? 6 : null;
    differences.push({ ...none, item, text: ofDifferences.unaccounted(called, line) });
  }
  // What no part accounts for are headings.
  const isHeaded = [...missing.values()].every((count) => count === 0);
  if (!isHeaded) walk(ofDifferences.stepsLost(called));
  if (!isHeaded || lost.length + extra.length > 0) return differences;
  // Every line is there, so what differs is the order.
  const misplaced = findMisplaced(prompt, spelt, parts);
  if (misplaced === null) walk(ofDifferences.stepsLost(called));
  else differences.push({ ...none, ...misplaced.lost });
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

function listParts(
  graph: SourceGraph,
  owners: Owners,
  { called }: Member,
  { content, nodes }: ExpectedPrompt,
): Part[] {
  const parts: Part[] = [];
  const none = { item: null, source: [] as JsonPointer[], node: null, edge: null };
  const put = (spelt: string, lost: Partial<Part['lost']> & { readonly text: string }): void => {
    parts.push({ spelt, lost: { ...none, ...lost } });
  };
  const { globalPrompt, name, entries, steps, anyTime } = content;
  if (globalPrompt !== null) {
    put(globalPrompt.value, { text: ofDifferences.promptLost(called), source: [globalPrompt.at] });
  }
  put(spell({ name }), { text: ofDifferences.roleLost(called) });
  for (const entry of entries) {
    const { step, conditions, sentences } = entry;
    const leads = [...conditions, ...sentences];
    const text = ofDifferences.beginningLost(called, leads[0]?.value ?? '', step);
    put(spellEntry(entry), { text, source: leads.map(({ at }) => at) });
  }
  steps.forEach(({ line, instructions, captures, calls, ways }, index) => {
    const node = graph.nodeAt(nodes[index]!);
    const lose = (
      what: string,
      words: string,
      spelt: string,
      at: JsonPointer,
      item: number | null,
    ) => {
      const text = ofDifferences.textLost(called, node.id, what, words);
      put(spelt, { item, text, source: [at], node: node.index });
    };
    if (line !== null) lose('line', line.value, spellStep({ line }), line.at, null);
    if (instructions !== null) {
      lose('instruction', instructions.value, spellStep({ instructions }), instructions.at, null);
    }
    for (const capture of captures) {
      lose('variable', capture.name, spellStep({ captures: [capture] }), capture.at, 4);
    }
    for (const call of calls) lose('tool call', call, spellStep({ calls: [call] }), node.at, 5);
    const edges = listWays(graph, owners.standsFor, node.index);
    ways.forEach((way, at) => {
      const { edge, to } = edges[at]!;
      const lost = loseWay(called, node.id, way, graph.nodeAt(to));
      put(spellStep({ ways: [way] }), { ...lost, source: [edge.at], node: node.index, edge });
    });
  });
  anyTime.forEach((way, at) => {
    const global = graph.globals[at]!;
    const from = nodes[0] === undefined ? called : graph.nodeAt(nodes[0]).id;
    put(spellStep({ ways: [way] }), { ...loseWay(called, from, way, global), source: [global.at] });
  });
  return parts;
}

function loseWay(called: string, from: string, { when, action }: Way, to: WorkflowNode) {
  const condition = when.kind === 'condition' ? when.text.value : null;
  // An edge without a condition has none that a handoff could lack.
  const items = { go: null, 'hand-off': condition === null ? null : 3, end: 6, transfer: 5 };
  const isExit = action.kind === 'end' || action.kind === 'transfer';
  const text = isExit
    ? ofDifferences.endLost(called, to.id, condition)
    : ofDifferences.wayLost(called, from, to.id, condition);
  return { item: items[action.kind], text };
}

/** An assistant opens with the line of the only node that a call can begin at. */
function compareOpening(
  graph: SourceGraph,
  { firstMessage, firstMessageAt: at, index, called }: Member,
  { line, nodes, entryCount }: ExpectedPrompt,
): Difference[] {
  if ((firstMessage ?? '') === (line?.value ?? '')) return [];
  const node = nodes[0] ?? null;
  const id = node === null ? '' : graph.nodeAt(node).id;
  const text =
    line !== null
      ? ofDifferences.lineElsewhere(called, id, line.value)
      : entryCount > 1
        ? ofDifferences.greetsEverybody(called, firstMessage ?? '')
        : ofDifferences.greetsWith(called, id, firstMessage ?? '');
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
  const differences: Difference[] = [];
  const output = [saved ? member.at : member.promptAt];
  const note = (
    text: string,
    at: JsonPointer,
    node: NodeIndex | null,
    more: Partial<Difference> = {},
  ) =>
    differences.push({
      item: null,
      text,
      source: [at],
      output,
      member: index,
      node,
      edge: null,
      ...more,
    });
  const says = (text: string) => prompt.includes(text);
  const { globalPrompt } = graph.workflow;
  if (!saved && globalPrompt !== null && !says(globalPrompt.value)) {
    note(ofDifferences.promptLost(called), globalPrompt.at, null);
  }
  const lose = (
    node: WorkflowNode,
    what: string,
    text: string,
    at: JsonPointer,
    more: Partial<Difference>,
  ) => note(ofDifferences.textLost(called, node.id, what, text), at, node.index, more);
  const checkTexts = (node: WorkflowNode, more: Partial<Difference>): void => {
    const { firstMessage: line, systemPrompt, captures } = node;
    if (line !== null && line.value !== firstMessage && !says(line.value)) {
      lose(node, 'line', line.value, line.at, more);
    }
    if (systemPrompt !== null && !says(systemPrompt.value)) {
      lose(node, 'instruction', systemPrompt.value, systemPrompt.at, more);
    }
    for (const { name, description, alias, at } of captures) {
      // What is derived is made at the handoffs, so a prompt need not speak of it.
      if (alias !== undefined || says(name) || (description !== null && says(description.value)))
        continue;
      lose(node, 'variable', name, at, more);
    }
  };
  const isToldWhen = (name: string) => {
    const tool = tools.find((it) => it.name === name);
    return tool !== undefined && /"description":"[^"]/.test(JSON.stringify(tool.value));
  };
  for (const own of nodes) {
    const node = graph.nodeAt(own);
    if (!saved || node.assistant?.savedAs == null) checkTexts(node, {});
    for (const name of node.role === 'act' ? names(index, node) : []) {
      if (!says(name) && !isToldWhen(name)) lose(node, 'tool call', node.id, node.at, {});
    }
    for (const { to, condition, edge, isExit } of listWays(graph, owners.standsFor, own)) {
      const end = graph.nodeAt(to);
      if (isExit) checkTexts(end, { node: own, edge, item: itemOfExit(end) });
      else if (saved || !owners.of(to).has(index)) continue;
      if (condition === null || says(condition.value)) continue;
      if (
        end.type === 'transferCall' &&
        (saved ||
          tools.some((it) =>
            JSON.stringify(it.value).includes(JSON.stringify(condition.value).slice(1, -1)),
          ))
      )
        continue;
      note(ofDifferences.wayLost(called, node.id, end.id, condition.value), condition.at, own, {
        edge,
        item: isExit ? itemOfExit(end) : null,
      });
    }
  }
  for (const global of graph.globals) {
    if (global.role !== 'exit') continue;
    checkTexts(global, { node: nodes[0] ?? null, item: itemOfExit(global) });
  }
  const lines = nodes.map((node) => graph.nodeAt(node).firstMessage?.value);
  if (!saved && firstMessage !== null && firstMessage !== '' && !lines.includes(firstMessage)) {
    const id = nodes[0] === undefined ? '' : graph.nodeAt(nodes[0]).id;
    note(
      ofDifferences.greetsWith(called, id, firstMessage),
      graph.nodeAt(nodes[0] ?? graph.start).at,
      nodes[0] ?? null,
      { output: [member.firstMessageAt] },
    );
  }
  return differences;
}

const phrase = 'end the call';

/** A call that ends says so in its prompt; a transfer is a tool. */
function itemOfExit({ type }: WorkflowNode): number | null {
  return type === 'transferCall' ? null : 6;
}

/** Whether a sentence says to end the call, and not that it is not to be ended. */
export function endsCall(text: string): boolean {
  const sentences = text.split(/(?<=[.!?;])\s|\n/);
  return sentences.some((it) => it.includes(phrase) && !negation.test(it));
}

const negation =
  /\b(?:not|never|don[’']t|doesn[’']t|without|no one|nobody|cannot|can[’']t|refuse|avoid)\b/i;

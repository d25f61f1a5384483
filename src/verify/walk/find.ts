/**
 * What the walk through both documents knows: where a node can be in a squad, by its texts and
 * tools, and what prompts say that no call comes to.
 */
import { type Landing, landOn, leftAfter } from '../../call/places.js';
import { plain, type ReadBranch, type ReadStep, toolFor, unraw } from '../../call/prompt.js';
import type { Destination, Member, Squad } from '../../call/squad.js';
import type { Reading } from '../../call/vocabulary.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import { nodeInPrompt } from '../../compiler/ir/names.js';
import type * as ir from '../../compiler/ir/workflow.js';
import { onlySays } from '../../compiler/ir/workflow.js';
import { ofDifferences } from '../../diagnostics/checklist.js';
import { groupBy } from '../../graph/lists.js';
import { asObject, type JsonObject } from '../../text/json.js';
import { areSame, elements } from '../../text/parts.js';
import type { Owners, SourceGraph } from '../expected/source.js';
import { type Finding, fault } from '../finding.js';
import { holdsStep, type Report } from './step.js';

/** A node of a call, and where it is in the squad. */
export interface Pair {
  readonly index: number;
  /** Of equal nodes, the one that represents them. */
  readonly node: NodeIndex;
  readonly member: number;
  /** The step of the prompt; null in prose, and where the line was said in passing. */
  readonly step: ReadStep | null;
  /** What was said on the way: by the first message, or before a step back. */
  readonly said: Pick<Landing, 'opening' | 'lines'>;
  /** Whether that was all of it. */
  readonly isPassing: boolean;
  /** The pair before, on a shortest call; null at the start, and for what no call reaches. */
  readonly parent: Pair | null;
  readonly edge: ir.WorkflowEdge | null;
  readonly depth: number;
  readonly moves: Move[];
}

/** A transition of the workflow at a pair, and its partner in the squad. */
export interface Move {
  readonly from: Pair;
  /** Null for a step to a global node. */
  readonly edge: ir.WorkflowEdge | null;
  readonly condition: ir.Condition | null;
  /** Where it has no condition: those of the other transitions. */
  readonly beside: readonly ir.Condition[];
  readonly node: NodeIndex;
  /** Where it leads; null for an exit, and where no place was found. */
  readonly to: Pair | null;
  readonly branch: ReadBranch | null;
  /** The destination that makes it, if the prompt tells. */
  readonly destination: Destination | null;
}

/** A step of a call: the node, and the edge to it; null at the start and to a global node. */
export type Step = Pick<Pair, 'node' | 'edge'>;

/** The shortest call to a pair, with the pair. */
export function callTo(pair: Pair | null): Step[] {
  const call: Step[] = [];
  for (let at = pair; at !== null; at = at.parent) call.push(at);
  return call.reverse();
}

export interface Placed {
  readonly pairs: readonly Pair[];
  readonly owners: Owners;
  /** By member, the nodes that it owns, in walk order. */
  readonly nodesOf: readonly (readonly NodeIndex[])[];
  /** Nodes that stand in no assistant, with the one that has most of their words. */
  readonly notPlaced: ReadonlyMap<NodeIndex, number | null>;
  readonly differences: readonly Finding[];
}

/** The state of the walk. */
export interface Walk {
  readonly graph: SourceGraph;
  readonly standsFor: Owners['standsFor'];
  readonly squad: Squad;
  readonly readings: readonly Reading[];
  /** By member, the destinations in other members. */
  readonly leading: ReadonlyMap<number, readonly Destination[]>;
  readonly pairs: Pair[];
  readonly known: Map<string, Pair>;
  readonly homes: Set<number>[];
  /** Steps, branches and entries of prompts, and conditions of entries, that a call can come to. */
  readonly used: Set<object>;
  readonly reported: Set<object>;
  readonly differences: Finding[];
}

/** True for a node that no text and no tool shows. */
function isBlank(node: ir.WorkflowNode): boolean {
  const { firstMessage, systemPrompt, captures, request, tools, assistant } = node;
  const texts = [firstMessage, systemPrompt].flatMap((text) => text?.value || []);
  const shown = texts.length + captures.length + tools.length;
  return shown === 0 && request === null && assistant === null;
}

/** Whether the node may be at a place: it is there, or nothing of the place can be seen. */
export function isOpen(walk: Walk, node: NodeIndex, landing: Landing): boolean {
  return walk.squad.members[landing.member]!.unseen || fits(walk, node, landing);
}

/** Whether the node is at a place, by its texts. */
export function fits({ graph, readings }: Walk, index: NodeIndex, landing: Landing): boolean {
  const node = graph.nodeAt(index);
  const { member, prompt } = readings[landing.member]!;
  const savedAs = node.assistant?.savedAs?.value ?? null;
  if (member.saved || savedAs !== null) return member.saved && member.assistantId === savedAs;
  if (prompt === null) return !isBlank(node) && holdsTexts(node, member);
  if (onlySays(node) && leftAfter(node, landing) !== null) return true;
  const step = prompt.steps[landing.step];
  if (!holdsStep(node, step) || !callsTool(node, step!, member)) return false;
  const said = [
    ...(landing.opening === null ? [] : [landing.opening]),
    ...[...landing.lines, ...step!.lines].map(({ value }) => value),
  ];
  return node.firstMessage === null || said.includes(plain(node.firstMessage));
}

/** Whether the step calls the tool of a node that is one, and none if it talks. */
function callsTool(node: ir.WorkflowNode, { calls }: ReadStep, { tools: own }: Member): boolean {
  const { role, request, tools } = node;
  if (role !== 'act' || (request === null && tools.length === 0)) return true;
  const [called] = calls;
  if (called === undefined) return false;
  const tool = own.find(({ name }) => name === called);
  // A step whose tool is not there may be the node's: the tools are compared by themselves.
  const isLost = own.every(({ value }) => request === null || !isRequest(value, request));
  if (request !== null) return tool === undefined ? isLost : isRequest(tool.value, request);
  return (
    called === toolFor(nodeInPrompt(node)) ||
    tools.some(({ name, known }) => name === called || known?.name === called)
  );
}

/** Whether a tool sends a request there, and sets the same variables. */
function isRequest({ url, method, variableExtractionPlan: plan }: JsonObject, request: ir.Request) {
  const keys = new Set(elements(asObject(plan)['aliases']).map((it) => asObject(it)['key']));
  const kept = request.responses.filter(({ path, value }) => path !== '' || value !== null);
  const names = kept.map(({ name }) => name);
  const isThere = url === request.url?.value && method === request.method?.value;
  return isThere && areSame([...keys], names);
}

function holdsTexts(
  { firstMessage, systemPrompt, captures, request, tools, role }: ir.WorkflowNode,
  { prompt, firstMessage: opening, tools: own }: Member,
): boolean {
  const shown = unraw(prompt).plain;
  const line = firstMessage?.value ? plain(firstMessage) : null;
  const isSaid = line === null || opening?.includes(line) === true || shown.includes(line);
  const isTold = systemPrompt === null || shown.includes(plain(systemPrompt));
  const isCalled =
    request === null ||
    own.some(({ value }) => value['url'] === request.url?.value) ||
    shown.includes(request.toolName?.value ?? '\0');
  const isGiven =
    role !== 'act' ||
    tools.every(({ name }) => own.some((it) => it.name === name) || shown.includes(name));
  const isFound =
    line !== null || systemPrompt !== null || captures.every(({ name }) => shown.includes(name));
  return isSaid && isTold && isCalled && isGiven && isFound;
}

/** Every place where the node's texts stand. */
export function search(walk: Walk, index: NodeIndex): Landing[] {
  const { readings, graph } = walk;
  if (isBlank(graph.nodeAt(index))) return [];
  return readings.flatMap(({ prompt, member }): Landing[] => {
    const opening = member.firstMessage || null;
    const numbers = prompt === null ? [-1] : prompt.steps.keys();
    const steps = Array.from(numbers, (at) => landOn(member.index, at));
    const isOpened = prompt?.entries.length === 0;
    const all = isOpened ? [{ ...landOn(member.index, 0), opening }, ...steps] : steps;
    return all.filter((it) => fits(walk, index, it));
  });
}

/** The member with most of the node's words, if it has at least half of them. */
export function findNearest({ graph, readings }: Walk, index: NodeIndex): number | null {
  const { firstMessage, systemPrompt } = graph.nodeAt(index);
  const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const words = [firstMessage, systemPrompt].flatMap((text) => wordsOf(text?.value ?? ''));
  const shares = readings.map(({ member }) => {
    const there = new Set(wordsOf(`${member.prompt} ${member.firstMessage ?? ''}`));
    const shared = words.filter((word) => there.has(word));
    return { member: member.index, share: shared.length / words.length };
  });
  const [best] = shares.sort((one, other) => other.share - one.share);
  return best !== undefined && best.share >= 0.5 ? best.member : null;
}

/** Reports differences of an assistant. */
export function reporter({ differences, readings }: Walk, index: number): Report {
  const { called, promptAt } = readings[index]!.member;
  const note: Report['note'] = (text, source, item = null, at = promptAt) => {
    differences.push(fault(text, source, [at], item));
  };
  return { called, note };
}

/** Reports a branch that no transition of a node is, once. */
export function reportBranch(walk: Walk, index: number, branch: ReadBranch): void {
  const { readings, reported } = walk;
  if (reported.has(branch)) return;
  reported.add(branch);
  const words = readings[index]!.plain.slice(branch.at, branch.end).trimEnd();
  const item = words.includes('end the call') ? 6 : null;
  const { called, note } = reporter(walk, index);
  note(ofDifferences.unaccounted(called, words), [], item);
}

/** What prompts say that no call comes to. */
export function reportUnused(walk: Walk): void {
  const { readings, used, pairs } = walk;
  const visited = groupBy(pairs, ({ member }) => member);
  for (const { prompt, member, plain: text } of readings) {
    // Whether a call reaches the assistant at all is another question.
    if (prompt === null || !visited.has(member.index)) continue;
    const { called, note } = reporter(walk, member.index);
    const unaccounted = (words: string) => note(ofDifferences.unaccounted(called, words), []);
    const firstLineAt = (at: number) => text.slice(at).split('\n', 1)[0]!;
    for (const [index, step] of prompt.steps.entries()) {
      if (used.has(step)) continue;
      unaccounted(prompt.isNumbered ? `Step ${index + 1}` : firstLineAt(step.at));
      for (const it of step.branches)
        if (it.action.kind === 'end') reportBranch(walk, member.index, it);
    }
    for (const it of prompt.anyTime) if (!used.has(it)) reportBranch(walk, member.index, it);
    for (const it of prompt.entries) {
      if (!used.has(it)) unaccounted(firstLineAt(it.at));
      else
        for (const each of it.conditions)
          if (!used.has(each) && it.when === null) unaccounted(each.value);
    }
  }
}

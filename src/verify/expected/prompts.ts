/**
 * What the assistants have to say, under the grouping that the squad has.
 *
 * In: the source, which members own which nodes, and what their tools are called. Out: for each
 * member its prompt as the wording spells it, part by part, with what is to be said where a part is
 * not there; the line that it opens with; and when a passage is taken.
 */
import type { JsonPointer, NodeIndex } from '../../compiler/ir/ids.js';
import { toLegalName } from '../../compiler/ir/names.js';
import { traced } from '../../compiler/ir/provenance.js';
import {
  type Action,
  type EntryContent,
  type PromptContent,
  type StepContent,
  spellPrompt,
  type Way,
  whenDone,
  whenNeeded,
  whenReady,
} from '../../compiler/ir/wording.js';
import type {
  Condition,
  Text,
  ToolCall,
  WorkflowEdge,
  WorkflowNode,
} from '../../compiler/ir/workflow.js';
import { ofDifferences } from '../../diagnostics/checklist.js';
import { groupBy } from '../../graph/lists.js';
import type { Squad } from '../squad.js';
import { listWays, type Owners, type Passage, type SourceGraph, type SourceWay } from './source.js';

/** What a member's tools are called: that of a request or tool node, or of a call. */
export type CallNames = (member: number, tool: WorkflowNode | ToolCall) => readonly string[];

/** What an assistant says otherwise than the source. */
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

/** A part of a prompt, as it is spelt, and what differs where it is not there. */
export interface Part extends Omit<Difference, 'output' | 'member'> {
  readonly spelt: string;
}

export interface ExpectedPrompt {
  /** The node of each step. */
  readonly nodes: readonly NodeIndex[];
  /** How many of them a call can begin at. */
  readonly entryCount: number;
  /** The line that the assistant opens with; null where none. */
  readonly line: Text | null;
  readonly spelt: string;
  readonly listParts: () => readonly Part[];
}

interface Scene {
  readonly graph: SourceGraph;
  readonly squad: Squad;
  readonly owners: Owners;
  readonly nodesOf: readonly (readonly NodeIndex[])[];
  readonly passages: readonly Passage[];
  readonly names: CallNames;
}

/** The steps of a member. */
interface Steps {
  /** What prompts call it. */
  readonly name: string;
  readonly nodes: readonly NodeIndex[];
  /** Those that a call can begin at. */
  readonly entries: readonly NodeIndex[];
  readonly numbers: ReadonlyMap<NodeIndex, number>;
  /** The variables that it finds out. */
  readonly collected: readonly string[];
  /** Where it stands among the assistants. */
  readonly rank: number;
}

interface Script extends Scene {
  /** By node, when a walk comes to it. */
  readonly ranks: ReadonlyMap<NodeIndex, number>;
  /** By member. */
  readonly steps: readonly Steps[];
  /** By the node that they lead to. */
  readonly leading: ReadonlyMap<NodeIndex, readonly Passage[]>;
}

/** When a passage is taken, in words, and the prompts by member. */
export function expectPrompts(scene: Scene): {
  readonly sayWhen: (passage: Passage) => string;
  readonly of: (member: number) => ExpectedPrompt;
} {
  const ranks = new Map(scene.graph.order.map((node, rank) => [node, rank]));
  const leading = groupBy(scene.passages, ({ to }) => scene.owners.standsFor(to));
  const script = { ...scene, ranks, steps: orderSteps(scene, ranks), leading };
  return {
    sayWhen: (passage) => sayWhen(script, passage).value,
    of: (member) => writePrompt(script, member),
  };
}

function orderSteps(
  { graph, squad, owners, nodesOf, passages }: Scene,
  ranks: Script['ranks'],
): readonly Steps[] {
  const isStart = (node: NodeIndex) => node === owners.standsFor(graph.start);
  const isGlobal = (node: NodeIndex) => graph.nodeAt(node).global !== null;
  const entered = squad.members.map(() => new Set<NodeIndex>());
  for (const { member, target, to, edge } of passages) {
    const isSeen = target !== null && edge !== null && !squad.members[member]!.unseen;
    if (isSeen) entered[target]!.add(owners.standsFor(to));
  }
  return squad.members.map(({ index, name, assistantId }) => {
    const own = nodesOf[index]!;
    const entries = own.filter((node) => {
      if (isStart(node) || entered[index]!.has(node)) return true;
      return isGlobal(node) && squad.members.length > 1 && owners.soleOwner(node) === index;
    });
    const first = entries.find(isStart) ?? entries.find(isGlobal) ?? entries[0] ?? own[0];
    const nodes = first === undefined ? [] : [first, ...own.filter((it) => it !== first)];
    const captures = nodes.flatMap((node) => graph.nodeAt(node).captures);
    const found = captures.filter(({ alias }) => alias === undefined).map((it) => it.name);
    const firstOwned = own.find((node) => owners.soleOwner(node) !== null) ?? own[0]!;
    return {
      name: name ?? assistantId ?? '',
      nodes,
      entries,
      numbers: new Map(nodes.map((node, at) => [node, at + 1])),
      collected: [...new Set(found)],
      rank: ranks.get(firstOwned) ?? 0,
    };
  });
}

function sayWhen({ graph, owners, steps }: Script, passage: Passage): Text {
  const { member, from, to, condition, edge, target } = passage;
  if (condition !== null) return condition;
  if (edge === null) {
    return whenNeeded(graph.nodeAt(to).at, target === null ? '' : steps[target]!.name);
  }
  const ways = listWays(graph, owners.standsFor, owners.standsFor(from!));
  const otherwise = ways.some((it) => it.condition !== null);
  return whenReady(edge.at, { ...steps[member]!, otherwise });
}

/** What leads to an entry, in the order of the assistants, and of one in that of a walk. */
function listLeads(script: Script, entry: NodeIndex, member: number) {
  const { graph, leading, steps, ranks } = script;
  const along = (leading.get(entry) ?? []).flatMap((it) => {
    const { rank, numbers } = steps[it.member]!;
    if (it.edge === null || !numbers.has(it.from!)) return [];
    const text = sayWhen(script, it);
    return [{ text, said: it.condition !== null, rank, number: ranks.get(it.from!)! }];
  });
  const { global, at } = graph.nodeAt(entry);
  const { name, rank } = steps[member]!;
  const text = global?.condition ?? whenNeeded(at, name);
  const own = { text, said: global?.condition != null, rank, number: -1 };
  const all = global === null ? along : [...along, own];
  return all.sort((one, other) => one.rank - other.rank || one.number - other.number);
}

function writePrompt(script: Script, member: number): ExpectedPrompt {
  const { graph, squad, owners, names, steps } = script;
  const { name, nodes, entries, numbers } = steps[member]!;
  const { called } = squad.members[member]!;
  const { globalPrompt } = graph.workflow;
  const startsAt = owners.standsFor(graph.start);
  const spoken = entries.length > 1 ? null : (nodes[0] ?? null);
  const parts: (() => Part)[] = [];
  const put = (part: () => Partial<Part> & { spelt: string; text: string }): void => {
    parts.push(() => ({ item: null, source: [], node: null, edge: null, ...part() }));
  };
  const goTo = (to: NodeIndex): Action => {
    const line = spoken === to ? graph.nodeAt(to).firstMessage : null;
    return { kind: 'go', step: numbers.get(to) ?? 0, line };
  };
  /** A way to a node from a step, or from any; `otherwise` is how it is taken without a condition. */
  const writeWay = (
    condition: Condition | null,
    otherwise: () => Way['when'],
    action: Action,
    { id, role }: WorkflowNode,
    lost: Partial<Part>,
  ): Way => {
    const know = [...new Set(condition?.uses.map((use) => use.name))];
    const demand = condition?.call
      ? { call: names(member, condition.call)[0] ?? '' }
      : condition?.routing === 'extract' && know.length > 0
        ? { know }
        : null;
    const when: Way['when'] =
      condition === null ? otherwise() : { kind: 'condition', text: condition };
    const way = { demand, when, action };
    put(() => {
      const words = condition?.value ?? null;
      // An edge without a condition has none that a handoff could lack.
      const items = { go: null, 'hand-off': words === null ? null : 3, end: 6, transfer: 5 };
      const from = lost.node ?? nodes[0];
      const left = from === undefined ? called : graph.nodeAt(from).id;
      const text =
        role === 'exit'
          ? ofDifferences.endLost(called, id, words)
          : ofDifferences.wayLost(called, left, id, words);
      return { ...lost, item: items[action.kind], spelt: spellStep({ ways: [way] }), text };
    });
    return way;
  };
  const wayOn = (from: NodeIndex, { edge, to, condition, otherwise, isExit }: SourceWay): Way => {
    const homes = owners.of(to);
    const isInner = homes.has(member);
    const done = (): Way['when'] => {
      if (isExit) return { kind: 'sentence', text: whenDone(edge.at, { name, otherwise }) };
      if (isInner) return { kind: 'done', otherwise };
      const passage = { member, from, to, condition, edge, target: null, at: edge.at };
      return { kind: 'sentence', text: sayWhen(script, passage) };
    };
    const [target] = homes;
    const handOff = target === undefined ? '' : steps[target]!.name;
    const onward: Action = isInner ? goTo(owners.standsFor(to)) : { kind: 'hand-off', to: handOff };
    const end = graph.nodeAt(to);
    const lost = { source: [edge.at], node: from, edge };
    return writeWay(condition, done, isExit ? leave(end) : onward, end, lost);
  };
  const wayAnywhere = (node: WorkflowNode): Way => {
    const { index, global, role, at } = node;
    // Where there is nobody else, nobody hands off to it.
    const home = squad.members.length > 1 || index === startsAt ? owners.soleOwner(index) : null;
    const isExit = role === 'exit';
    const to = isExit || home === null ? toLegalName(node.name ?? node.id) : steps[home]!.name;
    const onward: Action = numbers.has(index) ? goTo(index) : { kind: 'hand-off', to };
    const needed = (): Way['when'] => ({ kind: 'sentence', text: whenNeeded(at, to) });
    const action = isExit ? leave(node) : onward;
    return writeWay(global!.condition, needed, action, node, { source: [at] });
  };
  const writeEntry = (node: NodeIndex): EntryContent => {
    const leads = listLeads(script, node, member);
    const conditions = leads.filter(({ said }) => said).map(({ text }) => text);
    const sentences = leads.filter(({ said }) => !said).map(({ text }) => text);
    const entry = { step: numbers.get(node)!, isStart: node === startsAt, conditions, sentences };
    const texts = [...conditions, ...sentences];
    put(() => {
      const text = ofDifferences.beginningLost(called, texts[0]?.value ?? '', entry.step);
      const spelt = spell({ entries: [entry] }).slice(bare);
      return { spelt, text, source: texts.map(({ at }) => at) };
    });
    return entry;
  };
  const writeStep = (index: NodeIndex): StepContent => {
    const node = graph.nodeAt(index);
    const { id, systemPrompt: instructions, captures, role } = node;
    const line = spoken === index ? null : node.firstMessage;
    const asked = node.calls.filter(({ moment }) => moment === 'captured');
    const calls = [...(role === 'act' ? [node] : []), ...asked].flatMap((it) => names(member, it));
    const lose = (
      what: string,
      words: string,
      { at }: { readonly at: JsonPointer },
      part: Partial<StepContent>,
      item: number | null = null,
    ) =>
      put(() => {
        const text = ofDifferences.textLost(called, id, what, words);
        return { spelt: spellStep(part), text, item, source: [at], node: index };
      });
    if (line !== null) lose('line', line.value, line, { line });
    if (instructions !== null) {
      lose('instruction', instructions.value, instructions, { instructions });
    }
    for (const it of captures) lose('variable', it.name, it, { captures: [it] }, 4);
    for (const call of calls) lose('tool call', call, node, { calls: [call] }, 5);
    const ways = listWays(graph, owners.standsFor, index).map((it) => wayOn(index, it));
    return { line, instructions, captures, calls, ways };
  };

  if (globalPrompt !== null) {
    const { value: spelt, at } = globalPrompt;
    put(() => ({ spelt, text: ofDifferences.promptLost(called), source: [at] }));
  }
  put(() => ({ spelt: spell({ name }), text: ofDifferences.roleLost(called) }));
  const content = {
    globalPrompt,
    name,
    entries: entries.length > 1 ? entries.map(writeEntry) : [],
    steps: nodes.map(writeStep),
    anyTime: graph.globals.map(wayAnywhere),
  };
  const line = spoken === null ? null : graph.nodeAt(spoken).firstMessage;
  const listParts = () => parts.map((part) => part());
  return { nodes, entryCount: entries.length, line, spelt: spell(content), listParts };
}

/** Ends or transfers the call; what the exit says stands before it. */
function leave({ type, transfer, firstMessage, systemPrompt }: WorkflowNode): Action {
  const said = { line: firstMessage, instructions: systemPrompt };
  if (type !== 'transferCall') return { kind: 'end', ...said };
  const all = transfer === null ? [] : [transfer, ...transfer.others];
  const to = all.flatMap(({ destination }) => {
    if (destination === null) return [];
    const { value, origin } = destination;
    return [traced(value.type === 'sip' ? value.sipUri : value.number, origin)];
  });
  return { kind: 'transfer', to, ...said };
}

const nothing = { globalPrompt: null, name: '', entries: [], steps: [], anyTime: [] };

function spell(content: Partial<PromptContent>): string {
  const segments = spellPrompt({ ...nothing, ...content });
  return segments.map(({ text }) => text).join('');
}

const bare = spell({}).length;
const noStep: StepContent = { line: null, instructions: null, captures: [], calls: [], ways: [] };
const heading = spell({ steps: [noStep] }).length;

/** A step or a part of one, without its heading. */
export function spellStep(step: Partial<StepContent>): string {
  return spell({ steps: [{ ...noStep, ...step }] }).slice(heading);
}

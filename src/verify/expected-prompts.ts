/**
 * What the assistants have to say, under the grouping that the squad has.
 *
 * In: the source, and which members own which nodes. Out: for each member its prompt as content of
 * the wording, the line that it opens with, and what is said where the source gives no condition.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import { toLegalName } from '../compiler/ir/names.js';
import { traced } from '../compiler/ir/provenance.js';
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
} from '../compiler/ir/wording.js';
import type { Condition, Text, ToolCall, WorkflowNode } from '../compiler/ir/workflow.js';
import type { Owners, Passage, SourceGraph } from './expected.js';
import { listWays, type SourceWay } from './passages.js';
import type { Squad } from './squad.js';

/** What a member's tools are called: that of a request or tool node, or of a call. */
export type CallNames = (member: number, tool: WorkflowNode | ToolCall) => readonly string[];

export interface ExpectedPrompts {
  readonly of: (member: number, names: CallNames) => ExpectedPrompt;
  /** When a passage is taken, as the description of its destination says it. */
  readonly sayWhen: (passage: Passage) => string;
}

export interface ExpectedPrompt {
  /** The node of each step. */
  readonly nodes: readonly NodeIndex[];
  /** How many of them a call can begin at. */
  readonly entryCount: number;
  /** The line that the assistant opens with; null where none. */
  readonly line: Text | null;
  readonly content: PromptContent;
}

export function expectPrompts(
  graph: SourceGraph,
  squad: Squad,
  { owners, nodesOf }: { owners: Owners; nodesOf: readonly (readonly NodeIndex[])[] },
  passages: readonly Passage[],
): ExpectedPrompts {
  const { standsFor } = owners;
  const ranks = new Map(graph.order.map((node, rank) => [node, rank]));
  const inWalkOrder = nodesOf.map((nodes) =>
    nodes.toSorted((one, other) => ranks.get(one)! - ranks.get(other)!),
  );
  const nameOf = (member: number | null) => {
    const { name = null, assistantId = null } =
      (member === null ? null : squad.members[member]) ?? {};
    return name ?? assistantId ?? '';
  };
  const startsAt = standsFor(graph.start);
  const entered = squad.members.map(() => new Set<NodeIndex>());
  for (const { target, to, edge } of passages) {
    if (target !== null && edge !== null) entered[target]!.add(standsFor(to));
  }
  const isEntry = (member: number) => (node: NodeIndex) => {
    if (node === startsAt || entered[member]!.has(node)) return true;
    const isGlobal = graph.nodeAt(node).global !== null && squad.members.length > 1;
    return isGlobal && owners.soleOwner(node) === member;
  };

  const collected: (readonly string[] | undefined)[] = [];
  const collectedBy = (member: number): readonly string[] => {
    const captures = () => orderOf(member).nodes.flatMap((node) => graph.nodeAt(node).captures);
    const found = () => captures().filter(({ alias }) => alias === undefined);
    collected[member] ??= [...new Set(found().map(({ name }) => name))];
    return collected[member];
  };
  const otherwiseOf = ({ from, edge }: Passage) => {
    const ways = listWays(graph, standsFor, from!);
    return edge!.condition === null && ways.some(({ condition }) => condition !== null);
  };
  const sentenceOf = (passage: Passage): Text => {
    const { member, to, condition, edge, target } = passage;
    if (condition !== null) return condition;
    if (edge === null) return whenNeeded(graph.nodeAt(to).at, nameOf(target));
    const said = {
      name: nameOf(member),
      collected: collectedBy(member),
      otherwise: otherwiseOf(passage),
    };
    return whenReady(edge.at, said);
  };

  /** What leads to the entries of members with several of them, in the order of the assistants. */
  let leads: ReadonlyMap<NodeIndex, readonly (readonly [Text, boolean])[]> | null = null;
  const listLeads = () => {
    const all = new Map<NodeIndex, (readonly [Text, boolean])[]>();
    const lead = (to: NodeIndex, text: Text, isCondition: boolean): void => {
      const known = all.get(standsFor(to));
      if (known === undefined) all.set(standsFor(to), [[text, isCondition]]);
      else known.push([text, isCondition]);
    };
    const rankOf = (nodes: readonly NodeIndex[]) =>
      ranks.get(nodes.find((node) => owners.soleOwner(node) !== null) ?? nodes[0]!) ?? 0;
    const order = [...inWalkOrder.keys()].sort(
      (one, other) => rankOf(inWalkOrder[one]!) - rankOf(inWalkOrder[other]!),
    );
    for (const member of order) {
      const nodes = orderOf(member).nodes;
      for (const from of nodes) {
        for (const { to, condition, isExit, edge } of listWays(graph, standsFor, from)) {
          if (isExit || owners.of(to).has(member)) continue;
          const passage = { member, from, to, condition, edge, target: owners.soleOwner(to) };
          lead(to, sentenceOf(passage), condition !== null);
        }
      }
      for (const node of nodes) {
        const { global, at } = graph.nodeAt(node);
        if (global === null) continue;
        lead(node, global.condition ?? whenNeeded(at, nameOf(member)), global.condition !== null);
      }
    }
    return all;
  };

  const orderOf = (member: number) => {
    const nodes = inWalkOrder[member]!;
    const entries = nodes.filter(isEntry(member));
    const first =
      entries.find((node) => node === startsAt) ??
      entries.find((node) => graph.nodeAt(node).global !== null) ??
      entries[0] ??
      nodes[0];
    return {
      entries,
      nodes: first === undefined ? [] : [first, ...nodes.filter((it) => it !== first)],
    };
  };

  const expect = (member: number, names: CallNames): ExpectedPrompt => {
    const { nodes, entries } = orderOf(member);
    const numbers = new Map(nodes.map((node, index) => [node, index + 1]));
    const spoken = entries.length > 1 ? null : (nodes[0] ?? null);
    const name = nameOf(member);

    const demand = (condition: Condition | null): Way['demand'] => {
      if (condition === null) return null;
      if (condition.call !== null) return { call: names(member, condition.call)[0] ?? '' };
      const known = [...new Set(condition.uses.map((use) => use.name))];
      return condition.routing === 'extract' && known.length > 0 ? { know: known } : null;
    };
    const goTo = (to: NodeIndex): Action => {
      const line = spoken === to ? graph.nodeAt(to).firstMessage : null;
      return { kind: 'go', step: numbers.get(to) ?? 0, line };
    };
    const wayOn = ({ edge, to, condition, otherwise, isExit }: SourceWay, from: NodeIndex): Way => {
      const isInner = owners.of(to).has(member);
      const say = (): Way['when'] => {
        if (condition !== null) return { kind: 'condition', text: condition };
        if (isExit) return { kind: 'sentence', text: whenDone(edge.at, { name, otherwise }) };
        if (isInner) return { kind: 'done', otherwise };
        const passage = { member, from, to, condition, edge, target: null };
        return { kind: 'sentence', text: sentenceOf(passage) };
      };
      const [target = null] = owners.of(to);
      const action: Action = isExit
        ? leaving(graph.nodeAt(to))
        : isInner
          ? goTo(standsFor(to))
          : { kind: 'hand-off', to: nameOf(target) };
      return { demand: demand(condition), when: say(), action };
    };
    const wayAnywhere = (node: WorkflowNode): Way => {
      const { index, global, role, at } = node;
      const condition = global?.condition ?? null;
      // Where there is nobody else, nobody hands off to it.
      const home = squad.members.length > 1 || index === startsAt ? owners.soleOwner(index) : null;
      const isExit = role === 'exit';
      const called = isExit || home === null ? toLegalName(node.name ?? node.id) : nameOf(home);
      return {
        demand: demand(condition),
        when:
          condition === null
            ? { kind: 'sentence', text: whenNeeded(at, called) }
            : { kind: 'condition', text: condition },
        action: isExit
          ? leaving(node)
          : numbers.has(index)
            ? goTo(index)
            : { kind: 'hand-off', to: called },
      };
    };
    const stepOf = (index: NodeIndex): StepContent => {
      const node = graph.nodeAt(index);
      const calls = node.calls.filter(({ moment }) => moment === 'captured');
      return {
        line: spoken === index ? null : node.firstMessage,
        instructions: node.systemPrompt,
        captures: node.captures,
        calls: [...(node.role === 'act' ? [node] : []), ...calls].flatMap((it) =>
          names(member, it),
        ),
        ways: listWays(graph, standsFor, index).map((it) => wayOn(it, index)),
      };
    };
    const entryOf = (node: NodeIndex): EntryContent => {
      leads ??= listLeads();
      const all = leads.get(node) ?? [];
      const texts = (isCondition: boolean) =>
        all.filter((it) => it[1] === isCondition).map(([it]) => it);
      const step = numbers.get(node)!;
      return { step, isStart: node === startsAt, conditions: texts(true), sentences: texts(false) };
    };
    return {
      nodes,
      entryCount: entries.length,
      line: spoken === null ? null : graph.nodeAt(spoken).firstMessage,
      content: {
        globalPrompt: graph.workflow.globalPrompt,
        name,
        entries: entries.length > 1 ? entries.map(entryOf) : [],
        steps: nodes.map(stepOf),
        anyTime: graph.globals.map(wayAnywhere),
      },
    };
  };
  return { of: expect, sayWhen: (passage) => sentenceOf(passage).value };
}

/** Ends or transfers the call; what the exit says stands before it. */
function leaving({
  type,
  transfer,
  firstMessage: line,
  systemPrompt: instructions,
}: WorkflowNode): Action {
  if (type !== 'transferCall') return { kind: 'end', line, instructions };
  const all = transfer === null ? [] : [transfer, ...transfer.others];
  const to = all.flatMap(({ destination }) => {
    if (destination === null) return [];
    const { value, origin } = destination;
    return [traced(value.type === 'sip' ? value.sipUri : value.number, origin)];
  });
  return { kind: 'transfer', to, line, instructions };
}

const nothing: PromptContent = {
  globalPrompt: null,
  name: '',
  entries: [],
  steps: [],
  anyTime: [],
};

export function spell(content: Partial<PromptContent>): string {
  return spellPrompt({ ...nothing, ...content })
    .map(({ text }) => text)
    .join('');
}

const bare = spell({}).length;
const noStep: StepContent = { line: null, instructions: null, captures: [], calls: [], ways: [] };
const heading = spell({ steps: [noStep] }).length;

/** A step or a part of one, without its heading. */
export function spellStep(step: Partial<StepContent>): string {
  return spell({ steps: [{ ...noStep, ...step }] }).slice(heading);
}

/** Where a call begins. */
export function spellEntry(entry: EntryContent): string {
  return spell({ entries: [entry] }).slice(bare);
}

/**
 * Item 2. "The assistant count is minimized, linear chains are merged, no cyclical handoff pair is
 * left split."
 *
 * The nodes of one expected stage belong to one assistant, those of different stages to different
 * ones, each node to exactly one, and tools to their callers. So handoffs along edges form no cycle
 * unless an answer keeps one: the answer waives the item for what it keeps apart.
 */

import type { Member } from '../../call/squad.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { WorkflowNode } from '../../compiler/ir/workflow.js';
import { ofEntry, ofGrouping } from '../../diagnostics/checklist.js';
import { append, groupBy } from '../../graph/lists.js';
import type { Comparison } from '../comparison.js';
import type { Handoff } from '../expected/source.js';
import { type Finding, fact, fault, part } from '../finding.js';

/** Item 1. "The first members entry is the workflow's start." */
export function checkEntry({ graph, squad, owners }: Comparison): Finding[] {
  const start = graph.nodeAt(graph.start);
  const [first] = squad.members;
  if (first !== undefined && owners.of(graph.start).has(0)) {
    return [fact(ofEntry.owns(start.id, first.called), [start], [first])];
  }
  return [fault(ofEntry.ownsNot(start.id), [start], first === undefined ? [] : [first])];
}

/** What a member has of a stage, represented by the first node. */
interface Part {
  readonly stage: number;
  readonly member: number;
  readonly first: WorkflowNode;
}

/** How members and expected stages correspond. */
interface Placement extends Comparison {
  /** Nodes that make up an assistant, without repeating equal ones, in walk order. */
  readonly nodes: readonly NodeIndex[];
  readonly ofStage: ReadonlyMap<number, readonly Part[]>;
  readonly ofMember: ReadonlyMap<number, readonly Part[]>;
  readonly homesOf: (node: NodeIndex) => readonly Member[];
  /** The stage that a member is, if it has only this one and no other member has a part of it. */
  readonly stageOf: (member: number) => number | null;
}

export function checkGrouping(comparison: Comparison): Finding[] {
  const { graph, squad } = comparison;
  const placement = placeNodes(comparison);
  const counted = ofGrouping.counted(squad.members.length, graph.order.length);
  return [
    fact(counted, [`${graph.workflow.at}/nodes`], []),
    ...findMisplaced(placement),
    ...findLeftApart(placement),
    ...findMerged(placement),
    ...findIdle(placement),
    ...checkReady(placement),
    ...checkCalls(placement),
    ...listKeptApart(placement),
  ];
}

function placeNodes(comparison: Comparison): Placement {
  const { graph, grouping, owners, squad } = comparison;
  const nodes = graph.order.filter((node) => {
    if (owners.standsFor(node) !== node) return false;
    if (graph.nodeAt(node).role === 'talk') return true;
    // So does a start that is a tool and goes to no other assistant.
    return node === graph.start && !grouping.talks(grouping.stageOf(node)!);
  });
  const known = new Set<number>();
  const [ofStage, ofMember] = [new Map<number, Part[]>(), new Map<number, Part[]>()];
  for (const node of nodes) {
    const [member, stage] = [owners.soleOwner(node), grouping.stageOf(node)];
    if (member === null || stage === null) continue;
    const key = member * grouping.stageCount + stage;
    if (known.has(key)) continue;
    known.add(key);
    const part: Part = { stage, member, first: graph.nodeAt(node) };
    append(ofStage, stage, part);
    append(ofMember, member, part);
  }
  const stageOf = (member: number) => {
    const parts = ofMember.get(member);
    if (parts?.length !== 1) return null;
    const { stage } = parts[0]!;
    return ofStage.get(stage)!.length === 1 ? stage : null;
  };
  const homesOf = (node: NodeIndex) => Array.from(owners.of(node), (it) => squad.members[it]!);
  return { ...comparison, nodes, ofStage, ofMember, homesOf, stageOf };
}

/** Nodes that several assistants own, or none. The nodes of a saved assistant are not visible. */
function findMisplaced({ graph, owners, squad, nodes, homesOf }: Placement): Finding[] {
  const isUnseen = squad.members.some(({ unseen }) => unseen);
  const misplaced = nodes.filter((node) => owners.of(node).size !== 1);
  return misplaced.flatMap((index): Finding[] => {
    const [homes, node] = [homesOf(index), graph.nodeAt(index)];
    if (homes.length === 0) {
      const text = isUnseen ? ofGrouping.unseen(node.id) : ofGrouping.nobodys(node.id);
      return [(isUnseen ? part : fault)(text, [node], [])];
    }
    const equal = graph.order.filter((it) => owners.standsFor(it) === index).map(graph.nodeAt);
    const [ids, names] = [equal.map(({ id }) => id), homes.map(({ called }) => called)];
    const isOne = equal.length === 1;
    const text = isOne
      ? ofGrouping.repeated(node.id, names)
      : ofGrouping.equalLeftApart(ids, names);
    return [fault(text, equal, homes)];
  });
}

/** A fault for each part of a stage but the first, with the part before. */
function findLeftApart({ squad, ofStage }: Placement): Finding[] {
  return [...ofStage.values()].flatMap((parts) =>
    parts.slice(1).map((here, at) => {
      const nodes = [parts[at]!.first, here.first];
      const members = [parts[at]!, here].map(({ member }) => squad.members[member]!);
      const [one, other, node, next] = [
        ...members.map((it) => it.called),
        ...nodes.map(({ id }) => id),
      ];
      return fault(ofGrouping.leftApart(one!, other!, node!, next!), nodes, members);
    }),
  );
}

/** A fault for each stage but the first of which a member has a part, with the one before. */
function findMerged({ grouping, squad, ofMember }: Placement): Finding[] {
  return [...ofMember].flatMap(([index, parts]) =>
    parts.slice(1).map((here, at) => {
      const nodes = [parts[at]!.first, here.first] as const;
      const isAnswered = grouping.keptApart(parts[at]!.stage, here.stage);
      const member = squad.members[index]!;
      const say = isAnswered ? ofGrouping.mergedAnyway : ofGrouping.merged;
      return fault(say(member.called, nodes[0].id, nodes[1].id), nodes, [member]);
    }),
  );
}

/** Members without a node that makes up an assistant. */
function findIdle({ squad, owners, nodes }: Placement): Finding[] {
  const busy = new Set<number>();
  for (const node of nodes) for (const member of owners.of(node)) busy.add(member);
  const idle = squad.members.filter(({ index, unseen }) => !unseen && !busy.has(index));
  return idle.length === 0
    ? [fact(ofGrouping.talks(squad.members.length), [], [])]
    : idle.map((it) => fault(ofGrouping.talksNot(it.called), [], [it]));
}

/** A node that is a saved assistant belongs to the member with its id; no other node does. */
function checkReady({ graph, owners, squad, homesOf }: Placement): Finding[] {
  const isReady = (node: NodeIndex) => graph.nodeAt(node).assistant !== null;
  if (!squad.members.some(({ saved }) => saved) && !graph.order.some(isReady)) return [];
  const nodes = graph.order.filter((node) => owners.standsFor(node) === node);
  return nodes.map(graph.nodeAt).flatMap((node): Finding[] => {
    const { id, assistant, index } = node;
    const homes = homesOf(index);
    const savedAs = assistant?.savedAs?.value;
    if (savedAs !== undefined) {
      const version = assistant?.version?.value ?? null;
      const isIt = (it: Member) => it.assistantId === savedAs && it.version === version;
      return homes.some((it) => it.saved && isIt(it))
        ? [fact(ofGrouping.saved(id, savedAs), [node], homes)]
        : [fault(ofGrouping.notSaved(id, savedAs), [node], homes)];
    }
    if (assistant !== null && homes.length === 0)
      return [fault(ofGrouping.nobodys(id), [node], [])];
    const elsewhere = homes.filter((it) => it.saved && (assistant !== null || !it.unseen));
    return elsewhere.map((it) => fault(ofGrouping.elsewhere(it.called, id), [node], [it]));
  });
}

/** Tools of members that are one stage each; the other facts already cover the rest. */
function checkCalls({ graph, grouping, owners, squad, nodes, ofStage, stageOf }: Placement) {
  const placed = new Set(nodes);
  const tools = graph.order.filter(
    (it) => graph.nodeAt(it).role === 'act' && owners.standsFor(it) === it && !placed.has(it),
  );
  return tools.flatMap((index): Finding[] => {
    const node = graph.nodeAt(index);
    const [wanted, owning] = [grouping.of(index), owners.of(index)];
    const users = [...wanted].flatMap((it) => (ofStage.get(it) ?? []).map(({ member }) => member));
    const lacking = users.filter((it) => stageOf(it) !== null && !owning.has(it));
    const additional = [...owning].filter((it) => {
      const stage = stageOf(it);
      return stage !== null && !wanted.has(stage);
    });
    const faultIn = (number: number, text: (assistant: string, tool: string) => string) => {
      const member = squad.members[number]!;
      return fault(text(member.called, node.id), [node], [member]);
    };
    return [
      ...lacking.map((it) => faultIn(it, ofGrouping.lacksTool)),
      ...additional.map((it) => faultIn(it, ofGrouping.hasTool)),
    ];
  });
}

/** Handoffs between assistants that could be one; the answer that keeps them apart excuses them. */
function listKeptApart({ grouping, squad, handoffs, stageOf }: Placement): Finding[] {
  const ends = ({ member, target }: Handoff) => [member, target!].map(stageOf);
  const apart = handoffs.filter((it) => {
    if (it.edge === null || it.target === null) return false;
    const [one, other] = ends(it);
    return one != null && other != null && grouping.keptApart(one, other);
  });
  const byEnds = groupBy(apart, ({ member, target }) => member * squad.members.length + target!);
  return Array.from(byEnds.values(), (same) => {
    const { member, target } = same[0]!;
    const [from, to] = [squad.members[member]!, squad.members[target!]!];
    const text = ofGrouping.keptApart(from.called, to.called);
    return { ...fault(text, same, [from, to]), excused: true };
  });
}

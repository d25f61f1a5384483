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
import { groupBy } from '../../graph/lists.js';
import type { Comparison } from '../comparison.js';
import { type Finding, fact, fault, part } from '../finding.js';

/** Item 1. "The first members entry is the workflow's start." */
export function checkEntry({ graph, squad, owners }: Comparison): Finding[] {
  const start = graph.nodeAt(graph.start);
  const first = squad.members.slice(0, 1);
  return first.length > 0 && owners.of(graph.start).has(0)
    ? [fact(ofEntry.owns(start.id, first[0]!.called), [start], first)]
    : [fault(ofEntry.ownsNot(start.id), [start], first)];
}

/** What a member has of a stage, represented by the first node. */
interface Part {
  readonly stage: number;
  readonly member: Member;
  readonly first: WorkflowNode;
}

/** How members and expected stages correspond. */
interface Placement extends Pick<Comparison, 'graph' | 'grouping' | 'owners' | 'squad'> {
  /** The nodes that a call can reach, without repeating equal ones, in walk order. */
  readonly distinct: readonly WorkflowNode[];
  /** Those that make up an assistant. */
  readonly nodes: readonly WorkflowNode[];
  readonly ofStage: ReadonlyMap<number, readonly Part[]>;
  readonly ofMember: ReadonlyMap<number, readonly Part[]>;
  readonly homesOf: (node: WorkflowNode) => readonly Member[];
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
    ...listKeptApart(placement, comparison.handoffs),
  ];
}

function placeNodes({ graph, grouping, owners, squad }: Comparison): Placement {
  const isOne = ({ index, role }: WorkflowNode) =>
    // A start that is a tool and goes to no other assistant is one as well.
    role === 'talk' || (index === graph.start && !grouping.talks(grouping.stageOf(index)!));
  const distinct = graph.order.filter((it) => owners.standsFor(it) === it).map(graph.nodeAt);
  const nodes = distinct.filter(isOne);
  const all = nodes.flatMap((first): Part[] => {
    const [owner, stage] = [owners.soleOwner(first.index), grouping.stageOf(first.index)];
    return owner === null || stage === null
      ? []
      : [{ stage, member: squad.members[owner]!, first }];
  });
  const byBoth = groupBy(all, ({ stage, member }) => member.index * grouping.stageCount + stage);
  const parts = Array.from(byBoth.values(), ([first]) => first!);
  const ofStage = groupBy(parts, ({ stage }) => stage);
  const ofMember = groupBy(parts, ({ member }) => member.index);
  const stageOf = (member: number) => {
    const [only, ...others] = ofMember.get(member) ?? [];
    const isSole = others.length === 0 && ofStage.get(only?.stage ?? -1)?.length === 1;
    return isSole ? only!.stage : null;
  };
  const homesOf = ({ index }: WorkflowNode) =>
    Array.from(owners.of(index), (it) => squad.members[it]!);
  return { graph, grouping, owners, squad, distinct, nodes, ofStage, ofMember, homesOf, stageOf };
}

/** Nodes that several assistants own, or none. The nodes of a saved assistant are not visible. */
function findMisplaced({ graph, owners, squad, nodes, homesOf }: Placement): Finding[] {
  const isUnseen = squad.members.some(({ unseen }) => unseen);
  return nodes.flatMap((node): Finding[] => {
    const homes = homesOf(node);
    if (homes.length === 1) return [];
    if (homes.length === 0 && isUnseen) return [part(ofGrouping.unseen(node.id), [node], [])];
    if (homes.length === 0) return [fault(ofGrouping.nobodys(node.id), [node], [])];
    const isEqual = (it: NodeIndex) => owners.standsFor(it) === node.index;
    const equal = graph.order.filter(isEqual).map(graph.nodeAt);
    const [ids, names] = [equal.map(({ id }) => id), homes.map(({ called }) => called)];
    const text =
      equal.length === 1
        ? ofGrouping.repeated(node.id, names)
        : ofGrouping.equalLeftApart(ids, names);
    return [fault(text, equal, homes)];
  });
}

/** Each part but the first, with the one before. */
function pairsOf(parts: ReadonlyMap<number, readonly Part[]>): (readonly [Part, Part])[] {
  return [...parts.values()].flatMap((all) =>
    all.slice(1).map((it, at) => [all[at]!, it] as const),
  );
}

/** A fault for each part of a stage but the first, with the part before. */
function findLeftApart({ ofStage }: Placement): Finding[] {
  return pairsOf(ofStage).map(([one, other]) => {
    const names = [one.member.called, other.member.called] as const;
    const text = ofGrouping.leftApart(...names, one.first.id, other.first.id);
    return fault(text, [one.first, other.first], [one.member, other.member]);
  });
}

/** A fault for each stage but the first of which a member has a part, with the one before. */
function findMerged({ grouping, ofMember }: Placement): Finding[] {
  return pairsOf(ofMember).map(([one, other]) => {
    const isAnswered = grouping.keptApart(one.stage, other.stage);
    const say = isAnswered ? ofGrouping.mergedAnyway : ofGrouping.merged;
    const text = say(one.member.called, one.first.id, other.first.id);
    return fault(text, [one.first, other.first], [one.member]);
  });
}

/** Members without a node that makes up an assistant. */
function findIdle({ squad, nodes, homesOf }: Placement): Finding[] {
  const busy = new Set(nodes.flatMap(homesOf));
  const idle = squad.members.filter((it) => !it.unseen && !busy.has(it));
  return idle.length === 0
    ? [fact(ofGrouping.talks(squad.members.length), [], [])]
    : idle.map((it) => fault(ofGrouping.talksNot(it.called), [], [it]));
}

/** A node that is a saved assistant belongs to the member with its id; no other node does. */
function checkReady({ distinct, homesOf }: Placement): Finding[] {
  return distinct.flatMap((node): Finding[] => {
    const { id, assistant } = node;
    const homes = homesOf(node);
    const savedAs = assistant?.savedAs?.value;
    if (savedAs !== undefined) {
      const version = assistant?.version?.value ?? null;
      const isIt = (it: Member) => it.saved && it.assistantId === savedAs && it.version === version;
      return homes.some(isIt)
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
function checkCalls(placement: Placement): Finding[] {
  const { grouping, owners, squad, distinct, nodes, ofStage, stageOf } = placement;
  const placed = new Set(nodes);
  const tools = distinct.filter((it) => it.role === 'act' && !placed.has(it));
  return tools.flatMap((node) => {
    const [wanted, owning] = [grouping.of(node.index), owners.of(node.index)];
    const users = [...wanted].flatMap((it) => ofStage.get(it) ?? []);
    const near = new Set([...users.map(({ member }) => member.index), ...owning]);
    return [...near].flatMap((index) => {
      const [stage, member] = [stageOf(index), squad.members[index]!];
      if (stage === null || wanted.has(stage) === owning.has(index)) return [];
      const say = wanted.has(stage) ? ofGrouping.lacksTool : ofGrouping.hasTool;
      return [fault(say(member.called, node.id), [node], [member])];
    });
  });
}

/** Handoffs between assistants that could be one; the answer that keeps them apart excuses them. */
function listKeptApart({ grouping, squad, stageOf }: Placement, handoffs: Comparison['handoffs']) {
  const along = handoffs.filter(({ edge, target }) => edge !== null && target !== null);
  const byEnds = groupBy(along, ({ member, target }) => member * squad.members.length + target!);
  return [...byEnds.values()].flatMap((same) => {
    const [from, to] = [same[0]!.member, same[0]!.target!].map((it) => squad.members[it]!);
    const [one, other] = [stageOf(from!.index), stageOf(to!.index)];
    if (one === null || other === null || !grouping.keptApart(one, other)) return [];
    const text = ofGrouping.keptApart(from!.called, to!.called);
    return { ...fault(text, same, [from!, to!]), excused: true };
  });
}

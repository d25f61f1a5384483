/**
 * Item 2. "The assistant count is minimized, linear chains are merged, no cyclical handoff pair is
 * left split."
 *
 * The nodes of one expected stage are of one assistant, those of two are not, each is of exactly one,
 * and tools are where the nodes are that lead to them. Handoffs along edges form no circle. An answer
 * that keeps stages apart waives the item for what it keeps apart, and for nothing else; what is an
 * assistant in the source already stays one.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { WorkflowNode } from '../compiler/ir/workflow.js';
import { ofEntry, ofGrouping } from '../diagnostics/checklist.js';
import { append, groupBy } from '../graph/lists.js';
import { computeComponents } from '../graph/partitions.js';
import { type Comparison, type Finding, fact, fault } from './comparison.js';
import type { Passage } from './expected/source.js';
import type { Member } from './squad.js';

/** Item 1. "The first members entry is the workflow's start." */
export function checkEntry({ graph, squad, owners }: Comparison): Finding[] {
  const start = graph.nodeAt(graph.start);
  const [first] = squad.members;
  if (first !== undefined && owners.of(graph.start).has(0)) {
    return [fact(ofEntry.owns(start.id, first.called), [start], [first])];
  }
  return [fault(ofEntry.ownsNot(start.id), [start], first === undefined ? [] : [first])];
}

/** What a member has of a stage, by the first of its nodes. */
interface Part {
  readonly stage: number;
  readonly member: number;
  readonly first: WorkflowNode;
}

/** How members and expected stages stand to each other. */
interface Placement extends Comparison {
  /** Nodes that make an assistant, the equal ones once, in walk order. */
  readonly nodes: readonly NodeIndex[];
  readonly ofStage: ReadonlyMap<number, readonly Part[]>;
  readonly ofMember: ReadonlyMap<number, readonly Part[]>;
  readonly homesOf: (node: NodeIndex) => readonly Member[];
  /** The stage that a member is, where it is one and the stage is no other's. */
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
    ...checkLinks(placement),
  ];
}

function placeNodes(comparison: Comparison): Placement {
  const { graph, grouping, owners, squad } = comparison;
  const nodes = graph.order.filter((node) => {
    if (owners.standsFor(node) !== node) return false;
    if (graph.nodeAt(node).role === 'talk') return true;
    // So does the start where it is a tool that goes to no other assistant.
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

/** Nodes that several assistants have, or none. What a saved assistant has is not to be seen. */
function findMisplaced({ graph, owners, squad, nodes, homesOf }: Placement): Finding[] {
  const isUnseen = squad.members.some(({ unseen }) => unseen);
  const misplaced = nodes.filter((node) => owners.of(node).size !== 1);
  return misplaced.flatMap((index): Finding[] => {
    const [homes, node] = [homesOf(index), graph.nodeAt(index)];
    if (homes.length === 0) return isUnseen ? [] : [fault(ofGrouping.nobodys(node.id), [node], [])];
    const equal = graph.order.filter((it) => owners.standsFor(it) === index).map(graph.nodeAt);
    const [ids, names] = [equal.map(({ id }) => id), homes.map(({ called }) => called)];
    const isOne = equal.length === 1;
    const text = isOne
      ? ofGrouping.repeated(node.id, names)
      : ofGrouping.equalLeftApart(ids, names);
    return [fault(text, equal, homes)];
  });
}

/** One fact for each member but one that has a part of a stage; told with the nearest other part. */
function findLeftApart({ graph, grouping, nodes, homesOf, ofStage }: Placement): Finding[] {
  const begun = new Set([...ofStage.values()].flatMap((all) => all.slice(1).map((it) => it.first)));
  const [inCycle, inChain] = [new Map<unknown, NodeIndex>(), new Map<unknown, NodeIndex>()];
  return (begun.size === 0 ? [] : nodes).flatMap((node) => {
    const [home, ...others] = homesOf(node);
    if (home === undefined || others.length > 0) return [];
    const [cycle, chain] = [grouping.partOf(node, 'cycle'), grouping.partOf(node, 'chain')];
    const [ofCycle, ofChain] = [inCycle.get(cycle), inChain.get(chain)];
    inCycle.set(cycle, node);
    inChain.set(chain, node);
    const here = graph.nodeAt(node);
    if (!begun.has(here)) return [];
    const bond = ofCycle !== undefined ? 'cycle' : ofChain !== undefined ? 'chain' : 'tools';
    const before = ofCycle ?? ofChain ?? ofStage.get(grouping.stageOf(node)!)![0]!.first.index;
    const [other, there] = [homesOf(before)[0]!, graph.nodeAt(before)];
    const text = ofGrouping.leftApart(other.called, home.called, [there.id, here.id], bond);
    return [fault(text, [there, here], [other, home])];
  });
}

/** One fact for each stage but one of which a member has a part; told with the one before. */
function findMerged({ grouping, squad, ofMember }: Placement): Finding[] {
  return squad.members.flatMap((member) => {
    const parts = ofMember.get(member.index) ?? [];
    return parts.slice(1).map(({ first, stage }, index) => {
      const before = parts[index]!;
      const isAnswered = grouping.keptApart(before.stage, stage);
      const text = ofGrouping.merged(member.called, [before.first.id, first.id], isAnswered);
      return fault(text, [before.first, first], [member]);
    });
  });
}

/** Members without a node that makes an assistant. */
function findIdle({ squad, owners, nodes }: Placement): Finding[] {
  const busy = new Set<number>();
  for (const node of nodes) for (const member of owners.of(node)) busy.add(member);
  const idle = squad.members.filter(({ index, unseen }) => !unseen && !busy.has(index));
  return idle.length === 0
    ? [fact(ofGrouping.talks(squad.members.length), [], [])]
    : idle.map((it) => fault(ofGrouping.talksNot(it.called), [], [it]));
}

/** A node that is a saved assistant is the member with its id; nobody else's node is. */
function checkReady({ graph, owners, squad, homesOf }: Placement): Finding[] {
  const isReady = (node: NodeIndex) => graph.nodeAt(node).assistant !== null;
  if (!squad.members.some(({ saved }) => saved) && !graph.order.some(isReady)) return [];
  const nodes = graph.order.filter((node) => owners.standsFor(node) === node);
  return nodes.map(graph.nodeAt).flatMap((node): Finding[] => {
    const { id, assistant, index } = node;
    const homes = homesOf(index);
    const savedAs = assistant?.savedAs?.value;
    if (savedAs !== undefined) {
      return homes.some((it) => it.saved && it.assistantId === savedAs)
        ? [fact(ofGrouping.saved(id, savedAs), [node], homes)]
        : [fault(ofGrouping.notSaved(id, savedAs), [node], homes)];
    }
    if (assistant !== null && homes.length === 0)
      return [fault(ofGrouping.nobodys(id), [node], [])];
    const elsewhere = homes.filter((it) => it.saved && (assistant !== null || !it.unseen));
    return elsewhere.map((it) => fault(ofGrouping.elsewhere(it.called, id), [node], [it]));
  });
}

/** Tools of members that are one stage each: elsewhere the other facts have said enough. */
function checkCalls({ graph, grouping, owners, squad, nodes, ofStage, stageOf }: Placement) {
  const standing = new Set(nodes);
  const tools = graph.order.filter(
    (it) => graph.nodeAt(it).role === 'act' && owners.standsFor(it) === it && !standing.has(it),
  );
  return tools.flatMap((index): Finding[] => {
    const node = graph.nodeAt(index);
    const [wanted, has] = [grouping.of(index), owners.of(index)];
    const users = [...wanted].flatMap((it) => (ofStage.get(it) ?? []).map(({ member }) => member));
    const lacking = users.filter((it) => stageOf(it) !== null && !has.has(it));
    const additional = [...has].filter((it) => {
      const stage = stageOf(it);
      return stage !== null && !wanted.has(stage);
    });
    const say = (number: number, text: (assistant: string, tool: string) => string) => {
      const member = squad.members[number]!;
      return fault(text(member.called, node.id), [node], [member]);
    };
    return [
      ...lacking.map((it) => say(it, ofGrouping.lacksTool)),
      ...additional.map((it) => say(it, ofGrouping.hasTool)),
    ];
  });
}

/** Passages between two members, which lead one way. */
interface Link {
  readonly from: Member;
  readonly to: Member;
  readonly passages: readonly Passage[];
}

/**
 * Why the assistants are apart that hand off to each other: the source hands off elsewhere too, or
 * others hand off to the target too, or that is entered by itself. With the boundary `tools` a second
 * way out is no reason, but different tools are. None of it is a fault: where an answer is the
 * reason, that excuses it.
 */
function checkLinks(placement: Placement): Finding[] {
  const { graph, grouping, options, owners, passages, squad, stageOf } = placement;
  const { members } = squad;
  // Passages that lead to no single member make no link; they fail as handoffs.
  const along = passages.filter(({ edge, target }) => edge !== null && target !== null);
  const listLinks = (all: readonly Passage[]): Link[] => {
    const links: Link[] = [];
    const byEnds = groupBy(all, ({ member, target }) => member * members.length + target!);
    for (const ways of byEnds.values()) {
      const { member, target } = ways[0]!;
      links.push({ from: members[member]!, to: members[target!]!, passages: ways });
    }
    return links;
  };
  const links = listLinks(along);
  const [outOf, into] = [groupBy(links, ({ from }) => from), groupBy(links, ({ to }) => to)];
  const roots = [graph.start, ...graph.globals.map(({ index }) => index)];
  const entered = new Set(roots.map(grouping.soleOwner));
  const because = (from: Member, to: Member) => {
    const [one, other] = [stageOf(from.index), stageOf(to.index)];
    if (one === null || other === null) return null;
    if (entered.has(other)) return 'entry';
    if (into.get(to)!.length > 1) return 'join';
    if (options.boundary === 'branch' && outOf.get(from)!.length > 1) return 'branch';
    if (grouping.isReady(one) || grouping.isReady(other)) return 'ready';
    if (grouping.keptApart(one, other)) return 'answer';
    return options.boundary === 'tools' ? 'tools' : null;
  };
  const reasons = links.flatMap(({ from, to, passages: ways }): Finding[] => {
    const reason = because(from, to);
    if (reason === null) return [];
    if (reason !== 'answer') {
      return [fact(ofGrouping.justified(from.called, to.called, reason), ways, [from, to])];
    }
    const text = ofGrouping.keptApart(from.called, to.called);
    return [{ ...fault(text, ways, [from, to]), excused: true }];
  });
  // A tool that several have is left in each; only ways of an assistant's own lead in a circle.
  const own = along.filter(({ member, from }) => owners.soleOwner(from!) === member);
  const ownLinks = own.length === along.length ? links : listLinks(own);
  return [...reasons, ...checkCircles(placement, ownLinks)];
}

/** Circles of members; an answer or an assistant of the source can be the reason for one. */
function checkCircles(
  { squad, grouping, waivers, stageOf }: Placement,
  links: readonly Link[],
): Finding[] {
  const successors = squad.members.map((): number[] => []);
  for (const { from, to } of links) successors[from.index]!.push(to.index);
  const { of } = computeComponents(successors);
  const inCircles = links.filter(({ from, to }) => of[from.index] === of[to.index]);
  if (inCircles.length === 0) return [fact(ofGrouping.acyclic(), [], [])];
  return Array.from(groupBy(inCircles, ({ from }) => of[from.index]).values(), (circle) => {
    const ends = circle.flatMap(({ from, to }) => [from, to]);
    const members = [...new Set(ends)];
    const stages = members.map(({ index }) => stageOf(index));
    const isReady = stages.some((stage) => stage !== null && grouping.isReady(stage));
    const excused = (waivers.length > 0 || isReady) && !stages.includes(null);
    const say = isReady ? ofGrouping.cycleOfReady : ofGrouping.cycleKept;
    const text = (excused ? say : ofGrouping.cyclic)(members.map(({ called }) => called));
    const ways = circle.flatMap(({ passages }) => passages);
    return { ...fault(text, ways, ends), excused };
  });
}

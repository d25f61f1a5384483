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
import { ofEntry, ofGrouping } from '../diagnostics/checklist.js';
import { groupBy } from '../graph/lists.js';
import { computeComponents } from '../graph/partitions.js';
import type { Comparison } from './comparison.js';
import type { Passage } from './expected.js';
import { type Finding, finding } from './findings.js';
import { placeOf } from './passages.js';

/** Item 1. "The first members entry is the workflow's start." */
export function checkEntry({ graph, squad, owners }: Comparison): Finding[] {
  const { id, at } = graph.nodeAt(graph.start);
  const [first] = squad.members;
  if (first === undefined) return [finding(false, ofEntry.ownsNot(id), [at], [])];
  const owns = owners.of(graph.start).has(0);
  const text = owns ? ofEntry.owns(id, first.called) : ofEntry.ownsNot(id);
  return [finding(owns, text, [at], [first.at])];
}

/** What a member has of a stage, by the first of its nodes. */
interface Part {
  readonly stage: number;
  readonly member: number;
  readonly first: NodeIndex;
}

/** How members and expected stages stand to each other. */
interface Placement {
  /** Nodes that make an assistant, the equal ones once, in walk order. */
  readonly nodes: readonly NodeIndex[];
  readonly ofStage: readonly Part[][];
  readonly ofMember: readonly Part[][];
  /** The stage that a member is, where it is one and the stage is no other's. */
  readonly stageOf: (member: number) => number | null;
}

export function checkGrouping(comparison: Comparison): Finding[] {
  const { graph, squad } = comparison;
  const placement = placeNodes(comparison);
  const counted = ofGrouping.counted(squad.members.length, graph.order.length);
  return [
    finding(true, counted, [`${graph.workflow.at}/nodes`], []),
    ...findMisplaced(comparison, placement),
    ...findLeftApart(comparison, placement),
    ...findMerged(comparison, placement),
    ...findIdle(comparison, placement),
    ...checkReady(comparison),
    ...checkCalls(comparison, placement),
    ...checkLinks(comparison, placement),
  ];
}

function placeNodes({ graph, grouping, owners, squad }: Comparison): Placement {
  const ofStage = Array.from({ length: grouping.stageCount }, (): Part[] => []);
  const ofMember = squad.members.map((): Part[] => []);
  const nodes = graph.order.filter((node) => {
    if (grouping.representative[node] !== node) return false;
    if (graph.nodeAt(node).role === 'talk') return true;
    // So does the start where it is a tool that goes to no other assistant.
    return node === graph.start && !grouping.talks(grouping.stageOf(node)!);
  });
  const known = new Set<string>();
  for (const first of nodes) {
    const [member, stage] = [owners.soleOwner(first), grouping.stageOf(first)];
    if (member === null || stage === null || known.has(`${member} ${stage}`)) continue;
    known.add(`${member} ${stage}`);
    ofStage[stage]!.push({ stage, member, first });
    ofMember[member]!.push({ stage, member, first });
  }
  const stageOf = (member: number) => {
    const [part, ...others] = ofMember[member]!;
    const isOne = part !== undefined && others.length === 0 && ofStage[part.stage]!.length === 1;
    return isOne ? part.stage : null;
  };
  return { nodes, ofStage, ofMember, stageOf };
}

/** Nodes that several assistants have, or none. What a saved assistant has is not to be seen. */
function findMisplaced(
  { graph, grouping, owners, squad }: Comparison,
  { nodes }: Placement,
): Finding[] {
  const isUnseen = squad.members.some(({ unseen }) => unseen);
  return nodes.flatMap((node): Finding[] => {
    const homes = [...owners.of(node)].map((it) => squad.members[it]!);
    const { id, at } = graph.nodeAt(node);
    if (homes.length === 1 || (homes.length === 0 && isUnseen)) return [];
    if (homes.length === 0) return [finding(false, ofGrouping.nobodys(id), [at], [])];
    const equal = graph.order
      .filter((it) => grouping.representative[it] === node)
      .map(graph.nodeAt);
    const names = homes.map(({ called }) => called);
    const text =
      equal.length === 1
        ? ofGrouping.repeated(id, names)
        : ofGrouping.equalLeftApart(
            equal.map((it) => it.id),
            names,
          );
    return [
      finding(
        false,
        text,
        equal.map((it) => it.at),
        homes.map((it) => it.at),
      ),
    ];
  });
}

/** One fact for each member but one that has a part of a stage; told with the nearest other part. */
function findLeftApart(comparison: Comparison, { nodes, ofStage }: Placement): Finding[] {
  const { graph, grouping, owners, squad } = comparison;
  const begun = new Set(ofStage.flatMap((parts) => parts.slice(1).map(({ first }) => first)));
  const latest = { cycle: new Map<number, NodeIndex>(), chain: new Map<number, NodeIndex>() };
  const findings: Finding[] = [];
  for (const node of begun.size === 0 ? [] : nodes) {
    const member = owners.soleOwner(node);
    if (member === null) continue;
    const [cycle, chain] = [grouping.partOf(node, 'cycle'), grouping.partOf(node, 'chain')];
    if (begun.has(node)) {
      const inCycle = latest.cycle.get(cycle);
      const inChain = latest.chain.get(chain);
      const bond = inCycle !== undefined ? 'cycle' : inChain !== undefined ? 'chain' : 'tools';
      const other = inCycle ?? inChain ?? ofStage[grouping.stageOf(node)!]![0]!.first;
      const homes = [owners.soleOwner(other)!, member].map((it) => squad.members[it]!);
      const both = [graph.nodeAt(other), graph.nodeAt(node)] as const;
      const text = ofGrouping.leftApart(
        homes[0]!.called,
        homes[1]!.called,
        [both[0].id, both[1].id],
        bond,
      );
      findings.push(
        finding(
          false,
          text,
          both.map(({ at }) => at),
          homes.map(({ at }) => at),
        ),
      );
    }
    latest.cycle.set(cycle, node);
    latest.chain.set(chain, node);
  }
  return findings;
}

/** One fact for each stage but one of which a member has a part; told with the one before. */
function findMerged({ graph, grouping, squad }: Comparison, { ofMember }: Placement): Finding[] {
  return ofMember.flatMap((parts, member) =>
    parts.slice(1).map((part, index) => {
      const before = parts[index]!;
      const [one, two] = [graph.nodeAt(before.first), graph.nodeAt(part.first)];
      const { called, at } = squad.members[member]!;
      const isAnswered = grouping.keptApart(before.stage, part.stage);
      const text = ofGrouping.merged(called, [one.id, two.id], isAnswered);
      return finding(false, text, [one.at, two.at], [at]);
    }),
  );
}

/** Members without a node that makes an assistant. */
function findIdle({ squad, owners }: Comparison, { nodes }: Placement): Finding[] {
  const busy = new Set(nodes.flatMap((node) => [...owners.of(node)]));
  const idle = squad.members.filter(({ index, unseen }) => !unseen && !busy.has(index));
  return idle.length === 0
    ? [finding(true, ofGrouping.talks(squad.members.length), [], [])]
    : idle.map(({ called, at }) => finding(false, ofGrouping.talksNot(called), [], [at]));
}

/** A node that is a saved assistant is the member with its id; nobody else's node is. */
function checkReady({ graph, owners, squad }: Comparison): Finding[] {
  if (
    !squad.members.some(({ saved }) => saved) &&
    !graph.order.some((it) => graph.nodeAt(it).assistant)
  ) {
    return [];
  }
  return graph.order.flatMap((index): Finding[] => {
    if (owners.standsFor(index) !== index) return [];
    const { id, at, assistant } = graph.nodeAt(index);
    const homes = [...owners.of(index)].map((it) => squad.members[it]!);
    const places = homes.map((it) => it.at);
    const savedAs = assistant?.savedAs?.value;
    if (savedAs !== undefined) {
      const isThere = homes.some((it) => it.saved && it.assistantId === savedAs);
      const text = isThere ? ofGrouping.saved(id, savedAs) : ofGrouping.notSaved(id, savedAs);
      return [finding(isThere, text, [at], places)];
    }
    if (assistant !== null && homes.length === 0)
      return [finding(false, ofGrouping.nobodys(id), [at], [])];
    const elsewhere = homes.filter((it) => it.saved && (assistant !== null || !it.unseen));
    return elsewhere.map((it) =>
      finding(false, ofGrouping.elsewhere(it.called, id), [at], [it.at]),
    );
  });
}

/** Tools of members that are one stage each: elsewhere the other facts have said enough. */
function checkCalls(
  { graph, grouping, owners, squad }: Comparison,
  placement: Placement,
): Finding[] {
  const { nodes, ofStage, stageOf } = placement;
  const standing = new Set(nodes);
  const tools = graph.order.filter(
    (node) =>
      graph.nodeAt(node).role === 'act' &&
      grouping.representative[node] === node &&
      !standing.has(node),
  );
  return tools.flatMap((node) => {
    const { id, at } = graph.nodeAt(node);
    const wanted = grouping.stagesOf(node);
    const has = owners.of(node);
    const say = (member: number, text: (assistant: string, tool: string) => string) =>
      finding(false, text(squad.members[member]!.called, id), [at], [squad.members[member]!.at]);
    const lacking = wanted
      .flatMap((stage) => ofStage[stage]!.map(({ member }) => member))
      .filter((member) => stageOf(member) !== null && !has.has(member));
    const additional = [...has].filter((member) => {
      const stage = stageOf(member);
      return stage !== null && !wanted.includes(stage);
    });
    return [
      ...lacking.map((member) => say(member, ofGrouping.lacksTool)),
      ...additional.map((member) => say(member, ofGrouping.hasTool)),
    ];
  });
}

/** Passages between two members, which lead one way. */
type Link = readonly [from: number, to: number, passages: readonly Passage[]];

/**
 * Why the assistants are apart that hand off to each other: the source hands off elsewhere too, or
 * others hand off to the target too, or that is entered by itself. With the boundary `tools` a second
 * way out is no reason, but different tools are. None of it is a fault: where an answer is the
 * reason, that excuses it.
 */
function checkLinks(comparison: Comparison, { stageOf }: Placement): Finding[] {
  const { graph, grouping, options, owners, squad } = comparison;
  const links = listLinks(comparison, comparison.edgePassages);
  const [outOf, into] = [new Map<number, number>(), new Map<number, number>()];
  for (const [from, to] of links) {
    outOf.set(from, (outOf.get(from) ?? 0) + 1);
    into.set(to, (into.get(to) ?? 0) + 1);
  }
  const roots = [graph.start, ...graph.globals.map(({ index }) => index)].map(grouping.stagesOf);
  const entered = new Set(roots.filter(({ length }) => length === 1).map(([stage]) => stage));
  const because = (from: number, to: number) => {
    const [one, other] = [stageOf(from), stageOf(to)];
    if (one === null || other === null) return null;
    if (entered.has(other)) return 'entry';
    if (into.get(to)! > 1) return 'join';
    if (options.boundary === 'branch' && outOf.get(from)! > 1) return 'branch';
    if (grouping.isReady(one) || grouping.isReady(other)) return 'ready';
    if (grouping.keptApart(one, other)) return 'answer';
    return options.boundary === 'tools' ? 'tools' : null;
  };
  const reasons = links.flatMap(([from, to, passages]): Finding[] => {
    const [one, other] = [squad.members[from]!, squad.members[to]!];
    const reason = because(from, to);
    const source = passages.map((it) => placeOf(graph, it));
    const output = [one.at, other.at];
    if (reason === null) return [];
    if (reason === 'answer') {
      return [
        {
          ...finding(false, ofGrouping.keptApart(one.called, other.called), source, output),
          excused: true,
        },
      ];
    }
    return [finding(true, ofGrouping.justified(one.called, other.called, reason), source, output)];
  });
  // A tool that several have is left in each; only ways of an assistant's own lead in a circle.
  const own = comparison.edgePassages.filter(
    ({ member, from }) => owners.soleOwner(from!) === member,
  );
  return [...reasons, ...checkCircles(comparison, stageOf, listLinks(comparison, own))];
}

/** Passages that lead to no single member make no link; they fail as handoffs. */
function listLinks({ squad }: Comparison, passages: readonly Passage[]): readonly Link[] {
  const links = new Map<number, readonly [number, number, Passage[]]>();
  for (const passage of passages) {
    const { member, target } = passage;
    if (target === null) continue;
    const key = member * squad.members.length + target;
    const link = links.get(key);
    if (link === undefined) links.set(key, [member, target, [passage]]);
    else link[2].push(passage);
  }
  return [...links.values()];
}

/** Circles of members; an answer or an assistant of the source can be the reason for one. */
function checkCircles(
  { graph, squad, grouping, waivers }: Comparison,
  stageOf: Placement['stageOf'],
  links: readonly Link[],
): Finding[] {
  const successors = squad.members.map((): number[] => []);
  for (const [from, to] of links) successors[from]!.push(to);
  const components = computeComponents(successors).of;
  const circles = groupBy(
    links.filter(([from, to]) => components[from] === components[to]),
    ([from]) => components[from]!,
  );
  if (circles.size === 0) return [finding(true, ofGrouping.acyclic(), [], [])];
  return Array.from(circles.values(), (circle) => {
    const members = [...new Set(circle.flatMap((link) => [link[0], link[1]]))];
    const stages = members.map(stageOf);
    const isReady = stages.some((stage) => stage !== null && grouping.isReady(stage));
    const excused = (waivers.length > 0 || isReady) && !stages.includes(null);
    const names = members.map((it) => squad.members[it]!.called);
    const say = isReady ? ofGrouping.cycleOfReady : ofGrouping.cycleKept;
    const source = circle.flatMap(([, , passages]) => passages.map((it) => placeOf(graph, it)));
    const output = circle.flatMap(([from, to]) => [from, to].map((it) => squad.members[it]!.at));
    return {
      ...finding(false, excused ? say(names) : ofGrouping.cyclic(names), source, output),
      excused,
    };
  });
}

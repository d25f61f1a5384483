/**
 * Which members own which nodes.
 *
 * In: the source with its expected grouping, and the squad. Out: owners, and the first visit of every
 * node, which is a shortest call to it. Method: a walk through both at once, breadth first from the
 * start in member 0. A way stays in a member that holds the node's texts where the grouping expects
 * that, else it follows the destination that says its condition and leads to who holds them. Among
 * members with equal texts the one that the node's stage was found in before counts, then one that no
 * stage was found in: so what is equal is told apart by what leads to it. The grouping is a guide and
 * no judge: whatever is found here is compared afterwards, prompt by prompt and plan by plan.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import { whenNeeded } from '../compiler/ir/wording.js';
import type { Condition, WorkflowEdge } from '../compiler/ir/workflow.js';
import type { Grouping, Owners, SourceGraph } from './expected.js';
import type { Destination, Member, Squad } from './squad.js';
import { createFinder, type Finder } from './texts.js';

/** Where a call can be, in the workflow and in the squad at once, and how it came there. */
export interface Visit {
  readonly node: NodeIndex;
  readonly member: number;
  /** The expected stage that the node is met in. */
  readonly stage: number;
  /** The visit before; null at the start, and where the node was found by its texts alone. */
  readonly parent: Visit | null;
  /** Null for a step to a global node. */
  readonly edge: WorkflowEdge | null;
  /** How many visits are before. */
  readonly depth: number;
}

export interface Match {
  readonly owners: Owners;
  /** In the order of the search. */
  readonly visits: readonly Visit[];
  /** By member, the nodes that it owns, in the order of the search. */
  readonly nodesOf: readonly (readonly NodeIndex[])[];
  /** Nodes that no assistant holds, with the member that holds most of their words, if any does. */
  readonly notPlaced: ReadonlyMap<NodeIndex, number | null>;
  /** Nodes in other prose of which not all stands where the way to them leads. */
  readonly likened: readonly Visit[];
  /** Members in other prose whose nodes have an order or inner conditions, which prose cannot show. */
  readonly undecided: ReadonlySet<number>;
}

export function matchNodes(graph: SourceGraph, grouping: Grouping, squad: Squad): Match {
  const { members } = squad;
  const finder = createFinder(graph, squad);
  const standsFor = (node: NodeIndex) => grouping.representative[node]! as NodeIndex;
  const visits: Visit[] = [];
  const nodesOf = members.map((): NodeIndex[] => []);
  const found = new Map<NodeIndex, Set<number>>();
  /** By stage the member that it was first found in, and by member the first stage found there. */
  const homes = new Map<number, number>();
  const stages = new Map<number, number>();
  let stagesHeld: readonly ReadonlySet<number>[] | null = null;
  const destinations = members.map((it) => indexDestinations(it.destinations, members));

  const visit = (
    node: NodeIndex,
    member: number,
    parent: Visit | null,
    edge: WorkflowEdge | null,
  ) => {
    const owners = found.get(node) ?? new Set();
    if (owners.has(member)) return;
    found.set(node, owners.add(member));
    const within = grouping.stagesOf(node);
    const known = [parent?.stage, stages.get(member)].find((it) => within.includes(it ?? -1));
    const stage = known ?? within[0] ?? -1;
    if (!homes.has(stage)) homes.set(stage, member);
    if (!stages.has(member)) stages.set(member, stage);
    const depth = parent === null ? 0 : parent.depth + 1;
    const here: Visit = { node, member, stage, parent, edge, depth };
    visits.push(here);
    nodesOf[member]!.push(node);
  };

  const choose = (candidates: readonly number[], stage: number): number | undefined => {
    const home = homes.get(stage);
    if (home !== undefined && candidates.includes(home)) return home;
    return candidates.find((it) => !stages.has(it)) ?? candidates[0];
  };

  /** Whether the member holds no talk node but some of the stage: then it may be for the stage. */
  const isFor = (member: number, stage: number): boolean => {
    stagesHeld ??= listStagesHeld(graph, grouping, finder, members.length);
    return [...stagesHeld[member]!].every((it) => it === stage);
  };

  /** The member that a way leads to from a visit; null where nothing tells. */
  const follow = (
    from: Visit,
    to: NodeIndex,
    condition: Condition | null,
    edge: WorkflowEdge | null,
  ): number | null => {
    const { member, stage } = from;
    const within = grouping.stagesOf(to);
    const isInner = within.includes(stage);
    const held = finder.holds(member, to);
    if (isInner && held !== false) return member;
    const aim = isInner ? stage : (within[0] ?? -1);
    const { leadTo, saying, needing } = destinations[member]!;
    const said = condition !== null ? saying(condition.value) : edge === null ? needing() : [];
    const isOpen = (it: number) => members[it]!.unseen || finder.holds(it, to) !== false;
    const clear = choose(said.filter(isOpen), aim);
    if (clear !== undefined) return clear;
    const home = homes.get(aim);
    if (condition === null && home !== undefined && leadTo.has(home) && isOpen(home)) return home;
    const holders = finder.find(to).filter((it) => it !== member);
    const near = holders.filter((it) => leadTo.has(it));
    // What holds the node is no sign where it is for another stage: one text of it may have moved.
    const apt = choose(
      near.filter((it) => isFor(it, aim)),
      aim,
    );
    if (apt !== undefined) return apt;
    if (held === true || (isInner && finder.calls(member, to))) return member;
    const meant = condition === null ? [...leadTo] : said;
    const unknown = held === null ? meant.filter(isOpen) : meant.filter((it) => isFor(it, aim));
    return choose(unknown, aim) ?? choose(near, aim) ?? choose(holders, aim) ?? said[0] ?? null;
  };

  const leave = (from: Visit, isFirst: boolean): void => {
    const ways = graph
      .leaving(from.node)
      .map((edge) => ({ to: edge.to, condition: edge.condition, edge }));
    // What can happen at any time is the same at every node.
    const anywhere = isFirst ? graph.globals : [];
    const globals = anywhere.map((it) => ({
      to: it.index,
      condition: it.global!.condition,
      edge: null,
    }));
    for (const { to, condition, edge } of [...ways, ...globals]) {
      if (graph.nodeAt(to).role === 'exit') continue;
      const member = follow(from, standsFor(to), condition, edge);
      if (member !== null) visit(standsFor(to), member, from, edge);
    }
  };
  const entered = new Set<number>();
  let next = 0;
  const walkOn = (): void => {
    for (; next < visits.length; next += 1) {
      const here = visits[next]!;
      // What a saved assistant does, and where it hands off to, is not to be seen.
      if (!members[here.member]!.unseen) leave(here, !entered.has(here.member));
      entered.add(here.member);
    }
  };

  if (members.length > 0) {
    const start = standsFor(graph.start);
    const begins = finder.holds(0, start) !== false || members[0]!.unseen;
    visit(start, begins ? 0 : (finder.find(start)[0] ?? 0), null, null);
  }
  walkOn();
  const lost = () =>
    graph.order.map(standsFor).filter((it) => graph.nodeAt(it).role !== 'exit' && !found.has(it));
  // Nodes that no way leads to any more are looked for, so that one fault does not hide the rest.
  for (const node of lost()) {
    const [member] = found.has(node) ? [] : finder.find(node);
    if (member !== undefined) visit(node, member, null, null);
    walkOn();
  }
  const notPlaced = new Map(lost().map((node) => [node, finder.nearest(node)]));
  const isProse = (member: number) => !members[member]!.ours && !members[member]!.saved;
  const undecided = [...nodesOf.keys()].filter((it) => isProse(it) && nodesOf[it]!.length > 1);
  return {
    owners: readOwners(found, standsFor),
    visits,
    nodesOf,
    notPlaced,
    likened: visits.filter(
      (it) => isProse(it.member) && finder.holds(it.member, it.node) === false,
    ),
    undecided: new Set(undecided),
  };
}

/** By member, the stages with talk nodes that it alone holds. */
function listStagesHeld(
  graph: SourceGraph,
  grouping: Grouping,
  finder: Finder,
  count: number,
): readonly ReadonlySet<number>[] {
  const held = Array.from({ length: count }, () => new Set<number>());
  for (const node of graph.order) {
    if (graph.nodeAt(node).role !== 'talk') continue;
    const [member, ...others] = finder.find(node);
    if (member !== undefined && others.length === 0)
      held[member]!.add(grouping.stageOf(node) ?? -1);
  }
  return held;
}

function readOwners(
  found: ReadonlyMap<NodeIndex, ReadonlySet<number>>,
  standsFor: Owners['standsFor'],
): Owners {
  const nobody: ReadonlySet<number> = new Set();
  const of = (node: NodeIndex) => found.get(standsFor(node)) ?? nobody;
  return {
    of,
    standsFor,
    soleOwner: (node) => {
      const owners = of(node);
      const [only = null] = owners;
      return owners.size === 1 ? only : null;
    },
  };
}

/** Where the destinations of a member lead, by the words that say when. */
function indexDestinations(destinations: readonly Destination[], members: readonly Member[]) {
  const leading = destinations.filter(
    ({ leadsTo, member }) => leadsTo !== null && leadsTo !== member,
  );
  const byWords = new Map<string, number[]>();
  for (const { description, leadsTo } of leading) {
    for (const words of new Set([description, ...description.split('; or ')])) {
      const known = byWords.get(words);
      if (known === undefined) byWords.set(words, [leadsTo!]);
      else known.push(leadsTo!);
    }
  }
  return {
    leadTo: new Set(leading.map(({ leadsTo }) => leadsTo!)),
    /** Those that say what squadc says of a global node without a condition. */
    needing: () =>
      [...new Set(leading.map(({ leadsTo }) => leadsTo!))].filter((it) =>
        byWords.get(whenNeeded('', members[it]!.name ?? '').value)?.includes(it),
      ),
    saying: (words: string): readonly number[] =>
      byWords.get(words) ??
      leading.filter((it) => it.description.includes(words)).map((it) => it.leadsTo!),
  };
}

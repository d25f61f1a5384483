/**
 * Stages: the sets of nodes that the grouping works on until they are the assistants.
 *
 * A stage owns nodes; after tail duplication it may also hold copies of tool nodes that no stage
 * owns any more. Steps between stages follow from the nodes' edges and are computed anew after each
 * phase, so no phase can leave them stale. Stages are joined where no answer keeps them apart.
 */
import { groupBy } from '../../graph/lists.js';
import { createDisjointSets } from '../../graph/partitions.js';
import { type Adjacency, reverse } from '../../graph/walks.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Merge, MergeRule } from '../ir/region-map.js';

/** Nodes that are kept apart: those with different labels never share an assistant. */
export type Split = ReadonlyMap<NodeIndex, string>;

/** For each split that applies to a stage, the label of its nodes. */
export type Labels = ReadonlyMap<Split, string>;

/** The label of a node that a split keeps apart without naming it in a group. */
export function aloneLabel(node: NodeIndex): string {
  return `alone ${node}`;
}

export interface Stage {
  /** Each node once. */
  readonly nodes: readonly NodeIndex[];
  /** Global tools among them that every stage was given: they make no stage a global one. */
  readonly given: ReadonlySet<NodeIndex>;
  readonly labels: Labels;
  readonly merges: readonly Merge[];
}

/** The graph that is grouped: equal nodes as one, exits aside. */
export interface StageGraph {
  readonly graph: FlowGraph;
  /** For each node the equal node that stands for it. */
  readonly representative: readonly NodeIndex[];
  /** Representatives that are not exits, in walk order. */
  readonly nodes: readonly NodeIndex[];
  /** For each of them what follows it among themselves, in source order of the edges. */
  readonly next: readonly (readonly NodeIndex[])[];
}

export function createStageGraph(
  graph: FlowGraph,
  representative: readonly NodeIndex[],
): StageGraph {
  const isStaged = (node: NodeIndex) => graph.workflow.nodes[node]!.role !== 'exit';
  const nodes = graph.order.filter((node) => representative[node] === node && isStaged(node));
  const next = graph.successors.map((targets) =>
    targets.map((target) => representative[target]!).filter(isStaged),
  );
  return { graph, representative, nodes, next };
}

export function isTalk({ graph }: StageGraph, node: NodeIndex): boolean {
  return graph.workflow.nodes[node]!.role === 'talk';
}

export function holdsTalk(within: StageGraph, { nodes }: Stage): boolean {
  return nodes.some((node) => isTalk(within, node));
}

export function holdsStart({ graph }: StageGraph, { nodes }: Stage): boolean {
  return nodes.includes(graph.start);
}

export function holdsGlobal({ graph }: StageGraph, { nodes, given }: Stage): boolean {
  return nodes.some((node) => graph.workflow.nodes[node]!.global !== null && !given.has(node));
}

/** The start and global nodes are entered from outside, whatever the edges say. */
export function isEntered(within: StageGraph, stage: Stage): boolean {
  return holdsStart(within, stage) || holdsGlobal(within, stage);
}

/** Steps between stages, by their positions; each once, none from a stage to itself. */
export interface StageSteps {
  readonly successors: Adjacency;
  readonly predecessors: Adjacency;
}

export function computeStageSteps({ next }: StageGraph, stages: readonly Stage[]): StageSteps {
  const owners = ownersOf(stages);
  const successors = stages.map(({ nodes }) => {
    const own = new Set(nodes);
    const outside = nodes.flatMap((node) => next[node]!).filter((target) => !own.has(target));
    return [...new Set(outside.map((target) => owners.get(target)!))];
  });
  return { successors, predecessors: reverse(successors) };
}

/**
 * For each node the stage that an edge from outside leads to: its only holder. A copied tool has
 * several holders, and every stage with an edge to it is one of them, so nobody asks for it.
 */
export function ownersOf(stages: readonly Pick<Stage, 'nodes'>[]): ReadonlyMap<NodeIndex, number> {
  return new Map(stages.flatMap(({ nodes }, at) => nodes.map((node) => [node, at] as const)));
}

/** Puts stages together, pair by pair. */
export interface Joining {
  /** The set that a stage is in by now, as the position of its first stage. */
  readonly setOf: (stage: number) => number;
  /** Puts the sets of two stages together; false where they are one already, or kept apart. */
  readonly join: (one: number, other: number) => boolean;
  /** The stages, those of one set as one, with the rule that brought them together. */
  readonly finish: (rule: MergeRule) => readonly Stage[];
}

export function startJoining({ graph }: StageGraph, stages: readonly Stage[]): Joining {
  const { find, union } = createDisjointSets(stages.length);
  const labels = stages.map((stage) => new Map(stage.labels));
  return {
    setOf: find,
    join: (one, other) => {
      const [a, b] = [find(one), find(other)];
      if (a === b || areApart(labels[a]!, labels[b]!)) return false;
      const [few, many] =
        labels[a]!.size < labels[b]!.size ? [labels[a]!, labels[b]!] : [labels[b]!, labels[a]!];
      for (const [split, label] of few) many.set(split, label);
      union(a, b);
      labels[find(a)] = many;
      return true;
    },
    finish: (rule) => {
      const sets = groupBy(stages.keys(), find);
      return [...sets].map(([root, [first, ...others]]) => {
        if (others.length === 0) return stages[first!]!;
        const parts = [first!, ...others].map((at) => stages[at]!);
        return joinStages(graph, parts, labels[root]!, rule);
      });
    },
  };
}

/** Whether a split has different labels for the two. */
export function areApart(one: Labels, other: Labels): boolean {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  return [...few].some(([split, label]) => (many.get(split) ?? label) !== label);
}

/** Makes one stage of several, with the rule that brought them together. */
export function joinStages(
  { rank }: FlowGraph,
  parts: readonly Stage[],
  labels: Labels,
  rule: MergeRule,
): Stage {
  const nodes = [...new Set(parts.flatMap((part) => part.nodes))];
  const merge = { rule, nodes: nodes.toSorted((a, b) => rank[a]! - rank[b]!) };
  return {
    nodes,
    given: new Set(parts.flatMap((part) => [...part.given])),
    labels,
    merges: [...parts.flatMap((part) => part.merges), merge],
  };
}

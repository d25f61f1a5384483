/**
 * Stages: the sets of nodes that the grouping works on until they are the assistants.
 *
 * A stage owns nodes; after tail duplication it may also hold copies of tool nodes that no stage
 * owns any more. Steps between stages follow from the nodes' edges and are computed anew after
 * each phase, so no phase can leave them stale.
 */

import type { DisjointSets } from '../graph/disjoint-sets.js';
import { append } from '../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Merge, MergeRule } from '../ir/region-map.js';

/** Nodes that an answer keeps apart: those with different labels never share an assistant. */
export type Split = ReadonlyMap<NodeIndex, string>;

/** The label of a node that a split keeps apart without naming it in a group. */
export function aloneLabel(node: NodeIndex): string {
  return `alone ${node}`;
}

export function isAlone(label: string): boolean {
  return label.startsWith('alone ');
}

export interface Stage {
  readonly nodes: ReadonlySet<NodeIndex>;
  /** Global tools among them that every stage was given: they make no stage a global one. */
  readonly given: ReadonlySet<NodeIndex>;
  /** For each split that an answer asked for, the group of it that this stage belongs to. */
  readonly groups: ReadonlyMap<Split, string>;
  readonly merges: readonly Merge[];
}

/** The graph that is grouped: equal nodes as one, exits aside. */
export interface StageGraph {
  readonly graph: FlowGraph;
  readonly representative: Int32Array;
  /** Representatives that are not exits, in walk order. */
  readonly nodes: readonly NodeIndex[];
}

export function createStageGraph(graph: FlowGraph, representative: Int32Array): StageGraph {
  const nodes = graph.order.filter(
    (node) => representative[node] === node && graph.workflow.nodes[node]!.role !== 'exit',
  );
  return { graph, representative, nodes };
}

/** The nodes, exits aside, that follow a node, in source order of the edges. */
export function successorsOf(within: StageGraph, node: NodeIndex): NodeIndex[] {
  const { offsets, targets } = within.graph.successors;
  const found: NodeIndex[] = [];
  for (let slot = offsets[node]!; slot < offsets[node + 1]!; slot += 1) {
    const target = within.representative[targets[slot]!]! as NodeIndex;
    if (within.graph.workflow.nodes[target]!.role !== 'exit') found.push(target);
  }
  return found;
}

export function holdsTalk(within: StageGraph, stage: Stage): boolean {
  return some(stage, (node) => within.graph.workflow.nodes[node]!.role === 'talk');
}

export function holdsStart(within: StageGraph, stage: Stage): boolean {
  return stage.nodes.has(within.graph.start);
}

export function holdsGlobal(within: StageGraph, stage: Stage): boolean {
  const isGlobal = (node: NodeIndex) => within.graph.workflow.nodes[node]!.global !== null;
  return some(stage, (node) => isGlobal(node) && !stage.given.has(node));
}

/** The start and global nodes are entered from outside, whatever the edges say. */
export function isEntered(within: StageGraph, stage: Stage): boolean {
  return holdsStart(within, stage) || holdsGlobal(within, stage);
}

function some(stage: Stage, is: (node: NodeIndex) => boolean): boolean {
  for (const node of stage.nodes) if (is(node)) return true;
  return false;
}

/** The groups of several stages together, or null when an answer keeps two of them apart. */
export function joinGroups(
  one: ReadonlyMap<Split, string>,
  other: ReadonlyMap<Split, string>,
): ReadonlyMap<Split, string> | null {
  if (other.size === 0) return one;
  const joined = new Map(one);
  for (const [split, group] of other) {
    const known = joined.get(split);
    if (known !== undefined && known !== group) return null;
    joined.set(split, group);
  }
  return joined;
}

/** Makes one stage of several, in linear time, with the rule that brought them together. */
export function joinStages(
  within: StageGraph,
  parts: readonly Stage[],
  groups: ReadonlyMap<Split, string>,
  rule: MergeRule,
): Stage {
  const { rank } = within.graph;
  const nodes = new Set<NodeIndex>();
  for (const part of parts) for (const node of part.nodes) nodes.add(node);
  const inWalkOrder = [...nodes].sort((a, b) => rank[a]! - rank[b]!);
  const merge: Merge = { rule, nodes: inWalkOrder };
  const given = new Set(parts.flatMap((part) => [...part.given]));
  return { nodes, given, groups, merges: [...parts.flatMap((part) => part.merges), merge] };
}

/** Makes one stage of each set of stages; a stage that is alone stays as it is. */
export function joinSets(
  within: StageGraph,
  stages: readonly Stage[],
  sets: DisjointSets,
  groups: readonly Stage['groups'][],
  rule: MergeRule,
): Stage[] {
  const parts = new Map<number, Stage[]>();
  stages.forEach((stage, at) => {
    const root = sets.find(at);
    append(parts, root, stage);
  });
  return [...parts].map(([root, list]) =>
    list.length === 1 ? list[0]! : joinStages(within, list, groups[root]!, rule),
  );
}

/** Steps between stages, by position: `successors[i]` and `predecessors[i]` without `i` itself. */
export interface StageSteps {
  readonly successors: readonly ReadonlySet<number>[];
  readonly predecessors: readonly ReadonlySet<number>[];
}

export function computeStageSteps(within: StageGraph, stages: readonly Stage[]): StageSteps {
  const owner = ownersOf(within, stages);
  const successors = stages.map(() => new Set<number>());
  const predecessors = stages.map(() => new Set<number>());
  stages.forEach((stage, from) => {
    for (const node of stage.nodes) {
      for (const target of successorsOf(within, node)) {
        if (stage.nodes.has(target)) continue;
        const to = owner[target]!;
        successors[from]!.add(to);
        predecessors[to]!.add(from);
      }
    }
  });
  return { successors, predecessors };
}

/**
 * For each node the stage that an edge from outside leads to: its only holder. A copied tool has
 * several holders, and every stage with an edge to it is one of them, so nobody asks for it.
 */
export function ownersOf(within: StageGraph, stages: readonly Stage[]): Int32Array {
  const owner = new Int32Array(within.graph.workflow.nodes.length).fill(-1);
  stages.forEach((stage, at) => {
    for (const node of stage.nodes) owner[node] = at;
  });
  return owner;
}

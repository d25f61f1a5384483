/**
 * Stages: the sets of nodes that the grouping works on until they are the assistants.
 *
 * A stage owns nodes; after tail duplication it may also hold copies of tool nodes that no stage
 * owns any more. Steps between stages follow from the nodes' edges and are computed anew after
 * each phase (stage-steps.ts), so no phase can leave them stale.
 */
import { buildSuccessors } from '../../graph/adjacency.js';
import { type Adjacency, type FlowGraph, Kind } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Merge } from '../ir/region-map.js';

/** Nodes that an answer keeps apart: those with different labels never share an assistant. */
export type Split = ReadonlyMap<NodeIndex, string>;

/** For each split that an answer asked for, the group of it that a stage belongs to. */
export type Groups = ReadonlyMap<Split, string>;

/** The label of a node that a split keeps apart without naming it in a group. */
export function aloneLabel(node: NodeIndex): string {
  return `alone ${node}`;
}

export function isAlone(label: string): boolean {
  return label.startsWith('alone ');
}

export interface Stage {
  /** Each node once. */
  readonly nodes: readonly NodeIndex[];
  /** Global tools among them that every stage was given: they make no stage a global one. */
  readonly given: ReadonlySet<NodeIndex>;
  readonly groups: Groups;
  readonly merges: readonly Merge[];
}

/** What most stages have: nothing given, no group, no merge. */
export const noNodes: ReadonlySet<NodeIndex> = new Set();
export const noGroups: Groups = new Map();
export const noMerges: readonly Merge[] = [];

/** The graph that is grouped: equal nodes as one, exits aside. */
export interface StageGraph {
  readonly graph: FlowGraph;
  readonly representative: Int32Array;
  /** Representatives that are not exits, in walk order. */
  readonly nodes: readonly NodeIndex[];
  /** What follows each of them among themselves, in source order of the edges. */
  readonly next: Adjacency;
  /** Whether some node stands for another one. */
  readonly hasEqualNodes: boolean;
}

export function createStageGraph(graph: FlowGraph, representative: Int32Array): StageGraph {
  const { kinds, order, successors } = graph;
  let hasEqualNodes = false;
  const nodes: NodeIndex[] = [];
  for (const node of order) {
    if (representative[node] !== node) hasEqualNodes = true;
    else if ((kinds[node]! & Kind.exit) === 0) nodes.push(node);
  }
  // Where each node stands for itself and none is an exit, the graph is the one that there is.
  const next =
    nodes.length === order.length ? successors : joinStagedNodes(graph, nodes, representative);
  return { graph, representative, nodes, next, hasEqualNodes };
}

function joinStagedNodes(
  { kinds, successors: { offsets, targets } }: FlowGraph,
  nodes: readonly NodeIndex[],
  representative: Int32Array,
): Adjacency {
  const arcs = { sources: [] as number[], targets: [] as number[], edges: [] as number[] };
  for (const node of nodes) {
    const end = offsets[node + 1]!;
    for (let slot = offsets[node]!; slot < end; slot += 1) {
      const target = representative[targets[slot]!]!;
      if ((kinds[target]! & Kind.exit) !== 0) continue;
      arcs.sources.push(node);
      arcs.targets.push(target);
      arcs.edges.push(slot);
    }
  }
  return buildSuccessors(kinds.length, arcs);
}

export function holdsTalk({ graph }: StageGraph, { nodes }: Stage): boolean {
  for (const node of nodes) if ((graph.kinds[node]! & Kind.talk) !== 0) return true;
  return false;
}

export function holdsStart({ graph }: StageGraph, { nodes }: Stage): boolean {
  return nodes.includes(graph.start);
}

export function holdsGlobal({ graph }: StageGraph, { nodes, given }: Stage): boolean {
  if (graph.globals.length === 0) return false;
  return nodes.some((node) => (graph.kinds[node]! & Kind.global) !== 0 && !given.has(node));
}

/** The start and global nodes are entered from outside, whatever the edges say. */
export function isEntered(within: StageGraph, stage: Stage): boolean {
  return holdsStart(within, stage) || holdsGlobal(within, stage);
}

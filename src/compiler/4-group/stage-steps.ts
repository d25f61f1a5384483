/** Steps between stages, as the nodes' edges make them; all in linear time. */
import { type Arcs, buildPredecessors, buildSuccessors } from '../../graph/adjacency.js';
import type { Adjacency } from '../ir/flow-graph.js';
import type { Stage, StageGraph } from './stages.js';

/** Steps by the positions of the stages, each once, none from a stage to itself. */
export interface StageSteps {
  readonly successors: Adjacency;
  readonly predecessors: Adjacency;
}

export function computeStageSteps(within: StageGraph, stages: readonly Stage[]): StageSteps {
  const arcs = { sources: [] as number[], targets: [] as number[], edges: [] as number[] };
  const lastFrom = new Int32Array(stages.length).fill(none);
  visitSteps(within, stages, (from, to) => {
    if (lastFrom[to] === from) return;
    lastFrom[to] = from;
    arcs.sources.push(from);
    arcs.targets.push(to);
    arcs.edges.push(arcs.edges.length);
  });
  return toSteps(stages.length, arcs);
}

function toSteps(count: number, arcs: Arcs): StageSteps {
  return { successors: buildSuccessors(count, arcs), predecessors: buildPredecessors(count, arcs) };
}

export const none = -1;
const several = -2;

/** For each stage the only stage that follows or goes before it; negative where it is not one. */
export interface OnlySteps {
  readonly next: Int32Array;
  readonly before: Int32Array;
}

export function computeOnlySteps(within: StageGraph, stages: readonly Stage[]): OnlySteps {
  const next = new Int32Array(stages.length).fill(none);
  const before = new Int32Array(stages.length).fill(none);
  visitSteps(within, stages, (from, to) => {
    if (next[from] !== to) next[from] = next[from] === none ? to : several;
    if (before[to] !== from) before[to] = before[to] === none ? from : several;
  });
  return { next, before };
}

/** Visits the steps that leave each stage, stage by stage; a step may come more than once. */
function visitSteps(
  { graph, next }: StageGraph,
  stages: readonly Stage[],
  visit: (from: number, to: number) => void,
): void {
  const { offsets, targets } = next;
  const owner = ownersOf(graph.kinds.length, stages);
  for (let from = 0; from < stages.length; from += 1) {
    const { nodes } = stages[from]!;
    // Of the holders of a copied tool the one that is looked at counts.
    for (const node of nodes) owner[node] = from;
    for (const node of nodes) {
      const end = offsets[node + 1]!;
      for (let slot = offsets[node]!; slot < end; slot += 1) {
        const to = owner[targets[slot]!]!;
        if (to !== from) visit(from, to);
      }
    }
  }
}

/**
 * For each node the stage that an edge from outside leads to: its only holder. A copied tool has
 * several holders, and every stage with an edge to it is one of them, so nobody asks for it.
 */
export function ownersOf(nodeCount: number, stages: readonly Pick<Stage, 'nodes'>[]): Int32Array {
  const owner = new Int32Array(nodeCount).fill(none);
  for (let at = 0; at < stages.length; at += 1) {
    for (const node of stages[at]!.nodes) owner[node] = at;
  }
  return owner;
}

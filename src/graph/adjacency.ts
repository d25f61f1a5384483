/**
 * Compressed adjacency: one array of targets, and per node where its part of it begins.
 * Builds in linear time and keeps the order in which the arcs were given.
 */
import type { Adjacency } from '../compiler/ir/flow-graph.js';

/** Arcs to be compressed; `sources`, `targets` and `edges` run side by side. */
export interface Arcs {
  readonly sources: ArrayLike<number>;
  readonly targets: ArrayLike<number>;
  readonly edges: ArrayLike<number>;
}

/** Successors per node, in the order of the arcs. */
export function buildSuccessors(nodeCount: number, arcs: Arcs): Adjacency {
  return compress(nodeCount, arcs.sources, arcs.targets, arcs.edges);
}

/** Predecessors per node, in the order of the arcs. */
export function buildPredecessors(nodeCount: number, arcs: Arcs): Adjacency {
  return compress(nodeCount, arcs.targets, arcs.sources, arcs.edges);
}

/** The edges at a node, in the order of its arcs. */
export function edgesAt({ offsets, edges }: Adjacency, node: number): Int32Array {
  return edges.subarray(offsets[node]!, offsets[node + 1]!);
}

/** What follows (or goes before) a node, in the order of its arcs. */
export function targetsAt({ offsets, targets }: Adjacency, node: number): Int32Array {
  return targets.subarray(offsets[node]!, offsets[node + 1]!);
}

function compress(
  nodeCount: number,
  keys: ArrayLike<number>,
  values: ArrayLike<number>,
  labels: ArrayLike<number>,
): Adjacency {
  const offsets = new Int32Array(nodeCount + 1);
  const targets = new Int32Array(keys.length);
  const edges = new Int32Array(keys.length);
  for (let arc = 0; arc < keys.length; arc += 1) offsets[keys[arc]!]! += 1;
  let end = 0;
  for (let node = 0; node <= nodeCount; node += 1) {
    end += offsets[node]!;
    offsets[node] = end;
  }
  // Each part is filled from its end, so that its offset comes to stand at its beginning.
  for (let arc = keys.length - 1; arc >= 0; arc -= 1) {
    const slot = offsets[keys[arc]!]! - 1;
    offsets[keys[arc]!] = slot;
    targets[slot] = values[arc]!;
    edges[slot] = labels[arc]!;
  }
  return { offsets, targets, edges };
}

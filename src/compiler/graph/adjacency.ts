/**
 * Compressed adjacency: one array of targets, and per node where its part of it begins.
 * Builds in linear time and keeps the order in which the arcs were given.
 */
import type { Adjacency } from '../ir/flow-graph.js';

/** Arcs to be compressed; `sources`, `targets` and `edges` run side by side. */
export interface Arcs {
  readonly sources: readonly number[];
  readonly targets: readonly number[];
  readonly edges: readonly number[];
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

function compress(
  nodeCount: number,
  keys: readonly number[],
  values: readonly number[],
  labels: readonly number[],
): Adjacency {
  const offsets = new Int32Array(nodeCount + 1);
  for (const key of keys) offsets[key + 1]! += 1;
  for (let node = 0; node < nodeCount; node += 1) offsets[node + 1]! += offsets[node]!;
  const targets = new Int32Array(keys.length);
  const edges = new Int32Array(keys.length);
  const next = offsets.slice(0, nodeCount);
  for (let arc = 0; arc < keys.length; arc += 1) {
    const slot = next[keys[arc]!]!++;
    targets[slot] = values[arc]!;
    edges[slot] = labels[arc]!;
  }
  return { offsets, targets, edges };
}

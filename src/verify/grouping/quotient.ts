/**
 * The graph that is grouped: one vertex for each class of equal nodes, exits aside.
 *
 * Vertices are numbered in walk order, so that the order of the numbers is the order in which a
 * call meets them; the start is vertex 0. Steps are sets: none of a vertex to itself, none twice.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import { flag, type Rows } from '../rows.js';
import type { SourceGraph } from '../source-graph.js';

export interface Quotient {
  readonly graph: SourceGraph;
  /** For each node the equal node that stands for it. */
  readonly representative: Int32Array;
  /** For each vertex the node that stands for its class. */
  readonly nodes: readonly NodeIndex[];
  /** For each node its vertex; -1 for exits and what cannot be reached. */
  readonly vertexOf: Int32Array;
  readonly successors: Rows;
  /** Marks the vertices that talk with the caller. */
  readonly talks: Uint8Array;
  /** The vertex of the start; -1 where that is an exit. */
  readonly start: number;
  /** The vertices that are entered from anywhere, in walk order. */
  readonly globals: readonly number[];
}

export function computeQuotient(graph: SourceGraph, representative: Int32Array): Quotient {
  const { nodeAt, order } = graph;
  const nodes = order.filter((it) => representative[it] === it && nodeAt(it).role !== 'exit');
  const vertexOf = new Int32Array(representative.length).fill(-1);
  nodes.forEach((node, vertex) => {
    vertexOf[node] = vertex;
  });
  for (const node of order) vertexOf[node] = vertexOf[representative[node]!]!;
  return {
    graph,
    representative,
    nodes,
    vertexOf,
    successors: listSteps(graph, nodes, vertexOf),
    talks: flag(nodes.length, (vertex) => nodeAt(nodes[vertex]!).role === 'talk'),
    start: vertexOf[graph.start]!,
    globals: listGlobals(graph, vertexOf),
  };
}

/** A global node is equal to none. */
function listGlobals({ globals }: SourceGraph, vertexOf: Int32Array): readonly number[] {
  if (globals.length === 0) return noGlobals;
  const vertices = globals.map(({ index }) => vertexOf[index]!).filter((it) => it !== -1);
  return vertices.sort((one, other) => one - other);
}

const noGlobals: readonly number[] = [];

/** Equal nodes have the same steps, so those of one of them will do. */
function listSteps(
  { successors }: SourceGraph,
  nodes: readonly NodeIndex[],
  vertexOf: Int32Array,
): Rows {
  const offsets = new Int32Array(nodes.length + 1);
  const targets = new Int32Array(successors.targets.length);
  const seenFrom = new Int32Array(nodes.length).fill(-1);
  let size = 0;
  nodes.forEach((node, vertex) => {
    const end = successors.offsets[node + 1]!;
    for (let slot = successors.offsets[node]!; slot < end; slot += 1) {
      const to = vertexOf[successors.targets[slot]!]!;
      if (to === -1 || to === vertex || seenFrom[to] === vertex) continue;
      seenFrom[to] = vertex;
      targets[size++] = to;
    }
    offsets[vertex + 1] = size;
  });
  return { offsets, targets: size === targets.length ? targets : targets.slice(0, size) };
}

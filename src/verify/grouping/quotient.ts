/**
 * The graph that is grouped: one vertex for each class of equal nodes, exits aside.
 *
 * Vertices are numbered in walk order, so that the order of the numbers is the order in which a
 * call meets them; the start is vertex 0. Steps are sets: none of a vertex to itself, none twice.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { WorkflowNode } from '../../compiler/ir/workflow.js';
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
  /** Vertices that talk with the caller, and those that are entered from outside. */
  readonly talks: Uint8Array;
  readonly isStart: Uint8Array;
  readonly isGlobal: Uint8Array;
}

export function computeQuotient(graph: SourceGraph, representative: Int32Array): Quotient {
  const { nodeAt, order } = graph;
  const nodes = order.filter((it) => representative[it] === it && nodeAt(it).role !== 'exit');
  const vertexOf = new Int32Array(representative.length).fill(-1);
  nodes.forEach((node, vertex) => {
    vertexOf[node] = vertex;
  });
  for (const node of order) vertexOf[node] = vertexOf[representative[node]!]!;
  const flags = (is: (node: WorkflowNode) => boolean) =>
    flag(nodes.length, (vertex) => is(nodeAt(nodes[vertex]!)));
  return {
    graph,
    representative,
    nodes,
    vertexOf,
    successors: listSteps(graph, nodes, vertexOf),
    talks: flags(({ role }) => role === 'talk'),
    isStart: flags(({ index }) => index === graph.start),
    isGlobal: flags((node) => node.global !== null),
  };
}

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
  return { offsets, targets: targets.subarray(0, size) };
}

/**
 * FlowGraph → the graph that calls walk on.
 *
 * In: the flow graph. Out: its reachable nodes as vertices, numbered in walk order (the start is 0),
 * and one arc per edge. A global node can be entered from every node that is no exit; to keep that
 * linear, all these steps lead through one more vertex, the hub: into it from everywhere, out of it
 * to each global node. Guarantees: the order of nodes in the source decides nothing but that of
 * global nodes; the order of edges decides only among the edges of one node.
 */

import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import { positionsOf } from '../graph/walks.js';

export interface CallGraph {
  /** For each vertex the arcs that leave it; arcs stand in the order of their sources. */
  readonly leaving: readonly (readonly number[])[];
  readonly sources: Int32Array;
  readonly targets: Int32Array;
  /** Arcs that some call must take: every edge, and for each global node the step into it. */
  readonly required: Uint8Array;
  /** Vertices at which a call ends: exits, and nodes without an edge that leads on. */
  readonly ends: Uint8Array;
  /** The edge that an arc stands for; -1 for the two halves of a step into a global node. */
  readonly edgeOf: Int32Array;
  /** The hub; -1 where there is no global node. */
  readonly hub: number;
}

/** Strongly connected components; an arc between two leads from the higher number to the lower. */
export interface Components {
  readonly count: number;
  /** For each vertex the number of its component. */
  readonly of: readonly number[];
}

export function createCallGraph({ workflow, order, rank, leaving, globals }: FlowGraph): CallGraph {
  const hub = globals.length > 0 ? order.length : -1;
  const sources: number[] = [];
  const targets: number[] = [];
  const edgeOf: number[] = [];
  const ends = new Uint8Array(order.length + (hub === -1 ? 0 : 1));
  const add = (from: number, to: number, edge: number) => {
    sources.push(from);
    targets.push(to);
    edgeOf.push(edge);
  };
  for (const [vertex, node] of order.entries()) {
    for (const { to, index } of leaving[node]!) add(vertex, rank[to]!, index);
    if (leaving[node]!.length === 0) ends[vertex] = 1;
    if (hub !== -1 && workflow.nodes[node]!.role !== 'exit') add(vertex, hub, -1);
  }
  for (const global of globals) add(hub, rank[global]!, -1);
  return {
    leaving: positionsOf(ends.length, sources),
    sources: Int32Array.from(sources),
    targets: Int32Array.from(targets),
    required: Uint8Array.from(edgeOf, (edge, arc) => (edge !== -1 || sources[arc] === hub ? 1 : 0)),
    ends,
    edgeOf: Int32Array.from(edgeOf),
    hub,
  };
}

/**
 * The workflow as a graph: what can be reached, from where, and in which order.
 *
 * Nodes are numbered as in the workflow. Adjacency is compressed: the successors of node `n` are
 * `targets[offsets[n]] … targets[offsets[n + 1] - 1]`, in source order of the edges, and `edges`
 * holds the edge beside each target. Edges that leave an exit, edges of unreachable nodes and
 * exact copies of an earlier edge (same ends, same condition) are not in it.
 */
import type { EdgeIndex, JsonPointer, NodeIndex } from './ids.js';
import type { Workflow } from './workflow.js';

export interface Adjacency {
  readonly offsets: Int32Array;
  readonly targets: Int32Array;
  readonly edges: Int32Array;
}

/**
 * What a node is, as bits. All phases ask this of all nodes, so it stands side by side: in a large
 * workflow a look at every node costs more than what is done with it.
 */
export const Kind = { talk: 1, act: 2, exit: 4, global: 8, assistant: 16, settings: 32 } as const;

export interface FlowGraph {
  readonly workflow: Workflow;
  /** For each node the bits of {@link Kind} that hold. */
  readonly kinds: Uint8Array;
  readonly start: NodeIndex;
  /** Reachable global nodes, in source order. */
  readonly globals: readonly NodeIndex[];
  readonly successors: Adjacency;
  readonly predecessors: Adjacency;
  /** Reachable nodes: breadth first from the start, then from each global node in source order. */
  readonly order: readonly NodeIndex[];
  /** Position in `order`, or -1 for a node that cannot be reached. */
  readonly rank: Int32Array;
  /** Edges that are left out, with the reason. */
  readonly leftOut: readonly LeftOutEdge[];
}

export interface LeftOutEdge {
  readonly edge: EdgeIndex;
  readonly reason: 'unreachable' | 'leaves-exit' | 'copy';
  /** For a copy, the place of the edge that it repeats. */
  readonly of?: JsonPointer;
}

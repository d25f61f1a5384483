/**
 * The workflow as a graph: what can be reached, from where, and in which order.
 *
 * Nodes are numbered as in the workflow. Edges that leave an exit, edges of unreachable nodes and
 * exact copies of an earlier edge (same ends, same condition) are not in it.
 */
import type { EdgeIndex, JsonPointer, NodeIndex } from './ids.js';
import type { Workflow, WorkflowEdge } from './workflow.js';

export interface FlowGraph {
  readonly workflow: Workflow;
  readonly start: NodeIndex;
  /** Global nodes, in source order; each can be entered from every node. */
  readonly globals: readonly NodeIndex[];
  /** For each node the edges that leave it, in source order. */
  readonly leaving: readonly (readonly WorkflowEdge[])[];
  readonly successors: readonly (readonly NodeIndex[])[];
  /** For each node where the edges come from that lead to it, in source order. */
  readonly predecessors: readonly (readonly NodeIndex[])[];
  /** Reachable nodes: breadth first from the start, then from each global node in source order. */
  readonly order: readonly NodeIndex[];
  /** Position in `order`, or -1 for a node that cannot be reached. */
  readonly rank: readonly number[];
  readonly leftOut: readonly LeftOutEdge[];
}

export interface LeftOutEdge {
  readonly edge: EdgeIndex;
  readonly reason: 'unreachable' | 'leaves-exit' | 'copy';
  /** For a copy, the place of the edge that it repeats. */
  readonly of?: JsonPointer;
}

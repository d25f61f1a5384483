/**
 * The workflow as a graph: what is reachable, from where, and in which order.
 *
 * Nodes are numbered as in the workflow. It has no edges that leave an exit or an unreachable node
 * and no exact copies of an earlier edge (same ends, same condition).
 */
import type { EdgeIndex, NodeIndex } from './ids.js';
import type { Workflow, WorkflowEdge } from './workflow.js';

export interface FlowGraph {
  readonly workflow: Workflow;
  readonly start: NodeIndex;
  /** Global nodes, in source order; each can be entered from every node. */
  readonly globals: readonly NodeIndex[];
  /** For each node the edges that leave it, in source order. */
  readonly leaving: readonly (readonly WorkflowEdge[])[];
  readonly successors: readonly (readonly NodeIndex[])[];
  /** For each node the sources of the edges that lead to it, in source order. */
  readonly predecessors: readonly (readonly NodeIndex[])[];
  /** Reachable nodes: breadth first from the start, then from each global node in source order. */
  readonly order: readonly NodeIndex[];
  /** Position in `order`, or -1 for an unreachable node. */
  readonly rank: readonly number[];
  readonly leftOut: readonly LeftOutEdge[];
}

export interface LeftOutEdge {
  readonly edge: EdgeIndex;
  readonly reason: 'unreachable' | 'leaves-exit' | 'copy';
  /** For a copy, the edge that it repeats. */
  readonly of?: EdgeIndex;
}

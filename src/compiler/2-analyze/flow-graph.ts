/**
 * Workflow → FlowGraph.
 *
 * In: a workflow and its start. Out: adjacency of what a call can reach, and a walk order.
 * Invariants: edges leave no exit; no two edges have the same ends and the same condition.
 * Guarantees: linear time; the order of nodes in the source decides nothing but that of globals.
 */
import { type Arcs, buildPredecessors, buildSuccessors } from '../graph/adjacency.js';
import { breadthFirst } from '../graph/traversal.js';
import type { FlowGraph, LeftOutEdge } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Workflow, WorkflowEdge } from '../ir/workflow.js';

export function computeFlowGraph(workflow: Workflow, start: NodeIndex): FlowGraph {
  const nodeCount = workflow.nodes.length;
  const leftOut: LeftOutEdge[] = [];
  const walkable = dropExitsAndCopies(workflow, leftOut);
  const globals = workflow.nodes.filter((node) => node.global !== null).map((node) => node.index);
  const roots = [start, ...globals];
  const order = breadthFirst(buildSuccessors(nodeCount, arcsOf(walkable)), roots) as NodeIndex[];
  const rank = new Int32Array(nodeCount).fill(-1);
  order.forEach((node, at) => {
    rank[node] = at;
  });
  const reachable: WorkflowEdge[] = [];
  for (const edge of walkable) {
    if (rank[edge.from] === -1) leftOut.push({ edge: edge.index, reason: 'unreachable' });
    else reachable.push(edge);
  }
  const arcs = arcsOf(reachable);
  const isReached = ({ edge }: LeftOutEdge) => rank[workflow.edges[edge]!.from] !== -1;
  return {
    workflow,
    start,
    globals,
    successors: buildSuccessors(nodeCount, arcs),
    predecessors: buildPredecessors(nodeCount, arcs),
    order,
    rank,
    leftOut: leftOut.map((it) => (isReached(it) ? it : { edge: it.edge, reason: 'unreachable' })),
  };
}

function dropExitsAndCopies(workflow: Workflow, leftOut: LeftOutEdge[]): WorkflowEdge[] {
  const seen = new Map<string, WorkflowEdge>();
  return workflow.edges.filter((edge) => {
    if (workflow.nodes[edge.from]!.role === 'exit') {
      leftOut.push({ edge: edge.index, reason: 'leaves-exit' });
      return false;
    }
    const key = `${edge.from} ${edge.to} ${edge.condition === null ? '' : `=${edge.condition.value}`}`;
    const earlier = seen.get(key);
    if (earlier !== undefined) {
      leftOut.push({ edge: edge.index, reason: 'copy', of: earlier.at });
      return false;
    }
    seen.set(key, edge);
    return true;
  });
}

function arcsOf(edges: readonly WorkflowEdge[]): Arcs {
  return {
    sources: edges.map((edge) => edge.from),
    targets: edges.map((edge) => edge.to),
    edges: edges.map((edge) => edge.index),
  };
}

/**
 * Workflow → FlowGraph.
 *
 * In: a workflow and its start. Out: adjacency of what a call can reach, and a walk order.
 * Invariants: edges leave no exit; no two edges have the same ends and the same condition.
 * Guarantees: linear time; the order of nodes in the source decides nothing but that of globals.
 */
import { flood } from '../../graph/walks.js';
import type { FlowGraph, LeftOutEdge } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Workflow, WorkflowEdge } from '../ir/workflow.js';

export function computeFlowGraph(workflow: Workflow, start: NodeIndex): FlowGraph {
  const { nodes, edges } = workflow;
  const globals = nodes.filter((node) => node.global !== null).map(({ index }) => index);
  const walkable = joinNodes(
    workflow,
    edges.filter(({ from }) => nodes[from]!.role !== 'exit'),
  );
  const order = new Set<NodeIndex>();
  for (const root of [start, ...globals]) {
    const found = flood(
      [root],
      (node) => walkable.successors[node]!,
      (node) => order.has(node),
    );
    for (const node of found) order.add(node);
  }
  const rank = nodes.map(() => -1);
  for (const [at, node] of [...order].entries()) rank[node] = at;
  const leftOut = listLeftOut(workflow, order);
  const left = new Set(leftOut.map(({ edge }) => edge));
  return {
    workflow,
    start,
    globals,
    ...joinNodes(
      workflow,
      edges.filter(({ index }) => !left.has(index)),
    ),
    order: [...order],
    rank,
    leftOut,
  };
}

function joinNodes({ nodes }: Workflow, edges: readonly WorkflowEdge[]) {
  const leaving: WorkflowEdge[][] = nodes.map(() => []);
  const predecessors: NodeIndex[][] = nodes.map(() => []);
  for (const edge of edges) {
    leaving[edge.from]!.push(edge);
    predecessors[edge.to]!.push(edge.from);
  }
  return { leaving, successors: leaving.map((list) => list.map(({ to }) => to)), predecessors };
}

/** What leaves an exit or repeats another edge, in source order, then what is never come to. */
function listLeftOut({ nodes, edges }: Workflow, reached: ReadonlySet<NodeIndex>): LeftOutEdge[] {
  const useless: LeftOutEdge[] = [];
  const unreachable: LeftOutEdge[] = [];
  const seen = new Map<string, WorkflowEdge>();
  for (const edge of edges) {
    const { index, from, to, condition } = edge;
    const isExit = nodes[from]!.role === 'exit';
    const key = `${from} ${to} ${condition === null ? '' : `=${condition.value}`}`;
    const earlier = isExit ? undefined : seen.get(key);
    if (!isExit && earlier === undefined) seen.set(key, edge);
    if (!reached.has(from)) {
      const list = isExit || earlier !== undefined ? useless : unreachable;
      list.push({ edge: index, reason: 'unreachable' });
    } else if (isExit) useless.push({ edge: index, reason: 'leaves-exit' });
    else if (earlier !== undefined) useless.push({ edge: index, reason: 'copy', of: earlier.at });
  }
  return [...useless, ...unreachable];
}

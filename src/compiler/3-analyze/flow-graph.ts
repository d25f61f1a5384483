/**
 * Workflow → FlowGraph, and warnings about the graph.
 *
 * In: a workflow and its start. Out: adjacency of everything a call can reach, and a walk order.
 * Invariants: no edge leaves an exit; no two edges have the same ends and the same condition.
 * Guarantees: linear time; source order of nodes affects only the order of globals.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { withJumps } from '../../graph/flows.js';
import { groupBy } from '../../graph/lists.js';
import { flood } from '../../graph/walks.js';
import type { FlowGraph, LeftOutEdge } from '../ir/flow-graph.js';
import type { EdgeIndex, NodeIndex } from '../ir/ids.js';
import type { Diagnostic, Question } from '../ir/result.js';
import type { Workflow, WorkflowEdge } from '../ir/workflow.js';

export function computeFlowGraph(workflow: Workflow, start: NodeIndex): FlowGraph {
  const { nodes, edges } = workflow;
  const globals = nodes.filter((node) => node.global !== null).map(({ index }) => index);
  const walkable: NodeIndex[][] = nodes.map(() => []);
  for (const { from, to } of edges) if (nodes[from]!.role !== 'exit') walkable[from]!.push(to);
  const reached = new Set<NodeIndex>();
  for (const root of [start, ...globals]) {
    const isKnown = (node: NodeIndex) => reached.has(node);
    for (const node of flood([root], (it) => walkable[it]!, isKnown)) reached.add(node);
  }
  const order = [...reached];
  const rank = nodes.map(() => -1);
  for (const [at, node] of order.entries()) rank[node] = at;
  const leftOut = listLeftOut(workflow, reached);
  const left = new Set(leftOut.map(({ edge }) => edge));
  const leaving: WorkflowEdge[][] = nodes.map(() => []);
  const predecessors: NodeIndex[][] = nodes.map(() => []);
  for (const edge of edges) {
    if (left.has(edge.index)) continue;
    leaving[edge.from]!.push(edge);
    predecessors[edge.to]!.push(edge.from);
  }
  const successors = leaving.map((list) => list.map(({ to }) => to));
  return { workflow, start, globals, leaving, successors, predecessors, order, rank, leftOut };
}

/**
 * The graph as calls walk through it: with the steps into global nodes, which lead through the
 * entries of these.
 */
export function withGlobals({ workflow, successors, globals }: FlowGraph) {
  const isExit = (node: number) => workflow.nodes[node]?.role === 'exit';
  const entries = new Map(globals.map((node, at) => [node, successors.length + at]));
  const entryOf = (global: NodeIndex) => entries.get(global)!;
  return { arcs: withJumps(successors, globals, isExit), entryOf };
}

/** In source order. */
function listLeftOut({ nodes, edges }: Workflow, reached: ReadonlySet<NodeIndex>): LeftOutEdge[] {
  const seen = new Map<string, EdgeIndex>();
  return edges.flatMap(({ index: edge, from, to, condition }): LeftOutEdge[] => {
    if (!reached.has(from)) return [{ edge, reason: 'unreachable' }];
    if (nodes[from]!.role === 'exit') return [{ edge, reason: 'leaves-exit' }];
    const key = `${from} ${to} ${condition === null ? '' : `=${condition.value}`}`;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, edge);
    return first === undefined ? [] : [{ edge, reason: 'copy', of: first }];
  });
}

export function warnAboutFlow(graph: FlowGraph, open: readonly Question[]): Diagnostic[] {
  const { workflow, order, rank, leaving } = graph;
  const { nodes, edges } = workflow;
  // Reachability is unknown until the start of the call is known.
  const isStartOpen = open.some(({ kind }) => /^(?:ambiguous-start|missing-edges)$/.test(kind));
  const unreachable = nodes.filter(({ index }) => !isStartOpen && rank[index] === -1);
  const alike = order.flatMap((node) => {
    const byCondition = groupBy(leaving[node]!, (edge) => edge.condition?.value ?? null);
    return [...byCondition].filter(([, { length }]) => length > 1);
  });
  return [
    ...unreachable.map(({ at, id }) => diagnose('flow/unreachable', at, { id })),
    ...graph.leftOut.flatMap(({ edge, reason, of }) => {
      const { at, from, to } = edges[edge]!;
      const { id, type } = nodes[from]!;
      if (reason === 'leaves-exit') return diagnose('flow/edge-out-of-exit', at, { id, type });
      if (reason === 'unreachable') return [];
      const args = { from: id, to: nodes[to]!.id };
      return diagnose('flow/copied-edge', at, args, { related: [edges[of!]!.at] });
    }),
    ...warnEndless(graph),
    ...alike.map(([condition, [first, second, ...others]]) => {
      const related = [first!, ...others].map(({ at }) => at);
      const args = { condition, from: nodes[first!.from]!.id };
      return diagnose('flow/same-condition', second!.at, args, { related });
    }),
  ];
}

/** A walk ends at an exit or at a node without successors; some nodes may lead to neither. */
function warnEndless({ workflow, order, globals, successors, predecessors }: FlowGraph) {
  const ends = order.filter((node) => successors[node]!.length === 0);
  const ending = flood(ends, (node) => predecessors[node]!);
  // If one global node can end the call, every node can, through it.
  if (globals.some((node) => ending.has(node))) return [];
  const endless = order.filter((node) => !ending.has(node)).map((node) => workflow.nodes[node]!);
  const [at, ...related] = endless.map((node) => node.at);
  if (at === undefined) return [];
  return [diagnose('flow/endless', at, { ids: endless.map(({ id }) => id) }, { related })];
}

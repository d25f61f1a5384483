/** Ways on: what can follow a node, and the nodes that can be entered from anywhere. */
import type { JsonPointer, NodeIndex } from '../../compiler/ir/ids.js';
import { type Condition, conditionKey, type WorkflowEdge } from '../../compiler/ir/workflow.js';
import type { SourceGraph } from '../source-graph.js';

/** One way on from a node, or, where there is no edge, the way to a global node. */
export interface Way {
  readonly edge: WorkflowEdge | null;
  readonly to: NodeIndex;
  readonly condition: Condition | null;
  /** Whether another way out of the same node has a condition. */
  readonly otherwise: boolean;
  readonly isExit: boolean;
  readonly at: JsonPointer;
}

/** The ways on from a node in source order; edges to equal nodes under one condition are one. */
export function listWays(
  graph: SourceGraph,
  representative: Int32Array,
  node: NodeIndex,
): readonly Way[] {
  const edges = graph.leaving(node);
  if (edges.length === 0) return nowhere;
  if (edges.length === 1) return [wayOf(graph, edges[0]!, false)];
  const kept = listDistinct(edges, representative);
  let conditioned = 0;
  for (const { condition } of kept) if (condition !== null) conditioned += 1;
  return kept.map((edge) => wayOf(graph, edge, conditioned > (edge.condition === null ? 0 : 1)));
}

const nowhere: readonly Way[] = [];

/** So few ends are held against each other. */
const few = 8;

/** Edges to equal nodes under one condition once. */
function listDistinct(
  edges: readonly WorkflowEdge[],
  representative: Int32Array,
): readonly WorkflowEdge[] {
  if (edges.length <= few && leadApart(edges, representative)) return edges;
  const distinct = new Map<string, WorkflowEdge>();
  for (const edge of edges) {
    const key = `${representative[edge.to]} ${conditionKey(edge.condition)}`;
    if (!distinct.has(key)) distinct.set(key, edge);
  }
  return [...distinct.values()];
}

/** Whether no two lead to equal nodes. */
function leadApart(edges: readonly WorkflowEdge[], representative: Int32Array): boolean {
  for (let at = 1; at < edges.length; at += 1) {
    const end = representative[edges[at]!.to];
    for (let before = 0; before < at; before += 1) {
      if (representative[edges[before]!.to] === end) return false;
    }
  }
  return true;
}

function wayOf(graph: SourceGraph, edge: WorkflowEdge, otherwise: boolean): Way {
  const { to, condition, at } = edge;
  return { edge, to, condition, otherwise, isExit: graph.nodeAt(to).role === 'exit', at };
}

/** The ways to the global nodes, in source order. */
export function listGlobalWays(graph: SourceGraph): readonly Way[] {
  return graph.globals.map(({ index, global, role, at }) => ({
    edge: null,
    to: index,
    condition: global?.condition ?? null,
    otherwise: false,
    isExit: role === 'exit',
    at,
  }));
}

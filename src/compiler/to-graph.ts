/** The workflow as a graphology graph, for users' own analyses and pictures. */
import { DirectedGraph } from 'graphology';
import { parseWorkflow } from './1-read/parse-workflow.js';
import { isError } from './1-read/settle-graph.js';
import { wordsFor } from './ir/names.js';
import type { NodeType, Role } from './ir/workflow.js';

export interface GraphNode {
  readonly type: NodeType;
  readonly role: Role;
  readonly name: string | null;
  /** What people know it by, where a program made up its id; else null. */
  readonly words: string | null;
  readonly isGlobal: boolean;
  /** JSON Pointer of the node in the workflow. */
  readonly at: string;
}

/** All edges of the workflow between two nodes. */
export interface GraphEdge {
  /** Conditions of the edges between the two nodes, in source order; null for one without. */
  readonly conditions: readonly (string | null)[];
  /** JSON Pointers of those edges. */
  readonly at: readonly string[];
}

/**
 * Builds the graph: nodes keyed by id, parallel edges as one with all their conditions.
 * Throws a TypeError that lists the codes when the workflow is invalid; `compile` tells the rest.
 */
export function toGraph(workflow: unknown): DirectedGraph<GraphNode, GraphEdge> {
  const parsed = parseWorkflow(workflow);
  if (parsed.workflow === null) {
    const codes = new Set(parsed.diagnostics.filter(isError).map(({ code }) => code));
    throw new TypeError(`the workflow is invalid: ${[...codes].join(', ')}`);
  }
  const { nodes, edges } = parsed.workflow;
  const graph = new DirectedGraph<GraphNode, GraphEdge>();
  for (const node of nodes) {
    const { id, type, role, name, global, at } = node;
    const words = wordsFor(node);
    graph.addNode(id, { type, role, name, words, isGlobal: global !== null, at });
  }
  for (const { from, to, condition, at } of edges) {
    const ends = [nodes[from]!.id, nodes[to]!.id] as const;
    const earlier = graph.edge(...ends);
    const known = earlier === undefined ? null : graph.getEdgeAttributes(earlier);
    graph.mergeEdge(...ends, {
      conditions: [...(known?.conditions ?? []), condition?.value ?? null],
      at: [...(known?.at ?? []), at],
    });
  }
  return graph;
}

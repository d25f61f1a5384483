/**
 * The workflow as the checks walk it: what a call can reach, and along which edges.
 *
 * Written apart from the compiler's graph on purpose: a fault in one of the two shows.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Workflow, WorkflowEdge, WorkflowNode } from '../compiler/ir/workflow.js';

export interface SourceGraph {
  readonly workflow: Workflow;
  readonly start: NodeIndex;
  /** In the order in which a search from the start and the global nodes meets them. */
  readonly reachable: ReadonlySet<NodeIndex>;
  readonly globals: readonly WorkflowNode[];
  /** Edges that a call can take, in source order; none leaves an exit. */
  readonly edges: readonly WorkflowEdge[];
  readonly nodeAt: (node: NodeIndex) => WorkflowNode;
  readonly leaving: (node: NodeIndex) => readonly WorkflowEdge[];
  readonly entering: (node: NodeIndex) => readonly WorkflowEdge[];
}

export function readSource(workflow: Workflow, start: NodeIndex): SourceGraph {
  const nodeAt = (node: NodeIndex): WorkflowNode => workflow.nodes[node]!;
  const globals = workflow.nodes.filter((node) => node.global !== null);
  const walkable = workflow.edges.filter((edge) => nodeAt(edge.from).role !== 'exit');
  const leaving = groupEdges(walkable, (edge) => edge.from);
  const reachable = search([start, ...globals.map(({ index }) => index)], leaving);
  const edges = walkable.filter((edge) => reachable.has(edge.from));
  const entering = groupEdges(edges, (edge) => edge.to);
  return {
    workflow,
    start,
    reachable,
    globals,
    edges,
    nodeAt,
    leaving: (node) => leaving.get(node) ?? [],
    entering: (node) => entering.get(node) ?? [],
  };
}

function search(
  roots: readonly NodeIndex[],
  leaving: ReadonlyMap<NodeIndex, readonly WorkflowEdge[]>,
): ReadonlySet<NodeIndex> {
  const found = new Set(roots);
  // A set is visited in the order of its insertions, those made on the way included.
  for (const node of found) for (const edge of leaving.get(node) ?? []) found.add(edge.to);
  return found;
}

function groupEdges(
  edges: readonly WorkflowEdge[],
  by: (edge: WorkflowEdge) => NodeIndex,
): Map<NodeIndex, WorkflowEdge[]> {
  const groups = new Map<NodeIndex, WorkflowEdge[]>();
  for (const edge of edges) {
    const group = groups.get(by(edge));
    if (group === undefined) groups.set(by(edge), [edge]);
    else group.push(edge);
  }
  return groups;
}

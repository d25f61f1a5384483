/**
 * Passages: the ways of the source that lead out of an assistant.
 *
 * An edge is one where an assistant owns its source and not its end, unless the end is an exit,
 * which is folded. A global node is one for every assistant that does not own it.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Condition, WorkflowEdge, WorkflowNode } from '../compiler/ir/workflow.js';
import type { Owners } from './owners.js';
import type { SourceGraph } from './source-graph.js';

export interface Passage {
  /** The member whose assistant is left. */
  readonly member: number;
  /** The node that is left; null where it can be any of the assistant's. */
  readonly from: NodeIndex | null;
  readonly to: NodeIndex;
  readonly condition: Condition | null;
  /** Null for the way to a global node from anywhere. */
  readonly edge: WorkflowEdge | null;
  /** The member that owns the end; null where not exactly one does. */
  readonly target: number | null;
}

/** The edges that lead from one assistant to another, once for each that owns their source. */
export function listEdgePassages(graph: SourceGraph, owners: Owners): Passage[] {
  const passages: Passage[] = [];
  for (const edge of graph.edges) {
    const { from, to, condition } = edge;
    if (graph.nodeAt(to).role === 'exit') continue;
    const target = owners.soleOwner(to);
    const sole = owners.soleOwner(from);
    if (sole !== null && target !== null) {
      // Most edges are between two nodes with one owner each.
      if (sole !== target) passages.push({ member: sole, from, to, condition, edge, target });
      continue;
    }
    const homes = owners.of(to);
    for (const member of owners.of(from)) {
      if (!homes.has(member)) passages.push({ member, from, to, condition, edge, target });
    }
  }
  return passages;
}

/** The ways to global nodes of other assistants, for so many members. */
export function listGlobalPassages(
  graph: SourceGraph,
  owners: Owners,
  memberCount: number,
): Passage[] {
  if (graph.globals.length === 0) return [];
  const members = Array.from({ length: memberCount }, (_, index) => index);
  return graph.globals.filter(isEnterable).flatMap((node) => {
    const homes = owners.of(node.index);
    return members
      .filter((member) => !homes.has(member))
      .map((member) => ({
        member,
        from: null,
        to: node.index,
        condition: node.global?.condition ?? null,
        edge: null,
        target: owners.soleOwner(node.index),
      }));
  });
}

function isEnterable({ role }: WorkflowNode): boolean {
  return role !== 'exit';
}

/**
 * Where a call begins: at the node that the dialect marks; else at the only one, no exit and not
 * global, that nothing leads to; else a human says where.
 */
import type { NodeIndex } from '../ir/ids.js';
import type { Workflow, WorkflowNode } from '../ir/workflow.js';

export type Start =
  | { readonly kind: 'found'; readonly node: NodeIndex }
  /** Nodes that may be the start, the one to propose first; `listed` are those without a way in. */
  | {
      readonly kind: 'ambiguous';
      readonly proposal: NodeIndex;
      readonly candidates: readonly NodeIndex[];
    }
  /** Only exits are there, or the marked start is one. */
  | { readonly kind: 'exit'; readonly node: NodeIndex };

export function findStart(workflow: Workflow): Start {
  if (workflow.markedStart !== null) {
    const marked = workflow.nodes[workflow.markedStart]!;
    return { kind: marked.role === 'exit' ? 'exit' : 'found', node: marked.index };
  }
  const entered = markEntered(workflow);
  const only = findOnlyRoot(workflow, entered);
  if (only !== null) return { kind: 'found', node: only };
  const walkable = workflow.nodes.filter((node) => node.role !== 'exit');
  const plain = walkable.filter((node) => node.global === null);
  const roots = plain.filter((node) => entered[node.index] === 0);
  const [proposal] = [...roots, ...plain, ...walkable];
  if (proposal === undefined) return { kind: 'exit', node: workflow.nodes[0]!.index };
  const candidates = roots.length > 0 ? roots : walkable;
  return { kind: 'ambiguous', proposal: proposal.index, candidates: candidates.map(indexOf) };
}

/** The node where a call can only begin, as most workflows have one; null where none or several. */
function findOnlyRoot({ nodes }: Workflow, entered: Uint8Array): NodeIndex | null {
  let root: NodeIndex | null = null;
  for (const { index, role, global } of nodes) {
    if (role === 'exit' || global !== null || entered[index] === 1) continue;
    if (root !== null) return null;
    root = index;
  }
  return root;
}

/** Nodes that an edge leads to; self-loops and edges out of exits do not count. */
function markEntered({ nodes, edges }: Workflow): Uint8Array {
  const entered = new Uint8Array(nodes.length);
  for (const { from, to } of edges) {
    if (from !== to && nodes[from]!.role !== 'exit') entered[to] = 1;
  }
  return entered;
}

function indexOf(node: WorkflowNode): NodeIndex {
  return node.index;
}

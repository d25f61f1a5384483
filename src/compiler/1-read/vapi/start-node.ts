/**
 * A node that only marks the start: it says nothing and does nothing, and one edge without a
 * condition leads on from it. The node behind it is the start, and the mark is no node.
 */
import type { EdgeIndex, NodeIndex } from '../../ir/ids.js';
import type { Absorbed, WorkflowEdge, WorkflowNode } from '../../ir/workflow.js';

export interface Marked {
  readonly nodes: readonly WorkflowNode[];
  readonly edges: readonly WorkflowEdge[];
  readonly markedStart: NodeIndex | null;
  readonly absorbed: readonly Absorbed[];
}

const reason = 'marks the start and does nothing';

/** `mark` is the node of the type `start`; without one, or with one that does something, as it is. */
export function absorbStartNode(
  nodes: readonly WorkflowNode[],
  edges: readonly WorkflowEdge[],
  mark: NodeIndex,
): Marked | null {
  const leaving = edges.filter(({ from }) => from === mark);
  const [only] = leaving;
  if (only === undefined || leaving.length > 1 || only.condition !== null) return null;
  if (only.to === mark || !isEmpty(nodes[mark]!)) return null;
  const renumber = (node: NodeIndex): NodeIndex => {
    const target = node === mark ? only.to : node;
    return (target > mark ? target - 1 : target) as NodeIndex;
  };
  const kept = edges.filter((edge) => edge !== only);
  return {
    nodes: nodes
      .filter(({ index }) => index !== mark)
      .map((node) => ({ ...node, index: renumber(node.index) })),
    edges: kept.map((edge, index) => ({
      ...edge,
      index: index as EdgeIndex,
      from: renumber(edge.from),
      to: renumber(edge.to),
    })),
    markedStart: renumber(only.to),
    absorbed: [
      { at: nodes[mark]!.at, kind: 'node', reason },
      { at: only.at, kind: 'edge', reason },
    ],
  };
}

function isEmpty({ firstMessage, systemPrompt, captures, tools, global }: WorkflowNode): boolean {
  const isSilent = firstMessage === null && systemPrompt === null && global === null;
  return isSilent && captures.length === 0 && tools.length === 0;
}

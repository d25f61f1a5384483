/**
 * The workflow as the checks walk it: what a call can reach, and along which edges.
 *
 * Written apart from the compiler's graph on purpose: a fault in one of the two shows. Edges that
 * repeat an earlier one (same ends, same condition) are not in it, nor are those that leave an
 * exit. Linear in the workflow.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Workflow, WorkflowEdge, WorkflowNode } from '../compiler/ir/workflow.js';
import { type Rows, reverseRows, sortByKey, tabulate } from './rows.js';
import { type CallOrder, orderCalls } from './variables/call-order.js';

export interface SourceGraph {
  readonly workflow: Workflow;
  readonly start: NodeIndex;
  /** What a call can reach, as a search from the start and the global nodes meets it. */
  readonly order: readonly NodeIndex[];
  readonly globals: readonly WorkflowNode[];
  /** Edges that a call can take, in source order; none leaves an exit. */
  readonly edges: readonly WorkflowEdge[];
  /** By node, the ends of the edges that leave it, in source order; `edgeAt` has the edge. */
  readonly successors: Rows;
  readonly edgeAt: (slot: number) => WorkflowEdge;
  readonly nodeAt: (node: NodeIndex) => WorkflowNode;
  readonly leaving: (node: NodeIndex) => readonly WorkflowEdge[];
  /** By node, the nodes that edges come from. */
  readonly predecessors: () => Rows;
  /** The nodes in a line, as calls come to them. */
  readonly callOrder: () => CallOrder;
}

export function readSource(workflow: Workflow, start: NodeIndex): SourceGraph {
  const { nodes } = workflow;
  const globals = nodes.filter((node) => node.global !== null);
  const listed = listWithoutExits(workflow);
  const rows = groupEdges(nodes.length, listed);
  const walkable = dropCopies(nodes.length, listed, rows);
  const leaving = walkable === listed ? rows : groupEdges(nodes.length, walkable);
  const successors = { offsets: leaving.offsets, targets: endsOf(leaving.edges) };
  const { order, found } = search(listRoots(start, globals), successors);
  const isAll = order.length === nodes.length;
  const edges = isAll ? walkable : walkable.filter(({ from }) => found[from] === 1);
  // Few checks look back, so these are put in order when the first does.
  let predecessors: Rows | null = null;
  let callOrder: CallOrder | null = null;
  const graph: SourceGraph = {
    workflow,
    start,
    order,
    globals,
    edges,
    successors,
    edgeAt: (slot) => leaving.edges[slot]!,
    nodeAt: (node) => nodes[node]!,
    leaving: (node) => rowOf(leaving, node),
    predecessors: () => {
      predecessors ??= reverseRows(successors);
      return predecessors;
    },
    callOrder: () => {
      callOrder ??= orderCalls(graph);
      return callOrder;
    },
  };
  return graph;
}

/** The edges that leave no exit, as in most workflows all do. */
function listWithoutExits({ nodes, edges }: Workflow): readonly WorkflowEdge[] {
  const isOpen = ({ from }: WorkflowEdge) => nodes[from]!.role !== 'exit';
  return edges.every(isOpen) ? edges : edges.filter(isOpen);
}

function listRoots(start: NodeIndex, globals: readonly WorkflowNode[]): readonly NodeIndex[] {
  return globals.length === 0 ? [start] : [start, ...globals.map(({ index }) => index)];
}

/** Edges by the node that they leave, in source order. */
interface EdgeRows {
  readonly offsets: Int32Array;
  readonly edges: readonly WorkflowEdge[];
  readonly lists: (readonly WorkflowEdge[] | undefined)[];
}

function groupEdges(count: number, edges: readonly WorkflowEdge[]): EdgeRows {
  const ends = tabulate(edges.length, (at) => edges[at]!.from);
  const { offsets, order } = sortByKey(count, ends);
  const sorted: WorkflowEdge[] = [];
  for (const at of order) sorted.push(edges[at]!);
  return { offsets, edges: sorted, lists: [] };
}

function rowOf({ offsets, edges, lists }: EdgeRows, node: NodeIndex): readonly WorkflowEdge[] {
  const list = lists[node] ?? edges.slice(offsets[node], offsets[node + 1]);
  lists[node] = list;
  return list;
}

function endsOf(edges: readonly WorkflowEdge[]): Int32Array {
  return tabulate(edges.length, (at) => edges[at]!.to);
}

/** Only nodes that have two edges with one end can have an edge twice. */
function dropCopies(
  count: number,
  edges: readonly WorkflowEdge[],
  rows: EdgeRows,
): readonly WorkflowEdge[] {
  let doubtful: Set<NodeIndex> | null = null;
  const seenFrom = new Int32Array(count).fill(-1);
  for (const { from, to } of rows.edges) {
    if (seenFrom[to] === from) {
      doubtful ??= new Set();
      doubtful.add(from);
    }
    seenFrom[to] = from;
  }
  return doubtful === null ? edges : dropCopiesFrom(doubtful, edges);
}

function dropCopiesFrom(
  doubtful: ReadonlySet<NodeIndex>,
  edges: readonly WorkflowEdge[],
): readonly WorkflowEdge[] {
  const seen = new Set<string>();
  return edges.filter(({ from, to, condition }) => {
    if (!doubtful.has(from)) return true;
    const key = `${from} ${to} ${condition === null ? '' : `=${condition.value}`}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Breadth first, one root after the other. */
function search(
  roots: readonly NodeIndex[],
  { offsets, targets }: Rows,
): { readonly order: NodeIndex[]; readonly found: Uint8Array } {
  const found = new Uint8Array(offsets.length - 1);
  const order: NodeIndex[] = [];
  const meet = (node: NodeIndex): void => {
    if (found[node] === 1) return;
    found[node] = 1;
    order.push(node);
  };
  let at = 0;
  for (const root of roots) {
    meet(root);
    for (; at < order.length; at += 1) {
      const end = offsets[order[at]! + 1]!;
      for (let slot = offsets[order[at]!]!; slot < end; slot += 1) {
        meet(targets[slot]! as NodeIndex);
      }
    }
  }
  return { order, found };
}

/**
 * Workflow → FlowGraph.
 *
 * In: a workflow and its start. Out: adjacency of what a call can reach, and a walk order.
 * Invariants: edges leave no exit; no two edges have the same ends and the same condition.
 * Guarantees: linear time; the order of nodes in the source decides nothing but that of globals.
 */
import { type Arcs, buildPredecessors, buildSuccessors } from '../../graph/adjacency.js';
import { areDifferent } from '../../graph/lists.js';
import { breadthFirst } from '../../graph/traversal.js';
import { type Adjacency, type FlowGraph, Kind, type LeftOutEdge } from '../ir/flow-graph.js';
import type { EdgeIndex, NodeIndex } from '../ir/ids.js';
import type { Workflow, WorkflowEdge, WorkflowNode } from '../ir/workflow.js';

export function computeFlowGraph(workflow: Workflow, start: NodeIndex): FlowGraph {
  const { nodes } = workflow;
  const { kinds, globals } = listKinds(nodes);
  const all = listArcs(workflow.edges, (edge) => (kinds[edge.from]! & Kind.exit) === 0);
  const walkable = buildSuccessors(nodes.length, all);
  const order = breadthFirst(walkable, [start, ...globals]) as NodeIndex[];
  const rank = rankOf(order, nodes.length);
  const copies = listCopies(workflow, walkable);
  // Most workflows are all walked, and need no second look.
  const isWhole =
    order.length === nodes.length &&
    copies.size === 0 &&
    all.edges.length === workflow.edges.length;
  const leftOut = isWhole ? [] : listLeftOut(workflow, rank, copies);
  const arcs = isWhole ? all : listArcs(workflow.edges, isNoneOf(leftOut));
  return {
    workflow,
    kinds,
    start,
    globals,
    successors: isWhole ? walkable : buildSuccessors(nodes.length, arcs),
    predecessors: buildPredecessors(nodes.length, arcs),
    order,
    rank,
    leftOut,
  };
}

function listKinds(nodes: readonly WorkflowNode[]) {
  const kinds = new Uint8Array(nodes.length);
  const globals: NodeIndex[] = [];
  for (const { index, role, global, assistant, settings } of nodes) {
    const { model, voice, transcriber } = settings;
    let kind: number = Kind[role];
    if (global !== null) kind |= Kind.global;
    if (assistant !== null) kind |= Kind.assistant;
    if ((model ?? voice ?? transcriber) !== undefined) kind |= Kind.settings;
    kinds[index] = kind;
    if (global !== null) globals.push(index);
  }
  return { kinds, globals };
}

function rankOf(order: readonly NodeIndex[], nodeCount: number): Int32Array {
  const rank = new Int32Array(nodeCount).fill(-1);
  for (let at = 0; at < order.length; at += 1) rank[order[at]!] = at;
  return rank;
}

/** Edges that repeat an earlier one, with the one that they repeat. */
type Copies = ReadonlyMap<EdgeIndex, WorkflowEdge>;

/** Only two edges that join the same nodes can be copies, so only where there are any is compared. */
function listCopies(
  { nodes, edges }: Workflow,
  { offsets, targets, edges: at }: Adjacency,
): Copies {
  let copies: Map<EdgeIndex, WorkflowEdge> | null = null;
  const targetAt = (slot: number) => targets[slot];
  for (let from = 0; from < nodes.length; from += 1) {
    const begin = offsets[from]!;
    const end = offsets[from + 1]!;
    if (areDifferent(begin, end, targetAt)) continue;
    copies ??= new Map();
    collectCopies(edges, at.subarray(begin, end), copies);
  }
  return copies ?? noCopies;
}

const noCopies: Copies = new Map();

function collectCopies(
  edges: readonly WorkflowEdge[],
  leaving: Int32Array,
  copies: Map<EdgeIndex, WorkflowEdge>,
): void {
  const seen = new Map<string, WorkflowEdge>();
  for (const index of leaving) {
    const edge = edges[index]!;
    const key = `${edge.to} ${edge.condition === null ? '' : `=${edge.condition.value}`}`;
    const earlier = seen.get(key);
    if (earlier === undefined) seen.set(key, edge);
    else copies.set(edge.index, earlier);
  }
}

/** What leaves an exit or repeats another edge, in source order, then what is never come to. */
function listLeftOut({ nodes, edges }: Workflow, rank: Int32Array, copies: Copies): LeftOutEdge[] {
  const useless: LeftOutEdge[] = [];
  const unreachable: LeftOutEdge[] = [];
  for (const { index, from } of edges) {
    const isReached = rank[from] !== -1;
    const copied = copies.get(index);
    if (nodes[from]!.role === 'exit') {
      useless.push({ edge: index, reason: isReached ? 'leaves-exit' : 'unreachable' });
    } else if (copied !== undefined) {
      useless.push(
        isReached
          ? { edge: index, reason: 'copy', of: copied.at }
          : { edge: index, reason: 'unreachable' },
      );
    } else if (!isReached) {
      unreachable.push({ edge: index, reason: 'unreachable' });
    }
  }
  return unreachable.length === 0 ? useless : [...useless, ...unreachable];
}

function isNoneOf(leftOut: readonly LeftOutEdge[]): (edge: WorkflowEdge) => boolean {
  const out = new Set(leftOut.map(({ edge }) => edge));
  return ({ index }) => !out.has(index);
}

function listArcs(edges: readonly WorkflowEdge[], isMeant: (edge: WorkflowEdge) => boolean): Arcs {
  const arcs = { sources: [] as number[], targets: [] as number[], edges: [] as number[] };
  for (const edge of edges) {
    if (!isMeant(edge)) continue;
    arcs.sources.push(edge.from);
    arcs.targets.push(edge.to);
    arcs.edges.push(edge.index);
  }
  return arcs;
}

/**
 * What a call can reach, along which edges, and which of them lead out of an assistant.
 *
 * In: the workflow. Out: its reachable part; the passages for an assignment of nodes to members.
 * All of it is linear in the workflow, the passages in what they are.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Workflow, WorkflowEdge } from '../compiler/ir/workflow.js';
import { flood, reverse } from '../graph/walks.js';
import type { Owners, Passage, SourceGraph } from './expected.js';

export function readSource(workflow: Workflow, start: NodeIndex): SourceGraph {
  const { nodes } = workflow;
  const globals = nodes.filter(({ global }) => global !== null);
  const leaving = nodes.map((): WorkflowEdge[] => []);
  const known = new Set<string>();
  for (const edge of workflow.edges) {
    const { from, to, condition } = edge;
    const key = `${from} ${to} ${condition === null ? '' : `=${condition.value}`}`;
    if (nodes[from]!.role === 'exit' || known.has(key)) continue;
    known.add(key);
    leaving[from]!.push(edge);
  }
  const successors = leaving.map((edges) => edges.map(({ to }) => to));
  const found = new Set<NodeIndex>();
  for (const root of [start, ...globals.map(({ index }) => index)]) {
    const reached = flood(
      [root],
      (node) => successors[node]!,
      (node) => found.has(node),
    );
    for (const node of reached) found.add(node);
  }
  const isTaken = new Set([...found].flatMap((node) => leaving[node]!));
  return {
    workflow,
    start,
    order: [...found],
    globals,
    edges: workflow.edges.filter((edge) => isTaken.has(edge)),
    successors,
    predecessors: reverse(successors) as NodeIndex[][],
    nodeAt: (node) => nodes[node]!,
    leaving: (node) => leaving[node]!,
  };
}

/** What a walk from a global node comes to, these included. */
export function reachFromGlobals({ globals, successors }: SourceGraph): ReadonlySet<NodeIndex> {
  return flood(
    globals.map(({ index }) => index),
    (node) => successors[node]!,
  );
}

/** Edges that lead from one member to another, once for each that owns their source. */
export function listEdgePassages(graph: SourceGraph, owners: Owners): Passage[] {
  return graph.edges.flatMap((edge) => {
    const { from, to, condition } = edge;
    // Exits are folded into the assistant that leads to them.
    if (graph.nodeAt(to).role === 'exit') return [];
    const target = owners.soleOwner(to);
    const homes = owners.of(to);
    return [...owners.of(from)]
      .filter((member) => !homes.has(member))
      .map((member) => ({ member, from, to, condition, edge, target }));
  });
}

/** The steps to global nodes of other members, for so many members. */
export function listGlobalPassages(
  graph: SourceGraph,
  owners: Owners,
  memberCount: number,
): Passage[] {
  const entered = graph.globals.filter(({ role }) => role !== 'exit');
  return entered.flatMap(({ index: to, global }) => {
    const target = owners.soleOwner(to);
    const condition = global?.condition ?? null;
    const others = [...Array(memberCount).keys()].filter((it) => !owners.of(to).has(it));
    return others.map((member) => ({ member, from: null, to, condition, edge: null, target }));
  });
}

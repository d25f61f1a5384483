/**
 * The graph of what was read, without unreachable nodes that could not be read and without a node
 * that only marks the start. Nodes and edges are renumbered.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { append, groupBy } from '../../graph/lists.js';
import { flood } from '../../graph/walks.js';
import { textOf } from '../../text/json.js';
import { child } from '../../text/pointer.js';
import type { EdgeIndex, NodeIndex } from '../ir/ids.js';
import type { Diagnostic } from '../ir/result.js';
import type { Absorbed, Text, Workflow, WorkflowEdge, WorkflowNode } from '../ir/workflow.js';
import type { Reading } from './reading.js';

/** Nodes that could not be read are null. */
export interface Draft {
  readonly entries: readonly Reading[];
  readonly ids: readonly (string | null)[];
  readonly nodes: readonly (WorkflowNode | null)[];
  readonly edges: readonly WorkflowEdge[];
  /** Nodes that the source marks as the start. */
  readonly marked: readonly number[];
}

type Graph = Pick<Workflow, 'nodes' | 'edges' | 'markedStart' | 'absorbed'>;

/** `line` is spoken when the call begins. */
export function settleGraph(workflow: Reading, draft: Draft, line: Text | null): Graph {
  const { entries, ids, edges, marked } = draft;
  const { faults } = workflow;
  const ofType = entries.findIndex(({ value }) => /^start$/i.test(textOf(value['type'] ?? null)));
  const [first = ofType, second] = marked;
  const starts = first === -1 ? [] : [first, ...marked.slice(1)];
  const faulty = listFaulty(faults, entries);
  const reached = faulty.size === 0 ? null : findReached(draft, starts, faulty);
  const isDropped = (node: number) => reached !== null && faulty.has(node) && !reached.has(node);
  // With a fault in a reachable node, or outside the nodes, the workflow is not used.
  const errors = faults.filter(isError).length - [...faulty.values()].flat().length;
  if (errors > 0 || [...faulty.keys()].some((node) => !isDropped(node))) {
    return { nodes: [], edges: [], markedStart: null, absorbed: [] };
  }
  const nodes = draft.nodes as readonly WorkflowNode[];
  const absorbed: Absorbed[] = [];
  for (const [node, places] of faulty) {
    const reason = { kind: 'node', reason: 'unreachable', status: 'dropped' } as const;
    absorbed.push({ ...reason, at: entries[node]!.at });
    for (const place of places) {
      const { at, message: problem } = faults[place]!;
      faults[place] = diagnose('shape/unreached-fault', at, { node: ids[node] ?? '', problem });
    }
  }
  if (second !== undefined) {
    // The source does not say which of them counts, so none does.
    const both = [nodes[first]!.id, nodes[second]!.id];
    const [earlier, later] = [first, second].map((at) => child(entries[at]!.at, 'isStart'));
    workflow.report('flow/several-starts', later!, { ids: both }, { related: [earlier!] });
  }
  const start = second === undefined ? first : -1;
  const onward = findOnward(nodes[ofType] ?? null, edges);
  const marker = onward === null ? -1 : ofType;
  if (onward !== null) {
    const reason = 'only marks the start';
    absorbed.push({ at: nodes[marker]!.at, kind: 'node', reason });
    absorbed.push({ at: onward.at, kind: 'edge', reason });
  }
  // Edges to a node that only marks the start are moved to its successor.
  const kept = [...nodes.keys()].filter((node) => !isDropped(node) && node !== marker);
  const numbers = new Map(kept.map((node, index) => [node, index as NodeIndex]));
  const numberOf = (node: number) =>
    numbers.get(node === marker && onward !== null ? onward.to : node);
  const joined = edges.flatMap((edge) => {
    const [from, to] = [numberOf(edge.from), numberOf(edge.to)];
    return from === undefined || to === undefined || edge === onward ? [] : [{ ...edge, from, to }];
  });
  const graph = {
    nodes: kept.map((node, index) => ({ ...nodes[node]!, index: index as NodeIndex })),
    edges: joined.map((edge, index) => ({ ...edge, index: index as EdgeIndex })),
    markedStart: numberOf(start) ?? null,
    absorbed,
  };
  return line === null ? graph : addOpeningLine(graph, line, workflow);
}

/** Nodes with errors, and the numbers of the errors. */
function listFaulty(faults: readonly Diagnostic[], entries: Draft['entries']) {
  const places = new Map(entries.map(({ at }, index) => [at, index]));
  const faulty = new Map<number, number[]>();
  for (const [number, fault] of faults.entries()) {
    // If two nodes have the same id, it is unclear which of them the edges mean.
    if (!isError(fault) || /^shape\/(?:duplicate|ambiguous)-id$/.test(fault.code)) continue;
    let at = fault.at;
    while (at !== '' && !places.has(at)) at = at.slice(0, at.lastIndexOf('/'));
    const node = places.get(at);
    if (node !== undefined) append(faulty, node, number);
  }
  return faulty;
}

/**
 * The nodes that a call can reach. Without a marked start it may begin at each node without
 * predecessors, unless that could not be read and leads nowhere. Null if unknown.
 */
function findReached(
  { entries, nodes, edges }: Draft,
  starts: readonly number[],
  faulty: ReadonlyMap<number, unknown>,
): ReadonlySet<number> | null {
  const leaving = groupBy(edges, ({ from }): number => from);
  const entered = new Set(edges.flatMap(({ from, to }): number[] => (from === to ? [] : [to])));
  const indexes = [...entries.keys()];
  const isRoot = (node: number) => !entered.has(node) && (leaving.has(node) || !faulty.has(node));
  const isGlobal = (node: number) =>
    nodes[node]?.global != null || 'globalNodePlan' in entries[node]!.value;
  const roots = starts.length === 0 ? indexes.filter(isRoot) : starts;
  if (roots.length === 0 || edges.length === 0) return null;
  const arcsOf = (node: number) => (leaving.get(node) ?? []).map(({ to }): number => to);
  return flood([...roots, ...indexes.filter(isGlobal)], arcsOf);
}

/** The edge of a node that says and does nothing and has no other edge and no condition. */
function findOnward(node: WorkflowNode | null, edges: Draft['edges']): WorkflowEdge | null {
  if (node === null) return null;
  const { index, global, firstMessage, systemPrompt, captures, tools } = node;
  const isIdle = (global ?? firstMessage ?? systemPrompt ?? captures[0] ?? tools[0]) === undefined;
  const [only, ...more] = edges.filter(({ from }) => from === index);
  if (!isIdle || only === undefined || more.length > 0) return null;
  return only.condition === null && only.to !== index ? only : null;
}

/** An assistant's line around the workflow becomes the first message of the marked start. */
function addOpeningLine(graph: Graph, line: Text, workflow: Reading): Graph {
  const { nodes, markedStart } = graph;
  const start = nodes[markedStart ?? -1];
  if (start?.firstMessage?.value === line.value) return graph;
  if (start === undefined || start.role !== 'talk' || start.firstMessage !== null) {
    workflow.report('shape/lost-text', line.at, { field: 'firstMessage' });
    return graph;
  }
  const opening = { ...start, firstMessage: line };
  return { ...graph, nodes: nodes.map((node) => (node === start ? opening : node)) };
}

export function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

/**
 * The graph of what was read: without the nodes that could not be read and that no call reaches, and
 * without one that only marks the start. Nodes and edges are numbered anew.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { append, groupBy } from '../../graph/lists.js';
import { flood } from '../../graph/walks.js';
import { child, type EdgeIndex, type NodeIndex } from '../ir/ids.js';
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
  readonly marked: readonly NodeIndex[];
}

type Graph = Pick<Workflow, 'nodes' | 'edges' | 'markedStart' | 'absorbed'>;

/** `line` is said as the call begins. */
export function settleGraph(workflow: Reading, draft: Draft, line: Text | null): Graph {
  const { entries, ids, nodes, edges, marked } = draft;
  const ofType = entries.findIndex(({ value }) => /^start$/i.test(String(value['type'])));
  const [first = ofType, second] = marked;
  const faulty = listFaulty(workflow, entries);
  const reached = faulty.size === 0 ? null : findReached(draft, first, faulty);
  const isOut = (node: number) => reached !== null && faulty.has(node) && !reached.has(node);
  // With a fault in a node that a call reaches, or elsewhere, the workflow is not used.
  const errors = workflow.faults.filter(isError).length - [...faulty.values()].flat().length;
  if (errors > 0 || [...faulty.keys()].some((node) => !isOut(node))) {
    return { nodes: [], edges: [], markedStart: null, absorbed: [] };
  }
  for (const [node, places] of faulty) {
    for (const place of places) {
      const { at, message: problem } = workflow.faults[place]!;
      const args = { node: ids[node] ?? '', problem };
      workflow.faults[place] = diagnose('shape/unreached-fault', at, args);
    }
  }
  const whole = { nodes: nodes as readonly WorkflowNode[], edges };
  if (second !== undefined) {
    // Which of them counts nobody says, so none does.
    const both = [nodes[first]!.id, nodes[second]!.id];
    const [earlier, later] = [first, second].map((at) => child(entries[at]!.at, 'isStart'));
    workflow.report('flow/several-starts', later!, { ids: both }, { related: [earlier!] });
  }
  const start = second === undefined ? first : -1;
  const mark = onlyMarks(whole, ofType) ? ofType : -1;
  const [onward] = mark === -1 ? [] : edges.filter(({ from }) => from === mark);
  const entry = start === mark && onward !== undefined ? onward.to : start;
  const graph = withoutNodes(whole, (node) => isOut(node) || node === mark, entry, onward);
  const reason = 'marks the start and does nothing';
  const absorbed: Absorbed[] = [...faulty.keys()].map((node) => {
    return { ...dropped, at: entries[node]!.at };
  });
  if (onward !== undefined) {
    absorbed.push({ at: nodes[mark]!.at, kind: 'node', reason });
    absorbed.push({ at: onward.at, kind: 'edge', reason });
  }
  return sayFirst({ ...graph, absorbed }, line, workflow);
}

const dropped = { kind: 'node', reason: 'unreachable', status: 'dropped' } as const;

/** Nodes with errors, and the numbers of these. */
function listFaulty({ faults }: Reading, entries: readonly Reading[]): Map<number, number[]> {
  const places = new Map(entries.map(({ at }, index) => [at, index]));
  const faulty = new Map<number, number[]>();
  for (const [number, fault] of faults.entries()) {
    // Two nodes of one id leave open which of them the edges mean.
    if (!isError(fault) || /^shape\/(?:duplicate|ambiguous)-id$/.test(fault.code)) continue;
    let at = fault.at;
    while (at !== '' && !places.has(at)) at = at.slice(0, at.lastIndexOf('/'));
    const node = places.get(at);
    if (node !== undefined) append(faulty, node, number);
  }
  return faulty;
}

/**
 * What a call can come to. Where no start is marked it may begin at each node that nothing leads to,
 * but for one that could not be read and leads nowhere. Null where nobody can tell.
 */
function findReached(
  { entries, nodes, edges }: Draft,
  start: number,
  faulty: ReadonlyMap<number, unknown>,
): ReadonlySet<number> | null {
  const leaving = groupBy(edges, ({ from }) => from);
  const entered = new Set(edges.flatMap(({ from, to }) => (from === to ? [] : to)));
  const isRoot = (node: number) =>
    !entered.has(node as NodeIndex) && (leaving.has(node as NodeIndex) || !faulty.has(node));
  const indexes = entries.map((_, index) => index);
  const roots = start === -1 ? indexes.filter(isRoot) : [start];
  const isGlobal = (index: number) =>
    nodes[index]?.global != null || 'globalNodePlan' in entries[index]!.value;
  const arcsOf = (node: number) =>
    (leaving.get(node as NodeIndex) ?? []).map(({ to }) => to as number);
  return roots.length * edges.length === 0
    ? null
    : flood([...roots, ...indexes.filter(isGlobal)], arcsOf);
}

/** Whether a node says nothing and does nothing, and one edge without a condition leads on from it. */
function onlyMarks({ nodes, edges }: Pick<Graph, 'nodes' | 'edges'>, mark: number): boolean {
  const node = nodes[mark];
  const [only, ...more] = edges.filter(({ from }) => from === mark);
  if (node == null || only === undefined || more.length > 0) return false;
  const { global, firstMessage, systemPrompt, captures, tools } = node;
  const isIdle = (global ?? firstMessage ?? systemPrompt ?? captures[0] ?? tools[0]) === undefined;
  return isIdle && only.condition === null && only.to !== mark;
}

/** The others, numbered anew; what led to a node that only marks the start leads on behind it. */
function withoutNodes(
  { nodes, edges }: Pick<Graph, 'nodes' | 'edges'>,
  isOut: (node: number) => boolean,
  start: number,
  onward: WorkflowEdge | undefined,
) {
  const numbers = new Map<number, NodeIndex>();
  for (const [index] of nodes.entries()) {
    if (!isOut(index)) numbers.set(index, numbers.size as NodeIndex);
  }
  const numberOf = (node: number) => numbers.get(node === onward?.from ? onward.to : node);
  const kept = edges.flatMap(({ from, to, ...edge }) => {
    const ends = { from: numberOf(from), to: numberOf(to) };
    const isGone = ends.from === undefined || ends.to === undefined || edge.at === onward?.at;
    return isGone ? [] : [{ ...edge, from: ends.from!, to: ends.to! }];
  });
  return {
    nodes: nodes.flatMap((node, index) => {
      const number = numbers.get(index);
      return number === undefined ? [] : [{ ...node, index: number }];
    }),
    edges: kept.map((edge, index) => ({ ...edge, index: index as EdgeIndex })),
    markedStart: numbers.get(start) ?? null,
  };
}

/** The line that an assistant round the workflow says is the first of the marked start. */
function sayFirst(graph: Graph, line: Text | null, workflow: Reading): Graph {
  const { nodes, markedStart } = graph;
  const start = markedStart === null ? undefined : nodes[markedStart];
  if (line === null || start?.firstMessage?.value === line.value) return graph;
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

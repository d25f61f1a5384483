/**
 * Laws of changes: those that change nothing (unreachable parts, copied edges, ids), and those that
 * add one thing: a capture, or a node that becomes one more step.
 *
 * What an addition should give is stated without the compiler's wording and numbers: the squad
 * without the addition is the squad as it was, and the addition stands there once. Its wording is
 * what `verify` expects, which has to accept the new squad.
 */
import { nodeOf } from '../call/machine.js';
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import { flood } from '../graph/walks.js';
import { type JsonPointer, valueAt } from '../text/pointer.js';
import type { Settlement } from './answering.js';
import {
  type Compiled,
  compileAnswered,
  compileChanged,
  demand,
  demandFindings,
  demandSame,
  demandVerified,
  edgesOf,
  freshName,
  type LawOptions,
  ownersOf,
  readGraph,
  referenceGrouping,
  representatives,
  trackAnswered,
} from './law.js';
import { wheel } from './pick.js';
import {
  type SpecEdge,
  type SpecNode,
  type SpecWorkflow,
  startCandidates,
} from './spec-workflow.js';

/**
 * Three unreachable nodes are added: two that lead to each other, so that neither could be a start,
 * and an exit after them. They contain what would raise questions, captures and reads if it were
 * reachable, and lead into the workflow. Expected: the same squad, the same questions, and three
 * more warnings, one for each node.
 */
export function unreachableIgnored(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const compiled = compileAnswered(workflow, options);
  const { numbers, output, settlement } = compiled;
  const island = islandFor(workflow, numbers);
  const nodes = [...workflow.nodes, ...island.nodes];
  const edges = [...workflow.edges, ...island.edges];
  const after = compileChanged(compiled, { ...workflow, nodes, edges });
  demandSame('the squad', output, after.result.output);
  demandFindings(settlement, after, Array(island.nodes.length).fill('flow/unreachable'));
}

function islandFor(workflow: SpecWorkflow, numbers: readonly number[]) {
  const { nodes: all, edges: given } = workflow;
  const [first = '', second = '', exit = ''] = ['island', 'shore', 'ferry'].map((name) =>
    freshName(name, workflow),
  );
  const systemPrompt = `${wheel(all, numbers[2] ?? 0).systemPrompt ?? ''} Use {{nowhere}}.`;
  const captures = all.flatMap(({ extractVariables = [] }) => extractVariables).slice(0, 1);
  const held = captures.length > 0 ? { extractVariables: captures } : {};
  const nodes: SpecNode[] = [
    { id: first, type: 'conversation', systemPrompt, ...held },
    { id: second, type: 'apiRequest', name: 'Desk' },
    { id: exit, type: 'transferCall', transferPlan: { message: '{{nowhere}}' } },
  ];
  const edges: SpecEdge[] = [
    { from: first, to: second },
    { from: second, to: first, condition: "nowhere == 'x'" },
    { from: second, to: exit },
  ];
  // One more edge to such a node leaves the possible starts unchanged.
  const startsBy = (edges: SpecEdge[]): string => startCandidates({ ...workflow, edges }).join();
  const inland = all
    .map(({ id }) => ({ from: first, to: id }))
    .filter((edge) => startsBy([...given, edge]) === startsBy(given));
  if (inland.length > 0) edges.push(wheel(inland, numbers[3] ?? 0));
  return { nodes, edges };
}

/**
 * An edge is repeated at the end. Expected: the same squad, one warning, and the copy became what
 * its original became.
 */
export function copiedEdgeFolded(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const compiled = trackAnswered(workflow, options);
  const { numbers, settlement, output, graph } = compiled;
  const edges = edgesOf(graph);
  if (edges.length === 0) return;
  const { index, condition } = wheel(edges, numbers[0] ?? 0);
  const { from, to } = workflow.edges[index]!;
  const copy = { from, to, ...(condition !== null && { condition: condition.value }) };
  const changed = { ...workflow, edges: [...workflow.edges, copy] };
  const after = compileChanged(compiled, changed);
  demandSame('the squad', output, after.result.output);
  demandFindings(settlement, after, ['flow/copied-edge']);
  const { ledger } = after.result;
  const place = `/edges/${workflow.edges.length}`;
  const others = ledger.filter(({ at }) => !`${at}/`.startsWith(`${place}/`));
  demandSame('the ledger', settlement.result.ledger, others);
  const became = (edge: string) =>
    ledger.find(({ at, kind }) => at === edge && kind === 'edge')?.outputs;
  demandSame('what the copy became', became(`/edges/${index}`), became(place));
}

/**
 * All ids change, wherever they stand. Expected: if every node has a name (its own, else its old
 * id), the same squad. If not, two sets of new ids give the same squad except for the ids, which
 * stand in the names made from them.
 */
export function renamingStable(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const compiled = compileAnswered(workflow, options);
  const { numbers, output, compile } = compiled;
  const turn = (numbers[0] ?? 0) % workflow.nodes.length;
  const stem = freshName('renamed', workflow);
  // Of the same length, so that none is shortened and none is a part of another.
  const idFor = (set: string, index: number): string =>
    `${stem}-${set}${String(index % workflow.nodes.length).padStart(4, '0')}`;
  const compileWith = (set: string, from: number, named: boolean) => {
    const ids = new Map(workflow.nodes.map(({ id }, index) => [id, idFor(set, index + from)]));
    const id = (old: string): string => ids.get(old) ?? old;
    const nodes = workflow.nodes.map((node) => {
      return { ...node, id: id(node.id), ...(named && { name: node.name || node.id }) };
    });
    const edges = workflow.edges.map((edge) => ({ ...edge, from: id(edge.from), to: id(edge.to) }));
    const names = Object.entries(compile.names ?? {}).map(([old, name]) => [id(old), name]);
    const moved = { ...compile, names: Object.fromEntries(names) };
    const renamed = { ...workflow, nodes, edges };
    return compileChanged({ ...compiled, compile: moved }, renamed, id).result.output;
  };
  demandSame('the squad', output, compileWith('a', turn, true));
  let text = JSON.stringify(compileWith('a', 0, false));
  for (const index of workflow.nodes.keys()) {
    text = text.replaceAll(idFor('a', index), idFor('b', index + turn));
  }
  demandSame('the squad of renamed nodes', JSON.parse(text), compileWith('b', turn, false));
}

/**
 * A talk node captures one more variable, which nothing reads. Expected: its assistant is told to
 * find it out, one info about an unused capture, and the warning about what is lost after the call;
 * no plan and nothing else changes.
 */
export function captureAdded(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { answers, ...others } = options.compile ?? {};
  // That it is reported after the call is not what this is about.
  const policies = { ...answers?.policies, 'values-after-call': 'none' };
  const compile = { ...others, answers: { ...answers, policies } };
  const compiled = trackAnswered(workflow, { ...options, compile });
  const { numbers, settlement, graph } = compiled;
  const talking = lonelyTalks(graph);
  if (talking.length === 0) return;
  const index = wheel(talking, numbers[0] ?? 0);
  const node = workflow.nodes[index]!;
  const name = freshName('spare', workflow);
  const before = node.extractVariables ?? [];
  const capture = { name, type: 'string' as const, description: `the ${name}` };
  const nodes = workflow.nodes.with(index, { ...node, extractVariables: [...before, capture] });
  const place = `/nodes/${index}/extractVariables/${before.length}`;
  const after = demandAdded(compiled, { ...workflow, nodes }, 2, (text, from) =>
    from.startsWith(`${place}/`) || text === name ? [] : [text],
  );
  const lost = (all: Settlement) =>
    all.result.diagnostics.flatMap(({ code }) => (code === 'data/lost-after-call' ? code : []));
  const fresh = lost(settlement).length > 0 ? [] : lost(after);
  demandFindings(settlement, after, ['data/unused-capture', ...fresh]);
}

/**
 * A node with an instruction is inserted into an edge between two talk nodes of one assistant,
 * outside cycles, where by definition the same assistants result, one of them with the node. The
 * condition stays on the edge to the new node, and an edge without one leads on. Expected: the same
 * squad, in which one assistant has the instruction as well.
 */
export function insertedStepAdded(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const compiled = trackAnswered(workflow, options);
  const { compile, settlement, tracks, graph } = compiled;
  const all = edgesOf(graph);
  const id = freshName('inserted', workflow);
  const groupsOf = (each: SpecWorkflow): string => {
    const groups = referenceGrouping(each, { settlement, boundary: compile.boundary ?? 'branch' });
    return JSON.stringify(groups?.map((ids) => ids.filter((one) => one !== id).sort()).sort());
  };
  const groups = groupsOf(workflow);
  const lonely = lonelyTalks(graph);
  const inner = all.filter(
    ({ from, to }) =>
      lonely.includes(from) &&
      lonely.includes(to) &&
      ownersOf(tracks, from).join() === ownersOf(tracks, to).join() &&
      !leadsTo(graph, to, from),
  );
  const changed = firstOf(inner, compiled, ({ index }) => {
    const { from, to } = workflow.edges[index]!;
    // Copies of the edge get the same target.
    const edges = workflow.edges.map((edge) =>
      edge.from === from && edge.to === to ? { ...edge, to: id } : edge,
    );
    const node = nodeLike(workflow.nodes.find((each) => each.id === from)!, id);
    node.systemPrompt = `Do the work of ${id}.`;
    const onward = [...edges, { from: id, to }];
    const after = { ...workflow, nodes: [...workflow.nodes, node], edges: onward };
    const isStep = groupsOf(after) === groups;
    return isStep && keepsOrder(graph, readGraph(after, settlement.options)) ? after : null;
  });
  if (changed === null) return;
  const place = `/nodes/${workflow.nodes.length}/systemPrompt`;
  demandAdded(compiled, changed, 1, (text, from) => (from === place ? [] : [text]));
}

/**
 * A talk node outside cycles is split in two: the first keeps its id, its line, the first part of
 * its instruction and its captures; the second gets the rest and the outgoing edges; an edge
 * without a condition joins them. Expected: the same assistants and texts, no other change.
 */
export function splitStepAdded(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const compiled = trackAnswered(workflow, options);
  const { numbers, settlement, graph } = compiled;
  const id = freshName('second', workflow);
  const place = `/nodes/${workflow.nodes.length}/systemPrompt`;
  const talks = lonelyTalks(graph).filter((index) =>
    canBeSplit(graph, workflow.nodes[index]!, index),
  );
  const found = firstOf(talks, compiled, (index) => {
    const whole = workflow.nodes[index]!;
    const letters = [...(whole.systemPrompt ?? '')];
    const at = 1 + ((numbers[0] ?? 0) % (letters.length - 1));
    const [start, end] = [letters.slice(0, at).join(''), letters.slice(at).join('')];
    const nodes = workflow.nodes.with(index, { ...whole, systemPrompt: start });
    const onward = workflow.edges.map((edge) =>
      edge.from === whole.id ? { ...edge, from: id } : edge,
    );
    const second = { ...nodeLike(whole, id), systemPrompt: end };
    const edges = [...onward, { from: whole.id, to: id }];
    const changed = { ...workflow, nodes: [...nodes, second], edges };
    const after = readGraph(changed, settlement.options);
    // The parts of a node, which can read like other nodes, still behave like no other.
    const alone = lonelyTalks(after);
    const fits = alone.includes(index) && alone.includes(workflow.nodes.length);
    return fits && keepsOrder(graph, after) ? { changed, index, end } : null;
  });
  if (found === null) return;
  demandAdded(compiled, found.changed, 1, (text, from) => {
    if (from === place) return [];
    return from === `/nodes/${found.index}/systemPrompt` ? [text + found.end] : [text];
  });
}

/** What a quoted text counts as: itself, another text, or nothing. */
type TextsOf = (text: string, from: JsonPointer) => string[];

/** Throws unless the changed workflow gives the same squad except for what `without` removes. */
function demandAdded(
  before: Compiled,
  changed: SpecWorkflow,
  count: number,
  without: TextsOf,
): Settlement {
  const after = compileChanged(before, changed);
  let left = 0;
  const found = outline(after, (text, from) => {
    const kept = without(text, from);
    if (kept.length === 0) left += 1;
    return kept;
  });
  const own = outline(before.settlement, (text) => [text]);
  demandSame('the squad', own, found);
  demand(left >= count, () => `of ${count} new texts, ${left} stand in the squad`);
  demandVerified(changed, after);
  return after;
}

/**
 * The squad without the compiler's wording: each composed text is the sorted list of the texts that
 * it quotes, and every list of tools and destinations is sorted.
 */
function outline({ result: { output, sourceMap } }: Settlement, textsOf: TextsOf): unknown {
  const quoted = new Map<JsonPointer, string[]>();
  for (const { output: at, range, origin } of sourceMap) {
    const whole = valueAt(output, at);
    const isOwn = origin.kind === 'synthesized';
    if (typeof whole !== 'string' || (range === undefined && !isOwn)) continue;
    const from = origin.kind === 'source' ? origin.at : '';
    const texts = isOwn ? [] : textsOf(whole.slice(...(range ?? [0])), from);
    quoted.set(at, [...(quoted.get(at) ?? []), ...texts]);
  }
  const within = (value: unknown, at: JsonPointer): unknown => {
    if (typeof value === 'string') return quoted.get(at)?.sort() ?? value;
    if (typeof value !== 'object' || value === null) return value;
    const parts = Object.entries(value).map(([key, part]) => [key, within(part, `${at}/${key}`)]);
    if (!Array.isArray(value)) return Object.fromEntries(parts);
    const list = parts.map(([, part]) => part);
    if (!/\/(?:tools|destinations)$/.test(at)) return list;
    return list.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  };
  return within(output, '');
}

/** The result of the first fitting candidate, in an order that the numbers choose. */
function firstOf<T, U>(
  candidates: readonly T[],
  { numbers: [number = 0] }: Compiled,
  attempt: (candidate: T) => U | null,
): U | null {
  for (const turn of candidates.keys()) {
    const found = attempt(wheel(candidates, number + turn));
    if (found !== null) return found;
  }
  return null;
}

/** A talk node with the settings of this one, which shape its assistant. */
function nodeLike({ model, voice, transcriber }: SpecNode, id: string): SpecNode {
  return { id, type: 'conversation', model, voice, transcriber };
}

/** Returns true if walks reach the nodes in the same order as before. */
function keepsOrder(before: FlowGraph, after: FlowGraph): boolean {
  const old = ({ order }: FlowGraph) =>
    order.filter((node) => node < before.workflow.nodes.length).join();
  return old(before) === old(after);
}

/** Returns true if edges lead from a node to another, or if it is the same. */
function leadsTo({ leaving }: FlowGraph, from: number, to: number): boolean {
  return flood([from], (node) => leaving[node]!.map((edge) => edge.to as number)).has(to);
}

/** The talk nodes that behave like no other. */
function lonelyTalks(graph: FlowGraph): number[] {
  const first = representatives(graph);
  const equal = [...first].flatMap((pair) => (pair[0] === pair[1] ? [] : pair));
  const isTalk = (node: number) => nodeOf(graph, node).role === 'talk';
  return [...first.keys()].filter((node) => !equal.includes(node) && isTalk(node));
}

/**
 * True for a node with an instruction, on no cycle, that reads nothing bound to its place. A global
 * node is entered from its second part.
 */
function canBeSplit(graph: FlowGraph, node: SpecNode, index: number): boolean {
  const { systemPrompt = '', firstMessage = '', extractVariables = [] } = node;
  const leaving = graph.leaving[index]!;
  const isInCycle = leaving.some(({ to }) => leadsTo(graph, to, index));
  const lines = extractVariables.length > 0 ? [firstMessage] : [];
  const texts = [systemPrompt, ...lines, ...leaving.map(({ condition }) => condition?.value ?? '')];
  const isFree = nodeOf(graph, index).global === null && !isInCycle;
  return [...systemPrompt].length > 1 && isFree && !/\{\{|\{%|==/.test(texts.join('\n'));
}

/** Warnings about the graph as it is. */
import { diagnose } from '../../diagnostics/diagnose.js';
import { append, areDifferent, extend, groupBy } from '../../graph/lists.js';
import { builtInVariables } from '../ir/built-ins.js';
import { type FlowGraph, Kind } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Diagnostic, Question } from '../ir/result.js';
import type { CaptureSite, Variable, VariableFlow } from '../ir/variable-flow.js';
import type { Text, WorkflowEdge, WorkflowNode } from '../ir/workflow.js';
import { listBuiltUpon, readsInto } from './texts.js';

export function warnAboutFlow(graph: FlowGraph, open: readonly Question[]): Diagnostic[] {
  // What can be reached is not known before it is known where a call starts.
  const isStartOpen = open.some(({ kind }) => kind === 'ambiguous-start');
  return [
    ...(isStartOpen ? [] : warnUnreachable(graph)),
    ...warnLeftOut(graph),
    ...warnEndless(graph),
    ...warnSameCondition(graph),
    ...warnGlobals(graph),
  ];
}

function warnUnreachable({ workflow: { nodes }, order, rank }: FlowGraph): Diagnostic[] {
  if (order.length === nodes.length) return [];
  return nodes
    .filter((node) => rank[node.index] === -1)
    .map((node) => diagnose('flow/unreachable', node.at, { id: node.id }));
}

function warnLeftOut({ workflow, leftOut }: FlowGraph): Diagnostic[] {
  return leftOut.flatMap(({ edge: index, reason, of }) => {
    const edge = workflow.edges[index]!;
    const from = workflow.nodes[edge.from]!;
    const to = workflow.nodes[edge.to]!;
    if (reason === 'leaves-exit') {
      return [diagnose('flow/edge-out-of-exit', edge.at, { id: from.id, type: from.type })];
    }
    if (reason !== 'copy') return [];
    const related = of === undefined ? [] : [of];
    return [diagnose('flow/copied-edge', edge.at, { from: from.id, to: to.id }, { related })];
  });
}

/** A walk ends at an exit, or at a node that nothing follows; some nodes may lead to neither. */
function warnEndless(graph: FlowGraph): Diagnostic[] {
  const { workflow, order } = graph;
  const { ending, allEnd } = searchFromEnds(graph);
  if (allEnd) return [];
  const endless = order.filter((node) => ending[node] === 0);
  const [first, ...others] = endless.map((node) => workflow.nodes[node]!);
  if (first === undefined) return [];
  const args = { ids: [first, ...others].map((node) => node.id) };
  return [diagnose('flow/endless', first.at, args, { related: others.map((node) => node.at) })];
}

/** The nodes from which an end can be reached, by a search backwards from the ends. */
function searchFromEnds({ kinds, order, successors, predecessors }: FlowGraph) {
  const { offsets, targets } = predecessors;
  const ending = new Uint8Array(kinds.length);
  const isEnd = (node: NodeIndex) => successors.offsets[node] === successors.offsets[node + 1];
  const found = order.filter(isEnd);
  for (const node of found) ending[node] = 1;
  for (let at = 0; at < found.length; at += 1) {
    const node = found[at]!;
    // What ends from a global node ends from everywhere.
    if ((kinds[node]! & Kind.global) !== 0) return { ending, allEnd: true };
    const end = offsets[node + 1]!;
    for (let slot = offsets[node]!; slot < end; slot += 1) {
      const before = targets[slot]! as NodeIndex;
      if (ending[before] === 1) continue;
      ending[before] = 1;
      found.push(before);
    }
  }
  return { ending, allEnd: found.length === order.length };
}

function warnSameCondition({ order, successors, workflow }: FlowGraph): Diagnostic[] {
  const { offsets, edges } = successors;
  const found: Diagnostic[] = [];
  const conditionAt = (slot: number) => conditionOf(workflow.edges[edges[slot]!]!);
  for (const node of order) {
    const begin = offsets[node]!;
    const end = offsets[node + 1]!;
    // Most nodes have one way on, and most others tell their ways apart.
    if (areDifferent(begin, end, conditionAt)) continue;
    const leaving = Array.from(edges.subarray(begin, end), (edge) => workflow.edges[edge]!);
    extend(found, warnSameAmong(workflow.nodes[node]!.id, leaving));
  }
  return found;
}

function conditionOf({ condition }: WorkflowEdge): string | null {
  return condition === null ? null : condition.value;
}

function warnSameAmong(from: string, leaving: readonly WorkflowEdge[]): Diagnostic[] {
  const byCondition = groupBy(leaving, conditionOf);
  return [...byCondition].flatMap(([condition, [first, second, ...others]]) => {
    if (second === undefined) return [];
    const related = [first!, ...others].map((edge) => edge.at);
    return [diagnose('flow/same-condition', second.at, { condition, from }, { related })];
  });
}

function warnGlobals(graph: FlowGraph): Diagnostic[] {
  return graph.globals
    .map((node) => graph.workflow.nodes[node]!)
    .filter((node) => node.global?.condition === null)
    .map((node) => diagnose('flow/global-without-condition', node.at, { id: node.id }));
}

/** Warnings about names and paths of variables. */
export function warnAboutVariables(graph: FlowGraph, flow: VariableFlow): Diagnostic[] {
  const found: Diagnostic[] = [];
  const nested = groupNestedReads(graph, flow);
  let hasAliases = false;
  for (const variable of flow.variables.values()) {
    hasAliases ||= variable.aliasReads.length > 0;
    if (variable.captures.length === 0) continue;
    const { name, captures } = variable;
    const at = captures[0]!.capture.at;
    if (builtInVariables.has(name)) {
      found.push(diagnose('data/shadows-builtin', at, { variable: name }));
    }
    if (!isRead(variable)) found.push(diagnose('data/unused-capture', at, { variable: name }));
    if (nested.size > 0) extend(found, warnPaths(variable, nested.get(name) ?? []));
  }
  if (hasAliases) {
    for (const index of graph.order) extend(found, warnBuiltUpon(graph.workflow.nodes[index]!));
  }
  return found;
}

function isRead(variable: Variable): boolean {
  const { reads, aliasReads, conditionReads, globalReads, readEverywhere } = variable;
  const sites = reads.length + aliasReads.length + conditionReads.length + globalReads.length;
  return readEverywhere || sites > 0;
}

/** What a tool's response sets can be an object, whatever else sets the variable. */
function warnPaths(variable: Variable, texts: readonly Text[]): Diagnostic[] {
  const { name, captures, responses, offers } = variable;
  const isParted = ({ capture: { type } }: CaptureSite) => type === 'array' || type === 'object';
  if (responses.length + offers.length > 0 || captures.some(isParted)) return [];
  const args = { variable: name, type: captures[0]!.capture.type };
  return texts.map((text) => diagnose('data/path-into-scalar', text.at, args));
}

/** An alias of its own key, where the node does not find out what it builds upon. */
function warnBuiltUpon(node: WorkflowNode): Diagnostic[] {
  return listBuiltUpon(node).map((variable) => {
    const capture = node.captures.findLast(({ name }) => name === variable)!;
    return diagnose('data/alias-of-itself', capture.at, { variable });
  });
}

/** Texts that read into a variable, by its name. */
function groupNestedReads(graph: FlowGraph, flow: VariableFlow): ReadonlyMap<string, Text[]> {
  const texts = [...flow.nestedReads];
  for (const { condition } of graph.workflow.edges) {
    if (condition !== null && readsInto(condition)) texts.push(condition);
  }
  // Most workflows have none, and need no table of them.
  return texts.length === 0 ? noTexts : groupByVariable(texts);
}

const noTexts: ReadonlyMap<string, Text[]> = new Map();

function groupByVariable(texts: readonly Text[]): ReadonlyMap<string, Text[]> {
  const nested = new Map<string, Text[]>();
  for (const text of texts) {
    const names = text.uses.filter((use) => use.nested).map((use) => use.name);
    for (const name of new Set(names)) append(nested, name, text);
  }
  return nested;
}

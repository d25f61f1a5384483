/** Warnings about the graph as it is, and about names and paths of its variables. */
import { diagnose } from '../../diagnostics/diagnose.js';
import { groupBy } from '../../graph/lists.js';
import { flood } from '../../graph/walks.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { Diagnostic, Question } from '../ir/result.js';
import { builtInVariables, type Variable, type VariableFlow } from '../ir/variables.js';
import type { Text } from '../ir/workflow.js';
import { groupByNestedRead, listBuiltUpon, readsInto } from './variables.js';

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

function warnUnreachable({ workflow: { nodes }, rank }: FlowGraph): Diagnostic[] {
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
function warnEndless({
  workflow,
  order,
  globals,
  successors,
  predecessors,
}: FlowGraph): Diagnostic[] {
  const ends = order.filter((node) => successors[node]!.length === 0);
  const ending = flood(ends, (node) => predecessors[node]!);
  // What ends from a global node ends from everywhere.
  if (globals.some((node) => ending.has(node))) return [];
  const endless = order.filter((node) => !ending.has(node)).map((node) => workflow.nodes[node]!);
  const [first, ...others] = endless;
  if (first === undefined) return [];
  const args = { ids: endless.map((node) => node.id) };
  return [diagnose('flow/endless', first.at, args, { related: others.map((node) => node.at) })];
}

function warnSameCondition({ order, leaving, workflow }: FlowGraph): Diagnostic[] {
  return order.flatMap((node) => {
    const from = workflow.nodes[node]!.id;
    const byCondition = groupBy(leaving[node]!, (edge) => edge.condition?.value ?? null);
    return [...byCondition].flatMap(([condition, [first, second, ...others]]) => {
      if (second === undefined) return [];
      const related = [first!, ...others].map((edge) => edge.at);
      return [diagnose('flow/same-condition', second.at, { condition, from }, { related })];
    });
  });
}

function warnGlobals({ globals, workflow }: FlowGraph): Diagnostic[] {
  return globals
    .map((node) => workflow.nodes[node]!)
    .filter((node) => node.global?.condition === null)
    .map((node) => diagnose('flow/global-without-condition', node.at, { id: node.id }));
}

/** Warnings about names and paths of variables, then about aliases of their own keys. */
export function warnAboutVariables(graph: FlowGraph, flow: VariableFlow): Diagnostic[] {
  const conditions = graph.workflow.edges.flatMap(({ condition }) => condition ?? []);
  const nested = groupByNestedRead([...flow.nestedReads, ...conditions.filter(readsInto)]);
  const captured = [...flow.variables.values()].filter(({ captures }) => captures.length > 0);
  return [
    ...captured.flatMap((it) => [...warnName(it), ...warnPaths(it, nested.get(it.name) ?? [])]),
    ...graph.order.flatMap((index) => {
      const node = graph.workflow.nodes[index]!;
      return listBuiltUpon(node).map((variable) => {
        const capture = node.captures.findLast(({ name }) => name === variable)!;
        return diagnose('data/alias-of-itself', capture.at, { variable });
      });
    }),
  ];
}

function warnName(variable: Variable): Diagnostic[] {
  const { name, captures, reads, aliasReads, conditionReads, globalReads } = variable;
  const { at } = captures[0]!.capture;
  const sites = [...reads, ...aliasReads, ...conditionReads, ...globalReads];
  const isRead = variable.readEverywhere || sites.length > 0;
  return [
    ...(builtInVariables.has(name)
      ? [diagnose('data/shadows-builtin', at, { variable: name })]
      : []),
    ...(isRead ? [] : [diagnose('data/unused-capture', at, { variable: name })]),
  ];
}

/** What a tool's response sets can be an object, whatever else sets the variable. */
function warnPaths(variable: Variable, texts: readonly Text[]): Diagnostic[] {
  const { name, captures, responses, offers } = variable;
  const types = captures.map(({ capture }) => capture.type);
  const isParted = types.some((type) => type === 'array' || type === 'object');
  if (isParted || responses.length + offers.length > 0) return [];
  const args = { variable: name, type: types[0]! };
  return texts.map((text) => diagnose('data/path-into-scalar', text.at, args));
}

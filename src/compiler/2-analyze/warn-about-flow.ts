/** Warnings about the graph as it is. */
import { diagnose } from '../../diagnostics/diagnose.js';
import { append } from '../graph/lists.js';
import { builtInVariables } from '../ir/built-ins.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Diagnostic, Question } from '../ir/result.js';
import type { CaptureSite, VariableFlow } from '../ir/variable-flow.js';
import type { Text, WorkflowEdge } from '../ir/workflow.js';
import { listAliases, listBuiltUpon, listTexts } from './variables.js';

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

function warnUnreachable(graph: FlowGraph): Diagnostic[] {
  return graph.workflow.nodes
    .filter((node) => graph.rank[node.index] === -1)
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
  const { offsets, targets } = graph.predecessors;
  const isEnd = (node: NodeIndex) =>
    graph.successors.offsets[node] === graph.successors.offsets[node + 1];
  const ending = new Set(graph.order.filter(isEnd));
  const pending = [...ending];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    // What ends from a global node ends from everywhere.
    if (graph.workflow.nodes[node]!.global !== null) return [];
    for (let slot = offsets[node]!; slot < offsets[node + 1]!; slot += 1) {
      const before = targets[slot]! as NodeIndex;
      if (ending.has(before)) continue;
      ending.add(before);
      pending.push(before);
    }
  }
  const endless = graph.order.filter((node) => !ending.has(node));
  const [first, ...others] = endless.map((node) => graph.workflow.nodes[node]!);
  if (first === undefined) return [];
  const args = { ids: [first, ...others].map((node) => node.id) };
  return [diagnose('flow/endless', first.at, args, { related: others.map((node) => node.at) })];
}

function warnSameCondition(graph: FlowGraph): Diagnostic[] {
  return graph.order.flatMap((node) => {
    const { offsets, edges } = graph.successors;
    const byCondition = new Map<string | null, WorkflowEdge[]>();
    for (const index of edges.subarray(offsets[node]!, offsets[node + 1]!)) {
      const edge = graph.workflow.edges[index]!;
      append(byCondition, edge.condition?.value ?? null, edge);
    }
    return [...byCondition].flatMap(([condition, [first, second, ...others]]) => {
      if (second === undefined) return [];
      const related = [first!, ...others].map((edge) => edge.at);
      const args = { condition, from: graph.workflow.nodes[node]!.id };
      return [diagnose('flow/same-condition', second.at, args, { related })];
    });
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
  const nested = listNestedReads(graph);
  const ofVariables = [...flow.variables.values()].flatMap((variable) => {
    const { name, captures, responses, offers } = variable;
    const [site] = captures;
    if (site === undefined) return [];
    const at = site.capture.at;
    const reads = [variable.reads, variable.aliasReads, variable.conditionReads];
    const isRead = variable.readEverywhere || reads.some(({ length }) => length > 0);
    return [
      ...(builtInVariables.has(name)
        ? [diagnose('data/shadows-builtin', at, { variable: name })]
        : []),
      ...(isRead || variable.globalReads.length > 0
        ? []
        : [diagnose('data/unused-capture', at, { variable: name })]),
      // What a tool's response sets can be an object, whatever else sets the variable.
      ...(responses.length + offers.length > 0 || hasParts(captures)
        ? []
        : (nested.get(name) ?? [])
      ).map((text) =>
        diagnose('data/path-into-scalar', text.at, { variable: name, type: site.capture.type }),
      ),
    ];
  });
  return [...ofVariables, ...warnBuiltUpon(graph)];
}

/** An alias of its own key, where the node does not find out what it builds upon. */
function warnBuiltUpon(graph: FlowGraph): Diagnostic[] {
  return graph.order.flatMap((index) => {
    const node = graph.workflow.nodes[index]!;
    return listBuiltUpon(node).map((variable) => {
      const capture = node.captures.findLast(({ name }) => name === variable)!;
      return diagnose('data/alias-of-itself', capture.at, { variable });
    });
  });
}

function hasParts(captures: readonly CaptureSite[]): boolean {
  return captures.some(({ capture: { type } }) => type === 'array' || type === 'object');
}

/** Texts that read into a variable, by its name. */
function listNestedReads(graph: FlowGraph): Map<string, Text[]> {
  const nested = new Map<string, Text[]>();
  const conditions = graph.workflow.edges.flatMap((edge) => edge.condition ?? []);
  const own = graph.order.flatMap((index) => {
    const node = graph.workflow.nodes[index]!;
    return [...listTexts(node), ...listAliases(node)];
  });
  for (const text of [...own, ...conditions]) {
    const names = text.uses.filter((use) => use.nested).map((use) => use.name);
    for (const name of new Set(names)) append(nested, name, text);
  }
  return nested;
}

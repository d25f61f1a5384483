/**
 * Aliases that their own assistant reads: the platform evaluates an alias when the call is handed over,
 * so what reads it before that finds nothing.
 *
 * In: the graph with answers applied, its regions, what its variables do. Out: warnings.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { JsonPointer } from '../ir/ids.js';
import type { Region, RegionMap, Step } from '../ir/region-map.js';
import type { Diagnostic } from '../ir/result.js';
import { isAlias, type Variable, type VariableFlow } from '../ir/variables.js';
import type { Condition } from '../ir/workflow.js';
import { createVisits, settingsIn } from './visits.js';

export function warnAboutAliases(
  graph: FlowGraph,
  { variables }: VariableFlow,
  map: RegionMap,
): Diagnostic[] {
  const derived = [...variables.values()].filter(({ captures }) => captures.some(isAlias));
  if (derived.length === 0) return [];
  const regions = new Map(map.regions.flatMap((it) => it.nodes.map((node) => [node, it] as const)));
  return derived.flatMap((variable) => {
    const aliases = variable.captures.filter(isAlias);
    const within = new Set(aliases.flatMap(({ node }) => regions.get(node) ?? []));
    const inOrder = [...within].sort((one, other) => one.index - other.index);
    const reads = inOrder.flatMap((region) => listEarlyReads(graph, region, variable));
    const [at, ...others] = new Set(reads);
    if (at === undefined) return [];
    const related = [...others, ...aliases.map(({ capture }) => capture.at)];
    return [diagnose('data/alias-read-early', at, { variable: variable.name }, { related })];
  });
}

/** What reads the variable inside of the assistant after an alias of it. */
function listEarlyReads(graph: FlowGraph, region: Region, variable: Variable): JsonPointer[] {
  const { nodes, edges, globalPrompt } = graph.workflow;
  const readers = new Set(variable.reads);
  const judging = new Set(variable.conditionReads);
  const inner = region.steps.filter(({ kind, to }) => kind !== 'handoff' && readers.has(to));
  const judged = region.steps.filter(({ from }) => judging.has(from));
  const visits = createVisits(graph.workflow.nodes, region);
  const asked = new Set([...inner, ...judged].map(({ from }) => from));
  const words = visits.onLeaving(settingsIn(region, variable), asked);
  const isDerived = ({ from }: Step) => words.get(from)!.captures.some(isAlias);
  const readBy = (condition: Condition | null): JsonPointer[] => {
    // A condition whose values a tool gives is not read from the call's variables.
    if (condition === null || condition.routing === 'tool') return [];
    return condition.uses.some(({ name }) => name === variable.name) ? [condition.at] : [];
  };
  const found = [
    ...inner.filter(isDerived).map(({ to }) => nodes[to]!.at),
    ...judged.filter(isDerived).flatMap(({ edge }) => readBy(edges[edge]!.condition)),
  ];
  if (!visits.anywhere(settingsIn(region, variable)).captures.some(isAlias)) return found;
  const own = new Set(region.nodes);
  const inside = graph.globals.filter((it) => own.has(it) || nodes[it]!.role === 'exit');
  return [
    ...found,
    ...inside.filter((it) => readers.has(it)).map((it) => nodes[it]!.at),
    ...variable.globalReads.flatMap((it) => readBy(nodes[it]!.global?.condition ?? null)),
    ...(variable.readEverywhere && globalPrompt !== null ? [globalPrompt.at] : []),
  ];
}

/**
 * What a squad cannot do with variables that are derived.
 *
 * The platform evaluates an alias when the call is handed over, once and for all walks: what reads
 * it before that, and what had another value on some walk, is told.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { edgesAt } from '../../graph/adjacency.js';
import { append } from '../../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { JsonPointer } from '../ir/ids.js';
import type { Region, RegionMap } from '../ir/region-map.js';
import type { Diagnostic } from '../ir/result.js';
import type { CaptureSite, Variable, VariableFlow } from '../ir/variable-flow.js';
import type { Condition } from '../ir/workflow.js';
import { createDefinitions } from './definitions.js';
import { aliasAmong, isAlias } from './derivations.js';
import { createInnerWalks, type Reach } from './inner-walks.js';
import type { Crossing, Plans } from './plans.js';

export function warnAboutAliases(
  graph: FlowGraph,
  flow: VariableFlow,
  map: RegionMap,
  plans: Plans,
): Diagnostic[] {
  const derived: Variable[] = [];
  for (const variable of flow.variables.values()) {
    if (variable.captures.some(isAlias)) derived.push(variable);
  }
  if (derived.length === 0) return [];
  const early = listEarlyReads(graph, map, derived);
  const crossings = listCrossings(graph, map, plans);
  return derived.flatMap((variable) => [
    ...warnEarly(variable, early.get(variable) ?? []),
    ...warnCrossing(variable, crossings.get(variable) ?? []),
  ]);
}

function warnEarly({ name, captures }: Variable, places: readonly JsonPointer[]): Diagnostic[] {
  const [at, ...others] = new Set(places);
  if (at === undefined) return [];
  const related = [...others, ...captures.filter(isAlias).map(({ capture }) => capture.at)];
  return [diagnose('data/alias-read-early', at, { variable: name }, { related })];
}

/** For each variable the nodes and conditions that read it behind an alias of the same visit. */
function listEarlyReads(
  graph: FlowGraph,
  map: RegionMap,
  derived: readonly Variable[],
): Map<Variable, JsonPointer[]> {
  const early = new Map<Variable, JsonPointer[]>();
  const definitions = createDefinitions(graph);
  for (const region of map.regions) {
    const own = new Set(region.nodes);
    const inside = derived.filter(({ captures }) =>
      captures.some((site) => isAlias(site) && own.has(site.node)),
    );
    if (inside.length === 0) continue;
    const walks = createInnerWalks(graph, region, definitions);
    for (const variable of inside) {
      const places = listReads(graph, region, variable, walks.reach(variable));
      for (const at of places) append(early, variable, at);
    }
  }
  return early;
}

/** What reads the variable inside of the assistant after an alias of it. */
function* listReads(
  { workflow, globals, successors }: FlowGraph,
  region: Region,
  { name, reads, conditionReads, globalReads, readEverywhere }: Variable,
  reach: Reach,
): Iterable<JsonPointer> {
  const own = new Set(region.nodes);
  const readers = new Set(reads);
  const { nodes, edges, globalPrompt } = workflow;
  for (const { kind, from, to } of region.steps) {
    if (kind === 'handoff' || !readers.has(to)) continue;
    if (reach.at(from).some(isAlias)) yield nodes[to]!.at;
  }
  for (const node of conditionReads) {
    if (!own.has(node) || !reach.at(node).some(isAlias)) continue;
    for (const edge of edgesAt(successors, node)) yield* readBy(edges[edge]!.condition, name);
  }
  if (!reach.anywhere().some(isAlias)) return;
  for (const node of globals) {
    const isInside = own.has(node) || nodes[node]!.role === 'exit';
    if (isInside && readers.has(node)) yield nodes[node]!.at;
  }
  for (const node of globalReads) yield* readBy(nodes[node]!.global?.condition ?? null, name);
  if (readEverywhere && globalPrompt !== null) yield globalPrompt.at;
}

/** A condition whose values a tool gives is not read from the call's variables. */
function readBy(condition: Condition | null, variable: string): JsonPointer[] {
  if (condition === null || condition.routing === 'tool') return [];
  return condition.uses.some(({ name }) => name === variable) ? [condition.at] : [];
}

/** For each variable what crosses with each destination; edges to one assistant share one. */
function listCrossings(
  graph: FlowGraph,
  map: RegionMap,
  plans: Plans,
): Map<Variable, Crossing[][]> {
  const together = new Map<string, Map<Variable, Crossing[]>>();
  const note = (key: string, crossings: readonly Crossing[]): void => {
    const known = together.get(key) ?? new Map<Variable, Crossing[]>();
    together.set(key, known);
    for (const crossing of crossings) append(known, crossing.variable, crossing);
  };
  for (const { index, steps } of map.regions) {
    for (const step of steps) {
      if (step.kind === 'handoff') {
        note(`${index} ${step.from} ${step.region}`, plans.ofStep(step));
      }
    }
    for (const node of graph.globals) note(`${index} ${node}`, plans.ofGlobal(index, node));
  }
  const byVariable = new Map<Variable, Crossing[][]>();
  for (const known of together.values()) {
    for (const [variable, crossings] of known) append(byVariable, variable, crossings);
  }
  return byVariable;
}

function warnCrossing(
  variable: Variable,
  destinations: readonly (readonly Crossing[])[],
): Diagnostic[] {
  const { name } = variable;
  const united = destinations.map((crossings) => crossings.flatMap((it) => it.captures));
  const conflict = united.find(isConflict);
  const made = destinations.flat().flatMap((crossing) => {
    const alias = aliasAmong(crossing.captures);
    return alias === null || !crossing.missable ? [] : [alias.capture.at];
  });
  const [at, ...related] = new Set(made);
  return [
    ...(conflict === undefined ? [] : [diagnoseConflict(name, conflict)]),
    ...(at === undefined
      ? []
      : [diagnose('data/alias-made-anyway', at, { variable: name }, { related })]),
  ];
}

function isConflict(sites: readonly CaptureSite[]): boolean {
  return sites.some(isAlias) && new Set(sites.map(({ capture }) => capture.alias?.value)).size > 1;
}

function diagnoseConflict(variable: string, sites: readonly CaptureSite[]): Diagnostic {
  const [at = '', ...related] = new Set(sites.map(({ capture }) => capture.at));
  const found = !sites.every(isAlias);
  return diagnose('data/alias-conflict', at, { variable, found }, { related });
}

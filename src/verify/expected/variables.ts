/**
 * Where variables are set and read, and the reads that nothing sets.
 *
 * In: what a call can reach. Out: its variables by name; of those that are not supplied from outside
 * the reads to which no walk leads from where they are set.
 */
import { listVariables as listSites } from '../../compiler/3-analyze/variables.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { UnreachedReads } from '../../compiler/ir/inquiry.js';
import { synthesized, traced } from '../../compiler/ir/provenance.js';
import type { PlanProperty } from '../../compiler/ir/squad-ir.js';
import { builtInVariables, type Variable as VariableSites } from '../../compiler/ir/variables.js';
import { describe } from '../../compiler/ir/wording.js';
import type { Capture } from '../../compiler/ir/workflow.js';
import { append } from '../../graph/lists.js';
import { flood } from '../../graph/walks.js';
import { canonical } from '../json.js';
import { reachFromGlobals, type SourceGraph } from './source.js';

/** Where a variable is set and read; of the captures of one node the last counts. */
export interface Variable extends VariableSites {
  /** Global nodes that are entered, but for their edges, only after a tool has set it. */
  readonly givenTo: readonly NodeIndex[];
}

/** By name, in the order in which a walk meets them. */
export type Variables = ReadonlyMap<string, Variable>;

export function listVariables(graph: SourceGraph): Variables {
  const given = new Map<string, NodeIndex[]>();
  for (const { index, global } of graph.globals) {
    for (const name of new Set(global!.condition?.call?.variables)) append(given, name, index);
  }
  const sites = [...listSites(graph)];
  return new Map(sites.map(([name, it]) => [name, { ...it, givenTo: given.get(name) ?? [] }]));
}

/**
 * The reads that no definition reaches; any definition from which a walk leads to the read will do,
 * whatever else the walk sets, so a strongly connected component is one vertex. From every node a
 * call can step to every global node: what is set somewhere is set wherever these lead. What a node
 * captures itself, its own texts may name.
 */
export function findUnsetReads(
  graph: SourceGraph,
  variables: Variables,
  supplied: ReadonlySet<string>,
): ReadonlyMap<string, UnreachedReads> {
  const { successors, components, start, globals, nodeAt } = graph;
  const { of: place, members } = components;
  const after = (node: number) => successors[node]!.map((next) => place[next]!);
  const steps = members.map((nodes) =>
    nodes.length === 1 ? after(nodes[0]!) : [...new Set(nodes.flatMap(after))],
  );
  const stepsFrom = (at: number) => steps[at]!;
  const afterGlobals = reachFromGlobals(graph);
  const goesOn = (node: NodeIndex) => nodeAt(node).role !== 'exit';
  const unset = new Map<string, UnreachedReads>();
  for (const [name, variable] of variables) {
    if (supplied.has(name)) continue;
    const { captures, responses, givenTo, reads, aliasReads, conditionReads } = variable;
    const setting = captures.map(({ node }) => node);
    const own = new Set([...setting, ...givenTo]);
    setting.push(...responses);
    const isSet = setting.length > 0;
    if (!isSet && builtInVariables.has(name)) continue;

    const isGiven = globals.length > 0 && [...setting, ...givenTo].some(goesOn);
    const isSetFirst = goesOn(start) && setting.includes(start);
    const isOpen = (node: NodeIndex) =>
      !own.has(node) && !(isGiven && afterGlobals.has(node)) && !(isSetFirst && node !== start);
    const responding = new Set(responses);
    const isOpenAfter = (node: NodeIndex) => isOpen(node) && !responding.has(node);
    const texts = [...reads.filter(isOpen), ...aliasReads.filter(isOpenAfter)];
    const conditions = conditionReads.filter(isOpenAfter);
    if (isSet && texts.length + conditions.length === 0) continue;

    // What lies behind the last of the reads leads to none of them.
    const last = [...texts, ...conditions].reduce((max, node) => Math.max(max, place[node]!), -1);
    const begins = setting.filter((node) => place[node]! <= last).flatMap(after);
    const reached = flood(begins, stepsFrom, (at) => at >= last);
    const isUnreached = (node: NodeIndex) => !reached.has(place[node]!);
    const unreached = {
      texts: new Set(texts.filter(isUnreached)),
      conditions: new Set(conditions.filter(isUnreached)),
      globals: new Set(isSet ? [] : variable.globalReads),
      globalPrompt: variable.readEverywhere && !isSet,
    };
    const { size } = new Set([...unreached.texts, ...unreached.conditions, ...unreached.globals]);
    if (size > 0 || unreached.globalPrompt) unset.set(name, unreached);
  }
  return unset;
}

/** What the model is asked for: as the captures have it, where they agree. */
export function propertyOf(name: string, found: readonly Capture[]): PlanProperty {
  const [first, ...others] = found as [Capture, ...Capture[]];
  const isOne = others.every(({ type }) => type === first.type);
  const isAlike = others.every(
    (it) => canonical(it.details?.value ?? null) === canonical(first.details?.value ?? null),
  );
  const texts = found.flatMap(({ description }) => description ?? []);
  const isListed = isOne && found.every((it) => it.enum !== null);
  return {
    name,
    type: isOne ? first.type : 'string',
    description: texts.length > 0 ? describe(texts) : traced(name, synthesized('variable-name')),
    enum: isListed ? [...new Set(found.flatMap((it) => it.enum ?? []))] : null,
    details: isOne && isAlike ? first.details : null,
    captures: found.map(({ at }) => at),
  };
}

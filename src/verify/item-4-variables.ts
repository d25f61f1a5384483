/**
 * Item 4. "Every variable referenced across an assistant boundary has a variableExtractionPlan on
 * the crossing handoff; locally used variables have none."
 *
 * A handoff carries a variable exactly when some walk inside the assistant captures it, no tool
 * sets it after that, and what the handoff leads to can read it before it is set again. Its plan
 * has these variables and no others, with the types, descriptions and enumerations of the captures
 * that reach the handoff, all of them required. Variables that an answer or the option `pass`
 * demands are arguments of its tool instead, in the same words. What aliases alone make is derived
 * by the plan, word for word, behind whatever it is made of. A handoff that carries nothing has no
 * plan.
 */
import type { Capture, Text } from '../compiler/ir/workflow.js';
import { ofVariables } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding, type Judgement, judge } from './item.js';
import { checkAliases, checkCarrying, confirm, refute } from './plan-faults.js';
import { readPlan } from './plan-reading.js';
import type { Destination } from './squad-reading.js';
import type { Crossing } from './variables/crossings.js';
import { derivedBy, foundOut } from './variables/derived.js';
import { put } from './variables/lists.js';
import type { Variable } from './variables/sites.js';

export function checkVariables(comparison: Comparison): Judgement {
  return judge(4, listFacts(comparison, false), comparison, () => listFacts(comparison, true));
}

/** The faults, or all facts: most plans are as they are to be. */
function listFacts(comparison: Comparison, all: boolean): Finding[] {
  const facts: Finding[] = [];
  for (const destination of comparison.squad.destinations) {
    checkDestination(comparison, destination, facts, all);
  }
  if (all && facts.length === 0) facts.push(finding(true, ofVariables.none(), [], []));
  return facts;
}

function checkDestination(
  comparison: Comparison,
  destination: Destination,
  facts: Finding[],
  all: boolean,
): void {
  const crossing = listCrossing(comparison, destination);
  const { plan, demand, aliases } = readPlan(destination);
  if (plan === null && demand === null && crossing.length === 0) return;
  const apart = crossing.some(isDerived) ? tellApart(comparison, crossing) : null;
  const found = apart?.found ?? crossing;
  const derived = apart?.derived ?? nothingDerived;
  const scene = { comparison, destination, crossing };
  const before = facts.length;
  const demanded = listDemanded(comparison, found);
  const planned = demanded.length === 0 ? found : listPlanned(comparison, found);
  checkCarrying(scene, plan, ofVariables, planned, facts);
  checkCarrying(scene, demand, ofVariables.asArguments, demanded, facts);
  const place = plan ?? destination;
  checkAliases(scene, derived, aliases, place, facts);
  const isIdle = plan !== null && derived.size === 0 && planned.length === 0;
  if (isIdle && facts.length === before) facts.push(refute(scene, ofVariables.idle, [place.at]));
  if (all && facts.length === before && crossing.length > 0) {
    facts.push(confirm(scene, [plan, demand]));
  }
}

/** What crosses as arguments of the tool; most crosses by a plan. */
function listDemanded({ isDemanded }: Comparison, found: readonly Crossing[]): readonly Crossing[] {
  let demanded: Crossing[] | null = null;
  for (const crossing of found) {
    if (isDemanded(crossing.variable.name)) demanded = put(demanded, crossing);
  }
  return demanded ?? nothing;
}

function listPlanned({ isDemanded }: Comparison, found: readonly Crossing[]): readonly Crossing[] {
  return found.filter(({ variable }) => !isDemanded(variable.name));
}

const nothing: readonly Crossing[] = [];

/** Ways that share a destination carry what any of them carries. */
function listCrossing(
  { match, crossings }: Comparison,
  destination: Destination,
): readonly Crossing[] {
  const passages = match.passagesOf(destination);
  // Most destinations stand for one way.
  if (passages.length === 1) return crossings.of(passages[0]!);
  const united = new Map<Variable, Crossing>();
  for (const passage of passages) {
    for (const crossing of crossings.of(passage)) {
      const { variable, captures } = crossing;
      const known = united.get(variable)?.captures;
      if (known === captures) continue;
      const all = known === undefined ? captures : [...new Set([...known, ...captures])];
      united.set(variable, { variable, captures: all });
    }
  }
  return [...united.values()];
}

const nothingDerived: ReadonlyMap<string, Text> = new Map();

/** What crosses as it was found out, and what the handoff makes of other variables. */
function tellApart({ graph }: Comparison, crossing: readonly Crossing[]) {
  const found: Crossing[] = [];
  const derived = new Map<string, Text>();
  for (const { variable, captures } of crossing) {
    const alias = derivedBy(captures);
    if (alias !== null) derived.set(variable.name, alias);
    const own = captures.some(isAlias) ? foundOut(graph, variable.name, captures) : captures;
    if (own.length > 0) found.push({ variable, captures: own });
  }
  return { found, derived };
}

function isDerived({ captures }: Crossing): boolean {
  return captures.some(isAlias);
}

function isAlias({ alias }: Capture): boolean {
  return alias !== undefined;
}

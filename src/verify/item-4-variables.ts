/**
 * Item 4. "Every variable referenced across an assistant boundary has a variableExtractionPlan on
 * the crossing handoff; locally used variables have none."
 *
 * A handoff carries a variable exactly when some walk inside the assistant captures it, no tool
 * sets it after that, and what the handoff leads to can read it before it is set again. Its plan
 * has these variables and no others, with the types, descriptions and enumerations of the captures
 * that reach the handoff, all of them required.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { ChecklistItem } from '../compiler/ir/result.js';
import type { Capture } from '../compiler/ir/workflow.js';
import { ofVariables } from '../diagnostics/checklist.js';
import type { Comparison, Match } from './comparison.js';
import { type Finding, finding, toItem } from './item.js';
import type { Passage } from './passages.js';
import { faultOfProperty, hasAliases, readPlan } from './plan-reading.js';
import type { Destination } from './squad-reading.js';
import { listVariables, type VariableSites } from './variable-sites.js';
import { listLive, listReached } from './variable-walks.js';

export function checkVariables(comparison: Comparison): ChecklistItem {
  const crossings = computeCrossings(comparison, comparison.match);
  const findings = comparison.squad.destinations.flatMap((destination) =>
    checkPlan(comparison, destination, crossings.get(destination) ?? new Map()),
  );
  const none = finding(true, ofVariables.none(), [], []);
  return toItem(4, findings.length > 0 ? findings : [none], comparison);
}

const planField = 'variableExtractionPlan';

/** By variable, the captures that reach a destination. */
type Crossing = Map<string, Set<Capture>>;

function computeCrossings(
  comparison: Comparison,
  match: Match,
): ReadonlyMap<Destination, Crossing> {
  const { graph, owners, edgePassages, globalPassages } = comparison;
  const passages = new Map<number, Passage[]>();
  for (const passage of [...edgePassages, ...globalPassages]) {
    const list = passages.get(passage.member);
    if (list === undefined) passages.set(passage.member, [passage]);
    else list.push(passage);
  }
  const crossings = new Map<Destination, Crossing>();
  for (const [name, sites] of listVariables(graph)) {
    const capturing = [...sites.captures.keys()];
    const members = new Set(capturing.flatMap((node) => [...owners.of(node)]));
    const leaving = [...members].flatMap((member) => passages.get(member) ?? []);
    if (leaving.length === 0) continue;
    const live = listLive(graph, sites);
    const wanted = leaving.filter((it) => live.has(it.to) && !isGiven(sites, it));
    for (const [passage, captures] of reachPassages(comparison, sites, wanted)) {
      const destination = match.destinationOf.get(passage);
      if (destination !== undefined) note(crossings, destination, name, captures);
    }
  }
  return crossings;
}

/** Whether the tool that the condition of a global node needs sets the variable on the way. */
function isGiven({ givenTo }: VariableSites, { edge, to }: Passage): boolean {
  return edge === null && givenTo.has(to);
}

/** For each passage, where there are some, the captures that reach it. */
function reachPassages(
  { graph, owners }: Comparison,
  sites: VariableSites,
  passages: readonly Passage[],
): Map<Passage, Capture[]> {
  const reached = new Map<string, ReadonlySet<NodeIndex>>();
  const found = new Map<Passage, Capture[]>();
  for (const passage of passages) {
    const { member, from } = passage;
    const captures = [...sites.captures].flatMap(([node, capture]) => {
      if (!owners.of(node).has(member)) return [];
      const key = `${member} ${node}`;
      const nodes = reached.get(key) ?? listReached(graph, owners, member, sites, node);
      reached.set(key, nodes);
      return (from === null ? nodes.size > 0 : nodes.has(from)) ? [capture] : [];
    });
    if (captures.length > 0) found.set(passage, captures);
  }
  return found;
}

function note(
  crossings: Map<Destination, Crossing>,
  destination: Destination,
  variable: string,
  captures: readonly Capture[],
): void {
  const crossing = crossings.get(destination) ?? new Map<string, Set<Capture>>();
  crossings.set(destination, crossing);
  const known = crossing.get(variable) ?? new Set();
  crossing.set(variable, known);
  for (const capture of captures) known.add(capture);
}

function checkPlan(
  { nameOf }: Comparison,
  destination: Destination,
  crossing: ReadonlyMap<string, ReadonlySet<Capture>>,
): Finding[] {
  const plan = readPlan(destination);
  const { properties, required } = plan ?? { properties: {}, required: [] };
  const isEmpty = Object.keys(properties).length + required.length === 0;
  if (isEmpty && crossing.size === 0 && !hasAliases(destination)) return [];
  const names = [...crossing.keys()];
  const source = [...new Set([...crossing.values()].flatMap((it) => [...it].map(({ at }) => at)))];
  const ends = [nameOf(destination.member), destination.target?.value ?? ''] as const;
  const { at, value } = destination;
  const output = [Object.hasOwn(value, planField) ? `${at}/${planField}` : at];
  const fault = (text: string): Finding => finding(false, text, source, output);

  const faults: Finding[] = [];
  const missing = names.filter((name) => !Object.hasOwn(properties, name));
  const extra = Object.keys(properties).filter((name) => !crossing.has(name));
  if (missing.length > 0) faults.push(fault(ofVariables.lacks(...ends, missing)));
  if (extra.length > 0) faults.push(fault(ofVariables.carriesInVain(...ends, extra)));
  for (const [name, captures] of crossing) {
    const what = Object.hasOwn(properties, name)
      ? faultOfProperty(properties[name], name, [...captures])
      : null;
    if (what !== null) faults.push(fault(ofVariables.wrongSchema(...ends, name, what)));
  }
  if (!haveSameElements(required, Object.keys(properties))) {
    faults.push(fault(ofVariables.notRequired(...ends)));
  }
  if (hasAliases(destination)) faults.push(fault(ofVariables.derives(...ends)));
  if (faults.length > 0) return faults;
  return [finding(true, ofVariables.carries(...ends, names), source, output)];
}

function haveSameElements(one: readonly string[], other: readonly string[]): boolean {
  const [first, second] = [new Set(one), new Set(other)];
  return (
    one.length === other.length && first.size === second.size && one.every((it) => second.has(it))
  );
}

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
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Json } from '../compiler/ir/json.js';
import type { ChecklistItem } from '../compiler/ir/result.js';
import type { Capture, Text } from '../compiler/ir/workflow.js';
import { ofVariables } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding, toItem } from './item.js';
import { faultOfProperty } from './plan-property.js';
import { type AliasReading, type CarryingSchema, readPlan } from './plan-reading.js';
import type { Destination } from './squad-reading.js';
import { derivedBy, foundOut } from './variables/derived.js';

export function checkVariables(comparison: Comparison): ChecklistItem {
  const findings = comparison.squad.destinations.flatMap((destination) =>
    checkDestination(comparison, destination),
  );
  const none = finding(true, ofVariables.none(), [], []);
  return toItem(4, findings.length > 0 ? findings : [none], comparison);
}

/** The variables that are to cross, by name, with the captures that reach the handoff. */
type Crossing = ReadonlyMap<string, readonly Capture[]>;

function checkDestination(comparison: Comparison, destination: Destination): Finding[] {
  const crossing = listCrossing(comparison, destination);
  const { plan, demand, aliases } = readPlan(destination);
  if (plan === null && demand === null && crossing.size === 0) return [];
  const { found, derived } = tellApart(comparison, crossing);
  const scene = { comparison, destination, crossing, found };
  const { isDemanded } = comparison;
  const faults = [
    ...checkCarrying(scene, plan, inPlan, (name) => !isDemanded(name)),
    ...checkCarrying(scene, demand, asArguments, isDemanded),
  ];
  const at = plan?.at ?? destination.at;
  const isIdle = plan !== null && derived.size === 0 && [...found.keys()].every(isDemanded);
  for (const fault of checkDerived(scene, derived, aliases, at)) faults.push(fault);
  if (isIdle && faults.length === 0) faults.push(refute(scene, ofVariables.idle, [at]));
  if (faults.length > 0 || crossing.size === 0) return faults;
  const names = [...crossing.keys()];
  const places = [plan, demand].flatMap((it) => (it === null ? [] : [it.at]));
  const carries = (from: string, to: string) => ofVariables.carries(from, to, names);
  return [{ ...refute(scene, carries, places, names), holds: true }];
}

/** Ways that share a destination carry what any of them carries. */
function listCrossing({ match, crossings }: Comparison, destination: Destination): Crossing {
  const united = new Map<string, readonly Capture[]>();
  for (const passage of match.passagesOf(destination)) {
    for (const { variable, captures } of crossings.of(passage)) {
      const known = united.get(variable.name);
      if (known === captures) continue;
      const all = known === undefined ? captures : [...new Set([...known, ...captures])];
      united.set(variable.name, all);
    }
  }
  return united;
}

interface Scene {
  readonly comparison: Comparison;
  readonly destination: Destination;
  readonly crossing: Crossing;
  /** What of it is found out. */
  readonly found: Crossing;
}

/** What crosses as it was found out, and what the handoff makes of other variables. */
function tellApart({ graph }: Comparison, crossing: Crossing) {
  const found = new Map<string, readonly Capture[]>();
  const derived = new Map<string, Text>();
  for (const [name, captures] of crossing) {
    const alias = derivedBy(captures);
    if (alias !== null) derived.set(name, alias);
    const own =
      alias === null && !captures.some((it) => it.alias)
        ? captures
        : foundOut(graph, name, captures);
    if (own.length > 0) found.set(name, own);
  }
  return { found, derived };
}

/** Exactly the aliases that are wanted, each behind those that it is made of. */
function checkDerived(
  scene: Scene,
  derived: ReadonlyMap<string, Text>,
  aliases: readonly AliasReading[] | null,
  at: JsonPointer,
): Finding[] {
  if (aliases === null) return [refute(scene, ofVariables.derives, [at])];
  if (derived.size === 0 && aliases.length === 0) return [];
  const places = new Map(aliases.map(({ key }, place) => [key, place]));
  const missing = [...derived.keys()].filter((key) => !places.has(key));
  const extra = aliases.filter(({ key }, place) => !derived.has(key) || places.get(key) !== place);
  const wrong = aliases.filter(({ key, value }) => (derived.get(key)?.value ?? value) !== value);
  const early = [...derived].filter(([key, alias]) =>
    alias.uses.some(({ name }) => {
      const isBehind = (places.get(name) ?? -1) > (places.get(key) ?? places.size);
      return isBehind && !isMadeOfAll(derived, name, key);
    }),
  );
  const lacks = (from: string, to: string) => ofVariables.lacks(from, to, missing);
  return [
    ...(missing.length > 0 ? [refute(scene, lacks, [at], missing)] : []),
    ...(extra.length > 0 ? [refute(scene, ofVariables.derives, [at])] : []),
    ...[...wrong.map(({ key }) => key), ...early.map(([key]) => key)].map((key) => {
      const derives = (from: string, to: string) => ofVariables.derivesOtherwise(from, to, key);
      return refute(scene, derives, [at], [key]);
    }),
  ];
}

/** Whether the one alias is made of the other, through whatever others: then they are a circle. */
function isMadeOfAll(derived: ReadonlyMap<string, Text>, one: string, other: string): boolean {
  const pending = new Set([one]);
  for (const name of pending) {
    for (const use of derived.get(name)?.uses ?? []) pending.add(use.name);
  }
  return pending.has(other);
}

/** What is said where a handoff carries too little, too much, or says too much about it. */
type Wording = Pick<typeof ofVariables, 'lacks' | 'carriesInVain' | 'notRequired' | 'otherSchema'>;

const inPlan: Wording = ofVariables;
const asArguments: Wording = ofVariables.asArguments;

function checkCarrying(
  scene: Scene,
  schema: CarryingSchema | null,
  wording: Wording,
  belongs: (name: string) => boolean,
): Finding[] {
  const { found, destination } = scene;
  const wanted = [...found.keys()].filter(belongs);
  if (schema === null && wanted.length === 0) return [];
  const places = [schema?.at ?? destination.at];
  const properties = schema?.properties ?? {};
  const present = Object.keys(properties);
  const isWanted = (name: string) => found.has(name) && belongs(name);
  const missing = wanted.filter((name) => !Object.hasOwn(properties, name));
  const extra = present.filter((name) => !isWanted(name));
  const faults: Finding[] = [];
  const say = (sentence: (from: string, to: string) => string, names?: readonly string[]) =>
    faults.push(refute(scene, sentence, places, names));
  if (missing.length > 0) say((...ends) => wording.lacks(...ends, missing), missing);
  if (extra.length > 0) say((...ends) => wording.carriesInVain(...ends, extra), extra);
  if (schema === null) return faults;
  for (const fault of checkProperties(scene, schema, wanted)) faults.push(fault);
  if (!schema.isPlain) say(wording.otherSchema);
  if (!listsEach(schema.required, present)) say(wording.notRequired);
  return faults;
}

function checkProperties(
  scene: Scene,
  { at, properties }: CarryingSchema,
  wanted: readonly string[],
): Finding[] {
  return wanted.flatMap((name) => {
    if (!Object.hasOwn(properties, name)) return [];
    const what = faultOfProperty(properties[name], name, scene.found.get(name)!);
    if (what === null) return [];
    const sentence = (from: string, to: string) => ofVariables.wrongSchema(from, to, name, what);
    return [refute(scene, sentence, [at], [name])];
  });
}

/** Whether the list has each of these names once, and nothing else. */
function listsEach(list: readonly Json[], names: readonly string[]): boolean {
  const listed = new Set(list);
  return (
    list.length === names.length &&
    listed.size === list.length &&
    names.every((name) => listed.has(name))
  );
}

/** A fault that is about these variables, or about the handoff where none of them is captured. */
function refute(
  { comparison, destination, crossing }: Scene,
  sentence: (from: string, to: string) => string,
  output: readonly JsonPointer[],
  names: readonly string[] = [],
): Finding {
  const { match, nameOf, placeOf } = comparison;
  const captured = names.flatMap((name) => crossing.get(name) ?? []).map(({ at }) => at);
  const ways = () => match.passagesOf(destination).map(({ edge, to }) => edge?.at ?? placeOf(to));
  const source = [...new Set(captured.length > 0 ? captured : ways())];
  const { member, target } = destination;
  return finding(false, () => sentence(nameOf(member), target?.value ?? ''), source, output);
}

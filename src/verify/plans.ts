/**
 * Item 4. "Every variable referenced across an assistant boundary has a variableExtractionPlan on
 * the crossing handoff; locally used variables have none."
 *
 * A handoff carries exactly the variables that cross with the ways that it stands for, with the
 * types, descriptions and enumerations of the captures that reach it, all of them required. What an
 * answer or the option `pass` demands is an argument of its tool instead, in the same words. What
 * aliases alone make is derived by the plan, word for word, each behind what it is made of.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../compiler/ir/json.js';
import { writeTemplate } from '../compiler/ir/template.js';
import { propertyField } from '../compiler/ir/tool.js';
import { aliasAmong, foundAmong } from '../compiler/ir/variables.js';
import type { Text } from '../compiler/ir/workflow.js';
import { ofVariables } from '../diagnostics/checklist.js';
import { flood } from '../graph/walks.js';
import { type Comparison, type Finding, fact, fault } from './comparison.js';
import { type Crossing, type Crossings, propertyOf } from './expected/crossings.js';
import type { Passage } from './expected/source.js';
import { areSame, canonical, elements, inOrder, objectOf, textOf } from './json.js';
import type { Destination, Tool } from './squad.js';

/** A schema of variables, as a plan or as arguments. */
interface Carrying {
  readonly at: JsonPointer;
  readonly schema: JsonObject;
  /** Whether something else is said around the schema. */
  readonly isOdd: boolean;
}

/** The names of all that the handoff carries. */
export function listCarried(destination: Destination): ReadonlySet<string> {
  const { plan, demand, aliases } = readPlan(destination);
  const schemas = [plan, demand].map((it) => objectOf(it?.schema['properties']));
  const keys = elements(aliases).flatMap((it) => textOf(objectOf(it)['key']) ?? []);
  return new Set([...schemas.flatMap(Object.keys), ...keys]);
}

/** What a handoff carries by its plan and as arguments of its tool; null where it has none. */
function readPlan({ value, at, tool }: Destination) {
  const given = value['variableExtractionPlan'];
  const { schema, aliases, ...others } = objectOf(given);
  // A plan that only derives has no schema.
  const isOdd = !isEmpty(others) || (schema === undefined && !Array.isArray(aliases));
  const own = schema === undefined && !isOdd ? noVariables : objectOf(schema);
  const plan: Carrying = { at: `${at}/variableExtractionPlan`, schema: own, isOdd };
  return { plan: given === undefined ? null : plan, demand: readArguments(tool), aliases };
}

const noVariables: JsonObject = { type: 'object', properties: {}, required: [] };

function isEmpty(value: JsonObject): boolean {
  return Object.keys(value).length === 0;
}

/** The argument that names the destination is no variable; a tool with arguments needs it. */
function readArguments(tool: Tool | null): Carrying | null {
  const { parameters } = objectOf(tool?.value['function']);
  if (tool === null || parameters === undefined) return null;
  const { properties, required, ...others } = objectOf(parameters);
  const { destination, ...variables } = objectOf(properties);
  const { type, enum: choices, description: _, ...more } = objectOf(destination);
  const targets = elements(tool.value['destinations']).map(objectOf);
  const names = targets.map((it) => it['assistantName'] ?? it['assistantId'] ?? null);
  const left = elements(required).filter((it) => it !== 'destination');
  const isChoice = type === 'string' && areSame(elements(choices), names) && isEmpty(more);
  return {
    at: `${tool.at}/function/parameters`,
    schema: { ...others, properties: variables, required: left },
    isOdd: !isChoice || elements(required).length !== left.length + 1,
  };
}

export function checkPlans(comparison: Comparison): Finding[] {
  const findings: Finding[] = [];
  for (const it of comparison.squad.destinations) findings.push(...checkPlan(comparison, it));
  return findings;
}

/** Tells what is wrong, with where the variables are captured. */
type Say = (text: string, at: JsonPointer, names?: readonly string[]) => void;

function checkPlan(comparison: Comparison, destination: Destination): Finding[] {
  const { squad, crossings, isDemanded, standing } = comparison;
  const passages = standing.get(destination) ?? [];
  const crossing = unite(passages, crossings);
  const { plan, demand, aliases } = readPlan(destination);
  if (plan === null && demand === null && crossing.length === 0) return [];
  const [from, to] = [squad.members[destination.member]!.called, destination.target ?? ''];
  const faults: Finding[] = [];
  /** Where variables are captured; where none of these names cross, the ways of the handoff. */
  const sourceOf = (names: readonly string[]) => {
    const captured = crossing.filter(({ variable }) => names.includes(variable.name));
    const sites = captured.flatMap((it) => it.captures.map(({ capture }) => capture));
    const places = captured.length > 0 ? sites : passages;
    return [...new Set(places.map(({ at }) => at))];
  };
  const say: Say = (text, at, names = []) => faults.push(fault(text, sourceOf(names), [at]));

  const derived = new Map<string, Text>();
  const [planned, demanded] = [new Map<string, JsonObject>(), new Map<string, JsonObject>()];
  for (const { variable, captures } of crossing) {
    const { name } = variable;
    const alias = aliasAmong(captures)?.capture.alias;
    if (alias !== undefined) derived.set(name, alias);
    const own = foundAmong({ variable, captures }).map(({ capture }) => capture);
    if (own.length === 0) continue;
    const [, property] = propertyField(propertyOf(name, own));
    const wanted = objectOf(writeTemplate(property, '', []));
    (isDemanded(name) ? demanded : planned).set(name, wanted);
  }
  const checkCarrying = (
    { at, schema, isOdd }: Carrying,
    wanted: ReadonlyMap<string, JsonObject>,
    words: typeof ofVariables.asArguments,
  ): void => {
    const { type, properties, required, ...others } = schema;
    const given = objectOf(properties);
    const missing = [...wanted.keys()].filter((name) => !Object.hasOwn(given, name));
    if (missing.length > 0) say(words.lacks(from, to, missing), at, missing);
    const extra = Object.keys(given).filter((name) => !wanted.has(name));
    if (extra.length > 0) say(words.carriesInVain(from, to, extra), at, extra);
    for (const [name, property] of wanted) {
      const what = missing.includes(name) ? null : findDifference(given[name], property);
      if (what !== null) say(ofVariables.wrongSchema(from, to, name, what), at, [name]);
    }
    const isWhole = type === 'object' && isJsonObject(properties) && Array.isArray(required);
    if (isOdd || !isWhole || !isEmpty(others)) say(words.otherSchema(from, to), at);
    if (!areSame(elements(required), Object.keys(given))) say(words.notRequired(from, to), at);
  };
  const none: Carrying = { at: destination.at, schema: noVariables, isOdd: false };
  checkCarrying(plan ?? none, planned, ofVariables);
  checkCarrying(demand ?? none, demanded, ofVariables.asArguments);
  const { at } = plan ?? none;
  const { missing, isExtra, otherwise } = compareAliases(derived, aliases);
  if (missing.length > 0) say(ofVariables.lacks(from, to, missing), at, missing);
  if (isExtra) say(ofVariables.derives(from, to), at);
  for (const name of otherwise) say(ofVariables.derivesOtherwise(from, to, name), at, [name]);
  const isIdle = plan !== null && derived.size + planned.size === 0;
  if (isIdle && faults.length === 0) say(ofVariables.idle(from, to), at);
  if (faults.length > 0 || crossing.length === 0) return faults;
  const names = crossing.map(({ variable }) => variable.name);
  const carrying = [plan, demand].filter((it) => it !== null);
  return [fact(ofVariables.carries(from, to, names), sourceOf(names), carrying)];
}

/** Ways that share a destination carry what any of them carries. */
function unite(passages: readonly Passage[], crossings: Crossings): readonly Crossing[] {
  const united = new Map<Crossing['variable'], Crossing>();
  for (const { variable, captures } of passages.flatMap(crossings)) {
    const known = united.get(variable)?.captures ?? [];
    united.set(variable, { variable, captures: [...new Set([...known, ...captures])] });
  }
  return [...united.values()];
}

/** What of a property is not as its captures have it; null where all is. */
function findDifference(given: Json | undefined, wanted: JsonObject): string | null {
  if (!isJsonObject(given)) return 'schema';
  const { type, description, enum: choices, ...others } = given;
  const { type: _, description: words, enum: listed, ...rest } = wanted;
  if (type !== wanted['type']) return 'type';
  if (inOrder(textOf(description) ?? '') !== inOrder(String(words))) return 'description';
  const isListed = listed === undefined ? choices === undefined : Array.isArray(choices);
  if (!isListed || !areSame(elements(choices), elements(listed))) return 'enumeration';
  return canonical(others, true) === canonical(rest, true) ? null : 'schema';
}

/** Exactly the aliases that are derived, each behind those that it is made of. */
function compareAliases(derived: ReadonlyMap<string, Text>, aliases: Json | undefined) {
  const list = elements(aliases).map(objectOf);
  const places = new Map(list.map(({ key }, place) => [key, place]));
  const madeOf = (key: string) => derived.get(key)?.uses.map(({ name }) => name) ?? [];
  // Aliases that are made of each other, through whatever others, stand in any order.
  const isMadeOf = (one: string, other: string) => flood([one], madeOf).has(other);
  const isAsDerived = ([key, { value }]: readonly [string, Text]) => {
    const place = places.get(key)!;
    const isEarly = (name: string) => (places.get(name) ?? -1) > place && !isMadeOf(name, key);
    return canonical(list[place]) === canonical({ key, value }) && !madeOf(key).some(isEarly);
  };
  const standing = [...derived].filter(([key]) => places.has(key));
  return {
    missing: [...derived.keys()].filter((key) => !places.has(key)),
    isExtra: list.length > standing.length || !Array.isArray(aliases ?? []),
    otherwise: standing.filter((it) => !isAsDerived(it)).map(([key]) => key),
  };
}

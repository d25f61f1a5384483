/**
 * Item 4. "Every variable referenced across an assistant boundary has a variableExtractionPlan on
 * the crossing handoff; locally used variables have none."
 *
 * A handoff carries exactly the variables that cross with the edges that it implements, with the
 * types, descriptions and enumerations of the captures that reach it, all of them required. If an
 * answer or the option `pass` says so, a variable is an argument of the tool instead, in the same
 * words. The plan derives what only aliases make, word for word, each after what it is made of.
 */

import type { Destination, Tool } from '../../call/squad.js';
import { type CaptureSite, isAlias, winningAlias } from '../../compiler/ir/variables.js';
import type { Text } from '../../compiler/ir/workflow.js';
import { ofVariables } from '../../diagnostics/checklist.js';
import { groupBy } from '../../graph/lists.js';
import { flood } from '../../graph/walks.js';
import { asObject, isObject, type Json, type JsonObject } from '../../text/json.js';
import { areSame, canonicalSchema, elements, inOrder, isSame, textOf } from '../../text/parts.js';
import type { JsonPointer } from '../../text/pointer.js';
import type { Comparison } from '../comparison.js';
import { propertyOf } from '../expected/requests.js';
import type { SourceGraph } from '../expected/source.js';
import { type Finding, fact, fault } from '../finding.js';
import type { Crossing } from '../walk/crossing.js';

/** A schema of variables, as a plan or as arguments. */
interface VariableSchema {
  readonly at: JsonPointer;
  readonly schema: JsonObject;
  /** Whether anything is stated outside the schema. */
  readonly isOdd: boolean;
}

/** The names of all variables that the handoff carries. */
export function listCarried(destination: Destination): ReadonlySet<string> {
  const { plan, demand, aliases } = readPlan(destination);
  const schemas = [plan, demand].map((it) => asObject(it?.schema['properties']));
  const keys = elements(aliases).flatMap((it) => textOf(asObject(it)['key']) ?? []);
  return new Set([...schemas.flatMap(Object.keys), ...keys]);
}

/** What a handoff carries in its plan and as arguments of its tool; null if it has none. */
function readPlan({ value, at, tool }: Destination) {
  const given = value['variableExtractionPlan'];
  const { schema, aliases, ...others } = asObject(given);
  // A plan that only derives has no schema.
  const isOdd = !isEmpty(others) || (schema === undefined && !Array.isArray(aliases));
  const own = schema === undefined && !isOdd ? noVariables : asObject(schema);
  const plan: VariableSchema = { at: `${at}/variableExtractionPlan`, schema: own, isOdd };
  return { plan: given === undefined ? null : plan, demand: readArguments(tool), aliases };
}

const noVariables: JsonObject = { type: 'object', properties: {}, required: [] };

const isEmpty = (value: JsonObject) => Object.keys(value).length === 0;

/** The argument for the destination is not a variable; a tool with arguments needs it. */
function readArguments(tool: Tool | null): VariableSchema | null {
  const { parameters } = asObject(tool?.value['function']);
  if (tool === null || parameters === undefined) return null;
  const { properties, required, ...others } = asObject(parameters);
  const { destination, ...variables } = asObject(properties);
  const { type, enum: choices, description: _, ...more } = asObject(destination);
  const targets = elements(tool.value['destinations']).map(asObject);
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
  return comparison.squad.destinations.flatMap((it) => checkPlan(comparison, it));
}

/** What is wrong with a plan in words, with its place and the variables that it is about. */
type Fault = readonly [text: string, at: JsonPointer, names?: readonly string[]];

function checkPlan(comparison: Comparison, destination: Destination): Finding[] {
  const { squad, crossings, isDemanded, handoffsOf } = comparison;
  const handoffs = handoffsOf.get(destination) ?? [];
  const crossing = uniteCrossings(comparison.graph, handoffs.flatMap(crossings));
  const { plan, demand, aliases } = readPlan(destination);
  const { called: from, worded } = squad.members[destination.member]!;
  const to = destination.target ?? '';
  /** Where these variables are captured; if none of them crosses, the places of the handoffs. */
  const sourceOf = (names: readonly string[]) => {
    const captured = crossing.filter(({ name }) => names.includes(name));
    const sites = captured.flatMap((it) => it.captures.map(({ capture }) => capture));
    return [...new Set((captured.length > 0 ? sites : handoffs).map(({ at }) => at))];
  };
  const derived = new Map<string, Text>();
  // In a squad of another's, arguments serve as well as a plan.
  const given = asObject(demand?.schema['properties']);
  const isArgument = (name: string) => isDemanded(name) || (!worded && Object.hasOwn(given, name));
  const [planned, demanded] = [new Map<string, JsonObject>(), new Map<string, JsonObject>()];
  for (const { name, captures } of crossing) {
    const alias = winningAlias(captures)?.capture.alias;
    if (alias !== undefined) derived.set(name, alias);
    const own = extractedCaptures(name, captures, comparison.graph);
    if (own.length === 0) continue;
    const wanted = { description: name, ...propertyOf(own) };
    (isArgument(name) ? demanded : planned).set(name, wanted);
  }
  const none: VariableSchema = { at: destination.at, schema: noVariables, isOdd: false };
  const { at } = plan ?? none;
  const faults = [
    ...compareSchema([from, to], plan ?? none, planned, ofVariables),
    ...compareSchema([from, to], demand ?? none, demanded, ofVariables.asArguments),
    ...compareAliases([from, to], at, derived, aliases),
  ];
  const isIdle = plan !== null && derived.size + planned.size === 0;
  if (isIdle && faults.length === 0) faults.push([ofVariables.idle(from, to), at]);
  const carrying = [plan, demand].filter((it) => it !== null);
  const names = crossing.map(({ name }) => name);
  return faults.length > 0 || names.length === 0
    ? faults.map(([text, place, own = []]) => fault(text, sourceOf(own), [place]))
    : [fact(ofVariables.carries(from, to, names), sourceOf(names), carrying)];
}

type Ends = readonly [from: string, to: string];

function compareSchema(
  ends: Ends,
  { at, schema, isOdd }: VariableSchema,
  wanted: ReadonlyMap<string, JsonObject>,
  words: typeof ofVariables.asArguments,
): Fault[] {
  // What a schema says about itself has no meaning.
  const { type, properties, required, description: _, title: __, ...others } = schema;
  const given = asObject(properties);
  const missing = [...wanted.keys()].filter((name) => !Object.hasOwn(given, name));
  const extra = Object.keys(given).filter((name) => !wanted.has(name));
  const isWhole = type === 'object' && isObject(properties) && Array.isArray(required);
  const isOther = isOdd || !isWhole || !isEmpty(others);
  const isRequired = areSame(elements(required), Object.keys(given));
  return [
    ...(missing.length > 0 ? [[words.lacks(...ends, missing), at, missing] as const] : []),
    ...(extra.length > 0 ? [[words.carriesInVain(...ends, extra), at, extra] as const] : []),
    ...[...wanted].flatMap(([name, property]): Fault[] => {
      const what = missing.includes(name) ? null : findDifference(given[name], property);
      return what === null ? [] : [[ofVariables.wrongSchema(...ends, name, what), at, [name]]];
    }),
    ...(isOther ? [[words.otherSchema(...ends), at] as const] : []),
    ...(isRequired ? [] : [[words.notRequired(...ends), at] as const]),
  ];
}

/** Handoffs that share a destination carry what any of them carries. */
export function uniteCrossings({ rank }: SourceGraph, all: readonly Crossing[]) {
  const byName = groupBy(all, ({ name }) => name);
  return Array.from(byName, ([name, same]) => {
    const captures = new Set(same.flatMap((it) => it.captures));
    return { name, captures: [...captures].sort((a, b) => rank[a.node]! - rank[b.node]!) };
  });
}

/** The captures from the conversation, or beneath an alias that derives from them. */
function extractedCaptures(name: string, sites: readonly CaptureSite[], { nodeAt }: SourceGraph) {
  const alias = winningAlias(sites);
  if (alias === null) return sites.filter((it) => !isAlias(it)).map(({ capture }) => capture);
  if (!alias.capture.alias!.uses.some((use) => use.name === name)) return [];
  const { captures } = nodeAt(alias.node);
  return captures.filter((it) => it.name === name && it.alias === undefined).slice(-1);
}

/** The part of a property that differs from its captures; null if none does. */
function findDifference(given: Json | undefined, wanted: JsonObject): string | null {
  if (!isObject(given)) return 'schema';
  const { type, description, enum: choices, ...others } = given;
  const { type: _, description: words, enum: listed, ...rest } = wanted;
  if (type !== wanted['type']) return 'type';
  if (inOrder(textOf(description) ?? '') !== inOrder(String(words))) return 'description';
  const isListed = listed === undefined ? choices === undefined : Array.isArray(choices);
  if (!isListed || !areSame(elements(choices), elements(listed))) return 'enumeration';
  return canonicalSchema(others) === canonicalSchema(rest) ? null : 'schema';
}

/** Compares the aliases with the derived ones, each of which follows what it is made of. */
function compareAliases(
  ends: Ends,
  at: JsonPointer,
  derived: ReadonlyMap<string, Text>,
  aliases: Json | undefined,
): Fault[] {
  const list = elements(aliases).map((each) => asObject(each));
  const places = new Map(list.map(({ key }, place) => [key, place]));
  const madeOf = (key: string) => derived.get(key)?.uses.map(({ name }) => name) ?? [];
  // Aliases that are made of each other, even indirectly, may be in any order.
  const isMadeOf = (one: string, other: string) => flood([one], madeOf).has(other);
  const isAsDerived = ([key, { value }]: readonly [string, Text]) => {
    const place = places.get(key)!;
    const isEarly = (name: string) => (places.get(name) ?? -1) > place && !isMadeOf(name, key);
    return isSame(list[place], { key, value }) && !madeOf(key).some(isEarly);
  };
  const present = [...derived].filter(([key]) => places.has(key));
  const missing = [...derived.keys()].filter((key) => !places.has(key));
  const isExtra = list.length > present.length || !Array.isArray(aliases ?? []);
  const otherwise = present.filter((it) => !isAsDerived(it));
  return [
    ...(missing.length > 0 ? [[ofVariables.lacks(...ends, missing), at, missing] as const] : []),
    ...(isExtra ? [[ofVariables.derives(...ends), at] as const] : []),
    ...otherwise.map(([key]): Fault => [ofVariables.derivesOtherwise(...ends, key), at, [key]]),
  ];
}

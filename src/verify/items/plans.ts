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
import { writeTemplate } from '../../compiler/ir/template.js';
import { propertyField } from '../../compiler/ir/tool.js';
import { aliasAmong, type CaptureSite, isAlias } from '../../compiler/ir/variables.js';
import type { Capture, Text } from '../../compiler/ir/workflow.js';
import { ofVariables } from '../../diagnostics/checklist.js';
import { flood } from '../../graph/walks.js';
import { asObject, isObject, type Json, type JsonObject } from '../../text/json.js';
import { areSame, canonicalSchema, elements, inOrder, isSame, textOf } from '../../text/parts.js';
import type { JsonPointer } from '../../text/pointer.js';
import type { Comparison } from '../comparison.js';
import type { Handoff, SourceGraph } from '../expected/source.js';
import { type Finding, fact, fault } from '../finding.js';
import type { Crossing } from '../walk/crossing.js';
import { propertyOf } from './property.js';

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

function isEmpty(value: JsonObject): boolean {
  return Object.keys(value).length === 0;
}

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
  const findings: Finding[] = [];
  for (const it of comparison.squad.destinations) findings.push(...checkPlan(comparison, it));
  return findings;
}

/** Reports a fault, with the places where the variables are captured. */
type Report = (text: string, at: JsonPointer, names?: readonly string[]) => void;

function checkPlan(comparison: Comparison, destination: Destination): Finding[] {
  const { squad, crossings, isDemanded, handoffsOf } = comparison;
  const handoffs = handoffsOf.get(destination) ?? [];
  const crossing = unite(handoffs, crossings);
  const { plan, demand, aliases } = readPlan(destination);
  if (plan === null && demand === null && crossing.length === 0) return [];
  const [from, to] = [squad.members[destination.member]!.called, destination.target ?? ''];
  const faults: Finding[] = [];
  /** Where these variables are captured; if none of them crosses, the places of the handoffs. */
  const sourceOf = (names: readonly string[]) => {
    const captured = crossing.filter(({ name }) => names.includes(name));
    const sites = captured.flatMap((it) => it.captures.map(({ capture }) => capture));
    const places = captured.length > 0 ? sites : handoffs;
    return [...new Set(places.map(({ at }) => at))];
  };
  const report: Report = (text, at, names = []) => faults.push(fault(text, sourceOf(names), [at]));

  const derived = new Map<string, Text>();
  // In a squad of another's, arguments serve as well as a plan.
  const given = asObject(demand?.schema['properties']);
  const { worded } = squad.members[destination.member]!;
  const isArgument = (name: string) => isDemanded(name) || (!worded && Object.hasOwn(given, name));
  const [planned, demanded] = [new Map<string, JsonObject>(), new Map<string, JsonObject>()];
  for (const { name, captures } of crossing) {
    const alias = aliasAmong(captures)?.capture.alias;
    if (alias !== undefined) derived.set(name, alias);
    const own = foundAmong(name, captures, comparison.graph);
    if (own.length === 0) continue;
    const [, property] = propertyField(propertyOf(name, own));
    const wanted = asObject(writeTemplate(property, '', []));
    (isArgument(name) ? demanded : planned).set(name, wanted);
  }
  const checkSchema = (
    { at, schema, isOdd }: VariableSchema,
    wanted: ReadonlyMap<string, JsonObject>,
    words: typeof ofVariables.asArguments,
  ): void => {
    // What a schema says about itself has no meaning.
    const { type, properties, required, description: _, title: __, ...others } = schema;
    const given = asObject(properties);
    const missing = [...wanted.keys()].filter((name) => !Object.hasOwn(given, name));
    if (missing.length > 0) report(words.lacks(from, to, missing), at, missing);
    const extra = Object.keys(given).filter((name) => !wanted.has(name));
    if (extra.length > 0) report(words.carriesInVain(from, to, extra), at, extra);
    for (const [name, property] of wanted) {
      const what = missing.includes(name) ? null : findDifference(given[name], property);
      if (what !== null) report(ofVariables.wrongSchema(from, to, name, what), at, [name]);
    }
    const isWhole = type === 'object' && isObject(properties) && Array.isArray(required);
    if (isOdd || !isWhole || !isEmpty(others)) report(words.otherSchema(from, to), at);
    if (!areSame(elements(required), Object.keys(given))) report(words.notRequired(from, to), at);
  };
  const none: VariableSchema = { at: destination.at, schema: noVariables, isOdd: false };
  checkSchema(plan ?? none, planned, ofVariables);
  checkSchema(demand ?? none, demanded, ofVariables.asArguments);
  const { at } = plan ?? none;
  const { missing, isExtra, otherwise } = compareAliases(derived, aliases);
  if (missing.length > 0) report(ofVariables.lacks(from, to, missing), at, missing);
  if (isExtra) report(ofVariables.derives(from, to), at);
  for (const name of otherwise) report(ofVariables.derivesOtherwise(from, to, name), at, [name]);
  const isIdle = plan !== null && derived.size + planned.size === 0;
  if (isIdle && faults.length === 0) report(ofVariables.idle(from, to), at);
  if (faults.length > 0 || crossing.length === 0) return faults;
  const names = crossing.map(({ name }) => name);
  const carrying = [plan, demand].filter((it) => it !== null);
  return [fact(ofVariables.carries(from, to, names), sourceOf(names), carrying)];
}

/** The captures from the conversation, or beneath an alias that derives from them. */
function foundAmong(
  name: string,
  sites: readonly CaptureSite[],
  { nodeAt }: SourceGraph,
): Capture[] {
  const alias = aliasAmong(sites);
  if (alias === null) return sites.filter((it) => !isAlias(it)).map(({ capture }) => capture);
  if (!alias.capture.alias!.uses.some((use) => use.name === name)) return [];
  const beneath = nodeAt(alias.node).captures.filter(
    (it) => it.name === name && it.alias === undefined,
  );
  return beneath.slice(-1);
}

/** Handoffs that share a destination carry what any of them carries. */
function unite(
  handoffs: readonly Handoff[],
  crossings: Comparison['crossings'],
): readonly Crossing[] {
  const united = new Map<string, Crossing>();
  for (const crossing of handoffs.flatMap(crossings)) {
    const { name, captures } = crossing;
    const known = united.get(name)?.captures ?? [];
    united.set(name, { ...crossing, captures: [...new Set([...known, ...captures])] });
  }
  return [...united.values()];
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
function compareAliases(derived: ReadonlyMap<string, Text>, aliases: Json | undefined) {
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
  return {
    missing: [...derived.keys()].filter((key) => !places.has(key)),
    isExtra: list.length > present.length || !Array.isArray(aliases ?? []),
    otherwise: present.filter((it) => !isAsDerived(it)).map(([key]) => key),
  };
}

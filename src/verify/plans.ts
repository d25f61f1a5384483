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
import { traced } from '../compiler/ir/provenance.js';
import { schemaTemplate, writeTemplate } from '../compiler/ir/template.js';
import type { Capture, Text } from '../compiler/ir/workflow.js';
import { ofVariables } from '../diagnostics/checklist.js';
import { flood } from '../graph/walks.js';
import { type Comparison, type Finding, fact, fault } from './comparison.js';
import { type Crossing, derivedBy, foundOut } from './expected/crossings.js';
import { areSame, canonical, elements, inOrder, isSame, objectOf, textOf } from './json.js';
import type { Destination } from './squad.js';

/** A schema of the variables that cross. */
interface Carrying {
  readonly at: JsonPointer;
  readonly properties: JsonObject;
  readonly required: readonly Json[];
  /** Whether it says what its variables are, which are required, and no more. */
  readonly isPlain: boolean;
}

/** What a plan derives; null where it cannot be read. */
type Aliases = readonly { readonly key: string; readonly value: string }[] | null;

/** The names of all that the handoff carries. */
export function listCarried(destination: Destination): ReadonlySet<string> {
  const { plan, demand, aliases } = readPlan(destination);
  const names = [plan, demand].flatMap((it) => Object.keys(it?.properties ?? {}));
  return new Set([...names, ...(aliases ?? []).map(({ key }) => key)]);
}

/** What a handoff carries by its plan and as arguments of its tool; null where it has none. */
function readPlan({ value, at, tool }: Destination) {
  const given = value['variableExtractionPlan'];
  const { schema, aliases } = objectOf(given);
  const { properties, required } = objectOf(schema);
  // A plan that only derives has no schema.
  const isSchema = schema === undefined ? Array.isArray(aliases) : isObjectSchema(schema);
  const pairs = elements(aliases).flatMap((it) => {
    const { key, value: template } = objectOf(it);
    const isPair = typeof key === 'string' && typeof template === 'string';
    return isPair && hasOnly(it, 'key', 'value') ? [{ key, value: template }] : [];
  });
  const isRead = Array.isArray(aliases) ? aliases.length === pairs.length : aliases === undefined;
  const plan: Carrying = {
    at: `${at}/variableExtractionPlan`,
    properties: objectOf(properties),
    required: elements(required),
    isPlain: hasOnly(given, 'schema', 'aliases') && isSchema,
  };
  const read: Aliases = isRead ? pairs : null;
  return { plan: given === undefined ? null : plan, demand: readArguments(tool), aliases: read };
}

/** The argument that names the destination is no variable; a tool with arguments needs it. */
function readArguments(tool: Destination['tool']): Carrying | null {
  const { parameters } = objectOf(tool?.value['function']);
  if (tool === null || parameters === undefined) return null;
  const { properties, required } = objectOf(parameters);
  const { destination, ...variables } = objectOf(properties);
  const named = elements(tool.value['destinations']).map((it) => {
    const { assistantName, assistantId } = objectOf(it);
    return assistantName ?? assistantId ?? null;
  });
  const { type, enum: choices } = objectOf(destination);
  const others = elements(required).filter((it) => it !== 'destination');
  return {
    at: `${tool.at}/function/parameters`,
    properties: variables,
    required: others,
    isPlain:
      isObjectSchema(parameters) &&
      elements(required).length === others.length + 1 &&
      hasOnly(destination, 'type', 'enum', 'description') &&
      type === 'string' &&
      areSame(elements(choices), named),
  };
}

function isObjectSchema(schema: Json | undefined): boolean {
  const { type, properties, required } = objectOf(schema);
  const isWhole = type === 'object' && isJsonObject(properties) && Array.isArray(required);
  return isWhole && hasOnly(schema, 'type', 'properties', 'required');
}

function hasOnly(value: Json | undefined, ...keys: readonly string[]): boolean {
  return isJsonObject(value) && Object.keys(value).every((key) => keys.includes(key));
}

export function checkPlans(comparison: Comparison): Finding[] {
  return comparison.squad.destinations.flatMap((it) => checkPlan(comparison, it));
}

function checkPlan(comparison: Comparison, destination: Destination): Finding[] {
  const { graph, squad, crossings, isDemanded, standing } = comparison;
  const passages = standing.get(destination) ?? [];
  const crossing = unite(passages.flatMap(crossings));
  const { plan, demand, aliases } = readPlan(destination);
  if (plan === null && demand === null && crossing.length === 0) return [];
  const [from, to] = [squad.members[destination.member]!.called, destination.target ?? ''];
  /** Where variables are captured; where none of these names cross, the ways of the handoff. */
  const sourceOf = (names: readonly string[]) => {
    const about = crossing.filter(({ variable }) => names.includes(variable.name));
    const captured = about.flatMap(({ captures }) => captures.map(({ at }) => at));
    return [...new Set(captured.length > 0 ? captured : passages.map(({ at }) => at))];
  };
  const faults: Finding[] = [];
  const say = (text: string, at: JsonPointer, names: readonly string[] = []): void => {
    faults.push(fault(text, sourceOf(names), [at]));
  };
  const derived = new Map<string, Text>();
  const found = crossing.flatMap(({ variable, captures }): Crossing[] => {
    const alias = derivedBy(captures);
    if (alias !== null) derived.set(variable.name, alias);
    const own = foundOut(graph, variable.name, captures);
    return own.length === 0 ? [] : [{ variable, captures: own }];
  });
  const check = (
    schema: Carrying | null,
    wanted: readonly Crossing[],
    words: typeof ofVariables.asArguments,
  ) => {
    const { at = destination.at, properties = {}, required = [], isPlain = true } = schema ?? {};
    const names = wanted.map(({ variable }) => variable.name);
    const missing = names.filter((name) => !Object.hasOwn(properties, name));
    if (missing.length > 0) say(words.lacks(from, to, missing), at, missing);
    const extra = Object.keys(properties).filter((name) => !names.includes(name));
    if (extra.length > 0) say(words.carriesInVain(from, to, extra), at, extra);
    for (const { variable, captures } of wanted) {
      const { name } = variable;
      const what = missing.includes(name) ? null : faultOf(properties[name], name, captures);
      if (what !== null) say(ofVariables.wrongSchema(from, to, name, what), at, [name]);
    }
    if (!isPlain) say(words.otherSchema(from, to), at);
    if (!areSame(required, Object.keys(properties))) say(words.notRequired(from, to), at);
  };
  const planned = found.filter(({ variable }) => !isDemanded(variable.name));
  const demanded = found.filter(({ variable }) => isDemanded(variable.name));
  check(plan, planned, ofVariables);
  check(demand, demanded, ofVariables.asArguments);
  const place = plan?.at ?? destination.at;
  const { missing, isExtra, otherwise } = compareAliases(derived, aliases);
  if (missing.length > 0) say(ofVariables.lacks(from, to, missing), place, missing);
  if (isExtra) say(ofVariables.derives(from, to), place);
  for (const name of otherwise) say(ofVariables.derivesOtherwise(from, to, name), place, [name]);
  if (faults.length > 0) return faults;
  if (plan !== null && derived.size + planned.length === 0) say(ofVariables.idle(from, to), place);
  if (faults.length > 0 || crossing.length === 0) return faults;
  const names = crossing.map(({ variable }) => variable.name);
  const carrying = [plan, demand].filter((it) => it !== null);
  return [fact(ofVariables.carries(from, to, names), sourceOf(names), carrying)];
}

/** Ways that share a destination carry what any of them carries. */
function unite(all: readonly Crossing[]): readonly Crossing[] {
  const united = new Map<Crossing['variable'], Crossing>();
  for (const { variable, captures } of all) {
    const known = united.get(variable)?.captures ?? [];
    united.set(variable, { variable, captures: [...new Set([...known, ...captures])] });
  }
  return [...united.values()];
}

/**
 * What of a property is not as its captures have it; null where all is. Types that differ give a
 * text; descriptions that differ are joined; values are enumerated where every capture does so.
 */
function faultOf(property: Json | undefined, name: string, captures: readonly Capture[]) {
  if (!isJsonObject(property)) return 'schema';
  const { type, description, enum: choices, ...others } = property;
  const types = [...new Set(captures.map((it) => it.type))];
  const isOne = types.length === 1;
  if (type !== (isOne ? types[0] : 'string')) return 'type';
  const said = [...new Set(captures.flatMap((it) => it.description?.value ?? []))];
  const words = inOrder((said.length > 0 ? said : [name]).join('; or '));
  if (description === undefined || inOrder(textOf(description) ?? '') !== words) {
    return 'description';
  }
  const isListed = isOne && captures.every((it) => it.enum !== null);
  const listed = captures.flatMap((it) => it.enum ?? []);
  if (isListed ? !areSame(elements(choices), listed) : choices !== undefined) return 'enumeration';
  const [first, ...further] = captures.map(({ details }) => details?.value ?? {});
  const shared = isOne && further.every((it) => isSame(it, first)) ? first : {};
  const schema = schemaTemplate(traced({ ...shared, type: types[0]! }, captures[0]!.origin));
  const written = Object.entries(objectOf(writeTemplate(schema, '', [])));
  const details = written.filter(([key]) => !['type', 'description', 'enum'].includes(key));
  const isEqual = canonical(others, true) === canonical(Object.fromEntries(details), true);
  return isEqual ? null : 'schema';
}

/** Exactly the aliases that are derived, each behind those that it is made of. */
function compareAliases(derived: ReadonlyMap<string, Text>, aliases: Aliases) {
  if (aliases === null) return { missing: [], isExtra: true, otherwise: [] };
  const places = new Map(aliases.map(({ key }, place) => [key, place]));
  const placeOf = (key: string) => places.get(key) ?? -1;
  const madeOf = (key: string) => derived.get(key)?.uses.map(({ name }) => name) ?? [];
  // Aliases that are made of each other, through whatever others, stand in any order.
  const isMadeOf = (one: string, other: string) => flood([one], madeOf).has(other);
  const isEarly = (key: string) =>
    madeOf(key).some((name) => placeOf(name) > placeOf(key) && !isMadeOf(name, key));
  const wrong = aliases.filter(({ key, value }) => (derived.get(key)?.value ?? value) !== value);
  return {
    missing: [...derived.keys()].filter((key) => !places.has(key)),
    isExtra: aliases.some(({ key }, place) => !derived.has(key) || places.get(key) !== place),
    otherwise: [...wrong.map(({ key }) => key), ...[...derived.keys()].filter(isEarly)],
  };
}

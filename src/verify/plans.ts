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
import { schemaTemplate } from '../compiler/ir/schema.js';
import { writeTemplate } from '../compiler/ir/template.js';
import type { Capture, Text } from '../compiler/ir/workflow.js';
import { ofVariables } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import type { Crossing, Passage } from './expected.js';
import { derivedBy, foundOut } from './expected-crossings.js';
import { type Finding, finding } from './findings.js';
import { areSame, elements, isSame, objectOf, textOf } from './json.js';
import { placeOf } from './passages.js';
import type { Destination } from './squad.js';

/** A schema of the variables that cross. */
interface Carrying {
  readonly at: JsonPointer;
  readonly properties: JsonObject;
  readonly required: readonly Json[];
  /** Whether it says what its variables are, which are required, and no more. */
  readonly isPlain: boolean;
}

interface Plan {
  /** Null where the handoff has no plan, or its tool no arguments. */
  readonly plan: Carrying | null;
  readonly demand: Carrying | null;
  /** Null where they cannot be read. */
  readonly aliases: readonly { readonly key: string; readonly value: string }[] | null;
}

/** The names of all that the handoff carries. */
export function listCarried(destination: Destination): ReadonlySet<string> {
  const { plan, demand, aliases } = readPlan(destination);
  const names = [plan, demand].flatMap((it) => Object.keys(it?.properties ?? {}));
  return new Set([...names, ...(aliases ?? []).map(({ key }) => key)]);
}

function readPlan({ value, at, tool }: Destination): Plan {
  const given = value['variableExtractionPlan'];
  const { schema, aliases } = objectOf(given);
  // A plan that only derives has no schema.
  const isSchema = schema === undefined ? Array.isArray(aliases) : isObjectSchema(schema);
  const plan =
    given === undefined
      ? null
      : {
          at: `${at}/variableExtractionPlan`,
          properties: objectOf(objectOf(schema)['properties']),
          required: elements(objectOf(schema)['required']),
          isPlain: hasOnly(given, 'schema', 'aliases') && isSchema,
        };
  const pairs = elements(aliases).flatMap((it) => {
    const { key, value: template } = objectOf(it);
    const isPair = typeof key === 'string' && typeof template === 'string';
    return isPair && hasOnly(it, 'key', 'value') ? [{ key, value: template }] : [];
  });
  const isRead =
    aliases === undefined || (Array.isArray(aliases) && aliases.length === pairs.length);
  return { plan, demand: readArguments(tool), aliases: isRead ? pairs : null };
}

/** The argument that names the destination is no variable; a tool with arguments needs it. */
function readArguments(tool: Destination['tool']): Carrying | null {
  const { parameters } = objectOf(tool?.value['function']);
  if (tool === null || parameters === undefined) return null;
  const { properties, required } = objectOf(parameters);
  const { destination, ...variables } = objectOf(properties);
  const demanded = elements(required);
  const named = elements(tool.value['destinations']).map((it) => {
    const { assistantName, assistantId } = objectOf(it);
    return assistantName ?? assistantId ?? null;
  });
  const { type, enum: choices } = objectOf(destination);
  const isChoice = type === 'string' && areSame(elements(choices), named);
  return {
    at: `${tool.at}/function/parameters`,
    properties: variables,
    required: demanded.filter((it) => it !== 'destination'),
    isPlain:
      isObjectSchema(parameters) &&
      demanded.filter((it) => it === 'destination').length === 1 &&
      hasOnly(destination, 'type', 'enum', 'description') &&
      isChoice,
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
  const facts = comparison.squad.destinations.flatMap((it) => checkPlan(comparison, it));
  return facts.length > 0 ? facts : [finding(true, ofVariables.none(), [], [])];
}

function checkPlan(comparison: Comparison, destination: Destination): Finding[] {
  const { graph, squad, crossings, isDemanded, standing } = comparison;
  const passages = standing.get(destination) ?? [];
  const crossing = unite(passages.flatMap(crossings.of));
  const { plan, demand, aliases } = readPlan(destination);
  if (plan === null && demand === null && crossing.length === 0) return [];
  const from = squad.members[destination.member]!.called;
  const to = destination.target ?? '';
  const facts: Finding[] = [];
  /** Says something of the variables of these names, or where they do not cross of the handoff. */
  const say = (
    text: string,
    at: JsonPointer,
    names: readonly string[] = [],
    holds = false,
  ): void => {
    const about = crossing.filter(({ variable }) => names.includes(variable.name));
    const captured = about.flatMap(({ captures }) => captures.map((it) => it.at));
    const source = captured.length > 0 ? captured : passages.map((it) => placeOf(graph, it));
    facts.push(finding(holds, text, [...new Set(source)], [at]));
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
    const at = schema?.at ?? destination.at;
    const { properties = {}, required = [], isPlain = true } = schema ?? {};
    const names = wanted.map(({ variable }) => variable.name);
    const missing = names.filter((name) => !Object.hasOwn(properties, name));
    if (missing.length > 0) say(words.lacks(from, to, missing), at, missing);
    const extra = Object.keys(properties).filter((name) => !names.includes(name));
    if (extra.length > 0) say(words.carriesInVain(from, to, extra), at, extra);
    for (const {
      variable: { name },
      captures,
    } of wanted) {
      const what = missing.includes(name) ? null : faultOf(properties[name], name, captures);
      if (what !== null) say(ofVariables.wrongSchema(from, to, name, what), at, [name]);
    }
    if (!isPlain) say(words.otherSchema(from, to), at);
    if (!areSame(required, Object.keys(properties))) say(words.notRequired(from, to), at);
  };
  const planned = found.filter(({ variable }) => !isDemanded(variable.name));
  check(plan, planned, ofVariables);
  check(
    demand,
    found.filter(({ variable }) => isDemanded(variable.name)),
    ofVariables.asArguments,
  );
  const place = plan?.at ?? destination.at;
  const { missing, isExtra, otherwise } = compareAliases(derived, aliases);
  if (missing.length > 0) say(ofVariables.lacks(from, to, missing), place, missing);
  if (isExtra) say(ofVariables.derives(from, to), place);
  for (const name of otherwise) say(ofVariables.derivesOtherwise(from, to, name), place, [name]);
  if (facts.length > 0) return facts;
  if (plan !== null && derived.size + planned.length === 0) say(ofVariables.idle(from, to), place);
  else if (crossing.length > 0) {
    const names = crossing.map(({ variable }) => variable.name);
    say(ofVariables.carries(from, to, names), place, names, true);
    const places = [plan, demand].flatMap((it) => it?.at ?? []);
    return facts.map((it) => ({ ...it, output: places }));
  }
  return facts;
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
function faultOf(
  property: Json | undefined,
  name: string,
  captures: readonly Capture[],
): string | null {
  if (!isJsonObject(property)) return 'schema';
  const { type, description, enum: choices, ...others } = property;
  const types = [...new Set(captures.map((it) => it.type))];
  if (type !== (types.length === 1 ? types[0] : 'string')) return 'type';
  const said = [...new Set(captures.flatMap((it) => it.description?.value ?? []))];
  const inOrder = (text: string) => text.split('; or ').sort().join('; or ');
  const words = (said.length > 0 ? said : [name]).join('; or ');
  if (inOrder(textOf(description) ?? '') !== inOrder(words) || description === undefined)
    return 'description';
  const isListed = types.length === 1 && captures.every((it) => it.enum !== null);
  const listed = captures.flatMap((it) => it.enum ?? []);
  if (isListed ? !areSame(elements(choices), listed) : choices !== undefined) return 'enumeration';
  const [first, ...further] = captures.map(({ details }) => details?.value ?? {});
  const isOne = types.length === 1 && further.every((it) => isSame(it, first));
  const schema = schemaTemplate(
    traced({ ...(isOne ? first : {}), type: types[0]! }, captures[0]!.origin),
  );
  const {
    type: _,
    description: __,
    enum: ___,
    ...details
  } = writeTemplate(schema, '', []) as JsonObject;
  return isSame(others, details, true) ? null : 'schema';
}

/** Exactly the aliases that are derived, each behind those that it is made of. */
function compareAliases(derived: ReadonlyMap<string, Text>, aliases: Plan['aliases']) {
  if (aliases === null) return { missing: [], isExtra: true, otherwise: [] };
  const places = new Map(aliases.map(({ key }, place) => [key, place]));
  const placeOfKey = (key: string) => places.get(key) ?? -1;
  const wrong = aliases.filter(({ key, value }) => (derived.get(key)?.value ?? value) !== value);
  const early = [...derived].filter(([key, { uses }]) =>
    uses.some(({ name }) => placeOfKey(name) > placeOfKey(key) && !isMadeOf(derived, name, key)),
  );
  return {
    missing: [...derived.keys()].filter((key) => !places.has(key)),
    isExtra: aliases.some(({ key }, place) => !derived.has(key) || places.get(key) !== place),
    otherwise: [...wrong.map(({ key }) => key), ...early.map(([key]) => key)],
  };
}

/** Whether the one alias is made of the other, through whatever others: then they are a circle. */
function isMadeOf(derived: ReadonlyMap<string, Text>, one: string, other: string): boolean {
  const pending = new Set([one]);
  for (const name of pending)
    for (const use of derived.get(name)?.uses ?? []) pending.add(use.name);
  return pending.has(other);
}

/** The variables that cross with these ways, by name. */
export function listCrossing(
  { crossings }: Pick<Comparison, 'crossings'>,
  passages: readonly Passage[],
) {
  return new Set(passages.flatMap((it) => crossings.of(it).map(({ variable }) => variable.name)));
}

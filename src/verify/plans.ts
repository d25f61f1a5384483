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
import { type Crossing, type Crossings, derivedBy, foundOut } from './expected/crossings.js';
import type { Passage } from './expected/source.js';
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
    return isPair && hasOnly(it, ['key', 'value']) ? [{ key, value: template }] : [];
  });
  const isRead = Array.isArray(aliases) ? aliases.length === pairs.length : aliases === undefined;
  const plan: Carrying = {
    at: `${at}/variableExtractionPlan`,
    properties: objectOf(properties),
    required: elements(required),
    isPlain: hasOnly(given, ['schema', 'aliases']) && isSchema,
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
      hasOnly(destination, ['type', 'enum', 'description']) &&
      type === 'string' &&
      areSame(elements(choices), named),
  };
}

function isObjectSchema(schema: Json | undefined): boolean {
  const { type, properties, required } = objectOf(schema);
  const isWhole = type === 'object' && isJsonObject(properties) && Array.isArray(required);
  return isWhole && hasOnly(schema, ['type', 'properties', 'required']);
}

function hasOnly(value: Json | undefined, keys: readonly string[]): boolean {
  if (!isJsonObject(value)) return false;
  for (const key of Object.keys(value)) if (!keys.includes(key)) return false;
  return true;
}

export function checkPlans(comparison: Comparison): Finding[] {
  const findings: Finding[] = [];
  for (const it of comparison.squad.destinations) findings.push(...checkPlan(comparison, it));
  return findings;
}

/** A handoff, what is to cross with it, and what is wrong with that. */
interface Subject {
  readonly from: string;
  readonly to: string;
  readonly at: JsonPointer;
  readonly passages: readonly Passage[];
  readonly crossing: readonly Crossing[];
  readonly faults: Finding[];
}

function checkPlan(comparison: Comparison, destination: Destination): Finding[] {
  const { graph, squad, crossings, isDemanded, standing } = comparison;
  const passages = standing.get(destination) ?? [];
  const crossing = unite(passages, crossings);
  const { plan, demand, aliases } = readPlan(destination);
  if (plan === null && demand === null && crossing.length === 0) return [];
  const [from, to] = [squad.members[destination.member]!.called, destination.target ?? ''];
  const faults: Finding[] = [];
  const subject: Subject = { from, to, at: destination.at, passages, crossing, faults };
  const derived = new Map<string, Text>();
  const [planned, demanded]: [Crossing[], Crossing[]] = [[], []];
  for (const { variable, captures } of crossing) {
    const alias = derivedBy(captures);
    if (alias !== null) derived.set(variable.name, alias);
    const own = foundOut(graph, variable.name, captures);
    if (own.length === 0) continue;
    (isDemanded(variable.name) ? demanded : planned).push({ variable, captures: own });
  }
  checkCarrying(subject, plan, planned, ofVariables);
  checkCarrying(subject, demand, demanded, ofVariables.asArguments);
  const place = plan?.at ?? destination.at;
  const { missing, isExtra, otherwise } = compareAliases(derived, aliases);
  if (missing.length > 0) say(subject, ofVariables.lacks(from, to, missing), place, missing);
  if (isExtra) say(subject, ofVariables.derives(from, to), place);
  for (const name of otherwise) {
    say(subject, ofVariables.derivesOtherwise(from, to, name), place, [name]);
  }
  if (faults.length > 0) return faults;
  if (plan !== null && derived.size + planned.length === 0) {
    say(subject, ofVariables.idle(from, to), place);
  }
  if (faults.length > 0 || crossing.length === 0) return faults;
  const names = crossing.map(({ variable }) => variable.name);
  const carrying = [plan, demand].filter((it) => it !== null);
  return [fact(ofVariables.carries(from, to, names), sourceOf(subject, names), carrying)];
}

function say(subject: Subject, text: string, at: JsonPointer, names: readonly string[] = []): void {
  subject.faults.push(fault(text, sourceOf(subject, names), [at]));
}

/** Where variables are captured; where none of these names cross, the ways of the handoff. */
function sourceOf({ crossing, passages }: Subject, names: readonly string[]): JsonPointer[] {
  const captured = new Set<JsonPointer>();
  for (const { variable, captures } of crossing) {
    if (names.includes(variable.name)) for (const { at } of captures) captured.add(at);
  }
  if (captured.size > 0) return [...captured];
  return [...new Set(passages.map(({ at }) => at))];
}

function checkCarrying(
  subject: Subject,
  schema: Carrying | null,
  wanted: readonly Crossing[],
  words: typeof ofVariables.asArguments,
): void {
  if (schema === null && wanted.length === 0) return;
  const { from, to } = subject;
  const { at = subject.at, properties = {}, required = [], isPlain = true } = schema ?? {};
  const names = wanted.map(({ variable }) => variable.name);
  const missing = names.filter((name) => !Object.hasOwn(properties, name));
  if (missing.length > 0) say(subject, words.lacks(from, to, missing), at, missing);
  const extra = Object.keys(properties).filter((name) => !names.includes(name));
  if (extra.length > 0) say(subject, words.carriesInVain(from, to, extra), at, extra);
  for (const { variable, captures } of wanted) {
    const { name } = variable;
    const what = missing.includes(name) ? null : faultOf(properties[name], name, captures);
    if (what !== null) say(subject, ofVariables.wrongSchema(from, to, name, what), at, [name]);
  }
  if (!isPlain) say(subject, words.otherSchema(from, to), at);
  if (!areSame(required, Object.keys(properties))) say(subject, words.notRequired(from, to), at);
}

/** Ways that share a destination carry what any of them carries. */
function unite(passages: readonly Passage[], crossings: Crossings): readonly Crossing[] {
  const [only, ...others] = passages;
  if (only !== undefined && others.length === 0) return crossings(only);
  const united = new Map<Crossing['variable'], Crossing>();
  for (const { variable, captures } of passages.flatMap(crossings)) {
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
  const { type, description, enum: choices } = property;
  const types = new Set<string>();
  const said = new Set<string>();
  for (const capture of captures) {
    types.add(capture.type);
    if (capture.description !== null) said.add(capture.description.value);
  }
  const [first, ...further] = captures;
  const isOne = types.size === 1;
  if (type !== (isOne ? first!.type : 'string')) return 'type';
  const words = inOrder(said.size > 0 ? [...said].join('; or ') : name);
  if (description === undefined || inOrder(textOf(description) ?? '') !== words) {
    return 'description';
  }
  if (!isOne || captures.some((it) => it.enum === null)) {
    if (choices !== undefined) return 'enumeration';
  } else {
    const listed = captures.flatMap((it) => it.enum ?? []);
    if (!areSame(elements(choices), listed)) return 'enumeration';
  }
  const details = first!.details?.value ?? {};
  const isShared = isOne && further.every((it) => isSame(it.details?.value ?? {}, details));
  const wanted = isShared ? writeDetails(details, first!) : {};
  return canonical(withoutNamed(property), true) === canonical(wanted, true) ? null : 'schema';
}

/** What a schema of the captured variable says beside its type, its description and its values. */
function writeDetails(details: JsonObject, { type, origin }: Capture): JsonObject {
  if (Object.keys(details).length === 0) return {};
  const schema = schemaTemplate(traced({ ...details, type }, origin));
  return withoutNamed(objectOf(writeTemplate(schema, '', [])));
}

function withoutNamed({ type: _, description: __, enum: ___, ...others }: JsonObject): JsonObject {
  return others;
}

/** Exactly the aliases that are derived, each behind those that it is made of. */
function compareAliases(derived: ReadonlyMap<string, Text>, aliases: Aliases) {
  if (aliases === null || derived.size + aliases.length === 0) {
    return { missing: [], isExtra: aliases === null, otherwise: [] };
  }
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

/**
 * The variables that a node captures, in every form that documents have: a list of variables, an
 * object of them by name, a schema with properties, the options of a gather node. Also those that
 * it derives from others by templates (aliases, which are evaluated at a handoff), and those that
 * the response of a tool sets.
 */
import { groupBy } from '../../graph/lists.js';
import { isObject, type Json, textOf } from '../../text/json.js';
import { child, type JsonPointer } from '../../text/pointer.js';
import { isAliasKey } from '../ir/names.js';
import { fromSource, traced } from '../ir/provenance.js';
import type { Capture, ResponseVariable } from '../ir/workflow.js';
import { isReservedKey } from './copy-json.js';
import { names } from './dialect.js';
import { type Found, nameType, type Reading, tracedOf } from './reading.js';
import { joinTexts, textAt } from './template.js';

/** The variables that the node captures, in source order; derived ones come last. */
export function takeCaptures(node: Reading): Capture[] {
  const plan = node.takeInside('variableExtractionPlan');
  const captures = [
    ...['schema', 'output'].flatMap((field) => takeDeclared(plan, field)),
    ...names.captures.flatMap((field) => takeDeclared(node, field)),
    ...takeAnswer(node),
    ...takeAliases(plan).map(({ name, value, at }): Capture => {
      const alias = textAt(value.value, value.at, node.faults);
      return { ...plainText(name.value, at, name.at), alias };
    }),
  ];
  // An alias may refine what the node captures under the same name.
  const isIndependent = ({ name, alias }: Capture) => !alias?.uses.some((use) => use.name === name);
  checkSetOnce(node, captures.filter(isIndependent));
  return captures;
}

function takeDeclared(holder: Reading | null, field: string): Capture[] {
  if (holder === null) return [];
  if (holder.known !== null || Array.isArray(holder.value[field])) {
    return holder.takeInsides(field).flatMap((entry) => {
      const name = entry.requireString('an extracted variable', ...names.variable.name);
      const isUnread = name === null && entry.known === null;
      return isUnread ? [] : readVariable(entry, name, name?.at ?? null);
    });
  }
  const inside = holder.takeInside(field);
  const isSchema = isObject(inside?.value['properties']) || inside?.value['type'] === 'object';
  if (isSchema) inside!.takeAll(['type', 'required', 'additionalProperties', '$schema']);
  // An object by name; the order of keys has no meaning.
  const named = isSchema ? inside!.takeInside('properties') : inside;
  return Object.keys(named?.value ?? {}).flatMap((name) => {
    const entry = named!.takeInside(name);
    return entry === null ? [] : readVariable(entry, { value: name, at: entry.at }, null);
  });
}

/** `nameAt` is null if the name is a key. */
function readVariable(entry: Reading, name: Found<string> | null, nameAt: JsonPointer | null) {
  const { at, value, intake } = entry;
  const given = takeType(entry);
  const description = joinTexts(entry.takeTexts(names.variable.description));
  const choices = takeChoices(entry, names.variable.choices);
  // What else a schema says about a value.
  const fields = entry.takeAll(['format', 'items', 'pattern', 'properties', 'required']);
  const more = Object.fromEntries(fields.map((field) => [field, value[field]!]));
  const details = fields.length === 0 ? null : traced(more, fromSource(at));
  if (name === null || given === null) return [];
  checkName(entry, name.value, name.at);
  const type = intake.vocabulary.variableTypes.get(given);
  const typeAt = entry.placeOf(names.variable.type);
  if (type === undefined && entry.known !== null) {
    const args = { type: given, variable: name.value };
    entry.report('shape/unknown-variable-type', typeAt, args);
    return [];
  }
  if (type !== given) {
    const args = { found: `the type "${given}"`, as: `"${type ?? 'string'}"` };
    entry.report('shape/read-as', typeAt, args);
  }
  const places = { name: nameAt, type: typeAt, enum: entry.placeOf(names.variable.choices) };
  const found = { type: type ?? 'string', description, enum: choices, details, places };
  return [{ ...plainText(name.value, at, nameAt), ...found }];
}

/** One type. In a list of types, null is ignored; without a type the variable is a text. */
function takeType(entry: Reading): string | null {
  if (entry.known !== null) {
    return entry.requireString('an extracted variable', 'type')?.value ?? null;
  }
  const given = entry.value[entry.take(...names.variable.type) ?? ''] ?? 'string';
  const listed = Array.isArray(given) ? (given.find((it) => it !== 'null') ?? 'string') : given;
  return typeof listed === 'string' ? listed.toLowerCase() : nameType(listed);
}

function takeChoices(entry: Reading, fields: readonly string[]): readonly string[] | null {
  const { value: given = [], at = '' } = entry.takeAs('a list', ...fields) ?? {};
  const isText = (it: Json) => entry.known === null || typeof it === 'string';
  const choices = given.filter(isText).map(textOf);
  if (choices.length < given.length) {
    const args = { expected: 'a list of texts', found: 'another type in the list' };
    entry.report('shape/wrong-type', at, { field: fields[0]!, ...args });
  }
  // A choice stands in a prompt beside its variable.
  for (const [index, name] of choices.entries()) {
    if (unsafe.test(name)) entry.report('shape/unsafe-name', child(at, index), { name });
  }
  return choices.length === 0 ? null : choices;
}

/** The answer of a gather node; without a name the platform stores it as `input`. */
function takeAnswer(node: Reading): Capture[] {
  const variable = node.takeString('variable');
  const optionsAt = node.has('options') ? node.placeIn('options') : null;
  const at = variable?.at ?? optionsAt;
  if (at === null) return [];
  const name = variable?.value ?? 'input';
  checkName(node, name, at);
  const places = { name: variable && at, type: node.at, enum: optionsAt ?? at };
  return [{ ...plainText(name, at, null), enum: takeChoices(node, ['options']), places }];
}

/** A text without a description. */
function plainText(name: string, at: JsonPointer, nameAt: JsonPointer | null): Capture {
  const [type, nothing] = ['string', { description: null, enum: null, details: null }] as const;
  const places = { name: nameAt, type: at, enum: at };
  return { name, type, ...nothing, at, origin: fromSource(at), places };
}

/** Keys and values of a plan's aliases; an invalid key is reported (spec/3, "Limits"). */
function takeAliases(plan: Reading | null) {
  return (plan?.takeInsides('aliases') ?? []).flatMap((entry) => {
    const name = entry.requireString('an alias', 'key');
    const value = entry.requireString('an alias', 'value');
    if (name === null || value === null) return [];
    checkAliasKey(entry, name);
    return [{ name, value, at: entry.at }];
  });
}

/** Would end a line or open a template where the name stands in a text. */
const unsafe = /[{}\p{Cc}\p{Zl}\p{Zp}]/u;

function checkName(holder: Reading, name: string, at: JsonPointer): void {
  if (isReservedKey(name)) holder.report('shape/reserved-name', at, { name });
  else if (unsafe.test(name)) holder.report('shape/unsafe-name', at, { name });
  else if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(name)) {
    holder.report('data/unreadable-name', at, { variable: name });
  }
}

function checkAliasKey(holder: Reading, { value: variable, at }: Found<string>): void {
  checkName(holder, variable, at);
  if (!isAliasKey(variable)) holder.report('data/alias-key', at, { variable });
}

/** If variables of one node have the same name, the last counts; the others are reported. */
function checkSetOnce(holder: Reading, variables: readonly Pick<Capture, 'name' | 'at'>[]): void {
  for (const [first, ...others] of groupBy(variables, ({ name }) => name).values()) {
    for (const { name, at } of others) {
      holder.report('data/set-twice', at, { variable: name }, { related: [first!.at] });
    }
  }
}

const responsePath =
  /^(?:\$\.?)?(?:[\p{L}_][\p{L}\p{N}_-]*|\[\d+\])(?:\.[\p{L}_][\p{L}\p{N}_-]*|\[\d+\])*$/u;

/** Variables of the response that a request lists; its `output` may also be a schema. */
export function takeListedResponses(tool: Reading): ResponseVariable[] {
  const { output, ...others } = names.responses;
  const lists = { ...others, ...(Array.isArray(tool.value['output']) && { output }) };
  return Object.entries(lists).flatMap(([field, spellings]) => {
    const variables = tool.takeInsides(field).flatMap((entry) => {
      const name = entry.requireString('a response variable', ...spellings.name);
      const path = entry.requireString('a response variable', ...spellings.path);
      // The value's type and description are not used.
      entry.takeAll(['type', 'description']);
      if (name === null || path === null) return [];
      checkAliasKey(entry, name);
      if (!responsePath.test(path.value)) {
        entry.report('shape/response-path', path.at, { path: path.value });
      }
      return [atPath(name.value, path.value, entry.at, path.at)];
    });
    checkSetOnce(tool, variables);
    return variables;
  });
}

function atPath(name: string, path: string, at: JsonPointer, sourceAt: JsonPointer) {
  return { name, path: path.replace(/^\$\.?/, ''), value: null, at, sourceAt };
}

/**
 * Variables that the tool's plan extracts from the response: schema properties, and aliases. An
 * alias is a template; one that consists of a path into the response counts as that path. In the
 * others `$` and `tool` stand for the response. Liquid has no `$`, so a name of the same length
 * replaces it while the template is read.
 */
export function takeResponses(tool: Reading) {
  const plan = tool.takeInside('variableExtractionPlan');
  const { variables, schema } = takeSchema(plan, 'schema');
  const derived = takeAliases(plan).map(({ name, value: { value, at: sourceAt }, at }) => {
    const inside = /^\s*\{\{-?\s*(\$[^\s|}]*?)\s*-?\}\}\s*$/.exec(value)?.[1] ?? '';
    if (responsePath.test(inside)) return atPath(name.value, inside, at, sourceAt);
    const text = textAt(value.replaceAll('$', '_'), sourceAt, tool.faults);
    const uses = text.uses.filter((use) => use.name !== '_' && use.name !== 'tool');
    return { ...atPath(name.value, '', at, sourceAt), value: { ...text, value, uses } };
  });
  const all = [...variables, ...derived];
  checkSetOnce(tool, all);
  return { variables: all, schema };
}

/** A schema whose properties are variables; older request nodes call it their output. */
export function takeSchema(holder: Reading | null, field: string) {
  const inside = holder?.takeInside(field) ?? null;
  inside?.takeAll(Object.keys(inside.value));
  const properties = inside?.takeAs('an object', 'properties');
  const variables = Object.keys(properties?.value ?? {}).map((name) => {
    const at = child(properties!.at, name);
    checkName(inside!, name, at);
    return atPath(name, '', at, at);
  });
  return { variables, schema: variables.length === 0 ? null : tracedOf(inside) };
}

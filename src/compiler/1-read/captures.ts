/**
 * What a node finds out, in every form that documents have for it: a list of variables, an object of
 * them by name, a schema whose properties they are, the options of a gather node; and what it
 * derives from others, by templates (aliases, which are read when the call is handed over).
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { child, type JsonPointer } from '../ir/ids.js';
import { isJsonObject, type JsonObject } from '../ir/json.js';
import { fromSource, type Traced, traced } from '../ir/provenance.js';
import type { Diagnostic } from '../ir/result.js';
import type { Capture, VariableType } from '../ir/workflow.js';
import { isReservedKey } from './copy-json.js';
import { names } from './dialect.js';
import { type Found, nameType, type Reading } from './reading.js';
import { joinTexts, textAt } from './template.js';

/** What a schema says of a value beside its type, description and choices. */
const detailFields = ['format', 'items', 'pattern', 'properties', 'required'];

/** The variables that the node captures, in source order; those that it derives come last. */
export function takeCaptures(node: Reading): Capture[] {
  const plan = node.takeInside('variableExtractionPlan');
  const captures = [
    ...(plan === null ? [] : ['schema', 'output'].flatMap((field) => takeDeclared(plan, field))),
    ...names.captures.flatMap((field) => takeDeclared(node, field)),
    ...takeAnswer(node),
    ...(plan?.takeInsides('aliases') ?? []).flatMap(readAlias),
  ];
  // An alias may refine what the node finds out under the same name.
  const isOfItsOwn = ({ name, alias }: Capture) => !alias?.uses.some((use) => use.name === name);
  checkSetOnce(captures.filter(isOfItsOwn), node.faults);
  return captures;
}

function takeDeclared(holder: Reading, field: string): Capture[] {
  if (holder.words.isStrict || Array.isArray(holder.value[field])) {
    return holder.takeInsides(field).flatMap(readListed);
  }
  const inside = holder.takeInside(field);
  if (inside === null) return [];
  const isSchema = isJsonObject(inside.value['properties']) || inside.value['type'] === 'object';
  if (!isSchema) return readNamed(inside);
  for (const word of ['type', 'required', 'additionalProperties', '$schema']) inside.take(word);
  const properties = inside.takeInside('properties');
  return properties === null ? [] : readNamed(properties);
}

/** Variables by name; the order of keys says nothing. */
function readNamed(holder: Reading): Capture[] {
  return Object.keys(holder.value)
    .sort()
    .flatMap((name) => {
      const entry = holder.takeInside(name);
      return entry === null ? [] : readVariable(entry, { value: name, at: null });
    });
}

/** An element of a list, which says its own name. */
function readListed(entry: Reading): Capture[] {
  const given = entry.take(...names.variable.name);
  const name = entry.requireString('an extracted variable', given ?? 'name');
  return name === null && !entry.words.isStrict ? [] : readVariable(entry, name);
}

/** `name.at` is null where the name is a key. */
function readVariable(
  entry: Reading,
  name: { readonly value: string; readonly at: JsonPointer | null } | null,
): Capture[] {
  const { at, words, faults } = entry;
  const given = takeType(entry);
  const description = joinTexts(entry.takeTexts(names.variable.description));
  const choices = takeChoices(entry, names.variable.choices);
  const details = takeDetails(entry);
  if (name === null || given === null) return [];
  checkVariableName(name.value, name.at ?? at, faults);
  const placeOf = (fields: readonly string[]) => {
    const field = fields.find((it) => entry.has(it));
    return field === undefined ? at : child(at, field);
  };
  const typeAt = placeOf(names.variable.type);
  let type = given;
  if (!words.variableTypes.includes(given)) {
    const args = { type: given, variable: name.value };
    if (words.isStrict) {
      entry.report('shape/unknown-variable-type', typeAt, args);
      return [];
    }
    type = typesMeant.get(given) ?? 'string';
    entry.report('shape/read-as', typeAt, { found: `the type "${given}"`, as: `"${type}"` });
  }
  const places = { name: name.at, type: typeAt, enum: placeOf(names.variable.choices) };
  const found = { type: type as VariableType, description, enum: choices, details };
  return [{ name: name.value, ...found, at, origin: fromSource(at), places }];
}

/** Types that other languages have; all others are read as texts. */
const typesMeant: ReadonlyMap<string, VariableType> = new Map([
  ...(['int', 'long'] as const).map((it) => [it, 'integer'] as const),
  ...(['float', 'double', 'decimal'] as const).map((it) => [it, 'number'] as const),
  ['bool', 'boolean'],
  ['list', 'array'],
]);

/** One type; a list of them says that null may stand there too, and without any it is a text. */
function takeType(entry: Reading): string | null {
  if (entry.words.isStrict) {
    return entry.requireString('an extracted variable', 'type')?.value ?? null;
  }
  const field = entry.take(...names.variable.type);
  const given = field === null ? 'string' : entry.value[field]!;
  const listed = Array.isArray(given) ? (given.find((it) => it !== 'null') ?? 'string') : given;
  return typeof listed === 'string' ? listed.toLowerCase() : nameType(listed);
}

function takeChoices(entry: Reading, fields: readonly string[]): readonly string[] | null {
  const listed = entry.takeAs('a list', ...fields);
  if (listed === null) return null;
  const { value: given, at } = listed;
  const texts = given.filter((it) => typeof it === 'string');
  if (entry.words.isStrict && texts.length < given.length) {
    const args = {
      field: fields[0]!,
      expected: 'a list of texts',
      found: 'another type in the list',
    };
    entry.report('shape/wrong-type', at, args);
  }
  const inWords = given.map((it) => (typeof it === 'object' ? JSON.stringify(it) : String(it)));
  const choices = entry.words.isStrict ? texts : inWords;
  // A choice stands in a prompt beside its variable.
  for (const [index, name] of choices.entries()) {
    if (unsafe.test(name)) entry.report('shape/unsafe-name', child(at, index), { name });
  }
  return choices.length === 0 ? null : choices;
}

function takeDetails(entry: Reading): Traced<JsonObject> | null {
  const given = detailFields.filter((field) => entry.take(field) !== null);
  if (given.length === 0) return null;
  const details = Object.fromEntries(given.map((field) => [field, entry.value[field]!]));
  return traced(details, fromSource(entry.at));
}

/** What a caller may choose from, or answers: the platform keeps it as `input` where no name is given. */
function takeAnswer(node: Reading): Capture[] {
  const variable = node.takeString('variable');
  if (variable === null && !node.has('options')) return [];
  const { value: name, at } = variable ?? { value: 'input', at: child(node.at, 'options') };
  checkVariableName(name, at, node.faults);
  const choicesAt = node.has('options') ? child(node.at, 'options') : at;
  const places = { name: variable && at, type: node.at, enum: choicesAt };
  return [textual(name, at, { enum: takeChoices(node, ['options']), places })];
}

function readAlias(entry: Reading): Capture[] {
  const { at, faults } = entry;
  return takeAlias(entry).map(([name, value]) => {
    const places = { name: name.at, type: at, enum: at };
    return textual(name.value, at, { alias: textAt(value.value, value.at, faults), places });
  });
}

/** A text that nothing describes. */
function textual(
  name: string,
  at: JsonPointer,
  parts: Pick<Capture, 'places'> & Partial<Capture>,
): Capture {
  const plain = { description: null, enum: null, details: null };
  return { name, type: 'string', ...plain, at, origin: fromSource(at), ...parts };
}

/** Key and value of an alias, where it has both; the key is legal or told (spec/3, "Limits"). */
export function takeAlias(entry: Reading): (readonly [Found<string>, Found<string>])[] {
  const name = entry.requireString('an alias', 'key');
  const value = entry.requireString('an alias', 'value');
  if (name === null || value === null) return [];
  checkAliasKey(name, entry.faults);
  return [[name, value]];
}

/** Would end a line or open a template where the name stands in a text. */
const unsafe = /[{}\p{Cc}\p{Zl}\p{Zp}]/u;

export function checkVariableName(name: string, at: JsonPointer, faults: Diagnostic[]): void {
  if (isReservedKey(name)) faults.push(diagnose('shape/reserved-name', at, { name }));
  else if (unsafe.test(name)) faults.push(diagnose('shape/unsafe-name', at, { name }));
  else if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(name)) {
    faults.push(diagnose('data/unreadable-name', at, { variable: name }));
  }
}

export function checkAliasKey({ value, at }: Found<string>, faults: Diagnostic[]): void {
  checkVariableName(value, at, faults);
  if (/^[A-Za-z][A-Za-z0-9_]{0,39}$/.test(value)) return;
  faults.push(diagnose('data/alias-key', at, { variable: value }));
}

/** Of the variables of one node that have one name the last counts; the others are told. */
export function checkSetOnce(
  variables: readonly { readonly name: string; readonly at: JsonPointer }[],
  faults: Diagnostic[],
): void {
  const earlier = new Map<string, JsonPointer>();
  for (const { name, at } of variables) {
    const first = earlier.get(name);
    if (first === undefined) earlier.set(name, at);
    else faults.push(diagnose('data/set-twice', at, { variable: name }, { related: [first] }));
  }
}

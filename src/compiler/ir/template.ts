/**
 * JSON whose parts have origins, from which the document is written, and JSON Schemas in the
 * platform's dialect as such templates.
 *
 * Shared by the compiler and the verifier. A template is a tree of objects and lists. Its leaves
 * are values of one origin, carried whole, and texts composed of segments. A value and its origin
 * are given in the same place, so the document and the source map cannot drift apart.
 *
 * Example: `fieldsWith({ type: fixed('apiRequest'), url: request.url })` is written as `{ "type":
 * "apiRequest", "url": "https://…" }`, with a source map entry for each of the two.
 */
import { asObject, isObject, type Json, type JsonObject, textOf } from '../../text/json.js';
import { child, type JsonPointer } from '../../text/pointer.js';
import { derived, type Segment, synthesized, type Traced, traced, within } from './provenance.js';
import type { SourceMapEntry } from './result.js';
import type { NamedSetting } from './workflow.js';

export type Template =
  | Traced<Json>
  | { readonly segments: readonly Segment[] }
  | { readonly items: readonly Template[] }
  | Fields;

/** An object; each key occurs once. */
export interface Fields {
  readonly fields: readonly Field[];
}

export type Field = readonly [key: string, value: Template];

const shape = synthesized('shape');

/** A value of squadc's own: the vocabulary of the target's shape. */
export function fixed(value: Json): Traced<Json> {
  return traced(value, shape);
}

/** The object with the members that are not null. The keys are the target's. */
export function fieldsWith(members: Readonly<Record<string, Template | null>>): Fields {
  const all = Object.entries(members);
  return { fields: all.flatMap(([key, value]): Field[] => (value === null ? [] : [[key, value]])) };
}

export function fieldsOf(object: Fields | Traced<JsonObject>): readonly Field[] {
  if ('fields' in object) return object.fields;
  return Object.keys(object.value).map((key) => [key, partOf(object, key)]);
}

export function partOf({ value, origin }: Traced<JsonObject>, key: string): Traced<Json> {
  return { value: value[key] ?? null, origin: within(origin, key) };
}

/** The value if it is an object, else an empty object. */
export function objectOf({ value, origin }: Traced<Json>): Traced<JsonObject> {
  return traced(asObject(value), origin);
}

export function itemsOf({ value, origin }: Traced<Json>): Traced<Json>[] {
  return Array.isArray(value) ? value.map((it: Json, at) => traced(it, within(origin, at))) : [];
}

/** The same object with more fields after its own; they replace fields of the same key. */
export function withFields(template: Fields | Traced<JsonObject>, more: readonly Field[]): Fields {
  return { fields: [...new Map([...fieldsOf(template), ...more])] };
}

export function sorted(fields: readonly Field[]): Field[] {
  return fields.toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** The pieces of a text; none of an empty one. */
export function segmentsOf(text: Template | undefined): readonly Segment[] {
  if (text !== undefined && 'segments' in text) return text.segments;
  if (text === undefined || !('value' in text) || text.value === '') return [];
  return [{ text: String(text.value), origin: text.origin }];
}

/** A captured property; what the source's own says, but for its fixed value, counts more. */
export function keepOwn(own: Template | undefined, added: Fields): Fields {
  if (own === undefined || !('value' in own || 'fields' in own)) return added;
  const kept = new Map(fieldsOf('fields' in own ? own : objectOf(own)));
  for (const key of ['value', 'const']) kept.delete(key);
  const more = new Map(added.fields);
  const [said, also] = [kept, more].map((it) => segmentsOf(it.get('description')));
  const [type, wanted] = [kept, more].map((it) => textIn(segmentsOf(it.get('type'))));
  // Without a description a capture has the variable's name.
  const [{ origin = null } = {}] = also!;
  const isNamed = origin?.kind === 'synthesized' && origin.rule === 'named-after-variable';
  const isSaid = said!.length > 0 && (isNamed || textIn(said!).includes(textIn(also!)));
  const between = { text: said!.length > 0 ? '; ' : '', origin: fixed(null).origin };
  const segments = isSaid ? said! : [...said!, between, ...also!];
  const alike = type === '' || type === wanted ? added.fields : [];
  return withFields({ fields: alike }, [...kept, ['description', { segments }]]);
}

export const textIn = (parts: readonly Segment[]) => parts.map(({ text }) => text).join('');

/** A text of these segments; of a single one it is a value of one origin. */
export function composed(segments: readonly Segment[]): Template {
  const [first, ...others] = segments;
  return first && others.length === 0 ? traced(first.text, first.origin) : { segments };
}

/** The value as it stands at a place in the document; the origins of its parts go into the map. */
export function writeTemplate(template: Template, at: JsonPointer, map: SourceMapEntry[]): Json {
  if ('value' in template) {
    noteWithin(template, at, map);
    return template.value;
  }
  if ('segments' in template) {
    let text = '';
    for (const { text: piece, origin } of template.segments) {
      const range = [text.length, text.length + piece.length] as const;
      text += piece;
      if (piece !== '') map.push({ output: at, range, origin });
    }
    return text;
  }
  if ('items' in template) {
    return template.items.map((it, index) => writeTemplate(it, child(at, index), map));
  }
  // The reader has rejected keys that would change what an object inherits.
  const written: Record<string, Json> = {};
  for (const [key, value] of template.fields) {
    written[key] = writeTemplate(value, child(at, key), map);
  }
  return written;
}

/** Values are no deeper than a document may be, so the recursion is bounded. */
function noteWithin({ value, origin }: Traced<Json>, output: JsonPointer, map: SourceMapEntry[]) {
  const isWhole = origin === shape || typeof value !== 'object' || value === null;
  const members = isWhole ? [] : Object.entries<Json>(value);
  if (members.length === 0) map.push({ output, origin });
  for (const [key, member] of members) {
    noteWithin(traced(member, within(origin, key)), child(output, key), map);
  }
}

const types: readonly Json[] = ['string', 'number', 'integer', 'boolean', 'array', 'object'];
const formats: readonly Json[] = [
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
];

const isText = (value: Json) => typeof value === 'string';
const isTexts = (value: Json): value is readonly string[] =>
  Array.isArray(value) && value.every(isText);

/** Keywords that the platform accepts unchanged, and a test of their values. */
const supported: ReadonlyMap<string, (value: Json) => boolean> = new Map([
  ['enum', isTexts],
  ['format', (value: Json) => formats.includes(value)],
  ['pattern', isText],
  ['required', isTexts],
  ['title', isText],
]);

/** Keywords that say nothing about a value to be filled in, or that are handled separately. */
const ignored: ReadonlySet<string> = new Set([
  ...['$schema', '$id', 'additionalProperties', 'type', 'description'],
]);

/** Returns true if the object is a schema rather than the value itself, whatever its type is called. */
export function isSchema(value: JsonObject): boolean {
  const { properties, ...others } = value;
  const isKeyword = (key: string) => key === 'value' || supported.has(key) || ignored.has(key);
  const isPlain = Object.keys(others).every(isKeyword);
  if (isObject(properties)) return value['type'] === 'object' || isPlain;
  return value['type'] === 'object' && properties === undefined && isPlain;
}

/**
 * Any JSON Schema → one with the few keywords that the platform accepts; it rejects all others.
 * What those cannot express goes into the description, so that the model knows it. A fixed value is
 * the platform's `value`; `fixing` are the keywords that leave no choice, none in a schema of what
 * is to be found. Schemas are no deeper than a document may be, so the recursion is bounded.
 *
 * Example: `{ "type": "integer", "minimum": 1 }` becomes `{ "description": "(minimum: 1)", "type":
 * "integer" }`.
 */
export function schemaTemplate(
  schema: Traced<Json>,
  fixing: readonly string[] = ['value', 'const'],
): Fields {
  const object = objectOf(schema);
  const { enum: choices = null } = object.value;
  const isFixing = (key: string) => choices === null || key === 'value';
  const fixingKey = fixing.find((key) => Object.hasOwn(object.value, key) && isFixing(key));
  const extra: string[] = [];
  const fields: Field[] = [['type', typeOfSchema(object)]];
  for (const { key, value: part } of membersByName(object)) {
    const { value } = part;
    // An empty list of choices says nothing about what is to be found.
    const isEmpty = key === 'enum' && fixing.length === 0 && isTexts(value) && value.length === 0;
    if (ignored.has(key) || isEmpty) continue;
    if (key === 'properties' && isObject(value)) {
      const all = membersByName(objectOf(part));
      fields.push([key, { fields: all.map((it) => [it.key, schemaTemplate(it.value, fixing)]) }]);
    } else if (key === 'items' && isObject(value)) fields.push([key, schemaTemplate(part, fixing)]);
    else if (key === fixingKey) fields.push(['value', part]);
    else if (key === 'required' && isTexts(value)) fields.push([key, distinct(part)]);
    else if (supported.get(key)?.(value)) fields.push([key, part]);
    else extra.push(`${key}: ${JSON.stringify(value)}`);
  }
  const description = describeSchema(object, extra.sort());
  if (description !== null) fields.push(['description', description]);
  return { fields: sorted(fields) };
}

/** The list with each text once. */
function distinct(list: Traced<Json>): Template {
  const items = itemsOf(list);
  const each = new Map(items.map((it) => [it.value, it]));
  return each.size === items.length ? list : { items: [...each.values()] };
}

export function asText({ value, origin }: Traced<Json>): Traced<string> {
  return traced(textOf(value), typeof value === 'string' ? origin : derived('as-text', origin));
}

/** One type: the first of several, or what the other keywords suggest. */
function typeOfSchema(schema: Traced<JsonObject>): Traced<Json> {
  const { type = null } = schema.value;
  if (types.includes(type)) return partOf(schema, 'type');
  const listed = Array.isArray(type) ? type.find((it) => types.includes(it)) : undefined;
  const has = (key: string) => Object.hasOwn(schema.value, key);
  const suggested = has('properties') ? 'object' : has('items') ? 'array' : 'string';
  return traced(listed ?? suggested, derived('schema-type', schema.origin));
}

/** The schema's own description, followed by what no keyword can express. */
function describeSchema(schema: Traced<JsonObject>, extra: readonly string[]): Template | null {
  const { value: text, origin } = partOf(schema, 'description');
  const segments = typeof text === 'string' ? [{ text, origin }] : [];
  if (extra.length > 0) {
    const rest = `${segments.length > 0 ? ' ' : ''}(${extra.join(', ')})`;
    segments.push({ text: rest, origin: derived('schema-rest', schema.origin) });
  }
  return segments.length === 0 ? null : composed(segments);
}

/** The members of an object, sorted by key. */
export function membersByName(object: Traced<JsonObject>): NamedSetting[] {
  const keys = Object.keys(object.value).sort();
  return keys.map((key) => ({ key, value: partOf(object, key) }));
}

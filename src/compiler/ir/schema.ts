/**
 * A JSON Schema → the platform's kind of JSON Schema.
 *
 * Shared by the compiler and the verifier. In: any schema. Out: one of the few keywords that the
 * platform takes; it refuses all others. Guarantees: what the keywords cannot say is told in the
 * description, so that the model knows.
 *
 * Example: `{ "type": "integer", "minimum": 1 }` becomes
 * `{ "description": "(minimum: 1)", "type": "integer" }`.
 */
import { isJsonObject, type Json, type JsonObject } from './json.js';
import { derived, type Segment, type Traced, traced } from './provenance.js';
import { type Field, type Fields, partOf } from './template.js';
import type { NamedSetting } from './workflow.js';

interface SchemaReading {
  /** Keywords that leave no choice of the value, the weightiest first. */
  readonly fixing?: readonly string[];
  /** Properties to leave out, of the schema itself and not of those inside. */
  readonly without?: ReadonlySet<string>;
}

const types: readonly Json[] = ['string', 'number', 'integer', 'boolean', 'array', 'object'];
const formats: readonly Json[] = [
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
];

/** Keywords that the platform takes as they are, with what they may hold. */
const carried: ReadonlyMap<string, (value: Json) => boolean> = new Map([
  ['enum', isTexts],
  ['format', (value: Json) => formats.includes(value)],
  ['pattern', isText],
  ['required', isTexts],
  ['title', isText],
]);

/** Keywords that say nothing about a value that is to be filled in. */
const silent: ReadonlySet<string> = new Set(['$schema', '$id', 'additionalProperties']);

/** Whether an object is a schema rather than the value itself. */
export function isSchema(value: JsonObject): boolean {
  const isKeyword = (key: string) =>
    carried.has(key) || silent.has(key) || key === 'type' || key === 'description';
  if (value['type'] !== 'object') return false;
  return isJsonObject(value['properties']) || Object.keys(value).every(isKeyword);
}

/** Schemas are at most as deep as a document may be, so the recursion is bounded. */
export function schemaTemplate(
  schema: Traced<Json>,
  { fixing = ['value', 'const'], without = new Set() }: SchemaReading = {},
): Fields {
  const object = traced(isJsonObject(schema.value) ? schema.value : {}, schema.origin);
  const only = Object.hasOwn(object.value, 'enum') ? undefined : fixerOf(object.value, fixing);
  const unsaid: string[] = [];
  const fields: Field[] = [['type', typeOfSchema(object)]];
  for (const key of Object.keys(object.value)) {
    const part = partOf(object, key);
    const { value, origin } = part;
    if (key === 'type' || key === 'description' || silent.has(key)) continue;
    if (key === 'properties' && isJsonObject(value)) {
      const kept = membersByName({ value, origin }).filter(({ key }) => !without.has(key));
      const properties = kept.map((it): Field => [it.key, schemaTemplate(it.value, { fixing })]);
      fields.push([key, { fields: properties }]);
    } else if (key === 'items' && isJsonObject(value)) {
      fields.push([key, schemaTemplate(part, { fixing })]);
    } else if (key === only) {
      fields.push(['enum', { items: [asText(part)] }]);
    } else if (key === 'required' && without.size > 0 && isTexts(value)) {
      const left = value.filter((name) => !without.has(name));
      fields.push([key, traced(left, derived('schema-required', origin))]);
    } else if (carried.get(key)?.(value) === true) {
      fields.push([key, part]);
    } else {
      unsaid.push(`${key}: ${JSON.stringify(value)}`);
    }
  }
  const description = descriptionOfSchema(object, unsaid.sort());
  if (description !== null) fields.push(['description', description]);
  return { fields: fields.sort(([one], [other]) => (one < other ? -1 : 1)) };
}

export function fixerOf(value: JsonObject, fixing: readonly string[]): string | undefined {
  return fixing.find((key) => Object.hasOwn(value, key));
}

/** A value as the text that says it. */
export function asText({ value, origin }: Traced<Json>): Traced<string> {
  if (typeof value === 'string') return traced(value, origin);
  return traced(JSON.stringify(value), derived('as-text', origin));
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

function descriptionOfSchema(schema: Traced<JsonObject>, unsaid: readonly string[]) {
  const { description } = schema.value;
  const own = typeof description === 'string' ? partOf(schema, 'description') : null;
  if (unsaid.length === 0) return own;
  const origin = derived('schema-rest', schema.origin);
  if (own === null) return traced(`(${unsaid.join(', ')})`, origin);
  const said: Segment = { text: String(own.value), origin: own.origin };
  return { segments: [said, { text: ` (${unsaid.join(', ')})`, origin }] };
}

function isText(value: Json): boolean {
  return typeof value === 'string';
}

function isTexts(value: Json): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

/** The members of an object, sorted by key. */
export function membersByName(object: Traced<JsonObject>): NamedSetting[] {
  const keys = Object.keys(object.value).sort();
  return keys.map((key) => ({ key, value: partOf(object, key) }));
}

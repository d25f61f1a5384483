/**
 * A JSON Schema → the platform's kind of JSON Schema.
 *
 * In: any schema. Out: one of the few keywords that the platform takes; it refuses all others.
 * Guarantees: what the keywords cannot say is told in the description, so that the model knows.
 *
 * Example: `{ "type": "integer", "minimum": 1 }` becomes
 * `{ "description": "(minimum: 1)", "type": "integer" }`.
 */
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import { type Traced, traced, within } from '../ir/provenance.js';
import type { Segment } from '../ir/squad-ir.js';
import { compose, derived, inside, note, type Place, partOf } from './tracing.js';

export interface SchemaReading {
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

/** Values are at most as deep as a document may be, so the recursion is bounded. */
export function assembleSchema(
  schema: Traced<Json>,
  at: Place,
  { fixing = ['value', 'const'], without = new Set() }: SchemaReading,
): JsonObject {
  const object = traced(isJsonObject(schema.value) ? schema.value : {}, schema.origin);
  const only = Object.hasOwn(object.value, 'enum') ? null : findFixer(object, fixing);
  const unsaid: string[] = [];
  const parts: [string, Json][] = [['type', assembleType(object, inside(at, 'type'))]];
  for (const key of Object.keys(object.value)) {
    const part = partOf(object, key);
    const { value, origin } = part;
    const place = inside(at, key);
    if (key === 'type' || key === 'description' || silent.has(key)) continue;
    if (key === 'properties' && isJsonObject(value)) {
      const names = Object.keys(value).filter((name) => !without.has(name));
      const properties = names.sort().map((name) => {
        const property = partOf({ value, origin }, name);
        return [name, assembleSchema(property, inside(place, name), { fixing })];
      });
      parts.push([key, Object.fromEntries(properties)]);
    } else if (key === 'items' && isJsonObject(value)) {
      parts.push([key, assembleSchema(part, place, { fixing })]);
    } else if (key === only) {
      parts.push(['enum', [noteText(part, inside(inside(at, 'enum'), 0))]]);
    } else if (key === 'required' && without.size > 0 && isTexts(value)) {
      parts.push([key, note(requireLess(part, without), place)]);
    } else if (carried.get(key)?.(value) === true) {
      parts.push([key, note(part, place)]);
    } else {
      unsaid.push(`${key}: ${JSON.stringify(value)}`);
    }
  }
  const description = describe(object, unsaid.sort());
  if (description.length > 0) {
    parts.push(['description', compose(description, inside(at, 'description'))]);
  }
  return Object.fromEntries(parts.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The value that a schema fixes; null where it leaves a choice. */
export function findFixed(
  { value, origin }: Traced<Json>,
  fixing: readonly string[],
): Traced<Json> | null {
  if (!isJsonObject(value)) return null;
  const key = findFixer({ value, origin }, fixing);
  return key === null ? null : partOf({ value, origin }, key);
}

/** A value as the text that says it. */
export function noteText({ value, origin }: Traced<Json>, at: Place): string {
  if (typeof value === 'string') return note(traced(value, origin), at);
  return note(traced(JSON.stringify(value), derived('as-text', origin)), at);
}

function findFixer({ value }: Traced<JsonObject>, fixing: readonly string[]): string | null {
  return fixing.find((key) => Object.hasOwn(value, key)) ?? null;
}

/** One type: the first of several, or what the other keywords suggest. */
function assembleType(schema: Traced<JsonObject>, at: Place): Json {
  const { type = null } = schema.value;
  if (types.includes(type)) return note(partOf(schema, 'type'), at);
  const listed = Array.isArray(type) ? type.find((it) => types.includes(it)) : undefined;
  const has = (key: string) => Object.hasOwn(schema.value, key);
  const suggested = has('properties') ? 'object' : has('items') ? 'array' : 'string';
  return note(traced(listed ?? suggested, derived('schema-type', schema.origin)), at);
}

function requireLess({ value, origin }: Traced<Json>, without: ReadonlySet<string>) {
  const left = (value as readonly string[]).filter((name) => !without.has(name));
  return traced(left, derived('schema-required', origin));
}

function describe(schema: Traced<JsonObject>, unsaid: readonly string[]): Segment[] {
  const { description } = schema.value;
  const own =
    typeof description === 'string'
      ? [{ text: description, origin: within(schema.origin, 'description') }]
      : [];
  if (unsaid.length === 0) return own;
  const text = `${own.length > 0 ? ' ' : ''}(${unsaid.join(', ')})`;
  return [...own, { text, origin: derived('schema-rest', schema.origin) }];
}

function isText(value: Json): boolean {
  return typeof value === 'string';
}

function isTexts(value: Json): boolean {
  return Array.isArray(value) && value.every(isText);
}

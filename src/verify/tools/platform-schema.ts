/**
 * What headers, bodies and parameters of the source come to in the voice platform's few words.
 *
 * The platform takes JSON Schemas of few keywords for what a request sends, and static fields for
 * what is fixed. So a header is a schema that allows one text, a fixed field of a body is a static
 * field, and what the keywords cannot say stands behind the description. Written apart from the
 * compiler on purpose: a fault in one of the two shows.
 *
 * Values are at most as deep as a source may be, so the recursion is bounded.
 */
import { isJsonObject, type Json, type JsonObject } from '../../compiler/ir/json.js';
import { elements, objectOf } from '../squad-reading.js';

/** A body as the platform sends it: what the model fills in, and what it does not see. */
export interface PlatformBody {
  readonly body: JsonObject | null;
  readonly fixed: readonly StaticField[];
}

export interface StaticField {
  readonly key: string;
  readonly value: Json;
}

export function platformHeaders(headers: JsonObject): JsonObject {
  if (isSchema(headers)) return platformSchema(headers, ['value', 'default', 'const']);
  const names = Object.keys(headers).sort();
  const only = (name: string) => ({ type: 'string', enum: [asText(headers[name]!)] });
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, only(name)])),
    required: names,
  };
}

export function platformBody(value: Json): PlatformBody {
  if (!isJsonObject(value)) return { body: null, fixed: [] };
  if (!isSchema(value)) return { body: null, fixed: withoutNull(Object.entries(value)) };
  const properties = objectOf(value['properties']);
  const fixed = Object.entries(properties).flatMap(([name, property]): [string, Json][] => {
    const keyword = fixing.find((it) => isJsonObject(property) && Object.hasOwn(property, it));
    return keyword === undefined ? [] : [[name, objectOf(property)[keyword]!]];
  });
  const isAllFixed = fixed.length > 0 && fixed.length === Object.keys(properties).length;
  const hidden = new Set(fixed.map(([name]) => name));
  return {
    body: isAllFixed ? null : platformSchema(value, fixing, hidden),
    fixed: withoutNull(fixed),
  };
}

/** The parameters of a function: a schema of an object has three keywords. */
export function platformParameters({ properties, required }: JsonObject): JsonObject {
  return platformSchema({
    type: 'object',
    properties: objectOf(properties),
    ...(Array.isArray(required) ? { required } : {}),
  });
}

/** What a schema says of a value, in the platform's words. */
export function platformDetails(details: JsonObject): JsonObject {
  return platformSchema(details);
}

/** Keywords that leave no choice of a value, the weightiest first. */
const fixing = ['value', 'const'];

const types: readonly Json[] = ['string', 'number', 'integer', 'boolean', 'array', 'object'];

/** Keywords that the platform knows, and what they may hold. */
const known: Readonly<Record<string, (value: Json) => boolean>> = {
  enum: isTexts,
  required: isTexts,
  pattern: isText,
  title: isText,
  format: (value) =>
    /^(?:date-time|time|date|duration|email|hostname|ipv[46]|uuid)$/.test(String(value)) &&
    isText(value),
};

/** Keywords that are said elsewhere or mean nothing to who fills in a value. */
const passedOver: readonly string[] = [
  ...['type', 'description', 'additionalProperties', '$schema', '$id'],
];

/** A static field cannot be null; one that is missing says the same. */
function withoutNull(fields: readonly (readonly [string, Json])[]): StaticField[] {
  return fields.flatMap(([key, value]) => (value === null ? [] : [{ key, value }]));
}

/** An object is a schema, rather than the value itself, where nothing in it says otherwise. */
function isSchema(value: JsonObject): boolean {
  if (value['type'] !== 'object') return false;
  if (isJsonObject(value['properties'])) return true;
  return Object.keys(value).every((key) => passedOver.includes(key) || Object.hasOwn(known, key));
}

function platformSchema(
  schema: Json,
  fixers: readonly string[] = fixing,
  hidden: ReadonlySet<string> = new Set(),
): JsonObject {
  const source = objectOf(schema);
  const said: [string, Json][] = [['type', platformType(source)]];
  const unsaid: string[] = [];
  const fixer = fixers.find((it) => Object.hasOwn(source, it));
  for (const [keyword, value] of Object.entries(source)) {
    if (passedOver.includes(keyword)) continue;
    if (keyword === 'properties' && isJsonObject(value)) {
      const shown = Object.entries(value).filter(([name]) => !hidden.has(name));
      const inner = shown.map(([name, part]) => [name, platformSchema(part, fixers)]);
      said.push([keyword, Object.fromEntries(inner)]);
    } else if (keyword === 'items' && isJsonObject(value)) {
      said.push([keyword, platformSchema(value, fixers)]);
    } else if (keyword === fixer && !Object.hasOwn(source, 'enum')) {
      said.push(['enum', [asText(value)]]);
    } else if (Object.hasOwn(known, keyword) && known[keyword]!(value)) {
      const isHidden = (name: Json) => keyword === 'required' && hidden.has(String(name));
      said.push([keyword, Array.isArray(value) ? value.filter((it) => !isHidden(it)) : value]);
    } else {
      unsaid.push(`${keyword}: ${JSON.stringify(value)}`);
    }
  }
  const words = [
    ...(isText(source['description'] ?? null) ? [source['description'] as string] : []),
    ...(unsaid.length > 0 ? [`(${unsaid.sort().join(', ')})`] : []),
  ];
  if (words.length > 0) said.push(['description', words.join(' ')]);
  return Object.fromEntries(said);
}

/** One type: the first of several, or what the other keywords suggest. */
function platformType({ type = null, ...others }: JsonObject): Json {
  const first = [...elements(type), type].find((it) => types.includes(it));
  if (first !== undefined) return first;
  if (Object.hasOwn(others, 'properties')) return 'object';
  return Object.hasOwn(others, 'items') ? 'array' : 'string';
}

/** A value as the text that says it. */
function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isText(value: Json): boolean {
  return typeof value === 'string';
}

function isTexts(value: Json): boolean {
  return Array.isArray(value) && value.every(isText);
}

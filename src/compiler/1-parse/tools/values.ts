/**
 * Values of parameters: whether they fit, and what they are in an address.
 *
 * In: a value that a human or the source gives, and the schema of the table. The keywords are those
 * that the table uses; a text that reads variables is known during the call alone, so it fits.
 */
import { isJsonObject, type Json, type JsonObject } from '../../ir/json.js';

/** What is wrong with the value, in words; null where it fits. */
export function faultOfValue(schema: JsonObject, value: Json): string | null {
  if (typeof value === 'string' && value.includes('{{')) return null;
  return faultOfType(schema, value) ?? faultOfSize(schema, value) ?? faultOfParts(schema, value);
}

function faultOfType({ type, enum: allowed, const: only }: JsonObject, value: Json): string | null {
  const types = [type ?? []].flat().map(String);
  const isOfType = types.some((it) => it === typeOf(value) || (it === 'number' && isWhole(value)));
  if (types.length > 0 && !isOfType) return `it must be of type ${types.join(' or ')}`;
  const values = only === undefined ? allowed : [only];
  if (!Array.isArray(values) || values.includes(value)) return null;
  return `it must be one of ${values.map((it) => JSON.stringify(it)).join(', ')}`;
}

function faultOfSize(schema: JsonObject, value: Json): string | null {
  const [size, least, most] = Array.isArray(value)
    ? [value.length, 'minItems', 'maxItems']
    : typeof value === 'string'
      ? [[...value].length, 'minLength', 'maxLength']
      : [Number(value), 'minimum', 'maximum'];
  if (typeof value === 'object' && !Array.isArray(value)) return null;
  const [from, to] = [schema[least as string], schema[most as string]];
  if (typeof from === 'number' && Number(size) < from) return `it is under its ${least} of ${from}`;
  if (typeof to === 'number' && Number(size) > to) return `it is over its ${most} of ${to}`;
  const { pattern } = schema;
  if (typeof value !== 'string' || typeof pattern !== 'string') return null;
  return new RegExp(pattern, 'u').test(value) ? null : `it must match ${pattern}`;
}

/** Values are at most as deep as a document may be, so the recursion is bounded. */
function faultOfParts(schema: JsonObject, value: Json): string | null {
  const { items, properties, required, additionalProperties } = schema;
  if (Array.isArray(value)) return isJsonObject(items) ? firstFault(value, () => items) : null;
  if (!isJsonObject(value) || !isJsonObject(properties)) return null;
  const names = Object.keys(value).sort();
  const known = (name: string) => Object.hasOwn(properties, name);
  const unknown = names.find((name) => !known(name));
  if (additionalProperties === false && unknown !== undefined) {
    return `it has no ${JSON.stringify(unknown)}`;
  }
  const needed: readonly Json[] = Array.isArray(required) ? required : [];
  const missing = needed.find((name) => !names.includes(String(name)));
  if (missing !== undefined) return `it must have ${JSON.stringify(missing)}`;
  const parts = names.filter(known);
  return firstFault(
    parts.map((name) => value[name]!),
    (index) => properties[parts[index]!] as JsonObject,
  );
}

function firstFault(
  values: readonly Json[],
  schemaOf: (index: number) => JsonObject,
): string | null {
  for (const [index, value] of values.entries()) {
    const fault = faultOfValue(schemaOf(index), value);
    if (fault !== null) return fault;
  }
  return null;
}

/** A whole number is an integer too. */
function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return isWhole(value) ? 'integer' : typeof value;
}

function isWhole(value: Json): boolean {
  return Number.isInteger(value);
}

/** The value that a piece of an address stands for: `17` is a number where one is wanted. */
export function readFromAddress(piece: string, { type }: JsonObject): Json {
  const encoded = /^\{\{([^{}|]+)\|\s*url_encode\s*\}\}$/.exec(piece)?.[1];
  if (encoded !== undefined) return `{{${encoded.trim()}}}`;
  if (piece.includes('{{')) return piece;
  const text = decode(piece);
  if ((type === 'integer' || type === 'number') && /^-?\d{1,15}$/.test(text)) return Number(text);
  return type === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text;
}

function decode(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}

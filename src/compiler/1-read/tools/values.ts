/**
 * Values of parameters: whether they fit, and what they are in an address.
 *
 * In: a value that a human or the source gives, and the schema of the table. The keywords are those
 * that the table uses; a text that reads variables is known during the call alone, so it fits.
 */
import type { ToolParameter } from '../../../adapters/tools/table/tool.js';
import { isJsonObject, type Json, type JsonObject } from '../../ir/json.js';

/** What speaks against fixing a parameter to a value, in words; null where nothing does. */
export function objectToValue(parameter: ToolParameter, value: Json): string | null {
  if (parameter.in === 'header') return 'a new one is made for each call';
  return faultOfValue(parameter.schema as JsonObject, value);
}

/** Whether a text in the value is Liquid, so that what it comes to is known during a call alone. */
export function isTemplate(value: Json): boolean {
  return /\{[{%]/.test(JSON.stringify(value));
}

/** What is wrong with the value, in words; null where it fits. */
export function faultOfValue(schema: JsonObject, value: Json): string | null {
  if (typeof value === 'string' && isTemplate(value)) return null;
  return (
    faultOfType(schema, value) ??
    faultOfSize(schema, value) ??
    faultOfParts(schema, value) ??
    faultOfChoices(schema, value)
  );
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
  const [size, least, most] = sizeOf(value);
  const [from, to] = [schema[least], schema[most]];
  if (typeof from === 'number' && size < from) return `it is under its ${least} of ${from}`;
  if (typeof to === 'number' && size > to) return `it is over its ${most} of ${to}`;
  const { pattern } = schema;
  if (typeof value !== 'string' || typeof pattern !== 'string') return null;
  return new RegExp(pattern, 'u').test(value) ? null : `it must match ${pattern}`;
}

/** How large a value is, and the keywords that bound it. */
function sizeOf(value: Json): readonly [size: number, least: string, most: string] {
  if (typeof value === 'string') return [[...value].length, 'minLength', 'maxLength'];
  if (Array.isArray(value)) return [value.length, 'minItems', 'maxItems'];
  if (isJsonObject(value)) return [Object.keys(value).length, 'minProperties', 'maxProperties'];
  return [Number(value), 'minimum', 'maximum'];
}

/** Values are at most as deep as a document may be, so the recursion is bounded. */
function faultOfParts(schema: JsonObject, value: Json): string | null {
  const { items } = schema;
  if (Array.isArray(value)) return isJsonObject(items) ? firstFault(value, () => items) : null;
  if (!isJsonObject(value)) return null;
  const names = Object.keys(value).sort();
  return faultOfNames(schema, names) ?? faultOfMembers(schema, value, names);
}

function faultOfNames(
  { propertyNames, required }: JsonObject,
  names: readonly string[],
): string | null {
  // A name is never filled in, so a template is none.
  const odd = isJsonObject(propertyNames)
    ? names.find((name) => isTemplate(name) || faultOfValue(propertyNames, name) !== null)
    : undefined;
  if (odd !== undefined) return `${JSON.stringify(odd)} is no name that it may have`;
  const needed: readonly Json[] = Array.isArray(required) ? required : [];
  const missing = needed.find((name) => !names.includes(String(name)));
  return missing === undefined ? null : `it must have ${JSON.stringify(missing)}`;
}

function faultOfMembers(
  { properties = {}, additionalProperties = true }: JsonObject,
  value: JsonObject,
  names: readonly string[],
): string | null {
  const schemaOf = (name: string): Json =>
    Object.hasOwn(properties as object, name)
      ? (properties as JsonObject)[name]!
      : additionalProperties;
  const unknown = names.find((name) => schemaOf(name) === false);
  if (unknown !== undefined) return `it has no ${JSON.stringify(unknown)}`;
  const checked = names.filter((name) => isJsonObject(schemaOf(name)));
  return firstFault(
    checked.map((name) => value[name]!),
    (index) => schemaOf(checked[index]!) as JsonObject,
  );
}

/** Where none of several schemas fits, the first says why. */
function faultOfChoices({ anyOf }: JsonObject, value: Json): string | null {
  if (!Array.isArray(anyOf)) return null;
  const faults = (anyOf as readonly JsonObject[]).map((it) => faultOfValue(it, value));
  return faults.includes(null) ? null : (faults[0] ?? null);
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
export function readFromAddress(piece: string, { type, const: only }: JsonObject): Json {
  const encoded = /^\{\{([^{}|]+)\|\s*url_encode\s*\}\}$/.exec(piece)?.[1];
  if (encoded !== undefined) return `{{${encoded.trim()}}}`;
  if (piece.includes('{{')) return piece;
  const text = decode(piece);
  const wanted = only === undefined ? type : typeOf(only);
  const isNumber = wanted === 'integer' || wanted === 'number';
  if (isNumber && /^-?\d{1,15}$/.test(text)) return Number(text);
  return wanted === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text;
}

function decode(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}

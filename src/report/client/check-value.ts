/**
 * Whether a value is one that a choice takes, before it goes into a file.
 *
 * It knows the words of JSON Schema that the questions use; `migrate` checks everything again.
 */
import { isObject, type Schema, type Value } from './answers-file.js';

/** What is wrong with the value, as a sentence; null where nothing is. */
export function faultOf(schema: Schema, value: Value | undefined, name = ''): string | null {
  const lead = name === '' ? '' : `${name}: `;
  if (value === undefined) return `${lead}a value is needed`;
  const fault =
    faultOfType(schema, value) ?? faultOfEnum(schema, value) ?? faultOfSize(schema, value);
  if (fault !== null) return `${lead}${fault}`;
  return faultOfMembers(schema, value, name);
}

const types: Readonly<Record<string, readonly [words: string, is: (value: Value) => boolean]>> = {
  string: ['a text', (value) => typeof value === 'string'],
  number: ['a number', Number.isFinite],
  integer: ['a whole number', Number.isInteger],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  array: ['a list', Array.isArray],
  object: ['an object', isObject],
};

function faultOfType({ type }: Schema, value: Value): string | null {
  const known = typeof type === 'string' && Object.hasOwn(types, type) ? types[type] : undefined;
  return known === undefined || known[1](value) ? null : `this must be ${known[0]}`;
}

function faultOfEnum({ enum: choices }: Schema, value: Value): string | null {
  if (!Array.isArray(choices) || choices.some((each) => same(each, value))) return null;
  return `this must be one of ${choices.map((each) => JSON.stringify(each)).join(', ')}`;
}

function faultOfSize(schema: Schema, value: Value): string | null {
  const { minimum, maximum, minLength, minItems, pattern, uniqueItems, description } = schema;
  if (typeof value === 'number') {
    if (typeof minimum === 'number' && value < minimum) return `this must be at least ${minimum}`;
    if (typeof maximum === 'number' && value > maximum) return `this must be at most ${maximum}`;
  }
  if (typeof value === 'string') {
    if (typeof minLength === 'number' && value.length < minLength) return 'a value is needed';
    const matches = typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value);
    if (!matches) return `this is not ${String(description ?? pattern)}`;
  }
  if (Array.isArray(value)) {
    if (typeof minItems === 'number' && value.length < minItems) return 'a value is needed';
    const texts = value.map((each) => JSON.stringify(each));
    if (uniqueItems === true && new Set(texts).size < texts.length) return 'one stands here twice';
  }
  return null;
}

function faultOfMembers(schema: Schema, value: Value, name: string): string | null {
  if (Array.isArray(value))
    return isObject(schema.items) ? faultOfItems(schema.items, value, name) : null;
  if (!isObject(value)) return null;
  const { required, properties, additionalProperties } = schema;
  const missing = (Array.isArray(required) ? required : []).find(
    (key) => !Object.hasOwn(value, String(key)),
  );
  if (missing !== undefined) return `${String(missing)}: a value is needed`;
  for (const [key, each] of Object.entries(value)) {
    const isKnown = isObject(properties) && Object.hasOwn(properties, key);
    const inner = isKnown ? properties[key] : additionalProperties;
    if (inner === false) return `${key}: this is not known here`;
    const fault = isObject(inner) ? faultOf(inner, each, key) : null;
    if (fault !== null) return fault;
  }
  return null;
}

function faultOfItems(schema: Schema, values: readonly Value[], name: string): string | null {
  for (const value of values) {
    const fault = faultOf(schema, value, name);
    if (fault !== null) return fault;
  }
  return null;
}

function same(a: Value, b: Value): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Makes a schema to extract from a document what a workflow captures in a call.
 *
 * In: captured variables of one or more nodes. Out: a schema without errors. A variable captured
 * more than once becomes one field: if its types differ, a string; different descriptions are
 * joined in order; choices are combined if every capture has some. Without a description, the name
 * serves as one. Constraints other than type and choices are left out.
 *
 * Example: [{ name: 'age', type: 'number', description: 'Age in years' }] → { type: 'object',
 * properties: { age: { type: ['number', 'null'], description: 'Age in years' } }, required:
 * ['age'], additionalProperties: false }.
 */
import { isObject, type OpenObject } from '../../text/json.js';
import { invalidArgument } from '../http/error.js';
import {
  deepest,
  type ExtractionSchemaOptions,
  lintExtractionSchema,
  objectSchema,
  unsupported,
} from './extraction-schema.js';

export interface ExtractionVariable {
  readonly name: string;
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly description?: string | null;
  readonly enum?: readonly (string | number | boolean | null)[] | null;
  /** A JSON Schema of the items of a list. Default: strings. */
  readonly items?: object;
  /** JSON Schemas of the properties of an object. */
  readonly properties?: Readonly<Record<string, object>>;
  /** `date` asks for a date in a string. */
  readonly format?: string;
}

export interface ExtractionObject {
  readonly type: 'object';
  readonly description?: string;
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** Throws an ApiError (`api/invalid-argument`) for a variable that no schema can express. */
export function toExtractionSchema(
  variables: readonly ExtractionVariable[],
  options: ExtractionSchemaOptions = {},
): ExtractionObject {
  const captures = new Map<string, OpenObject[]>();
  for (const variable of variables) {
    if (typeof variable?.name !== 'string') refuse('a variable has no name');
    captures.set(variable.name, [...(captures.get(variable.name) ?? []), { ...variable }]);
  }
  const { prefix = 'service' } = options;
  const schema = objectSchema(
    [...captures].map(([name, all]) => [name, fieldOf(merge(all, name), name, prefix, 1)]),
  );
  const fault = lintExtractionSchema(schema, options).find(({ severity }) => severity === 'error');
  return fault === undefined ? schema : refuse(`${fault.at}: ${fault.message}`);
}

/** One capture that stands for all captures of a variable. */
function merge(captures: readonly OpenObject[], name: string): OpenObject {
  const [first = {}, ...others] = captures;
  if (others.length === 0) return first;
  const all = (key: string) => captures.map((each) => each[key]);
  const distinct = (values: readonly unknown[]) => [...new Set(values)];
  const types = distinct(all('type').map((each = 'string') => each));
  const inside = captures.map(({ items, properties }) => JSON.stringify([items, properties]));
  if (/array|object/.test(`${types}`) && types.length === 1 && distinct(inside).length > 1) {
    refuse(`${name} holds something else in different captures`);
  }
  const choices = captures.map(choicesIn);
  return {
    ...Object.fromEntries(captures.flatMap((each) => Object.entries(each))),
    type: types.length > 1 ? 'string' : types[0],
    description: distinct(all('description').filter(Boolean)).join('; '),
    enum: choices.every(({ length }) => length > 0) && choices.flat(),
    format: distinct(all('format')).length === 1 && first['format'],
  };
}

const choicesIn = ({ enum: given }: OpenObject): readonly unknown[] =>
  (Array.isArray(given) ? given : []).filter((each) => each !== null);

/** Errors of a capture are kept in the field, so that the rules find them. */
function fieldOf(capture: OpenObject, name: string, prefix: string, depth: number): object {
  for (const key of Object.keys(capture)) {
    if (unsupported.has(key)) refuse(`${name}: ${key} is not supported`);
  }
  const { type = 'string', items = {}, properties, format } = capture;
  // Null is added to every scalar anyway.
  const kinds = [type].flat().filter((each) => each !== 'null');
  const kind = kinds.length === 1 ? kinds[0] : kinds;
  // What is no scalar stays, so that the rules report it.
  const choices = [
    ...new Set(choicesIn(capture).map((each) => (isObject(each) ? each : String(each)))),
  ];

  let { description } = capture;
  if (typeof (description ?? '') === 'string') {
    // In a schema, only strings have choices.
    const oneOf = choices.length > 0 && kind !== 'string' && `one of ${choices.join(', ')}`;
    description = [`${description ?? ''}`.trim() || name, oneOf].filter(Boolean).join('; ');
  }
  const about = description === '' ? {} : { description };
  // The rules stop before this depth.
  const inner = (of: unknown, name: string) =>
    isObject(of) && depth <= 2 * deepest ? fieldOf(of, name, prefix, depth + 1) : {};
  if (kind === 'array') return { type: kind, items: inner(items, ''), ...about };
  if (kind === 'object') {
    // An object without properties is an error.
    const names = isObject(properties) ? Object.keys(properties) : [];
    if (!isObject(properties) || names.length === 0) return { type: kind, ...about };
    return { ...objectSchema(names.map((key) => [key, inner(properties[key], key)])), ...about };
  }
  return {
    type: [kind, 'null'],
    ...about,
    ...(kind === 'string' && choices.length > 0 && { enum: [...choices, null] }),
    ...(kind === 'string' && format === 'date' && { [`${prefix}:type`]: 'date' }),
  };
}

function refuse(why: string): never {
  throw invalidArgument('toExtractionSchema', `variables: ${why}`);
}

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
import { invalidArgument } from '../http/error.js';
import {
  deepest,
  type ExtractionSchemaOptions,
  isObject,
  lintExtractionSchema,
  type Schema,
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
  const captures = new Map<string, Schema[]>();
  for (const variable of variables) {
    if (typeof variable?.name !== 'string') refuse('a variable has no name');
    const group = captures.get(variable.name) ?? [];
    group.push({ ...variable });
    captures.set(variable.name, group);
  }
  const schema = objectOf([...captures], options.prefix ?? 'service', 1);
  const fault = lintExtractionSchema(schema, options).find(({ severity }) => severity === 'error');
  return fault === undefined ? schema : refuse(`${fault.at}: ${fault.message}`);
}

/** All captures of each variable, by name. */
type Captures = readonly (readonly [name: string, captures: readonly Schema[]])[];

function objectOf(fields: Captures, prefix: string, level: number): ExtractionObject {
  const made = fields.map(([name, captures]) => [name, fieldOf(captures, name, prefix, level)]);
  return {
    type: 'object',
    properties: Object.fromEntries(made),
    required: fields.map(([name]) => name),
    additionalProperties: false,
  };
}

/**
 * Merges all captures of a variable into a field, at this depth of objects; list items have no
 * name. Errors of a capture are kept in the field, so that the rules find them.
 */
function fieldOf(captures: readonly Schema[], name: string, prefix: string, level: number): object {
  const all = (key: string) => captures.map((each) => each[key]);
  for (const key of captures.flatMap((each) => Object.keys(each))) {
    if (unsupported.has(key)) refuse(`${name}: ${key} is not supported`);
  }
  // Without a type, it is a string. Null is added to every scalar anyway.
  const types = all('type').map((type = 'string') =>
    [type].flat().filter((each) => each !== 'null'),
  );
  const kinds = new Set(types.map((each) => (each.length === 1 ? each[0] : each)));
  const kind = kinds.size === 1 ? [...kinds][0] : 'string';
  const lists = all('enum').map((each) => [each ?? []].flat().filter((one) => one !== null));
  const hasChoices = lists.every((list) => list.length > 0);
  // Choices become strings; what is no scalar stays, so that the rules report it.
  const chosen = new Set(lists.flat().map((each) => (isObject(each) ? each : String(each))));
  const isDate = kind === 'string' && all('format').every((each) => each === 'date');

  const said = all('description').filter((each) => typeof each !== 'string' || each.trim() !== '');
  const described = [...new Set(said.filter((each) => (each ?? null) !== null))];
  if (described.length === 0 && name !== '') described.push(name);
  // In a schema, only strings have choices.
  if (hasChoices && kind !== 'string') described.push(`one of ${[...chosen].join(', ')}`);
  const isText = described.every((each) => typeof each === 'string');
  const description = isText ? described.join('; ') : described;
  const about = description.length === 0 ? {} : { description };

  if (captures.length > 1 && (kind === 'array' || kind === 'object')) {
    const inside = captures.map(({ items, properties }) => JSON.stringify([items, properties]));
    if (new Set(inside).size > 1) refuse(`${name} holds something else in different captures`);
  }
  if (kind === 'array') {
    const [items = {}] = all('items');
    // A list in a list is an error, whatever it holds.
    const isFault = name === '' || !isObject(items);
    return { type: kind, items: isFault ? items : fieldOf([items], '', prefix, level), ...about };
  }
  if (kind === 'object') {
    const [properties] = all('properties');
    const inner = level <= deepest && isObject(properties) ? Object.entries(properties) : [];
    const fields = inner.map(([key, of]) => [key, [isObject(of) ? of : {}]] as const);
    const { properties: made, ...object } = objectOf(fields, prefix, level + 1);
    // An object without properties is an error.
    return { ...object, ...(inner.length > 0 && { properties: made }), ...about };
  }
  return {
    type: [kind, 'null'],
    ...about,
    ...(kind === 'string' && hasChoices && { enum: [...chosen, null] }),
    ...(isDate && { [`${prefix}:type`]: 'date' }),
  };
}

function refuse(why: string): never {
  throw invalidArgument('toExtractionSchema', `variables: ${why}`);
}

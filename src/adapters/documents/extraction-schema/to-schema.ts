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
import { invalidArgument } from '../../http/error.js';
import { type ExtractionSchemaOptions, lintExtractionSchema, unsupported } from './lint.js';
import { deepest, isObject, own } from './place.js';

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
  const captures = new Map<string, object[]>();
  for (const variable of variables) {
    const name = own(Object(variable), 'name');
    if (typeof name !== 'string') return refuse('a variable has no name');
    const group = captures.get(name) ?? [];
    group.push(variable);
    captures.set(name, group);
  }
  const schema = objectOf([...captures], options.prefix ?? 'service', 1);
  const fault = lintExtractionSchema(schema, options).find(({ severity }) => severity === 'error');
  return fault === undefined ? schema : refuse(`${fault.at}: ${fault.message}`);
}

/** All captures of each variable, by name. */
type Captures = readonly (readonly [name: string, captures: readonly unknown[]])[];

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
function fieldOf(
  captures: readonly unknown[],
  name: string,
  prefix: string,
  level: number,
): object {
  const all = (key: string) => captures.map((each) => own(Object(each), key));
  for (const key of captures.flatMap((each) => Object.keys(Object(each)))) {
    if (unsupported.has(key)) refuse(`${name}: ${key} is not supported`);
  }
  // Without a type, it is a string.
  const kinds = new Set(all('type').map((each) => kindOf(each ?? 'string')));
  const kind = kinds.size === 1 ? [...kinds][0] : 'string';
  const lists = all('enum').map((each) => (Array.isArray(each) ? each : [each ?? []].flat()));
  const choices = lists.map((list) => list.filter((each) => each !== null));
  const hasChoices = choices.every((list) => list.length > 0);
  const chosen = hasChoices ? [...new Set(choices.flat().map(textOf))] : [];
  const isDate = kind === 'string' && all('format').every((each) => each === 'date');

  const said = all('description').filter((each) => typeof each !== 'string' || each.trim() !== '');
  const described = [...new Set(said.filter((each) => (each ?? null) !== null))];
  if (described.length === 0 && name !== '') described.push(name);
  // In a schema, only strings have choices.
  if (hasChoices && kind !== 'string') described.push(`one of ${chosen.join(', ')}`);
  const isText = described.every((each) => typeof each === 'string');
  const description = isText ? described.join('; ') : described;
  const about = description.length === 0 ? {} : { description };

  if (captures.length > 1 && (kind === 'array' || kind === 'object')) {
    const inside = captures.map((each) =>
      JSON.stringify([Object(each).items, Object(each).properties]),
    );
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
    const fields = inner.map(([key, of]) => [key, [of]] as const);
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

/** The type without `null`, which is added to every scalar anyway. */
function kindOf(type: unknown): unknown {
  const others = [type].flat().filter((each) => each !== 'null');
  return others.length === 1 ? others[0] : type;
}

/** Choices become strings; non-scalars stay, so that the rules report them. */
function textOf(choice: unknown): unknown {
  return typeof choice === 'object' ? choice : String(choice);
}

function refuse(why: string): never {
  throw invalidArgument('toExtractionSchema', `variables: ${why}`);
}

/**
 * From a row of the table to what a model may give, whether a value is valid, and what the method of a
 * client is called with. The schemas are compiled ahead of time, so the handler also runs where code
 * must not be generated.
 */
import { validateTools } from '../schemas/tools-validator.generated.js';
import type { SchemaFault } from '../schemas/validator.generated.js';
import { isObject } from '../text/json.js';
import { operations, type ToolDefinition, type ToolParameter, type ValueSchema } from './table.js';

/** The JSON Schema (draft 2020-12) of what a model may give to a tool: a closed object. */
export interface ParametersSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, ValueSchema>>;
  /** Present even if it is empty: some platforms require it. */
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** The schema of what a model may give to a tool; `bound` are the names that it may not. */
export function parametersSchema(
  definition: ToolDefinition,
  bound: readonly string[] = [],
): ParametersSchema {
  const left = parametersLeft(definition, bound).filter(({ from }) => from === 'caller');
  return {
    type: 'object',
    properties: Object.fromEntries(
      left.map(({ name, schema, description }) => [name, { ...schema, description }]),
    ),
    required: left.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** The parameters that are not bound, not replaced by one that is bound, and not constant. */
export function parametersLeft(
  { parameters }: ToolDefinition,
  bound: readonly string[],
): ToolParameter[] {
  return parameters.filter(
    ({ name, unless = name, schema }) =>
      !(bound.includes(name) || bound.includes(unless) || 'const' in schema),
  );
}

/** Whether the tool acts on one bill, whose account has to be checked first. */
export function namesBill({ parameters }: ToolDefinition): boolean {
  return parameters.some(({ name }) => name === 'idBill');
}

/** What is wrong with a value, as the end of a sentence that begins with "it"; undefined: nothing. */
export function faultOf(
  { name, in: place, at = name }: Pick<ToolParameter, 'name' | 'in' | 'at'>,
  value: unknown,
): string | undefined {
  if (validateTools({ [place === 'query' ? at : name]: value })) return undefined;
  return faultWords(validateTools.errors![0]!);
}

/** A fault that ajv has found, in words; they never contain the value. */
function faultWords({ keyword, params }: Pick<SchemaFault, 'keyword' | 'params'>): string {
  return words[keyword]?.(params) ?? 'is not in the right format';
}

const types: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  array: 'a list',
  object: 'a set of details',
};

const words: Readonly<Record<string, (params: SchemaFault['params']) => string>> = {
  type: ({ type }) => `must be ${types[`${type}`]}`,
  const: ({ allowedValue }) => `must be ${allowedValue}`,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`,
  minLength: () => 'is too short',
  maxLength: () => 'is too long',
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  minItems: () => 'has too few entries',
  maxItems: () => 'has too many entries',
  required: () => 'is not complete',
  additionalProperties: () => 'has details that are not expected',
};

/**
 * The arguments of a client's method: the values of the path in order, the body, and an object with the
 * rest, if the method takes one. Only places of the table are written to.
 *
 * Example: for `bills.update`, { idBill: 17, netAmount: 12.5 } becomes [17, { netAmount: 12.5 }].
 */
export function callArguments(
  { operation, path, parameters }: ToolDefinition,
  values: Readonly<Record<string, unknown>>,
): unknown[] {
  const { query, key } = operations.get(operation)!;
  const has = (name: string) => Object.hasOwn(values, name) && values[name] !== undefined;
  const whole: Container = { body: {} };
  const rest: Container = {};
  const conditions: Container = {};
  for (const { name, in: place, at, unless = '', schema } of parameters) {
    const isSent = 'const' in schema || (has(name) && !has(unless));
    if (!isSent || place === 'path') continue;
    const value = schema['const'] ?? values[name];
    if (place === 'body') put(whole, `body${at}`.split('/'), value);
    else if (at === undefined) rest[name] = value;
    else conditions[at] = value;
  }
  // Bound filters come last, so that no caller can lift them.
  const rawFilters = { ...conditions, ...(rest['rawFilters'] as object | undefined) };
  if (Object.keys(conditions).length > 0) Object.assign(rest, { rawFilters });
  return [
    ...(path.match(/\w+(?=\})/g) ?? []).map((name) => values[name]),
    ...(parameters.some((each) => each.in === 'body') ? [whole['body']] : []),
    ...(query || key ? [rest] : []),
  ];
}

type Container = Record<string, unknown>;

/** Creates the objects above the place, and a list where the next key is a number. */
function put(within: Container, [key = '', ...rest]: readonly string[], value: unknown): void {
  const [next] = rest;
  if (next === undefined) {
    within[key] = value;
    return;
  }
  within[key] ??= /^\d+$/.test(next) ? [] : {};
  put(within[key] as Container, rest, value);
}

/** Whether the platform fills in a value, or a part of it. */
export function isTemplate(value: unknown): boolean {
  return /\{[{%]/.test(JSON.stringify(value) ?? '');
}

/** A member of JSON that is an object; undefined of anything else. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

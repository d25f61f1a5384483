/**
 * All tools by operation, and what follows from a row of the table: what a model may give, and what
 * a method of a client is called with.
 *
 * Some operations of the documents service have no tool: what they do is the business of people who
 * set a service up, not of somebody on the telephone.
 */
import { type BillsOperation, billsOperations } from '../bills/operations.js';
import { documentOperations } from '../documents/operations.js';
import { billsTools } from './bills-tools.js';
import { documentTools } from './documents-tools.js';
import type { ToolDefinition, ToolParameter, ValueSchema } from './tool.js';

/** Without a prototype: an operation that is called `constructor` is an unknown one. */
export const toolDefinitions: Readonly<Record<string, ToolDefinition>> = Object.assign(
  Object.create(null),
  Object.fromEntries([...billsTools, ...documentTools].map((tool) => [tool.operation, tool])),
);

/** What is left of a tool for a model to say, as a JSON Schema (draft 2020-12): a closed object. */
export interface ParametersSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, ValueSchema>>;
  /** There even where it is empty: some platforms want it. */
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** The schema of what a model may say to a tool; `bound` are the names that it may not. */
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

/** The parameters that are neither bound, nor replaced by one that is, nor without a choice. */
export function parametersLeft(
  { parameters }: ToolDefinition,
  bound: readonly string[],
): ToolParameter[] {
  return parameters.filter(
    ({ name, unless = name, schema }) =>
      !(bound.includes(name) || bound.includes(unless) || 'const' in schema),
  );
}

/** Whether the tool acts on one bill, whose owner has to be looked at before. */
export function namesBill({ parameters }: ToolDefinition): boolean {
  return parameters.some(({ name }) => name === 'idBill');
}

/** Operations whose methods take an object beside path and body. */
const takesMore: ReadonlySet<string> = new Set([
  ...Object.values<BillsOperation>(billsOperations)
    .filter(({ query, key }) => query || key)
    .map(({ id }) => id),
  ...documentOperations.filter(({ query }) => query).map(({ id }) => `documents.${id}`),
]);

/**
 * The arguments of a client's method: what stands in the path, in its order; the body, where the
 * operation has one; one object with the rest, where the method takes it. `values` are right by the schemas; only places of the
 * table are written to, so that no value can choose where it goes.
 *
 * Example: for `bills.update`, { idBill: 17, netAmount: 12.5 } becomes [17, { netAmount: 12.5 }].
 */
export function callArguments(
  { operation, path, parameters }: ToolDefinition,
  values: Readonly<Record<string, unknown>>,
): unknown[] {
  const has = (name: string) => Object.hasOwn(values, name) && values[name] !== undefined;
  const sent = ({ name, schema }: ToolParameter) => schema['const'] ?? values[name];
  const given = parameters.filter(
    ({ name, unless, schema }) =>
      'const' in schema || (has(name) && !(unless !== undefined && has(unless))),
  );
  const whole: Container = { body: {} };
  const rest: Container = {};
  const conditions: Container = {};
  for (const parameter of given) {
    const { name, in: place, at } = parameter;
    if (place === 'body') put(whole, `body${at}`.split('/'), sent(parameter));
    else if (place !== 'path' && at === undefined) rest[name] = sent(parameter);
    else if (at !== undefined) conditions[at] = sent(parameter);
  }
  // What is bound is spread last: no caller can lift a condition of the configuration.
  const rawFilters = { ...conditions, ...(rest['rawFilters'] as object | undefined) };
  if (Object.keys(conditions).length > 0) Object.assign(rest, { rawFilters });
  return [
    ...(path.match(/\w+(?=\})/g) ?? []).map((name) => values[name]),
    ...(parameters.some((each) => each.in === 'body') ? [whole['body']] : []),
    ...(takesMore.has(operation) ? [rest] : []),
  ];
}

type Container = Record<string, unknown>;

/** Makes what is missing on the way: a list where the next key is a number. */
function put(within: Container, [key = '', ...rest]: readonly string[], value: unknown): void {
  const [next] = rest;
  if (next === undefined) {
    within[key] = value;
    return;
  }
  within[key] ??= /^\d+$/.test(next) ? [] : {};
  put(within[key] as Container, rest, value);
}

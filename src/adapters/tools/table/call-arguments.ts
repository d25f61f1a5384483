/**
 * What a client's method is called with to do what a tool is asked for.
 *
 * In: a tool, and values by the names of its parameters, valid by their schemas: those that a caller
 * gave and those that are bound. Out: the method's arguments without the call options: what
 * stands in the path, in its order; the body, where the operation has one; one object with the rest.
 * Invariant: only places of the table are written to. A name of nobody's parameter is passed over,
 * so that no value can choose where it goes.
 *
 * Example: for `bills.update`, { idBill: 17, netAmount: 12.5 } becomes [17, { netAmount: 12.5 }].
 */
import type { ToolDefinition, ToolParameter } from './tool.js';

export type ToolValues = Readonly<Record<string, unknown>>;

/** A parameter with the value that it has in this call. */
interface Given {
  readonly parameter: ToolParameter;
  readonly value: unknown;
}

export function callArguments(definition: ToolDefinition, values: ToolValues): unknown[] {
  const given = givenOf(definition, values);
  const hasBody = definition.parameters.some((each) => each.in === 'body');
  const rest = restOf(given);
  return [
    ...inPath(definition.path, given),
    ...(hasBody ? [bodyOf(given)] : []),
    ...(Object.keys(rest).length > 0 ? [rest] : []),
  ];
}

/** Those that have a value, and a place beside the others. */
function givenOf({ parameters }: ToolDefinition, values: ToolValues): Given[] {
  const has = (name: string) => Object.hasOwn(values, name) && values[name] !== undefined;
  return parameters.flatMap((parameter) => {
    const { name, unless, schema } = parameter;
    if ('const' in schema) return [{ parameter, value: schema['const'] }];
    if (!has(name) || (unless !== undefined && has(unless))) return [];
    return [{ parameter, value: values[name] }];
  });
}

function inPath(path: string, given: readonly Given[]): unknown[] {
  const names = path.match(/\w+(?=\})/g) ?? [];
  return names.map((name) => given.find(({ parameter }) => parameter.name === name)?.value);
}

type Container = Record<string, unknown>;

function bodyOf(given: readonly Given[]): unknown {
  const root: Container = { body: {} };
  for (const { parameter, value } of given) {
    if (parameter.in === 'body') put(root, ['body', ...keysOf(parameter.at)], value);
  }
  return root['body'];
}

/** The pointers of the table need no escapes; a test holds them to it. */
function keysOf(pointer = ''): string[] {
  return pointer.split('/').slice(1);
}

/** Makes what is missing on the way: a list where the next key is a number. */
function put(within: Container, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    within[key] = value;
    return;
  }
  within[key] ??= /^\d+$/.test(rest[0] ?? '') ? [] : {};
  put(within[key] as Container, rest, value);
}

/** Query and headers, in the client's form: a condition stands among the raw filters. */
function restOf(given: readonly Given[]): ToolValues {
  const rest: Container = {};
  const conditions: Container = {};
  for (const { parameter, value } of given) {
    if (parameter.in === 'path' || parameter.in === 'body') continue;
    if (parameter.at === undefined) rest[parameter.name] = value;
    else conditions[parameter.at] = value;
  }
  if (Object.keys(conditions).length > 0) {
    // What is bound is spread last: no caller can lift a condition of the configuration.
    rest['rawFilters'] = { ...conditions, ...(rest['rawFilters'] as object | undefined) };
  }
  return rest;
}

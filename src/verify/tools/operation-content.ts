/**
 * What the tool of an operation does, found anew from the table of tools: what the model may give
 * it, what is fixed of it, and where the platform calls it. Written apart from the compiler on
 * purpose: a fault in one of the two shows.
 */
import { toolDefinitions } from '../../adapters/tools/table/definitions.js';
import type { ToolParameter } from '../../adapters/tools/table/tool.js';
import { isJsonObject, type Json, type JsonObject } from '../../compiler/ir/json.js';
import type { Operation, Request } from '../../compiler/ir/workflow.js';

/** By parameter. */
type Values = ReadonlyMap<string, Json>;

/** The parameters of the tool: what callers say, and nothing that is fixed or decided by that. */
export function parametersOfOperation({ id, bound }: Operation): JsonObject {
  const values = valuesOf(bound);
  const shown = definitionOf(id.value).parameters.filter(
    (it) => it.from === 'caller' && !values.has(it.name) && !isReplaced(it, values),
  );
  const needed = shown.filter(({ required }) => required);
  return {
    additionalProperties: false,
    properties: Object.fromEntries(
      shown.map(({ name, schema, description }) => [
        name,
        { ...(schema as JsonObject), description },
      ]),
    ),
    required: needed.map(({ name }) => name),
    type: 'object',
  };
}

/** What is sent beside what the model gives. */
export function fixedOfOperation({ bound }: Operation): { key: string; value: Json }[] {
  return [...valuesOf(bound)].map(([key, value]) => ({ key, value }));
}

/** The words of the table for it; null where the platform calls it like any request. */
export function purposeOfOperation(request: Request): string | null {
  const { operation } = request;
  if (operation === null || operation.direct) return null;
  return definitionOf(operation.id.value).description;
}

/** The address: its end is the operation's, whatever base stands before. */
export function addressOfOperation({ id, bound }: Operation, given: string): string {
  const values = valuesOf(bound);
  const { path, parameters } = definitionOf(id.value);
  const segments = path.split('/').map((segment) => {
    const name = segment.startsWith('{') ? segment.slice(1, -1) : null;
    return name === null ? segment : encoded(values.get(name) ?? null);
  });
  const query = parameters
    .filter((it) => it.in === 'query')
    .flatMap((it) => queryOf(it, it.schema['const'] === undefined ? values : constOf(it)));
  const end = segments.join('/') + (query.length > 0 ? `?${query.join('&')}` : '');
  return given.endsWith(end) ? given : end;
}

function queryOf({ name, at }: ToolParameter, values: Values): string[] {
  const value = values.get(name);
  if (value === undefined) return [];
  if (name === 'sortBy' && isJsonObject(value)) {
    return [
      `sortBy=${encodeURIComponent(`${String(value['direction'])}(${String(value['field'])})`)}`,
    ];
  }
  const pairs = isJsonObject(value) ? Object.entries(value).sort() : [[at ?? name, value] as const];
  return pairs.map(([key, part]) => `${encodeURIComponent(key)}=${encoded(part)}`);
}

function constOf({ name, schema }: ToolParameter): Values {
  return new Map([[name, schema['const'] as Json]]);
}

/** A value of an address: what reads a variable is encoded by the platform. */
function encoded(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (!text.startsWith('{{')) return encodeURIComponent(text);
  return `{{ ${text.slice(2, -2).trim()} | url_encode }}`;
}

function isReplaced({ unless, schema }: ToolParameter, values: Values): boolean {
  return Object.hasOwn(schema, 'const') || (unless !== undefined && values.has(unless));
}

function valuesOf(bound: Operation['bound']): Values {
  return new Map(bound.map(({ key, value }) => [key, value.value]));
}

function definitionOf(id: string) {
  return toolDefinitions[id]!;
}

/**
 * The address under which the platform itself calls an operation.
 *
 * In: an operation that only reads, what is fixed of it, and the base address of its service. Out:
 * the whole address. A value without variables is written out; one with them is encoded when the
 * call is made, so that nothing in it can lead elsewhere.
 *
 * Example: `bills.get` with `idBill` of `{{number}}` is `<base>/Bill/{{ number | url_encode }}`.
 */
import type { ToolDefinition, ToolParameter } from '../../../adapters/tools/table/tool.js';
import { isJsonObject, type Json, type JsonObject } from '../../ir/json.js';
import { readTemplate } from '../template.js';
import { isTemplate } from './values.js';

export function directAddress(
  definition: ToolDefinition,
  bound: ReadonlyMap<string, Json>,
  base: string,
): string {
  const path = definition.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encode(bound.get(name) ?? ''),
  );
  const query = definition.parameters.flatMap((it) =>
    it.in === 'query' ? pairsOf(it, bound) : [],
  );
  return `${base}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

/** What speaks against a value in an address, in words; null where nothing does. */
export function faultInAddress(value: Json): string | null {
  const parts = isJsonObject(value) ? pairsOfObject(value).map(([, part]) => part) : [value];
  return parts.every(canBeEncoded) ? null : 'it must be one variable and nothing else';
}

function canBeEncoded(value: Json): boolean {
  return !isTemplate(value) || (typeof value === 'string' && variableOf(value) !== null);
}

function pairsOf(
  { name, at = name, schema }: ToolParameter,
  bound: ReadonlyMap<string, Json>,
): string[] {
  const value = ('const' in schema ? (schema['const'] as Json) : bound.get(name)) ?? null;
  if (value === null) return [];
  if (!isJsonObject(value)) return [`${encodeURIComponent(at)}=${encode(value)}`];
  return pairsOfObject(value).map(([key, part]) => `${encodeURIComponent(key)}=${encode(part)}`);
}

/** An order is `desc(field)`; other objects are conditions by their names. */
function pairsOfObject(value: JsonObject): [string, Json][] {
  const { field, direction } = value;
  if (typeof field === 'string' && typeof direction === 'string') {
    return [['sortBy', `${direction}(${field})`]];
  }
  return Object.keys(value)
    .sort()
    .map((key) => [key, value[key]!]);
}

function encode(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const variable = variableOf(text);
  return variable === null ? encodeURIComponent(text) : `{{ ${variable} | url_encode }}`;
}

/** `a.b` of `{{ a.b }}`; null for any other text. */
function variableOf(text: string): string | null {
  if (!text.startsWith('{{') || !text.endsWith('}}')) return null;
  const path = text.slice(2, -2).trim();
  if (/[{}|]/.test(path)) return null;
  return readTemplate(text).uses.length === 1 ? path : null;
}

/**
 * The address under which the platform itself calls an operation.
 *
 * In: an operation that only reads, what is fixed of it, and the base address of its service. Out:
 * the whole address. A value without variables is written out; one with them is encoded when the
 * call is made, so that nothing in it can lead elsewhere.
 *
 * Example: `bills.get` with `idBill` of `{{number}}` is `<base>/Bill/{{ number | url_encode }}`.
 */
import type { Json, JsonObject } from '../../../index.js';
import { isObject } from '../handler/schema-check.js';
import type { ToolDefinition } from '../table/tool.js';
import { isTemplate } from './bindings.js';

export function directAddress(
  { path, parameters }: ToolDefinition,
  values: ReadonlyMap<string, Json>,
  base: string,
): string {
  const own = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(values.get(name) ?? ''));
  const query = parameters.flatMap(({ name, in: place, at = name, schema }) => {
    const value = ('const' in schema ? (schema['const'] as Json) : values.get(name)) ?? null;
    if (place !== 'query' || value === null) return [];
    const pairs: [string, Json][] = isObject(value) ? pairsOf(value as JsonObject) : [[at, value]];
    return pairs.map(([key, part]) => `${encodeURIComponent(key)}=${encode(part)}`);
  });
  return `${base.replace(/\/$/, '')}${own}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

/** What speaks against a value in an address, in words; null where nothing does. */
export function faultInAddress(value: Json): string | null {
  const parts = isObject(value) ? pairsOf(value as JsonObject).map(([, part]) => part) : [value];
  const fits = parts.every((part) => !isTemplate(part) || variableOf(part) !== null);
  return fits ? null : 'it must be one variable and nothing else';
}

/** An order is `desc(field)`; other objects are conditions by their names. */
function pairsOf(value: JsonObject): [string, Json][] {
  const { field, direction } = value;
  if (typeof field === 'string' && typeof direction === 'string') {
    return [['sortBy', `${direction}(${field})`]];
  }
  return Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
}

function encode(value: Json): string {
  const variable = variableOf(value);
  if (variable !== null) return `{{ ${variable} | url_encode }}`;
  return encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value));
}

/** `a.b` of `{{ a.b }}`; null for anything else. */
function variableOf(value: Json): string | null {
  if (typeof value !== 'string') return null;
  return /^\{\{\s*([\p{L}_][\p{L}\p{N}_.[\]-]*)\s*\}\}$/u.exec(value)?.[1] ?? null;
}

/**
 * Requests that call an operation of the table already, by their method and address.
 *
 * In: a method and an address of the source. Out: the operation whose path the address ends with,
 * and what stands where its parameters do. A base path may come before; the query is read as
 * parameters where it names them, and what else it says is left out. Of several operations the one with most words of its own counts.
 *
 * Example: `GET https://pay.example.com/api/Bill/{{ number | url_encode }}` is `bills.get` with
 * `idBill` of `{{number}}`.
 */
import type { ToolDefinition, ToolParameter } from '../../../adapters/tools/table/tool.js';
import type { Json, JsonObject } from '../../ir/json.js';
import type { Request } from '../../ir/workflow.js';
import { definitions } from './operations.js';
import { faultOfValue, objectToValue, readFromAddress } from './values.js';

export interface Match {
  readonly definition: ToolDefinition;
  /** The address before the operation's path. */
  readonly base: string;
  /** By parameter. */
  readonly values: ReadonlyMap<string, Json>;
  /** Parts of the query that are no values of the operation, by their names. */
  readonly leftOut: readonly Unread[];
}

interface Unread {
  readonly field: string;
  /** The parameter of this name, where there is one. */
  readonly parameter: ToolParameter | null;
  readonly why: string;
}

export const noParameter = 'it has no parameter for it';
export const saidTwice = 'the request says it twice';

/** No address that people write is longer. */
const longest = 2000;

export function matchOperation({ url, method }: Request): Match | null {
  if (url === null || method === null || url.value.length > longest) return null;
  const address = readAddress(url.value);
  const called = definitions.filter((it) => it.method === method.value);
  const matches = called.flatMap((definition) => matchPath(definition, address) ?? []);
  return matches.reduce<Match | null>((best, match) => {
    return best === null || countWords(match) > countWords(best) ? match : best;
  }, null);
}

/** An address in pieces; what stands inside of `{{ }}` is never cut. */
interface Address {
  readonly segments: readonly string[];
  readonly query: readonly (readonly [name: string, value: string])[];
}

function readAddress(url: string): Address {
  const tokens: readonly string[] = url.match(/\{\{[^{}]*\}\}|[/?#&]|[^{}/?#&]+|[{}]/g) ?? [];
  const hash = tokens.indexOf('#');
  const whole = hash === -1 ? tokens : tokens.slice(0, hash);
  const mark = whole.indexOf('?');
  const path = mark === -1 ? whole : whole.slice(0, mark);
  const query = mark === -1 ? [] : join(whole.slice(mark + 1), '&');
  return { segments: join(path, '/'), query: query.map(readPair) };
}

function join(tokens: readonly string[], separator: string): string[] {
  const pieces = [''];
  for (const token of tokens) {
    if (token === separator) pieces.push('');
    else pieces[pieces.length - 1] += token;
  }
  return pieces;
}

function readPair(pair: string): readonly [string, string] {
  const sign = pair.indexOf('=');
  return sign === -1 ? [pair, ''] : [pair.slice(0, sign), pair.slice(sign + 1)];
}

function matchPath(definition: ToolDefinition, { segments, query }: Address): Match | null {
  const pattern = definition.path.split('/').slice(1);
  const start = segments.length - pattern.length;
  // A host is no part of a path, nor is what stands for scheme and host together.
  if (start < (/^https?:$/i.test(segments[0] ?? '') ? 3 : 1)) return null;
  const values = new Map<string, Json>();
  for (const [index, expected] of pattern.entries()) {
    const piece = segments[start + index]!;
    const name = /^\{(\w+)\}$/.exec(expected)?.[1];
    if (name === undefined ? piece !== expected : !takeSegment(values, definition, name, piece)) {
      return null;
    }
  }
  const leftOut = query.flatMap((pair) => takePair(values, definition, pair) ?? []);
  return { definition, base: segments.slice(0, start).join('/'), values, leftOut };
}

/** Whether the segment is a value of the parameter; it is taken then. */
function takeSegment(
  values: Map<string, Json>,
  { parameters }: ToolDefinition,
  name: string,
  piece: string,
): boolean {
  const { schema } = parameters.find((it) => it.in === 'path' && it.name === name)!;
  const value = readFromAddress(piece, schema as JsonObject);
  if (piece === '' || faultOfValue(schema as JsonObject, value) !== null) return false;
  values.set(name, value);
  return true;
}

/** Takes a part of the query as a value; what is none is returned. */
function takePair(
  values: Map<string, Json>,
  { parameters }: ToolDefinition,
  [field, piece]: readonly [string, string],
): Unread | null {
  if (field === '') return null;
  const parameter =
    parameters.find((it) => it.in === 'query' && (it.name === field || it.at === field)) ?? null;
  if (parameter === null) return { field, parameter, why: noParameter };
  const value = readFromAddress(piece, parameter.schema as JsonObject);
  const why = objectToValue(parameter, value);
  if (why !== null) return { field, parameter, why };
  if (values.has(parameter.name)) return { field, parameter, why: saidTwice };
  // What leaves no choice goes out in any case.
  if (!('const' in parameter.schema)) values.set(parameter.name, value);
  return null;
}

/** How much of the path is the operation's own. */
function countWords({ definition: { path } }: Match): number {
  return path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{')).length;
}

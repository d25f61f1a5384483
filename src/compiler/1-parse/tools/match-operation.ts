/**
 * Requests that call an operation of the table already, by their method and address.
 *
 * In: a method and an address of the source. Out: the operation whose path the address ends with,
 * and what stands where its parameters do. A base path may come before; the query is read as
 * parameters where it names them. Of several operations the one with most words of its own counts.
 *
 * Example: `GET https://pay.example.com/api/Bill/{{ number | url_encode }}` is `bills.get` with
 * `idBill` of `{{number}}`.
 */
import type { ToolDefinition } from '../../../adapters/tools/table/tool.js';
import type { Json, JsonObject } from '../../ir/json.js';
import type { Request } from '../../ir/workflow.js';
import { definitions } from './operations.js';
import { faultOfValue, readFromAddress } from './values.js';

export interface Match {
  readonly definition: ToolDefinition;
  /** The address before the operation's path. */
  readonly base: string;
  /** By parameter. */
  readonly values: ReadonlyMap<string, Json>;
}

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
    if (name === undefined ? piece !== expected : !take(values, definition, name, piece)) {
      return null;
    }
  }
  for (const [name, piece] of query) take(values, definition, name, piece, 'query');
  return { definition, base: segments.slice(0, start).join('/'), values };
}

/** Whether the piece is a value of the parameter; it is taken then. */
function take(
  values: Map<string, Json>,
  definition: ToolDefinition,
  name: string,
  piece: string,
  place: 'path' | 'query' = 'path',
): boolean {
  const parameter = definition.parameters.find(
    (it) => it.in === place && (it.name === name || it.at === name),
  );
  if (parameter === undefined || piece === '') return false;
  const schema = parameter.schema as JsonObject;
  const value = readFromAddress(piece, schema);
  if (faultOfValue(schema, value) !== null) return false;
  // What leaves no choice goes out in any case.
  if (!('const' in schema)) values.set(parameter.name, value);
  return true;
}

/** How much of the path is the operation's own. */
function countWords({ definition: { path } }: Match): number {
  return path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{')).length;
}

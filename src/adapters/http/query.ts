/**
 * Writes a query.
 *
 * In: names and values. Out: the encoded query with its question mark, or nothing. Names go out as
 * they are given (`status(eq)`), in their order; absent values are left out, lists repeat the name.
 */
import { invalidArgument } from './api-error.js';

export type QueryValue = string | number | boolean | null | undefined;

export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[]>>;

export function queryOf(operation: string, query: Query = {}): string {
  const pairs: string[] = [];
  for (const [name, given] of Object.entries(query)) {
    for (const value of [given].flat() as QueryValue[]) {
      if (value === null || value === undefined) continue;
      const plain = Number.isFinite(value) || /^(?:string|boolean)$/.test(typeof value);
      if (!plain || !`${name}${value}`.isWellFormed()) throw invalidArgument(operation, name);
      pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    }
  }
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

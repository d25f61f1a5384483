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
  let text = '';
  for (const [name, given] of Object.entries(query)) {
    for (const value of Array.isArray(given) ? given : [given]) {
      if (value === null || value === undefined) continue;
      const plain = /^(?:string|boolean)$/.test(typeof value) || Number.isFinite(value);
      const pair = `${name}=${plain ? value : ''}`;
      if (!plain || !pair.isWellFormed()) throw invalidArgument(operation, name);
      text += `${text ? '&' : '?'}${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    }
  }
  return text;
}

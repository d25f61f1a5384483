/**
 * A request that found its operation, and how handlers read it.
 *
 * Whatever cannot be read is refused with 400, in words; nothing is guessed.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Refused } from './answer.js';

export type QueryEntries = readonly (readonly [name: string, value: string])[];

export interface Call {
  readonly operation: string;
  readonly path: ReadonlyMap<string, string>;
  readonly query: QueryEntries;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** What befalls what it asks for, once its key is used up: it is never done, or later. */
  readonly fate?: 'lost' | 'late' | undefined;
}

/** An object from outside, its names not yet checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A parameter that the path is known to have. */
export function pathParameter({ path }: Call, name: string): string {
  return path.get(name) ?? '';
}

/** The first value of a query parameter. */
export function queryParameter({ query }: Pick<Call, 'query'>, name: string): string | undefined {
  return query.find(([each]) => each === name)?.[1];
}

/** `true` or `false`; false where it is absent. */
export function flag(call: Call, name: string): boolean {
  const text = queryParameter(call, name);
  if (text === undefined || text === 'false') return false;
  if (text === 'true') return true;
  throw new Refused(400, `${name} must be true or false`);
}

/** A whole number from the query. */
export function integer(call: Call, name: string, absent: number): number {
  const text = queryParameter(call, name);
  if (text === undefined) return absent;
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw new Refused(400, `${name} must be an integer`);
}

/** A header that stands once. */
export function header({ headers }: Pick<Call, 'headers'>, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value[0] : value;
}

export function jsonBody(call: Call): unknown {
  if (!/^application\/json\s*(?:;|$)/i.test(header(call, 'content-type') ?? '')) {
    throw new Refused(400, 'Content-Type must be application/json');
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(call.body));
  } catch {
    throw new Refused(400, 'The body is not JSON');
  }
}

export function jsonObject(call: Call): JsonObject {
  const body = jsonBody(call);
  if (isObject(body)) return body;
  throw new Refused(400, 'The body must be an object');
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that must be there. */
export function text(value: unknown, name: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new Refused(400, `${name} must be a text that is not empty`);
}

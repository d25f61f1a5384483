/**
 * Settles and checks everything before a call is sent.
 *
 * In: an address, options, an operation and the caller's arguments. Out: limits, and the call with
 * path, headers and body as sent. Invariants: an argument that cannot be sent faithfully is refused
 * by name; each path parameter is exactly one segment; no header value can start another header.
 */
import { invalidArgument } from './error.js';
import type { Operation } from './operation.js';
import type { RetryPolicy } from './retry.js';

export type AddressFault = 'no-url' | 'scheme' | 'credentials' | 'query' | 'plain';

/**
 * Reads the address of a service. The one rule for every address that receives a secret or what a
 * caller said: it is https:, or http: to this machine, without credentials, query or fragment.
 * `path` has no slash at its end.
 */
export function readAddress(
  text: string,
): { readonly origin: string; readonly path: string } | { readonly fault: AddressFault } {
  if (!URL.canParse(text)) return { fault: 'no-url' };
  const { protocol, hostname, origin, pathname, username, password, search, hash } = new URL(text);
  if (!/^https?:$/.test(protocol)) return { fault: 'scheme' };
  if (username || password) return { fault: 'credentials' };
  if (search || hash) return { fault: 'query' };
  // URL has normalized the host: `127.1` is `127.0.0.1` by now.
  const isHere = /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(hostname);
  if (protocol === 'http:' && !isHere) return { fault: 'plain' };
  return { origin, path: pathname.replace(/\/+$/, '') };
}

/** How many times a call is sent, and how long it waits in between. */
export interface RetryOptions {
  /** Attempts in total; 1 sends once. Default: 4. */
  readonly maxAttempts?: number;
  /** Upper limit of the first wait in milliseconds; doubles with each attempt. Default: 500. */
  readonly baseMs?: number;
  /** Upper limit of every wait in milliseconds. Default: 8000. */
  readonly capMs?: number;
}

/**
 * How a call waits, repeats and reads. Options of a call override those of its client. Times are
 * in milliseconds, lengths in bytes.
 */
export interface CallOptions {
  readonly retry?: RetryOptions;
  /**
   * For one attempt, headers and body; for a file read as a stream, the longest pause. Default:
   * 30 s, or 310 s if a document is processed.
   */
  readonly attemptTimeoutMs?: number;
  /**
   * For all attempts and waits. Default: 60 s, or twice the attempt timeout if that is longer.
   * A file must be read by then only if this option is given.
   */
  readonly deadlineMs?: number;
  /** Longest answer. Default: 64 MiB of JSON; no limit for files. */
  readonly maxBytes?: number;
  readonly fetch?: typeof globalThis.fetch;
  readonly signal?: AbortSignal;
}

/** The options of one call, with defaults filled in. */
export type CallLimits = CallOptions &
  Required<Pick<CallOptions, 'attemptTimeoutMs' | 'deadlineMs'>> & { readonly retry: RetryPolicy };

/** A body that is produced piece by piece (an upload). */
export interface BodySource {
  readonly contentType: string;
  /** In bytes, if known. */
  readonly length?: number | undefined;
  /** Whether it was read in part and cannot be read again. Absent: it can always be read again. */
  readonly isSpent?: (() => boolean) | undefined;
  /** Reads nothing until its first piece is requested. */
  open(): AsyncIterable<Uint8Array>;
}

type QueryValue = string | number | boolean | null | undefined;

export interface SendArguments {
  /** Path parameters in path order. */
  readonly path?: readonly unknown[];
  /** Names as sent. Null and undefined are left out; a list repeats the name. */
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>> | undefined;
  /** The caller's idempotency key. */
  readonly key?: unknown;
  /** A {@link BodySource} for `multipart`; otherwise anything JSON can hold. */
  readonly body?: unknown;
  /** Asks for a file: the call resolves to a FileAnswer. */
  readonly file?: boolean | undefined;
  /** Texts to remove from the service's messages, besides the credential. */
  readonly secrets?: readonly string[];
}

/** Merges options; each option of a call overrides that of its client. */
export function settle(client: CallOptions, time?: unknown, own: CallOptions = {}): CallLimits {
  const options: CallOptions = { ...client, ...own };
  const { attemptTimeoutMs = time ? 310_000 : 30_000 } = options;
  const { deadlineMs = Math.max(60_000, 2 * attemptTimeoutMs) } = options;
  const retry = { maxAttempts: 4, baseMs: 500, capMs: 8000, ...client.retry, ...own.retry };
  return { ...options, retry, attemptTimeoutMs, deadlineMs };
}

/** Names of the path parameters, in order. */
export const namesIn = (path: string): string[] => path.match(/\w+(?=})/g) ?? [];

/**
 * Splits the arguments of a method: path parameters in path order; the body, if any; one object
 * with the other parameters, if any; options of the call.
 */
export function argumentsOf(operation: Operation, given: readonly unknown[]) {
  const { path, body, emptyBody, query, key } = operation;
  const rest = [...given];
  const ids = rest.splice(0, namesIn(path).length);
  const own = body && !emptyBody ? rest.shift() : undefined;
  const parameters = query || key ? rest.shift() : undefined;
  const options = rest[0] as CallOptions | undefined;
  return { ids, body: own, parameters, options };
}

/** The request as sent, header names in lowercase. Throws an ApiError for what cannot be sent. */
export function prepareCall(operation: Operation, given: SendArguments) {
  const { id, body: kind, key: keyHeader } = operation;
  const { query = {}, key } = given;
  const path = pathOf(operation, given.path) + queryOf(id, query);
  const headers: Record<string, string> = { accept: given.file ? '*/*' : 'application/json' };
  if (keyHeader && key !== undefined) {
    if (!isHeaderValue(key)) throw invalidArgument(id, keyHeader);
    headers[keyHeader.toLowerCase()] = key;
  }
  if (!kind) return { path, headers, body: undefined };
  if (kind === 'multipart') {
    const source = given.body as BodySource;
    headers['content-type'] = source.contentType;
    if (source.length !== undefined) headers['content-length'] = `${source.length}`;
    return { path, headers, body: source };
  }
  headers['content-type'] = 'application/json';
  const body = jsonOf(given.body);
  if (!body) throw invalidArgument(id, 'body');
  return { path, headers, body };
}

/** Undefined for cycles, functions and BigInts. */
function jsonOf(body: unknown = {}): string | undefined {
  try {
    return JSON.stringify(body);
  } catch {
    return undefined;
  }
}

/** Control characters, line and paragraph separators, lone surrogates; `.`, `..` and nothing. */
const noName = /[\p{Cc}\u2028\u2029\p{Cs}]|^\.{0,2}$/u;

/** Fills a path. Integers must be safe and positive, strings usable as a name. */
export function pathOf({ id, path, integers }: Operation, given: readonly unknown[] = []): string {
  let filled = 0;
  const text = path.replace(/{(\w+)}/g, (_, name: string) => {
    const value = given[filled++];
    const fits = integers?.includes(name)
      ? Number.isSafeInteger(value) && Number(value) > 0
      : typeof value === 'string' && !noName.test(value);
    if (!fits) throw invalidArgument(id, name);
    return encodeURIComponent(`${value}`);
  });
  if (filled !== given.length) throw invalidArgument(id, 'path');
  return text;
}

function queryOf(id: string, query: NonNullable<SendArguments['query']>): string {
  const pairs: string[] = [];
  for (const [name, given] of Object.entries(query)) {
    for (const value of [given].flat() as QueryValue[]) {
      if (value === null || value === undefined) continue;
      const isText = Object(value) !== value && !Number.isNaN(value);
      if (!isText || !`${name}${value}`.isWellFormed()) throw invalidArgument(id, name);
      pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    }
  }
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** Printable ASCII that is not blank, so it can neither end a header nor start another. */
export function isHeaderValue(value: unknown): value is string {
  return typeof value === 'string' && /^(?=.*\S)[ -~]+$/.test(value);
}

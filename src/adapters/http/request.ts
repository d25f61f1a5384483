/**
 * What is settled and checked before anything is sent.
 *
 * In: an address, options, an operation and what the caller gives. Out: limits, and the call with
 * path, headers and body as they go out. Invariants: what cannot be sent as it is meant is refused,
 * with the name of the argument; each path parameter is exactly one segment; header values begin no
 * other header.
 */
import { invalidArgument, invalidOption } from './error.js';
import type { Operation } from './operation.js';
import type { RetryPolicy } from './retry.js';

export type AddressFault = 'no-url' | 'scheme' | 'credentials' | 'query' | 'plain';

/**
 * The address of a service: one rule for all to which a secret or what a caller said is sent. It is
 * https:, or http: to this machine; credentials, queries and fragments are refused. `path` has no
 * slash at its end.
 */
export function readAddress(
  text: string,
): { readonly origin: string; readonly path: string } | { readonly fault: AddressFault } {
  if (!URL.canParse(text)) return { fault: 'no-url' };
  const { protocol, hostname, origin, pathname, username, password, search, hash } = new URL(text);
  if (!/^https?:$/.test(protocol)) return { fault: 'scheme' };
  if (username || password) return { fault: 'credentials' };
  if (search || hash) return { fault: 'query' };
  // URL has brought hosts into their usual form: `127.1` is `127.0.0.1` by then.
  const isHere = /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(hostname);
  if (protocol === 'http:' && !isHere) return { fault: 'plain' };
  return { origin, path: pathname.replace(/\/+$/, '') };
}

/** How often a call is sent in all, and how long it waits between. */
export interface RetryOptions {
  /** Attempts in all; 1 sends once. Default: 4. */
  readonly maxAttempts?: number;
  /** Bound of the first wait, doubled with each attempt. Default: 500. */
  readonly baseMs?: number;
  /** Bound of every wait. Default: 8000. */
  readonly capMs?: number;
}

/**
 * How a call waits, repeats and reads; of a client, or of one call, which goes before. Times in
 * milliseconds, lengths in bytes.
 */
export interface CallOptions {
  readonly retry?: RetryOptions;
  /**
   * One attempt, headers and body; of a file that is handed out, the longest silence. Default: 30
   * s, or 310 s where a document is processed.
   */
  readonly attemptTimeoutMs?: number;
  /**
   * All attempts and waits. Default: 60 s, or twice the time of an attempt where that is longer;
   * where it is given, a file has to be read by then, too.
   */
  readonly deadlineMs?: number;
  /** Longest answer. Default: 64 MiB of JSON, and files as long as they are. */
  readonly maxBytes?: number;
  readonly fetch?: typeof globalThis.fetch;
  readonly signal?: AbortSignal;
}

/** The options of one call, settled. */
export type CallLimits = CallOptions &
  Required<Pick<CallOptions, 'attemptTimeoutMs' | 'deadlineMs'>> & { readonly retry: RetryPolicy };

/** A body that is produced piece by piece (an upload). */
export interface BodySource {
  readonly contentType: string;
  /** In bytes, where it is known. */
  readonly length?: number | undefined;
  /** Whether it was begun and cannot be read again. Absent: it can always be. */
  readonly isSpent?: (() => boolean) | undefined;
  /** Reads nothing before its first piece is asked for. */
  open(): AsyncIterable<Uint8Array>;
}

type QueryValue = string | number | boolean | null | undefined;

export interface SendArguments {
  /** Path parameters in path order. */
  readonly path?: readonly unknown[];
  /** Names as they are sent; null and undefined are left out, lists repeat the name. */
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>> | undefined;
  /** The caller's idempotency key. */
  readonly key?: unknown;
  /** For `multipart` a {@link BodySource}; otherwise anything that JSON can hold. */
  readonly body?: unknown;
  /** Asks for the answer as a file: the call resolves to a FileAnswer. */
  readonly file?: boolean | undefined;
  /** What is taken out of texts of the service, beside the credential. */
  readonly secrets?: readonly string[];
}

/** What goes out; headers by names in small letters. */
export interface Call {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | BodySource | undefined;
}

/** Options of a call go before those of its client, one by one. */
export function settle(client: CallOptions, time?: unknown, own: CallOptions = {}): CallLimits {
  const options: CallOptions = { ...client, ...own };
  const attemptTimeoutMs = options.attemptTimeoutMs ?? (time ? 310_000 : 30_000);
  const deadlineMs = options.deadlineMs ?? Math.max(60_000, 2 * attemptTimeoutMs);
  const usual = { maxAttempts: 4, baseMs: 500, capMs: 8000 };
  const retry = { ...usual, ...client.retry, ...own.retry };
  const numbers = { ...retry, attemptTimeoutMs, deadlineMs, maxBytes: options.maxBytes ?? 0 };
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value !== 'number' || !(value >= 0)) throw invalidOption(name);
  }
  if (retry.maxAttempts < 1 || retry.maxAttempts % 1) throw invalidOption('maxAttempts');
  return { ...options, retry, attemptTimeoutMs, deadlineMs };
}

/** Names of the path parameters, in their order. */
export const namesIn = (path: string): string[] => path.match(/\w+(?=})/g) ?? [];

/**
 * What the method of an operation is given: path parameters in path order; the body and other
 * parameters in one object, where there are such; options of the call.
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

/** Throws an ApiError for what cannot be sent. */
export function prepareCall(
  operation: Operation,
  { path, query = {}, key, body: given, file }: SendArguments,
): Call {
  const { id, body: kind } = operation;
  const target = pathOf(operation, path) + queryOf(id, query);
  const headers: Record<string, string> = { accept: file ? '*/*' : 'application/json' };
  let body: Call['body'];
  if (key !== undefined) {
    if (!operation.key || !isHeaderValue(key)) throw invalidArgument(id, operation.key ?? 'key');
    headers[operation.key.toLowerCase()] = key;
  }
  if (kind === 'multipart') {
    const source = given as BodySource;
    body = source;
    headers['content-type'] = source.contentType;
    if (source.length !== undefined) headers['content-length'] = `${source.length}`;
  } else if (kind) {
    body = jsonOf(given);
    headers['content-type'] = 'application/json';
    if (!body) throw invalidArgument(id, 'body');
  }
  return { path: target, headers, body };
}

/** Undefined for circles, functions and numbers that JSON does not have. */
function jsonOf(body: unknown = {}): string | undefined {
  try {
    return JSON.stringify(body);
  } catch {
    return undefined;
  }
}

/** Controls, separators of lines and paragraphs, halves of surrogate pairs; steps, or nothing. */
const noName = /[\p{Cc}\u2028\u2029\p{Cs}]|^\.{0,2}$/u;

/** Fills a path: integers are safe and positive, texts can be the name of something. */
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
      const plain = Number.isFinite(value) || /^(?:string|boolean)$/.test(typeof value);
      if (!plain || !`${name}${value}`.isWellFormed()) throw invalidArgument(id, name);
      pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    }
  }
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** Texts that say something, in characters that end no header and begin no other. */
export function isHeaderValue(value: unknown): value is string {
  return typeof value === 'string' && /^(?=.*\S)[ -~]+$/.test(value);
}

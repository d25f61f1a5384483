/**
 * Settles and checks everything before a call is sent.
 *
 * In: an address, options, an operation and the caller's arguments. Out: limits, and the call with
 * path, headers and body as sent. Invariants: an argument that cannot be sent faithfully is refused
 * by name; each path parameter is exactly one segment; no header value can start another header.
 */
import { invalidArgument } from './error.js';
import type { Operation } from './operation.js';

export type AddressFault = 'scheme' | 'parts' | 'plain';

/**
 * Reads the address of a service. The one rule for every address that receives a secret or what a
 * caller said: it is https:, or http: to this machine, without credentials, query or fragment.
 * `path` has no slash at its end.
 */
export function readAddress(
  text: string,
): { readonly origin: string; readonly path: string } | { readonly fault: AddressFault } {
  if (!URL.canParse(text)) return { fault: 'scheme' };
  const url = new URL(text);
  const { protocol, hostname, origin, pathname } = url;
  // URL has normalized the host: `127.1` is `127.0.0.1` by now.
  const isHere = /^(?:localhost|\[::1\]|127\.[\d.]+)$/.test(hostname);
  const fault =
    (!/^https?:$/.test(protocol) && 'scheme') ||
    ((url.username || url.password || url.search || url.hash) && 'parts') ||
    (protocol === 'http:' && !isHere && 'plain');
  return fault ? { fault } : { origin, path: pathname.replace(/\/+$/, '') };
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

/** A body that is produced piece by piece (an upload). */
export interface BodySource {
  /** Type and, if known, length; names are lowercase. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether it was read in part and cannot be read again. Absent: it can always be read again. */
  readonly isSpent?: (() => boolean) | undefined;
  /** Reads nothing until its first piece is requested. */
  open(): AsyncIterable<Uint8Array>;
}

export interface SendArguments {
  /** Path parameters by name; those that the path does not have are ignored. */
  readonly path?: Readonly<Record<string, unknown>>;
  /** Names as sent. Null and undefined are left out; a list repeats the name. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** The caller's idempotency key. */
  readonly key?: unknown;
  /** Anything JSON can hold. */
  readonly body?: unknown;
  /** Sent in place of the body. */
  readonly source?: BodySource;
  /** Asks for a file: the call resolves to a FileAnswer. */
  readonly file?: boolean | undefined;
  /** Texts to remove from the service's messages, besides the credential. */
  readonly secrets?: readonly string[];
}

/**
 * Splits the arguments of a method: path parameters in path order; the body, if any; one object
 * with the other parameters, if any; options of the call.
 */
export function argumentsOf(operation: Operation, given: readonly unknown[]) {
  const { body, query, key } = operation;
  const rest = [...given];
  const path = Object.fromEntries(namesIn(operation.path).map((name) => [name, rest.shift()]));
  const own = body === 'json' ? rest.shift() : undefined;
  const parameters = query || key ? rest.shift() : undefined;
  return [path, own, parameters, rest[0] as CallOptions | undefined] as const;
}

/** Names of the path parameters, in order. */
export const namesIn = (path: string): string[] => path.match(/\w+(?=})/g) ?? [];

const json = 'application/json';

/** The request as sent. Throws an ApiError for what cannot be sent. */
export function prepareCall(operation: Operation, given: SendArguments) {
  const { id, body: kind, key: keyHeader } = operation;
  const { query = {}, key, body = {}, source } = given;
  const path = pathOf(operation, given.path) + queryOf(id, query);
  const headers: Record<string, string> = { accept: given.file ? '*/*' : json };
  if (keyHeader && key !== undefined) {
    if (!isHeaderValue(key)) throw invalidArgument(id, keyHeader);
    headers[keyHeader] = key;
  }
  if (kind) headers['content-type'] = json;
  return {
    path,
    headers: { ...headers, ...source?.headers },
    body: kind && JSON.stringify(body),
  };
}

/** Control characters, lone surrogates; `.`, `..` and nothing. */
const noName = /[\p{Cc}\p{Cs}]|^\.{0,2}$/u;

/** Fills a path. Integers must be safe and positive, strings usable as a name. */
function pathOf({ id, path, integers }: Operation, given: SendArguments['path'] = {}): string {
  return path.replace(/{(\w+)}/g, (_, name: string) => {
    const value = given[name];
    const fits = integers?.includes(name)
      ? Number.isSafeInteger(value) && (value as number) > 0
      : /string|boolean/.test(typeof value) && !noName.test(`${value}`);
    if (!fits) throw invalidArgument(id, name);
    return encodeURIComponent(`${value}`);
  });
}

function queryOf(id: string, query: NonNullable<SendArguments['query']>): string {
  let text = '';
  for (const [name, given] of Object.entries(query)) {
    for (const value of [given].flat() as string[]) {
      if (value === null || value === undefined) continue;
      const isNoText = Object(value) === value || value === '' || Number.isNaN(value);
      if (isNoText || !`${name}${value}`.isWellFormed()) throw invalidArgument(id, name);
      text += `${text ? '&' : '?'}${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    }
  }
  return text;
}

/** Printable ASCII that does not end with a blank, so it can neither end a header nor start another. */
export function isHeaderValue(value: unknown): value is string {
  return typeof value === 'string' && /^[ -~]*[!-~]$/.test(value);
}

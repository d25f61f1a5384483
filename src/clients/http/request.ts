/**
 * Settles and checks everything before a call is sent.
 *
 * In: an address, options, an operation and the caller's arguments. Out: limits, and the call with
 * path, headers and body as sent. Invariants: an argument that cannot be sent faithfully is refused
 * by name; each path parameter is exactly one segment; no header value can start another header.
 */
import { invalidArgument } from './error.js';
import type { Operation } from './operation.js';

/**
 * Reads the address of a service; undefined if it must not be used. The one rule for every address that
 * receives a secret or what a caller said: it is https:, or http: to this machine, without credentials,
 * query or fragment. `path` has no slash at its end.
 */
export const readAddress = (
  text: string,
): { readonly origin: string; readonly path: string } | undefined => {
  if (!URL.canParse(text)) return undefined;
  const { href, origin, pathname } = new URL(text);
  // URL has normalized the host: `127.1` is `127.0.0.1` by now.
  const isSafe = /^(?:https:|http:\/\/(?:localhost|\[::1\]|127\.[\d.]+)[:/])/.test(href);
  if (!isSafe || href !== origin + pathname) return undefined;
  return { origin, path: pathname.replace(/\/+$/, '') };
};

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

/** A method of a client: what it takes, then options of the call, and what it resolves to. */
export type Call<Given extends unknown[], Answer> = (
  ...given: [...given: Given, options?: CallOptions]
) => Promise<Answer>;

/** A body that is produced piece by piece (an upload). */
export interface BodySource {
  /** Type and, if known, length; names are lowercase. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether it was read in part and cannot be read again. Absent: it can always be read again. */
  readonly isSpent?: (() => boolean) | undefined;
  /** Reads nothing until its first piece is requested. */
  open(): ReadableStream<Uint8Array>;
}

export interface SendArguments {
  /** Path parameters by name; those that the path does not have are ignored. */
  readonly path?: Readonly<Record<string, unknown>>;
  /** Names as sent, which may repeat. Null and undefined are left out. */
  readonly query?: readonly (readonly [name: string, value: unknown])[] | undefined;
  /** The idempotency key. Absent: a new one, if the operation takes one. Null: none. */
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
 * with the other parameters, empty if there are none; options of the call.
 */
export const argumentsOf = (operation: Operation, [...rest]: readonly unknown[]) =>
  [
    Object.fromEntries(namesIn(operation.path).map((name) => [name, rest.shift()])),
    operation.body === 'json' && rest.shift(),
    Object((operation.query || operation.key) && rest.shift()),
    rest[0] as CallOptions | undefined,
  ] as const;

/** Names of the path parameters, in order. */
export const namesIn = (path: string): string[] => path.match(/\w+(?=})/g) ?? [];

const json = 'application/json';
const escaped = encodeURIComponent;

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The request as sent. Throws an ApiError for what cannot be sent. */
export const prepareCall = (operation: Operation, given: SendArguments) => {
  const { id, body: kind, key: header, checks = [] } = operation;
  /** Returns the value if it fits its own check, or the usual one of its place. */
  function checked<Value>(name: string, value: Value, usual: (value: unknown) => boolean): Value {
    const own = checks.find(([names]) => names.test(name));
    if ((own?.[1] ?? usual)(value)) return value;
    throw invalidArgument(id, name);
  }
  let path = operation.path.replace(/{(\w+)}/g, (_, name: string) =>
    escaped(checked(name, given.path?.[name], isName) as string),
  );
  let mark = '?';
  for (const [name, value] of given.query ?? []) {
    if (value === null || value === undefined) continue;
    path += `${mark}${escaped(name)}=${escaped(checked(name, value, isPlain) as string)}`;
    mark = '&';
  }
  const headers: Record<string, string> = {
    accept: given.file ? '*/*' : json,
    // What became of a call stays unknown if its answer cannot be unpacked.
    'accept-encoding': 'identity',
    ...(kind && { 'content-type': json }),
    ...given.source?.headers,
  };
  if (header) {
    const { key = crypto.randomUUID() } = given;
    if (key !== null) headers[header] = checked(header, key, isHeaderValue) as string;
  }
  const body = kind === 'json' ? checked('body', given.body, isObject) : {};
  const text = JSON.stringify(body, function (this: unknown, name, value) {
    // Only in a list, what is absent would become null.
    return value === undefined && !Array.isArray(this) ? value : checked(name, value, isJson);
  });
  return { path, headers, body: kind && text, key: header && headers[header] };
};

const isTextLike =
  (form: RegExp) =>
  (value: unknown): value is string =>
    typeof value === 'string' && form.test(value);

/** Printable ASCII that does not end with a blank, so it can neither end a header nor start another. */
export const isHeaderValue = isTextLike(/^[ -~]*[!-~]$/);
/** Has no half of a character. */
export const isText = isTextLike(/^\P{Cs}+$/u);
/** One segment of a path: no control characters, and not `.` or `..`. */
const isName = isTextLike(/^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]+$/u);

export const isFlag = (value: unknown) => typeof value === 'boolean';
export const isPositive = (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0;
const isObject = (value: unknown) => Object(value) === value && !Array.isArray(value);
const isPlain = (value: unknown) => isText(value) || isFlag(value) || Number.isFinite(value);

/** JSON turns other values into null, or leaves them out. */
const isJson = (value: unknown) => isPlain(value) || /string|object/.test(typeof value);

/**
 * Prepares a call: everything that is settled and checked before anything is sent.
 *
 * In: an operation, what the caller gives, options. Out: limits, and the call with path, headers and
 * body as they go out. Invariants: what cannot be sent as it is meant is refused, with the name of
 * the argument; each path parameter is exactly one segment; header values begin no other header.
 */
import { invalidArgument, invalidOption } from './error.js';
import type { Operation } from './operation.js';
import type { RetryPolicy } from './retry.js';

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
  /** Default: `off`. */
  readonly validate?: 'off' | 'warn' | 'error';
}

/** The options of one call, settled. */
export interface CallLimits extends Omit<CallOptions, 'retry'> {
  readonly retry: RetryPolicy;
  readonly attemptTimeoutMs: number;
  readonly deadlineMs: number;
  /** The deadline that was asked for: the usual one does not hold for files. */
  readonly fileMs: number;
}

type QueryValue = string | number | boolean | null | undefined;

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

/** Findings about a body, each one line; none when it is right. */
export type Validator = (body: unknown) => readonly string[];

/** Checks of the bodies of one operation; each is there only where a body of that kind is. */
export interface Validators {
  readonly request?: Validator;
  readonly response?: Validator;
}

/** `validators` stand by operation id; `onWarning` takes what `validate: 'warn'` finds. */
export interface Validation {
  readonly validators?: Readonly<Record<string, Validators>>;
  /** Default: `console.warn`. */
  readonly onWarning?: (text: string) => void;
}

export interface Call {
  readonly operation: Operation;
  readonly path: string;
  /** By names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | BodySource | undefined;
  readonly file: boolean;
  /** The finding about the answer that makes it an error. */
  readonly checkAnswer: (body: unknown) => string | undefined;
}

/** Options of a call go before those of its client, one by one; an undefined one is not given. */
export function settle(
  client: CallOptions,
  { time }: Partial<Operation> = {},
  own: CallOptions = {},
): CallLimits {
  const options: CallOptions = { ...client, ...present(own) };
  const { attemptTimeoutMs = time ? 310_000 : 30_000, maxBytes = 0, fetch } = options;
  const { deadlineMs = Math.max(60_000, 2 * attemptTimeoutMs) } = options;
  const usual = { maxAttempts: 4, baseMs: 500, capMs: 8000 };
  const retry = { ...usual, ...present(client.retry), ...present(own.retry) };
  for (const [name, value] of Object.entries({
    ...retry,
    attemptTimeoutMs,
    deadlineMs,
    maxBytes,
  })) {
    const least = name === 'maxAttempts' ? 1 : 0;
    const fits = typeof value === 'number' && value >= least && !(least && value % 1);
    if (!fits) throw invalidOption(name);
  }
  if (fetch && typeof fetch !== 'function') throw invalidOption('fetch');
  const fileMs = options.deadlineMs ?? Number.POSITIVE_INFINITY;
  return { ...options, retry, attemptTimeoutMs, deadlineMs, fileMs };
}

function present<Options extends object>(options: Options | undefined): Partial<Options> {
  const given = Object.entries(options ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<Options>;
}

export function prepareCall(
  operation: Operation,
  { path = [], query = {}, key, body: said, file: asked, secrets: _ }: SendArguments,
  { validate = 'off' }: CallLimits,
  { validators, onWarning = console.warn }: Validation,
): Call {
  const { id, body: kind, answer } = operation;
  if (validate !== 'off' && !validators) throw invalidOption('validators');

  /** Findings as warnings, or the first as a fault. */
  const check = (side: keyof Validators, body: unknown): string | undefined => {
    const findings = (validate !== 'off' && validators?.[id]?.[side]?.(body)) || [];
    if (validate === 'error') return findings[0];
    for (const finding of findings) onWarning(`${id}: ${finding}`);
    return undefined;
  };

  const target = pathOf(operation, path) + queryOf(id, query);
  const file = asked ?? answer === 'file';
  const headers: Record<string, string> = file ? { accept: '*/*' } : {};
  if (key !== undefined) {
    if (!operation.key || !isHeaderValue(key)) throw invalidArgument(id, operation.key ?? 'key');
    headers[operation.key.toLowerCase()] = key;
  }
  let body: Call['body'];
  if (kind === 'multipart') {
    const source = said as BodySource;
    const { contentType, length } = source;
    body = source;
    headers['content-type'] = contentType;
    if (length !== undefined) headers['content-length'] = `${length}`;
  } else if (kind) {
    headers['content-type'] = 'application/json';
    body = jsonOf(said);
    if (!body) throw invalidArgument(id, 'body');
  }
  const finding = check('request', said);
  if (finding !== undefined) throw invalidArgument(id, finding, 'api/invalid-request');
  const checkAnswer = (given: unknown) => check('response', given);
  return { operation, path: target, headers, body, file, checkAnswer };
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

export function isHeaderName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

/** Texts that say something, in characters that end no header and begin no other. */
export function isHeaderValue(value: unknown): value is string {
  return typeof value === 'string' && /^(?=.*\S)[ -~]+$/.test(value);
}

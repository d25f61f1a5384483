/**
 * Prepares a call: everything that is checked before anything is sent.
 *
 * In: an operation and what the caller gives. Out: the call, with path, headers and body as they go
 * out. Invariant: what cannot be sent as it is meant is refused here, with the name of the argument.
 */
import { invalidArgument, invalidOption } from './api-error.js';
import type { ServiceDialect } from './dialect.js';
import { isHeaderValue } from './headers.js';
import type { Operation } from './operation.js';
import type { CallLimits } from './options.js';
import { pathOf } from './path-segments.js';
import { type Query, queryOf } from './query.js';
import type { BodySource } from './transport.js';

export interface SendArguments {
  /** Path parameters in path order. */
  readonly path?: readonly unknown[];
  /** Names as they are sent; null and undefined are left out, lists repeat the name. */
  readonly query?: Query;
  /** Header parameters, by their names. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** For `multipart` a {@link BodySource}; otherwise anything that JSON can hold. */
  readonly body?: unknown;
  /** Asks for the answer as a file. */
  readonly file?: boolean;
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

/** What a client brings to each of its calls. */
export interface CallSetting {
  readonly dialect: ServiceDialect;
  readonly secrets?: readonly string[];
  readonly validators?: Readonly<Record<string, Validators>>;
  readonly onWarning?: (text: string) => void;
}

export interface Call {
  readonly operation: Operation;
  readonly path: string;
  /** Header parameters and types, by names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | BodySource | undefined;
  readonly file: boolean;
  /** Whether the caller gave an idempotency key. */
  readonly keyed: boolean;
  readonly secrets: readonly string[];
  /** The finding about the answer that makes it an error. */
  readonly checkAnswer: (body: unknown) => string | undefined;
}

export function prepareCall(
  operation: Operation,
  given: SendArguments,
  { validate = 'off' }: CallLimits,
  { validators, secrets = [], onWarning = console.warn }: CallSetting,
): Call {
  const { id, key, headers: names, body: kind, answer } = operation;
  if (validate !== 'off' && !validators) throw invalidOption('validators');

  /** Findings as warnings, or the first as a fault. */
  const check = (side: keyof Validators, body: unknown): string | undefined => {
    const findings = (validate !== 'off' && validators?.[id]?.[side]?.(body)) || [];
    if (validate === 'error') return findings[0];
    for (const finding of findings) onWarning(`${id}: ${finding}`);
    return undefined;
  };

  const path = pathOf(operation, given.path) + queryOf(id, given.query);
  const file = given.file ?? answer === 'file';
  const headers: Record<string, string> = file ? { accept: '*/*' } : {};
  for (const [name, value] of Object.entries(given.headers ?? {})) {
    if (value === undefined) continue;
    const known = name === key || names?.includes(name);
    if (!known || !isHeaderValue(value)) throw invalidArgument(id, name);
    headers[name.toLowerCase()] = value;
  }
  const body = kind && bodyOf(id, kind, given.body);
  if (kind) headers['content-type'] = 'application/json';
  if (typeof body === 'object') {
    headers['content-type'] = body.contentType;
    if (body.length !== undefined) headers['content-length'] = `${body.length}`;
  }
  const finding = check('request', given.body);
  if (finding !== undefined) throw invalidArgument(id, finding, 'api/invalid-request');
  return {
    operation,
    path,
    headers,
    body,
    file,
    keyed: key !== undefined && given.headers?.[key] !== undefined,
    secrets: [...secrets, ...(given.secrets ?? [])],
    checkAnswer: (answer) => check('response', answer),
  };
}

function bodyOf(id: string, kind: Operation['body'], body: unknown = {}): string | BodySource {
  if (kind === 'multipart') {
    const source = body as BodySource;
    if (typeof source?.open === 'function' && isHeaderValue(source.contentType)) return source;
  } else {
    try {
      const text = JSON.stringify(body);
      if (text) return text;
    } catch {
      // Circles and numbers that JSON does not have.
    }
  }
  throw invalidArgument(id, 'body');
}

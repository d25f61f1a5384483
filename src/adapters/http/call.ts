/**
 * Prepares a call: everything that is checked before anything is sent.
 *
 * In: an operation and what the caller gives. Out: the call, with path, headers and body as they go
 * out. Invariant: what cannot be sent as it is meant is refused here, with the name of the argument.
 */
import { invalidArgument, invalidOption } from './api-error.js';
import type { Clock } from './clock.js';
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
}

/** Findings about a body, each one line; none when it is right. */
export type Validator = (body: unknown) => readonly string[];

export interface Validators {
  readonly request?: Validator;
  readonly response?: Validator;
}

export interface Call {
  readonly operation: Operation;
  readonly limits: CallLimits;
  readonly dialect: ServiceDialect;
  readonly clock: Clock;
  readonly path: string;
  /** Header parameters and types; undefined where there are none. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly body: string | BodySource | undefined;
  readonly keyed: boolean;
  readonly file: boolean;
  /** What is taken out of texts of the service, beside the credential. */
  readonly secrets: readonly string[];
  /** The finding about the answer that makes it an error. */
  readonly checkAnswer: (body: unknown) => string | undefined;
}

/** What a client brings to each of its calls. */
export interface CallSetting {
  readonly dialect: ServiceDialect;
  readonly secrets?: readonly string[];
  readonly validators?: Readonly<Record<string, Validators>>;
  readonly onWarning?: (text: string) => void;
}

export function prepareCall(
  operation: Operation,
  given: SendArguments,
  limits: CallLimits,
  basePath: string,
  clock: Clock,
  setting: CallSetting,
): Call {
  const { id, key } = operation;
  const { validate } = limits;
  const { dialect, validators, secrets = [], onWarning = console.warn } = setting;
  if (validate !== 'off' && validators === undefined) throw invalidOption('validators');

  /** Findings as warnings, or the first as a fault. */
  const check = (side: keyof Validators, body: unknown): string | undefined => {
    const findings = (validate !== 'off' && validators?.[id]?.[side]?.(body)) || [];
    if (validate === 'error') return findings[0];
    for (const finding of findings) onWarning(`${id}: ${finding}`);
    return undefined;
  };

  const file = given.file === true || operation.answer === 'file';
  const path = basePath + pathOf(operation, given.path) + queryOf(id, given.query);
  const headers = headersFor(operation, given, file);
  const body = bodyOf(operation, given.body);
  const finding = check('request', given.body);
  if (finding !== undefined) throw invalidArgument(id, finding, 'api/invalid-request');
  const keyed = key !== undefined && headers?.[key] !== undefined;
  const checkAnswer = (answer: unknown) => check('response', answer);
  return {
    operation,
    limits,
    dialect,
    clock,
    path,
    headers,
    body,
    keyed,
    file,
    secrets,
    checkAnswer,
  };
}

function headersFor(
  { id, key, headers: names, body: kind }: Operation,
  { headers: given = {}, body }: SendArguments,
  file: boolean,
): Call['headers'] {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const known = name === key || names?.includes(name);
    if (!known || !isHeaderValue(value)) throw invalidArgument(id, name);
    headers[name] = value;
  }
  if (file) headers['accept'] = '*/*';
  if (kind === 'json') headers['content-type'] = 'application/json';
  if (kind === 'multipart') headers['content-type'] = sourceOf(id, body).contentType;
  for (const _ in headers) return headers;
  return undefined;
}

function bodyOf({ id, body: kind }: Operation, body: unknown = {}): Call['body'] {
  if (kind === undefined) return undefined;
  if (kind === 'multipart') return sourceOf(id, body);
  let text: string | undefined;
  try {
    text = JSON.stringify(body);
  } catch {
    // Circles and numbers that JSON does not have.
  }
  if (text === undefined) throw invalidArgument(id, 'body');
  return text;
}

function sourceOf(operation: string, body: unknown): BodySource {
  const source = body as BodySource | undefined;
  if (source?.open === undefined || !isHeaderValue(source.contentType)) {
    throw invalidArgument(operation, 'body');
  }
  return source;
}

/**
 * What an attempt came to: a value, or a failure with what is known about it.
 *
 * In: the ending of an exchange. Out: the value of the call, or the facts of its failure.
 * Invariants: a value is never partial, nor decoded loosely; texts of the service are cut, on one
 * line, and without the credential.
 */
import type { ApiErrorCode } from './api-error.js';
import type { Call } from './call.js';
import type { Ending } from './exchange.js';
import { fileOf } from './file-answer.js';
import { headerOf, isJson } from './headers.js';
import type { AttemptEnd } from './retry.js';
import { waitOf } from './retry-after.js';

export interface Failure extends AttemptEnd {
  readonly code: ApiErrorCode;
  readonly reason?: string | undefined;
  readonly serviceCode?: string | undefined;
  readonly requestId?: string | undefined;
  readonly serviceMessage?: string | undefined;
  readonly notFound?: boolean;
}

export type Verdict = { readonly value: unknown } | { readonly failure: Failure };

const decoder = new TextDecoder('utf-8', { fatal: true });

const statusCodes: Readonly<Record<number, ApiErrorCode>> = {
  401: 'api/unauthorized',
  403: 'api/forbidden',
  404: 'api/not-found',
  409: 'api/conflict',
  410: 'api/not-found',
  429: 'api/rate-limited',
};

export function judge(ending: Ending, call: Call, credential: string): Verdict {
  const { status, headers, sent, bytes, stream, reason } = ending;
  const { dialect, file } = call;

  const fail = (fault: AttemptEnd['fault'], why = reason): Verdict => {
    const requestId = clean(headers['x-request-id']);
    return { failure: { code: `api/${fault}`, status, sent, fault, reason: why, requestId } };
  };

  /** An answer that says what is wrong. */
  const refuse = (body: unknown): Verdict => {
    const said = dialect.readError(body, status);
    const { retryable, notFound = status === 404 || status === 410 } = said;
    const failure: Failure = {
      status,
      sent,
      fault: status < 300 ? 'refused' : ending.fault,
      code: said.code ?? codeOf(status),
      waitMs: waitOf(headerOf(headers, 'retry-after'), call.clock.date()),
      serviceCode: clean(said.serviceCode),
      requestId: clean(said.requestId ?? headers['x-request-id']),
      serviceMessage: clean(said.message),
      retryable,
      notFound,
    };
    return { failure };
  };

  /** A text from outside, fit for a log. */
  const clean = (text: unknown): string | undefined => {
    if (typeof text !== 'string' && typeof text !== 'number') return undefined;
    let safe = `${text}`;
    for (const secret of [...call.secrets, credential.replace('Bearer ', '')]) {
      if (secret !== '') safe = safe.replaceAll(secret, '[credential]');
    }
    safe = safe
      .slice(0, 1000)
      .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      .trim();
    return safe || undefined;
  };

  const { fault } = ending;
  if (status === 0) return fail(fault);
  const json = fault === undefined && isJson(headers) ? parse(bytes) : undefined;
  if (status > 299) return refuse(json?.value);
  if (fault !== undefined) return fail(fault);
  if (!/^(?:identity)?$/i.test(headerOf(headers, 'content-encoding'))) return fail('wrong-type');
  if (stream !== undefined) return { value: fileOf(headers, stream) };
  if (bytes.length === 0 && call.operation.answer === 'nothing') return { value: undefined };
  if (json !== undefined && dialect.isFailure?.(json.value)) return refuse(json.value);
  if (file) return { value: fileOf(headers, bytes) };
  if (json === undefined) return fail(isJson(headers) ? 'malformed' : 'wrong-type');
  const finding = call.checkAnswer?.(json.value);
  return finding === undefined ? json : fail('invalid-answer', finding);
}

function parse(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(decoder.decode(bytes)) };
  } catch {
    return undefined;
  }
}

function codeOf(status: number): ApiErrorCode {
  if (status < 300) return 'api/refused';
  if (status < 400) return 'api/redirect';
  return statusCodes[status] ?? (status < 500 ? 'api/bad-request' : 'api/server-error');
}

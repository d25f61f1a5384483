/**
 * What an attempt came to: a value, or a failure with what is known about it.
 *
 * In: the ending of an exchange. Out: the value of the call, or the facts of its failure.
 * Invariants: a value is never partial, nor decoded loosely; texts of the service are cut, on one
 * line, and without the credential.
 */
import type { ApiErrorCode, CallOutcome } from './api-error.js';
import type { Call } from './call.js';
import type { ServiceDialect } from './dialect.js';
import type { Ending } from './exchange.js';
import { fileOf } from './file-answer.js';
import { isJson, waitOf } from './headers.js';
import type { AttemptEnd } from './retry.js';

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

const statusCodes: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'not-found',
  429: 'rate-limited',
};

/** `secrets` are taken out of what the service says; `date` is the time of day. */
export function judge(
  ending: Ending,
  { operation, file, checkAnswer }: Call,
  dialect: ServiceDialect,
  secrets: readonly string[],
  date: number,
): Verdict {
  const { status, headers, bytes, stream } = ending;
  let { fault, reason }: { fault?: Failure['fault']; reason?: string | undefined } = ending;
  const json = !fault && isJson(headers) ? parse(bytes) : undefined;
  const refused = status > 299 || (json && dialect.isFailure?.(json.value));
  if (refused) fault = status < 300 ? 'refused' : fault;
  else if (!fault) {
    if (stream) return { value: fileOf(headers, stream) };
    if (bytes.length === 0 && operation.answer === 'nothing') return { value: undefined };
    if (file)
      return {
        value: fileOf(headers, new Blob([bytes as Uint8Array<ArrayBuffer>]).stream(), bytes.length),
      };
    reason = json && checkAnswer(json.value);
    if (json && !reason) return json;
    fault = json ? 'invalid-answer' : isJson(headers) ? 'malformed' : 'wrong-type';
  }
  const said = refused ? dialect.readError(json?.value, status) : {};

  /** A text from outside, fit for a log. */
  const clean = (text: unknown): string | undefined => {
    let safe = /^(?:string|number)$/.test(typeof text) ? `${text}` : '';
    for (const secret of secrets) {
      // Whole, and without its scheme.
      for (const part of [secret, secret.replace(/^\S+ /, '')]) {
        if (part) safe = safe.replaceAll(part, '[credential]');
      }
    }
    const line = safe.slice(0, 1000).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
    return line.trim() || undefined;
  };

  return {
    failure: {
      status,
      fault,
      reason,
      outcome: outcomeOf(ending, fault, dialect),
      code: said.code ?? `api/${refused ? codeOf(status) : fault}`,
      waitMs: waitOf(headers, date),
      serviceCode: clean(said.serviceCode),
      requestId: clean(said.requestId ?? headers['x-request-id']),
      serviceMessage: clean(said.message),
      retryable: said.retryable,
      notFound: said.notFound ?? (status === 404 || status === 410),
    },
  };
}

function outcomeOf(
  { status, sent }: Ending,
  fault: Failure['fault'],
  { isFailure }: ServiceDialect,
): CallOutcome {
  if (status === 0) return sent ? 'unknown' : 'not-sent';
  if (status > 299) return status < 400 || status === 408 || status > 499 ? 'unknown' : 'refused';
  if (fault === 'refused') return fault;
  // Where the body decides whether it is done, one that was not read leaves it open.
  return isFailure && fault !== 'invalid-answer' ? 'unknown' : 'applied';
}

function parse(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(decoder.decode(bytes)) };
  } catch {
    return undefined;
  }
}

function codeOf(status: number): string {
  if (status < 300) return 'refused';
  if (status < 400) return 'redirect';
  return statusCodes[status] ?? (status < 500 ? 'bad-request' : 'server-error');
}

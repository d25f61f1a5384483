/**
 * The attempts of one call, one after another.
 *
 * In: a prepared call. Out: its value, or the error of the last attempt with the outcome of all.
 * Guarantee: between two attempts stands a `decideRetry`, which sees what every attempt before may
 * have done; the deadline of the call holds for tokens, attempts and waits alike.
 */

import { ApiError, type CallOutcome } from './api-error.js';
import type { Call } from './call.js';
import { never } from './clock.js';
import type { Credential } from './credentials.js';
import type { Deadlines } from './deadlines.js';
import type { Ending, ExchangeRequest, Fault } from './exchange.js';
import { waitFor } from './patience.js';
import { decideRetry, mayHaveActed } from './retry.js';
import type { BodySource } from './transport.js';
import { type Failure, judge } from './verdict.js';

/** What the calls of a client share. */
export interface Core {
  readonly origin: string;
  readonly credential: Credential;
  readonly deadlines: Deadlines;
  readonly random: () => number;
  /** Headers of a request without parameters of its own, by the credential. */
  readonly headersFor: (credential: string) => Readonly<Record<string, string>>;
}

export async function runAttempts(
  call: Call,
  { origin, credential, deadlines, random, headersFor }: Core,
  exchange: (request: ExchangeRequest) => Promise<Ending>,
): Promise<unknown> {
  const { operation, limits, body, keyed } = call;
  const { id, method } = operation;
  const { signal, budget, attemptMs } = limits;
  const { now } = deadlines.clock;
  const startedAt = now();
  const deadline = startedAt + limits.deadlineMs;
  const usesCredential = operation.auth !== false;
  const repeat = operation.repeat === 'with-key' && !keyed ? 'never' : operation.repeat;
  // How far the call has come: whether an attempt may have acted, was answered, used up the body.
  let [attempts, acted, answered, spent, renewed] = [0, false, false, false, false];

  /** In doubt the outcome is unknown; the others are said only where an answer says so. */
  function outcomeOf(failure: Failure): CallOutcome {
    const { status, fault } = failure;
    const bodyDecides = call.dialect.isFailure !== undefined && fault !== 'invalid-answer';
    if (status > 0 && status < 300 && fault !== 'refused' && !bodyDecides) return 'applied';
    if (acted || mayHaveActed(failure)) return 'unknown';
    return status > 0 || answered ? 'refused' : 'not-sent';
  }

  function fail(failure: Failure, retryable = false): never {
    // The answer to a repeat that says that an earlier attempt has done it.
    const gone = method === 'DELETE' && failure.notFound;
    const applied = acted && (gone || (keyed && failure.status === 409));
    const late = failure.code === 'api/timeout' && now() >= deadline;
    throw new ApiError({
      ...failure,
      operation: id,
      attempts,
      retryable,
      code: applied ? 'api/applied-before' : late ? 'api/deadline' : failure.code,
      outcome: applied ? 'applied' : outcomeOf(failure),
    });
  }

  /** The end of a call between two attempts. */
  function end(fault?: Fault, reason?: string): never {
    const code = signal?.aborted ? 'aborted' : (fault ?? 'no-token');
    fail({ code: `api/${code}`, status: 0, sent: false, reason });
  }

  /** What fetching a token fails with may hold a credential: only a code of ours is kept. */
  async function fetched(token: Promise<string>): Promise<string> {
    const held = token.catch((error) => (error instanceof ApiError ? error : { code: 'auth' }));
    const box = await waitFor(deadlines, deadline, signal, held);
    if (box === undefined) return end('timeout');
    const { value } = box;
    return typeof value === 'string'
      ? value
      : end(undefined, 'code' in value ? value.code : 'auth');
  }

  /** Notes when a body that can be read only once is begun. */
  function watched(source: BodySource): BodySource {
    const open = () => {
      spent = !source.replayable;
      return source.open();
    };
    return { ...source, open };
  }

  function requestWith(value: string): ExchangeRequest {
    const usual = headersFor(value);
    return {
      method,
      origin,
      path: call.path,
      headers: call.headers === undefined ? usual : { ...usual, ...call.headers },
      body: typeof body === 'object' ? watched(body) : body,
      until: Math.min(now() + attemptMs, deadline),
      maxBytes: limits.maxBytes,
      signal,
      streaming: call.file
        ? {
            maxBytes: limits.maxFileBytes,
            idleMs: attemptMs,
            until: limits.strict ? deadline : never,
            errorOf: (fault) =>
              new ApiError({ code: `api/${fault}`, operation: id, outcome: 'applied', attempts }),
          }
        : undefined,
    };
  }

  for (;;) {
    if (signal?.aborted) end();
    const held = usesCredential ? credential.value() : '';
    const value = typeof held === 'string' ? held : await fetched(held);
    const ending = await exchange(requestWith(value));
    attempts += 1;
    const verdict = judge(ending, call, value);
    if ('value' in verdict) {
      budget.tokens = Math.min(budget.tokens + 1, budget.size);
      return verdict.value;
    }
    const { failure } = verdict;
    const refusedToken = usesCredential && failure.status === 401;
    const renewable = refusedToken && credential.renew(value) && !renewed;
    const [elapsed, remaining] = [now() - startedAt, deadline - now()];
    const state = { repeat, attempts, acted, renewable, spent, elapsed, remaining, ...budget };
    const decision = decideRetry(failure, state, limits.policy, random());
    if ('why' in decision) fail(failure, /^(?:attempts|deadline|budget)$/.test(decision.why));
    budget.tokens -= 1;
    renewed ||= refusedToken;
    acted ||= mayHaveActed(failure);
    answered ||= failure.status > 0;
    const { afterMs } = decision;
    if (afterMs > 0) await waitFor(deadlines, now() + afterMs, signal);
  }
}

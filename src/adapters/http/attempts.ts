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
import type { ServiceDialect } from './dialect.js';
import { type Broken, type Ending, type ExchangeRequest, type Fault, noBytes } from './exchange.js';
import type { CallLimits } from './options.js';
import { decideRetry, keyAgeMs, mayHaveActed } from './retry.js';
import { type Failure, judge } from './verdict.js';

/** What the calls of a client share. */
export interface Core {
  readonly origin: string;
  /** Of the base address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly dialect: ServiceDialect;
  readonly credential: Credential;
  readonly deadlines: Deadlines;
  readonly random: () => number;
}

/** What is known of an attempt that was not made. */
const nothing: Ending = { status: 0, headers: {}, sent: false, bytes: noBytes };

export async function runAttempts(
  call: Call,
  limits: CallLimits,
  core: Core,
  exchange: (request: ExchangeRequest) => Promise<Ending>,
): Promise<unknown> {
  const { credential, deadlines, dialect } = core;
  const { operation, path, body, file, keyed, secrets } = call;
  const { id, method, auth = true } = operation;
  const { signal, budget, attemptTimeoutMs, fileMs = never, maxBytes } = limits;
  const { now, date } = deadlines.clock;
  const startedAt = now();
  const startedOn = date();
  const deadline = startedAt + limits.deadlineMs;
  const repeat = operation.repeat === 'with-key' && !keyed ? 'never' : operation.repeat;
  const unsaid = [...secrets];
  let [attempts, acted, answered, renewed] = [0, false, false, false];

  /** A machine that sleeps stops one clock, and its owner may set the other. */
  const elapsed = () => Math.max(now() - startedAt, date() - startedOn);

  /** A token, or a connection, may take longer than the key lives. */
  const isWanted = () => !acted || repeat === 'always' || elapsed() < keyAgeMs;

  /** The value of the credential, if it can be had in time; mostly it is at hand. */
  function tokenInTime(): string | Broken | Promise<string | Broken> {
    if (signal?.aborted) return { fault: 'aborted' };
    const value = auth ? credential.value() : '';
    if (typeof value === 'string') return value;
    // What fetching it fails with may hold a credential: only a code of ours is kept.
    const failed = (error: unknown): Broken => {
      return { fault: 'no-token', reason: error instanceof ApiError ? error.code : 'auth' };
    };
    return deadlines.wait(deadline, signal, value.catch(failed));
  }

  function attempt(token: string): Promise<Ending> {
    attempts += 1;
    const headers: Record<string, string> = { ...core.headers, ...call.headers };
    if (auth) headers[credential.header] = token;
    return exchange({
      method,
      origin: core.origin,
      path: core.path + path,
      headers,
      body: typeof body === 'object' ? body.open() : body,
      until: Math.min(now() + attemptTimeoutMs, deadline),
      maxBytes,
      signal,
      isWanted,
      streaming: file
        ? { idleMs: attemptTimeoutMs, until: startedAt + fileMs, errorOf: brokenFile }
        : undefined,
    });
  }

  const brokenFile = (fault: Fault, status: number) =>
    new ApiError({ code: `api/${fault}`, operation: id, outcome: 'applied', attempts, status });

  function fail(failure: Failure, retryable: boolean): never {
    const { outcome } = failure;
    // What an earlier attempt has deleted is not found. A key that was seen says only that the request
    // came: the service may have failed after it, or be at work still.
    const before = acted && method === 'DELETE' && failure.notFound;
    const late = failure.fault === 'timeout' && now() >= deadline;
    const inDoubt: CallOutcome = acted ? 'unknown' : answered ? 'refused' : 'not-sent';
    throw new ApiError({
      ...failure,
      operation: id,
      attempts,
      retryable,
      code: before ? 'api/applied-before' : late ? 'api/deadline' : failure.code,
      outcome: before ? 'applied' : outcome === 'applied' ? outcome : inDoubt,
    });
  }

  for (;;) {
    const held = tokenInTime();
    const token = held instanceof Promise ? await held : held;
    const ending = typeof token === 'string' ? await attempt(token) : { ...nothing, ...token };
    // The token, too, that was refused before this one.
    if (typeof token === 'string') unsaid.push(token);
    const verdict = judge(ending, call, dialect, unsaid, date());
    if ('value' in verdict) {
      budget.tokens = Math.min(budget.tokens + 1, budget.size);
      return verdict.value;
    }
    const { failure } = verdict;
    const refused = auth && failure.status === 401 && credential.renew(token as string);
    const decision = decideRetry(
      failure,
      {
        repeat,
        attempts,
        actedBefore: acted,
        renewable: refused && !renewed,
        spent: typeof body === 'object' && body.isSpent?.() === true,
        elapsed: elapsed(),
        remaining: deadline - now(),
        tokens: budget.tokens,
      },
      limits,
      core.random(),
    );
    acted ||= mayHaveActed(failure.outcome);
    answered ||= failure.status > 0;
    if ('why' in decision) fail(failure, /attempts|deadline|budget/.test(decision.why));
    budget.tokens -= 1;
    renewed ||= refused;
    if (decision.afterMs > 0) await deadlines.wait(now() + decision.afterMs, signal);
  }
}

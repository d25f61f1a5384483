/**
 * Whether a call is sent once more, and when: one pure decision.
 *
 * In: how the attempt ended, the call so far, the policy, a random number. Out: how long to wait
 * before the next attempt, or why there is none.
 * Guarantee: once any attempt may have acted, another follows only where the operation cannot act
 * twice: it is repeatable by its nature, or the caller gave it a key that surely still lives.
 */
import type { CallOutcome } from './error.js';
import type { Repeat } from './operation.js';

/** Why there is no answer, or why one of 2xx is no success; the code of an error but for its `api/`. */
export type Fault =
  | 'timeout'
  | 'aborted'
  | 'no-token'
  | 'unreachable'
  | 'connection-lost'
  | 'truncated'
  | 'too-large'
  | 'wrong-type'
  | 'malformed'
  | 'refused'
  | 'invalid-answer';

/** A key lives for two minutes from its first use; the rest is left for the way. */
export const keyAgeMs = 110_000;

/** How an attempt failed. */
export interface AttemptEnd {
  /** 0 without an answer. */
  readonly status: number;
  /** What the service has done, as far as this attempt tells. */
  readonly outcome: CallOutcome;
  readonly fault?: Fault | undefined;
  /** What `Retry-After` asks for. */
  readonly waitMs?: number | undefined;
  /** The service's own word. */
  readonly retryable?: unknown;
}

export interface CallState {
  /** `with-key` where the caller gave one; where he did not, it is `never`. */
  readonly repeat: Repeat;
  /** Attempts so far. */
  readonly attempts: number;
  /** Whether one before this may have acted. */
  readonly actedBefore: boolean;
  /** Whether there may be another token than the one that was refused. */
  readonly renewable: boolean;
  /** The body was read and cannot be read again. */
  readonly spent: boolean;
  /** Since the first attempt began, and until the deadline. */
  readonly elapsed: number;
  readonly remaining: number;
}

export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly baseMs: number;
  readonly capMs: number;
}

/** The last three are limits of ours: a later call may do better, and cannot act twice. */
export type WhyNot = 'final' | 'not-repeatable' | 'key-age' | 'body' | 'attempts' | 'deadline';

export type Decision = { readonly afterMs: number } | { readonly why: WhyNot };

/** What to do after an attempt that ended like this. */
export function decideRetry(
  { status, outcome, fault, waitMs, retryable }: AttemptEnd,
  { repeat, attempts, actedBefore, renewable, spent, elapsed, remaining }: CallState,
  { maxAttempts, baseMs, capMs }: RetryPolicy,
  random: number,
): Decision {
  const acted = actedBefore || mayHaveActed(outcome);
  // Anywhere up to a bound that doubles, so that clients that failed together part.
  const jitter = random * Math.min(capMs, baseMs * 2 ** (attempts - 1));
  const afterMs = renewable ? 0 : (waitMs ?? jitter);
  const why = ((): WhyNot | undefined => {
    // What can never change comes first, limits of ours last.
    if (!(renewable || isPassing(status, fault)) || retryable === false) return 'final';
    if (acted && repeat === 'never') return 'not-repeatable';
    if (acted && repeat === 'with-key' && elapsed + afterMs >= keyAgeMs) return 'key-age';
    if (spent) return 'body';
    if (attempts >= maxAttempts) return 'attempts';
    return afterMs >= remaining ? 'deadline' : undefined;
  })();
  return why === undefined ? { afterMs } : { why };
}

/** Whether the same request may end otherwise later. */
function isPassing(status: number, fault: AttemptEnd['fault']): boolean {
  if (fault === 'aborted' || fault === 'no-token') return false;
  if (status < 300) return status === 0 || fault === 'truncated' || fault === 'timeout';
  return status === 408 || status === 429 || status > 499;
}

/** Whether the service may have done what an attempt asked for. */
export function mayHaveActed(outcome: CallOutcome): boolean {
  return outcome === 'unknown' || outcome === 'applied';
}

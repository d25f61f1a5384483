/**
 * Whether a call is sent once more, and when: one pure decision.
 *
 * In: how the attempt ended, the call so far, the policy, a random number. Out: how long to wait
 * before the next attempt, or why there is none.
 * Guarantee: once any attempt may have acted, another follows only where the operation cannot act
 * twice: it is repeatable by its nature, or the caller gave it a key that surely still lives.
 */
import type { Fault } from './exchange.js';
import type { Repeat } from './operation.js';

/** A key lives for two minutes from its first use; the rest is left for the way. */
const keyAgeMs = 110_000;

/** How an attempt failed. */
export interface AttemptEnd {
  /** 0 without an answer. */
  readonly status: number;
  /** Whether something may have reached the service. */
  readonly sent: boolean;
  /** Why there is no answer, or why one of 2xx is no success. */
  readonly fault?: Fault | 'wrong-type' | 'malformed' | 'refused' | 'invalid-answer' | undefined;
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
  /** Whether an attempt before this one may have acted. */
  readonly acted: boolean;
  /** Whether there may be another token than the one that was refused. */
  readonly renewable: boolean;
  /** The body was read and cannot be read again. */
  readonly spent: boolean;
  /** Since the first attempt began, and until the deadline. */
  readonly elapsed: number;
  readonly remaining: number;
  /** Left in the budget. */
  readonly tokens: number;
}

export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly baseMs: number;
  readonly capMs: number;
}

/** The last three are limits of ours: a later call may do better, and cannot act twice. */
export type WhyNot =
  | 'aborted'
  | 'final'
  | 'service'
  | 'not-repeatable'
  | 'key-age'
  | 'body'
  | 'attempts'
  | 'deadline'
  | 'budget';

export type Decision = { readonly afterMs: number } | { readonly why: WhyNot };

/** What to do after an attempt that ended like this. */
export function decideRetry(
  end: AttemptEnd,
  state: CallState,
  { maxAttempts, baseMs, capMs }: RetryPolicy,
  random: number,
): Decision {
  const { status, fault } = end;
  const { repeat, attempts } = state;
  const renew = status === 401 && state.renewable;
  // Anywhere up to a bound that doubles, so that clients that failed together part.
  const jitter = random * Math.min(capMs, baseMs * 2 ** (attempts - 1));
  const afterMs = renew ? 0 : (end.waitMs ?? jitter);
  const why = ((): WhyNot | undefined => {
    // What can never change comes first, limits of ours last.
    if (fault === 'aborted') return 'aborted';
    if (!renew && !isPassing(status, fault)) return 'final';
    if (end.retryable === false) return 'service';
    if (state.acted || mayHaveActed(end)) {
      if (repeat === 'never') return 'not-repeatable';
      if (repeat === 'with-key' && state.elapsed + afterMs >= keyAgeMs) return 'key-age';
    }
    if (state.spent) return 'body';
    if (attempts >= maxAttempts) return 'attempts';
    if (afterMs >= state.remaining) return 'deadline';
    return state.tokens < 1 ? 'budget' : undefined;
  })();
  return why === undefined ? { afterMs } : { why };
}

/** Whether the same request may end otherwise later. */
function isPassing(status: number, fault: AttemptEnd['fault']): boolean {
  if (status === 0) return true;
  if (status < 300) return fault === 'truncated' || fault === 'timeout';
  return status === 408 || status === 429 || status > 499;
}

/** Whether the service may have done what the attempt asked for. */
export function mayHaveActed({ status, sent, fault }: AttemptEnd): boolean {
  if (status === 0) return sent;
  if (status < 300) return fault !== 'refused';
  return status < 400 || status === 408 || status > 499;
}

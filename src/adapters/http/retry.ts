/**
 * Whether a call is sent once more, and when: one pure decision.
 *
 * In: how the attempt ended, the call so far, the policy, a random number. Out: how long to wait
 * before the next attempt, or why there is none.
 * Guarantee: once any attempt may have acted, another follows only where the operation cannot act
 * twice: it is repeatable by its nature, or the caller gave it a key that surely still lives.
 */
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
  | 'refused';

/** A key lives for two minutes from its first use; the rest is left for the way. */
export const keyAgeMs = 110_000;

/** What of an attempt that failed decides about another one. */
export interface AttemptEnd {
  /** 0 without an answer. */
  readonly status: number;
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
  /** Whether one of them, this one included, may have acted. */
  readonly acted: boolean;
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

/** `later`: a limit of ours, so that a later call may do better and cannot act twice. */
export type Decision = { readonly afterMs: number } | { readonly stop: 'for-good' | 'later' };

/** What to do after an attempt that ended like this. */
export function decideRetry(
  { status, fault, waitMs, retryable }: AttemptEnd,
  { repeat, attempts, acted, renewable, spent, elapsed, remaining }: CallState,
  { maxAttempts, baseMs, capMs }: RetryPolicy,
  random: number,
): Decision {
  // Anywhere up to a bound that doubles, so that clients that failed together part.
  const jitter = random * Math.min(capMs, baseMs * 2 ** (attempts - 1));
  const afterMs = renewable ? 0 : (waitMs ?? jitter);
  const keyLives = repeat === 'with-key' && elapsed + afterMs < keyAgeMs;
  const harmless = !acted || repeat === 'always' || keyLives;
  const passing = (renewable || isPassing(status, fault)) && retryable !== false;
  if (!passing || !harmless || spent) return { stop: 'for-good' };
  return attempts < maxAttempts && afterMs < remaining ? { afterMs } : { stop: 'later' };
}

/** Whether the same request may end otherwise later. */
function isPassing(status: number, fault: AttemptEnd['fault']): boolean {
  if (fault === 'aborted' || fault === 'no-token') return false;
  if (status < 300) return status === 0 || fault === 'truncated' || fault === 'timeout';
  return status === 408 || status === 429 || status > 499;
}

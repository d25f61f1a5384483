/**
 * Decides whether and when a call is sent again, as a pure function.
 *
 * In: how the attempt ended, the call so far, the policy, a random number. Out: how long to wait
 * before the next attempt, or why there is none.
 * Guarantee: once any attempt may have acted, another follows only if the operation cannot act
 * twice: it is repeatable, or the caller gave a key that is certainly still valid.
 */
import type { Repeat } from './operation.js';

/** Why there is no answer, or why a 2xx answer is no success. The error code without `api/`. */
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

/** A key is valid for two minutes from its first use; the rest is for the time in transit. */
export const keyAgeMs = 110_000;

/** The facts about a failed attempt that decide whether another follows. */
export interface AttemptEnd {
  /** 0 if there was no answer. A failing status takes precedence over the fault. */
  readonly status: number;
  readonly fault: Fault;
  /** What `Retry-After` asks for. */
  readonly waitMs?: number | undefined;
  /** As the service says. */
  readonly retryable?: unknown;
}

export interface CallState {
  /** `with-key` only if the caller gave a key; without one, it is `never`. */
  readonly repeat: Repeat;
  /** Attempts so far. */
  readonly attempts: number;
  /** Whether an attempt, including this one, may have acted. */
  readonly acted: boolean;
  /** Whether a new token may replace the refused one. */
  readonly renewable: boolean;
  /** The body was read in part and cannot be read again. */
  readonly spent: boolean;
  /** Milliseconds since the first attempt began, and until the deadline. */
  readonly elapsed: number;
  readonly remaining: number;
}

export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly baseMs: number;
  readonly capMs: number;
}

export interface Decision {
  /** Whether the same call may succeed later and cannot act twice. */
  readonly mayRepeat: boolean;
  /** The wait before the next attempt; absent if there is none. */
  readonly afterMs: number | undefined;
}

/** The statuses and faults after which the same request may succeed. */
const passing = /^(?:408|429|5..|timeout|truncated|unreachable|connection-lost)$/;

/** Decides what follows a failed attempt. */
export function decideRetry(
  { status, fault, waitMs, retryable }: AttemptEnd,
  { repeat, attempts, acted, renewable, spent, elapsed, remaining }: CallState,
  { maxAttempts, baseMs, capMs }: RetryPolicy,
  random: number,
): Decision {
  // Random, so that clients that failed together do not all retry together.
  const jitter = random * Math.min(capMs, baseMs * 2 ** (attempts - 1));
  const afterMs = renewable ? 0 : (waitMs ?? jitter);
  const keyLives = repeat === 'with-key' && elapsed + afterMs < keyAgeMs;
  const isHarmless = !acted || repeat === 'always' || keyLives;
  const isPassing = renewable || passing.test(`${status > 299 ? status : fault}`);
  const mayRepeat = isPassing && retryable !== false && isHarmless && !spent;
  const isInTime = attempts < maxAttempts && afterMs < remaining;
  return { mayRepeat, afterMs: mayRepeat && isInTime ? afterMs : undefined };
}

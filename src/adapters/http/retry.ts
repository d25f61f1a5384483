/**
 * Decides whether and when a call is sent again, as a pure function.
 *
 * In: the call so far, the policy, a random number. Out: whether the call may be repeated, and how
 * long to wait before the next attempt.
 * Guarantee: once any attempt may have acted, another follows only if the operation cannot act
 * twice: it is repeatable, or the caller gave a key that is certainly still valid.
 */
import type { Repeat } from './operation.js';
import type { RetryOptions } from './request.js';

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

/** A call after a failed attempt. */
export interface CallState {
  /** A failing status, or what else went wrong; `expired` if a new token may help. */
  readonly cause: number | Fault | 'expired';
  /** What `Retry-After` asks for. */
  readonly waitMs: number | undefined;
  /** The service says so, or the body was read in part and cannot be read again. */
  readonly isFinal: boolean;
  /** `with-key` only if the caller gave a key; without one, it is `never`. */
  readonly repeat: Repeat;
  /** Attempts so far. */
  readonly attempts: number;
  /** Whether an attempt, including this one, may have acted. */
  readonly acted: boolean;
  /** Milliseconds since the first attempt began, and until the deadline. */
  readonly elapsed: number;
  readonly remaining: number;
}

export interface Decision {
  /** Whether the same call may succeed later and cannot act twice. */
  readonly mayRepeat: boolean;
  /** The wait before the next attempt; absent if there is none. */
  readonly afterMs: number | undefined;
}

/** After these, the same request may succeed. */
const passing = /^(?:408|429|5..|expired|timeout|truncated|unreachable|connection-lost)$/;

/** Decides what follows a failed attempt. */
export function decideRetry(
  { cause, waitMs, isFinal, repeat, attempts, acted, elapsed, remaining }: CallState,
  { maxAttempts, baseMs, capMs }: Required<RetryOptions>,
  random: number,
): Decision {
  // Random, so that clients that failed together do not all retry together.
  const jitter = random * Math.min(capMs, baseMs * 2 ** (attempts - 1));
  const afterMs = waitMs ?? jitter;
  const keyLives = repeat === 'with-key' && elapsed + afterMs < keyAgeMs;
  const isHarmless = !acted || repeat === 'always' || keyLives;
  const mayRepeat = passing.test(`${cause}`) && !isFinal && isHarmless;
  const isInTime = attempts < maxAttempts && afterMs < remaining;
  return { mayRepeat, afterMs: mayRepeat && isInTime ? afterMs : undefined };
}

/**
 * Whether a request is sent once more, and when: one pure decision.
 *
 * In: how an attempt ended. Out: how long to wait before the next, or why there is none. A request
 * that creates something is repeated only where the server has surely done nothing; every other
 * one may be sent as often as one likes.
 */

const maxAttempts = 4;

/** Longest wait that a server can ask for. */
const maxWaitMs = 10 * 60 * 1000;

const baseMs = 500;
const capMs = 8000;

/** How an attempt ended. */
export type Ending =
  | { readonly kind: 'answer'; readonly status: number; readonly retryAfter: string | null }
  /** No connection came to be: nothing was sent. */
  | { readonly kind: 'unreachable' }
  /** The time was over, or the connection broke, before an answer began. */
  | { readonly kind: 'timeout' | 'broken' };

export interface Attempt {
  readonly ending: Ending;
  /** Which attempt it was, from 1. */
  readonly number: number;
  /** Whether sending it twice does the same as sending it once. */
  readonly repeatable: boolean;
}

/** The clock in milliseconds, and a number from 0 to below 1. */
export interface Chance {
  readonly now: number;
  readonly random: number;
}

export type Retry =
  | { readonly retry: true; readonly afterMs: number }
  | {
      readonly retry: false;
      readonly why: 'final' | 'attempts-spent' | 'not-repeatable' | 'wait-too-long';
    };

/** What to do after an attempt that ended like this. */
export function retryDecision({ ending, number, repeatable }: Attempt, chance: Chance): Retry {
  if (!isPassing(ending)) return { retry: false, why: 'final' };
  if (!repeatable && mayHaveActed(ending)) return { retry: false, why: 'not-repeatable' };
  if (number >= maxAttempts) return { retry: false, why: 'attempts-spent' };
  const asked = ending.kind === 'answer' ? waitOf(ending.retryAfter, chance.now) : null;
  if (asked === null) return { retry: true, afterMs: jitter(number, chance.random) };
  if (asked > maxWaitMs) return { retry: false, why: 'wait-too-long' };
  return { retry: true, afterMs: asked };
}

/** Whether the same request may end otherwise later. */
function isPassing(ending: Ending): boolean {
  if (ending.kind !== 'answer') return true;
  return ending.status === 408 || ending.status === 429 || ending.status >= 500;
}

/** Whether the server may have done what it was asked for, whatever it answered. */
export function mayHaveActed(ending: Ending): boolean {
  if (ending.kind === 'answer') return ending.status === 408 || ending.status >= 500;
  return ending.kind !== 'unreachable';
}

/** Full jitter: anywhere up to a bound that doubles. */
function jitter(number: number, random: number): number {
  return Math.floor(random * Math.min(capMs, baseMs * 2 ** (number - 1)));
}

/** Milliseconds that a `Retry-After` asks for (seconds, or a date); null without a readable one. */
export function waitOf(retryAfter: string | null, now: number): number | null {
  if (retryAfter === null) return null;
  const text = retryAfter.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const date = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/**
 * Options of clients and calls, and what they come to for one call.
 *
 * Each option of a client can be given with a call, too, and then goes before it. Options that
 * cannot be are refused when they are given, not when they would matter.
 */

import { invalidOption } from './api-error.js';
import type { Fetch } from './fetch-transport.js';
import type { Operation } from './operation.js';
import type { RetryPolicy } from './retry.js';

export interface RetryOptions {
  /** Attempts in all; 1 sends once. Default: 4. */
  readonly maxAttempts?: number;
  /** Bound of the first wait, doubled with each attempt. Default: 500. */
  readonly baseMs?: number;
  /** Bound of every wait. Default: 8000. */
  readonly capMs?: number;
  /** Tokens that retries take and successes give back; with a call: its own. Default: 500. */
  readonly budget?: number;
}

/**
 * How a call waits, repeats and reads; of a client, or of one call, which goes before. Times in
 * milliseconds, lengths in bytes.
 */
export interface CallOptions {
  readonly retry?: RetryOptions;
  /**
   * One attempt, headers and body; of a file that is handed out, the longest silence. Default: 30
   * s, or 310 s where a document is processed.
   */
  readonly attemptTimeoutMs?: number;
  /**
   * All attempts and waits. Default: 60 s, or twice the time of an attempt where that is longer;
   * where it is given, a file has to be read by then, too.
   */
  readonly deadlineMs?: number;
  /** Longest answer. Default: 64 MiB of JSON, and files as long as they are. */
  readonly maxBytes?: number;
  readonly fetch?: Fetch;
  readonly signal?: AbortSignal;
  /** Default: `off`. */
  readonly validate?: 'off' | 'warn' | 'error';
}

/** What retries may still cost; a service that fails for everyone is not asked several times over. */
export interface Budget {
  readonly size: number;
  tokens: number;
}

/** The options of one call, settled. */
export interface CallLimits extends RetryPolicy, Omit<CallOptions, 'retry'> {
  readonly budget: Budget;
  readonly attemptTimeoutMs: number;
  readonly deadlineMs: number;
  /** The deadline that was asked for: the usual one does not hold for files. */
  readonly fileMs: number | undefined;
}

/** The limits of a call, by its own options and those of the client. */
export type LimitsOf = (operation: Operation, own?: CallOptions) => CallLimits;

export function createLimits(client: CallOptions): LimitsOf {
  const usual = settle(client, {}, 30_000);
  return ({ time }, own) => {
    if (!own && time !== 'processing') return usual;
    const limits = settle(client, own ?? {}, time === 'processing' ? 310_000 : 30_000);
    return own?.retry?.budget === undefined ? { ...limits, budget: usual.budget } : limits;
  };
}

function settle(client: CallOptions, own: CallOptions, usualMs: number): CallLimits {
  const options: CallOptions = { ...client, ...present(own) };
  const { attemptTimeoutMs = usualMs, deadlineMs: fileMs, maxBytes, fetch } = options;
  if (fetch && typeof fetch !== 'function') throw invalidOption('fetch');
  const numbers = {
    maxAttempts: 4,
    baseMs: 500,
    capMs: 8000,
    budget: 500,
    ...present(client.retry),
    ...present(own.retry),
    attemptTimeoutMs,
    deadlineMs: fileMs ?? Math.max(60_000, 2 * attemptTimeoutMs),
  };
  for (const [name, value] of Object.entries({ ...numbers, maxBytes: maxBytes ?? 0 })) {
    const whole = name !== 'maxAttempts' || (value % 1 === 0 && value);
    if (!(typeof value === 'number' && value >= 0 && whole)) throw invalidOption(name);
  }
  const budget = { size: numbers.budget, tokens: numbers.budget };
  return { ...options, ...numbers, fileMs, budget };
}

/** An option that is undefined is one that is not given. */
function present<Options extends object>(options: Options | undefined): Partial<Options> {
  const given = Object.entries(options ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<Options>;
}

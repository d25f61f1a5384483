/**
 * Options of clients and calls, and what they come to for one call.
 *
 * Each option of a client can be given with a call, too, and then goes before it. Options that
 * cannot be are refused when they are given, not when they would matter.
 */

import { invalidOption } from './api-error.js';
import { never } from './clock.js';
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

export interface CallOptions {
  readonly retry?: RetryOptions;
  /**
   * One attempt, headers and body; of a file that is handed out, the longest silence. Default: 30
   * s, or 310 s where a document is processed.
   */
  readonly attemptTimeoutMs?: number;
  /**
   * All attempts and waits. Default: twice the time of an attempt; where it is given, a file has to
   * be read by then, too.
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
export interface CallLimits {
  readonly policy: RetryPolicy;
  readonly budget: Budget;
  readonly attemptMs: number;
  readonly deadlineMs: number;
  /** Whether an end was asked for, so that it holds for files, too. */
  readonly strict: boolean;
  readonly maxBytes: number;
  readonly maxFileBytes: number;
  readonly validate: 'off' | 'warn' | 'error';
  readonly fetch: Fetch | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The limits of a call, by its own options and those of the client. */
export type LimitsOf = (operation: Operation, options: CallOptions | undefined) => CallLimits;

export function createLimits(client: CallOptions): LimitsOf {
  const quick = settle(client, 30_000);
  const processing = { ...settle(client, 310_000), budget: quick.budget };
  return ({ time }, own) => {
    const long = time === 'processing';
    if (own === undefined) return long ? processing : quick;
    const retry = { ...client.retry, ...present(own.retry) };
    const limits = settle({ ...client, ...present(own), retry }, long ? 310_000 : 30_000);
    return own.retry?.budget === undefined ? { ...limits, budget: quick.budget } : limits;
  };
}

/** An option that is undefined is one that is not given. */
function present<Options extends object>(options: Options | undefined): Partial<Options> {
  const given = Object.entries(options ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<Options>;
}

function settle(options: CallOptions, usualMs: number): CallLimits {
  const { maxAttempts = 4, baseMs = 500, capMs = 8000, budget = 500 } = options.retry ?? {};
  const { attemptTimeoutMs = usualMs, maxBytes, validate = 'off', fetch, signal } = options;
  const { deadlineMs = 2 * attemptTimeoutMs } = options;
  const numbers = { maxAttempts, baseMs, capMs, budget, attemptTimeoutMs, deadlineMs, maxBytes };
  for (const [name, value = 0] of Object.entries(numbers)) {
    if (!(typeof value === 'number' && value >= 0)) throw invalidOption(name);
  }
  if (maxAttempts < 1 || maxAttempts % 1) throw invalidOption('maxAttempts');
  return {
    policy: { maxAttempts, baseMs, capMs },
    budget: { size: budget, tokens: budget },
    attemptMs: attemptTimeoutMs,
    deadlineMs,
    strict: options.deadlineMs !== undefined,
    maxBytes: maxBytes ?? 2 ** 26,
    maxFileBytes: maxBytes ?? never,
    validate,
    fetch,
    signal,
  };
}

/** One line for a log about one call: what was asked of whom, what became of it, how long it took. */
import type { ResultCode } from './texts.js';

/** Which call it was. */
export interface CallNames {
  /** The ids of the conversation and of the call in it; absent where they could be anything else. */
  readonly callId?: string;
  readonly toolCallId?: string;
  /** A name from the configuration; absent where there is no such tool. */
  readonly tool?: string;
  readonly operation?: string;
}

/** What was asked of whom, and what became of it. */
export interface CallReport extends CallNames {
  readonly code: ResultCode;
  readonly durationMs: number;
}

/**
 * Whether an id may stand in a log. It comes from outside and may hold anything that somebody said:
 * only what looks like an id, and like nothing else, is reported.
 */
export function isReportable(id: string): boolean {
  return /^[\w-]{1,128}$/.test(id);
}

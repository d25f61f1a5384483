/** One line for a log about one call: what was asked of whom, what became of it, how long it took. */
import type { ResultCode } from './result.js';

export interface CallReport {
  /** A name from the configuration; absent where there is no such tool. */
  readonly tool?: string;
  readonly operation?: string;
  readonly code: ResultCode;
  readonly durationMs: number;
}

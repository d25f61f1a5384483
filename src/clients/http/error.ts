/**
 * How a call fails: one error class that holds only plain facts, and is safe to log whole.
 *
 * Invariant: it contains no credential, body or address. Of errors thrown by other code, it keeps only a
 * code.
 */

/**
 * What the service has done, as far as its answers show:
 * - `not-sent`: no attempt left this machine;
 * - `refused`: the service refused every attempt;
 * - `unknown`: at least one attempt may have acted;
 * - `applied`: the call was carried out, but its answer could not be read.
 */
export type CallOutcome = 'not-sent' | 'refused' | 'unknown' | 'applied';

/** Kind of failure: `api/timeout`, `api/invalid-argument`, …; `squadc explain` describes each. */
export type ApiErrorCode = `api/${string}`;

/** Every failure of a call, a download or an option. Safe to log whole. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  declare readonly code: ApiErrorCode;
  /** Id of the operation, or of the function that refused its arguments. */
  declare readonly operation: string;
  declare readonly outcome: CallOutcome;
  /** True if the same call may succeed later and cannot act twice. */
  readonly retryable: boolean = false;
  /**
   * When `retryable` ends, in milliseconds since 1970: from then on, the service may have forgotten the
   * key. Absent if it does not end.
   */
  declare readonly retryableUntil?: number;
  /** The key that was sent. The same call can be made again with it. */
  declare readonly idempotencyKey?: string;
  /** Absent if no answer came. */
  declare readonly status?: number;
  /** The error code from the answer, as sent. */
  declare readonly serviceCode?: string;
  declare readonly requestId?: string;
  /** Number of attempts; absent if there were none. */
  declare readonly attempts?: number;
  /** The invalid argument, the code of a network error, or a finding. */
  declare readonly reason?: string;
  /** The service's message, shortened, with credentials removed. */
  declare readonly serviceMessage?: string;

  constructor(facts: Facts) {
    const { code, operation, serviceMessage: said } = facts;
    const details = [facts.status, facts.serviceCode, facts.reason].filter(Boolean).join(', ');
    super(`${operation}: ${code}${details && ` (${details})`}${said ? `: ${said}` : ''}`);
    const own = this as unknown as Record<string, unknown>;
    for (const [name, value] of Object.entries(facts)) if (value) own[name] = value;
  }

  toJSON(): Facts & Pick<Error, 'name' | 'message'> {
    return { ...this, message: this.message };
  }
}

/** Facts that are absent, empty or 0 are left out of the error. */
type Facts = Pick<ApiError, 'code' | 'operation' | 'outcome'> & {
  readonly [Name in Exclude<keyof ApiError, keyof Error | 'toJSON'>]?: ApiError[Name] | undefined;
};

/** A call refused before anything was sent, because an argument is invalid. */
export const invalidArgument = (
  operation: string,
  reason: string,
  code: ApiErrorCode = 'api/invalid-argument',
  outcome: CallOutcome = 'not-sent',
): ApiError => new ApiError({ code, operation, outcome, reason });

/** An invalid option of a client. */
export const invalidOption = (reason: string): ApiError =>
  invalidArgument('client', reason, 'api/invalid-option');

/** An answer that is not as specified. The call itself was carried out. */
export const unexpected = (code: ApiErrorCode, operation: string, reason: string): ApiError =>
  invalidArgument(operation, reason, code, 'applied');

/**
 * How a call fails: one error class, made of plain facts.
 *
 * Invariant: nothing of a credential, a body or an address stands in it, so that it can be logged
 * whole; of what others threw, only a code is kept.
 */

/**
 * What the service has done, as far as the answers tell:
 * - `not-sent`: no attempt left this machine;
 * - `refused`: the service said no, to every attempt;
 * - `applied`: it is done, only the answer could not be had;
 * - `unknown`: some attempt may have acted.
 */
export type CallOutcome = 'not-sent' | 'refused' | 'applied' | 'unknown';

/** Kind of failure: `api/timeout`, `api/invalid-argument`, …; `squadc explain` knows each. */
export type ApiErrorCode = `api/${string}`;

/** Facts that are absent, empty or 0 are left out of the error. */
export interface ApiErrorFacts {
  readonly code: ApiErrorCode;
  readonly operation: string;
  readonly outcome: CallOutcome;
  readonly retryable?: boolean;
  readonly status?: number | undefined;
  readonly serviceCode?: string | undefined;
  readonly requestId?: string | undefined;
  readonly attempts?: number | undefined;
  readonly reason?: string | undefined;
  readonly serviceMessage?: string | undefined;
}

/** Every failure of a call, of a download and of an option; safe to be logged whole. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  declare readonly code: ApiErrorCode;
  /** Id of the operation, or of the function that refused its arguments. */
  declare readonly operation: string;
  declare readonly outcome: CallOutcome;
  /** Whether the same call may succeed later, and cannot act twice. */
  readonly retryable: boolean = false;
  /** Absent when no answer came. */
  declare readonly status?: number;
  /** The error code in the answer, as sent. */
  declare readonly serviceCode?: string;
  declare readonly requestId?: string;
  /** How many attempts were made; absent when none was. */
  declare readonly attempts?: number;
  /** The argument at fault, the code of a network error, or a finding. */
  declare readonly reason?: string;
  /** What the service says, cut and without credentials. */
  declare readonly serviceMessage?: string;

  constructor(facts: ApiErrorFacts) {
    const { code, operation, serviceMessage: said } = facts;
    const details = [facts.status, facts.serviceCode, facts.reason].filter(Boolean).join(', ');
    super(`${operation}: ${code}${details && ` (${details})`}${said ? `: ${said}` : ''}`);
    Object.assign(this, Object.fromEntries(Object.entries(facts).filter(([, value]) => value)));
  }

  toJSON(): ApiErrorFacts & { readonly name: string; readonly message: string } {
    return { ...this, message: this.message };
  }
}

/** A call refused before anything was sent, because of one of its arguments. */
export function invalidArgument(
  operation: string,
  reason: string,
  code: ApiErrorCode = 'api/invalid-argument',
): ApiError {
  return new ApiError({ code, operation, outcome: 'not-sent', reason });
}

/** An option of a client that cannot be. */
export function invalidOption(reason: string): ApiError {
  return invalidArgument('client', reason, 'api/invalid-option');
}

/** An answer that came, only not as it has to be: what the call asked for is done. */
export function unexpected(code: ApiErrorCode, operation: string, reason: string): ApiError {
  return new ApiError({ code, operation, outcome: 'applied', reason });
}

/** What one service says in its own way; the rest of an answer is HTTP. */
import type { ApiErrorCode } from './api-error.js';

export interface ServiceDialect {
  /** What an answer says about a failure. The body is JSON from outside, or undefined. */
  readonly readError: (body: unknown, status: number) => ServiceError;
  /** Whether an answer of 2xx is a failure nevertheless. Absent: none is. */
  readonly isFailure?: (body: unknown) => boolean;
}

/** Texts are taken as they come: the core cuts them and takes credentials out. */
export interface ServiceError {
  /** A code in place of the one that goes with the status. */
  readonly code?: ApiErrorCode;
  readonly serviceCode?: unknown;
  readonly requestId?: unknown;
  readonly message?: unknown;
  /** The service's own word; false ends the attempts. */
  readonly retryable?: unknown;
  /** What the call is about does not exist. Absent: status 404 or 410. */
  readonly notFound?: boolean;
}

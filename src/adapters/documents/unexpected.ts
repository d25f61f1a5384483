/**
 * The error for an answer that came, only not as it has to be: what the call asked for is done, as
 * far as the service is concerned.
 */
import { ApiError, type ApiErrorCode } from '../http/api-error.js';

export function unexpected(code: ApiErrorCode, operation: string, reason: string): ApiError {
  return new ApiError({ code, operation, outcome: 'applied', reason });
}

/** Errors of the documents API: a code for the status, and whether to try again. */
import { type Answer, jsonAnswer, type Refused } from '../answer.js';

const codes: ReadonlyMap<number, string> = new Map([
  [401, 'UNAUTHORIZED'],
  [402, 'USAGE_BLOCKED'],
  [404, 'NOT_FOUND'],
  [410, 'ENDPOINT_REMOVED'],
  [429, 'RATE_LIMIT_EXCEEDED'],
]);

const retryable: ReadonlySet<string> = new Set(['RATE_LIMIT_EXCEEDED', 'INTERNAL_ERROR']);

export function documentsRefusal({ status, message }: Refused, requestId: string): Answer {
  const code = codes.get(status) ?? (status >= 500 ? 'INTERNAL_ERROR' : 'INVALID_REQUEST');
  return jsonAnswer(status, { code, message, retryable: retryable.has(code), requestId });
}

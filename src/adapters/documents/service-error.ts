/**
 * What the documents service says when it refuses.
 *
 * In: the body of an answer, unchecked. Out: its code, message and request id, as they are sent.
 * Two codes of the service are codes of ours, because the caller has to do something about them;
 * the message of the second names the endpoint that takes over.
 */
import type { ApiErrorCode } from '../http/api-error.js';
import type { ServiceDialect, ServiceError } from '../http/dialect.js';

const codes: Readonly<Record<string, ApiErrorCode>> = {
  USAGE_BLOCKED: 'api/usage-blocked',
  ENDPOINT_REMOVED: 'api/endpoint-removed',
};

/** Asking again changes nothing, whatever the status; the service's own word goes before. */
const lasting = [
  'INVALID_REQUEST',
  'UNAUTHORIZED',
  'NOT_FOUND',
  'USAGE_BLOCKED',
  'ENDPOINT_REMOVED',
];

export const documentsDialect: ServiceDialect = { readError };

function readError(body: unknown): ServiceError {
  const { code, message, requestId, retryable } = Object(body) as Record<string, unknown>;
  const known = typeof code === 'string' ? code : '';
  const own = Object.hasOwn(codes, known) ? codes[known] : undefined;
  return {
    serviceCode: code,
    message,
    requestId,
    retryable: retryable ?? (lasting.includes(known) ? false : undefined),
    ...(own && { code: own }),
    ...(known === 'NOT_FOUND' && { notFound: true }),
  };
}

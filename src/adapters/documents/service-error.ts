/**
 * What the documents service says when it refuses.
 *
 * In: the body of an answer, unchecked. Out: its code, message and request id, as they are sent.
 * Two codes of the service are codes of ours, because the caller has to do something about them;
 * the message of the second names the endpoint that takes over.
 */
import type { ServiceDialect, ServiceError } from '../http/dialect.js';

/** Asking again changes nothing, whatever the status; the service's own word goes before. */
const lasting = new Map<unknown, Pick<ServiceError, 'code' | 'notFound'>>([
  ['INVALID_REQUEST', {}],
  ['UNAUTHORIZED', {}],
  ['NOT_FOUND', { notFound: true }],
  ['USAGE_BLOCKED', { code: 'api/usage-blocked' }],
  ['ENDPOINT_REMOVED', { code: 'api/endpoint-removed' }],
]);

export const documentsDialect: ServiceDialect = {
  readError(body) {
    const { code, message, requestId, retryable } = Object(body) as Record<string, unknown>;
    const known = lasting.get(code);
    const again = retryable ?? (known && false);
    return { serviceCode: code, message, requestId, ...known, retryable: again };
  },
};

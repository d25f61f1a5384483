/**
 * Reads what the service says of a failure.
 *
 * In: a body of any shape. Out: its code and its words. An answer of 200 is a failure where it says
 * so itself (`isSuccess: false`).
 */
import type { ServiceDialect } from '../http/dialect.js';

export const billsDialect: ServiceDialect = {
  isFailure: (body) => membersOf(body)['isSuccess'] === false,
  readError(body, status) {
    const { responseCode, responseText, responseData } = membersOf(body);
    // On failure, a text may stand in place of the details.
    const details =
      typeof responseData === 'string' ? responseData : membersOf(responseData)['explanation'];
    const message = [responseText, details]
      .filter((text) => typeof text === 'string' && text !== '')
      .join(': ');
    return { serviceCode: responseCode, message, notFound: isNotFound(status, message) };
  },
};

/**
 * The service has no status of its own for what is not there. The words count only where a request
 * to delete is repeated, to tell that it is gone.
 */
function isNotFound(status: number, message: string): boolean {
  if (status === 404 || status === 410) return true;
  return status === 400 && /\bnot (?:found|exist)|\bno such\b/i.test(message);
}

export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

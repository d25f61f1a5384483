/**
 * Reads what the service says of a failure.
 *
 * In: a body of any shape. Out: its code and its words. An answer of 200 is a failure where it says
 * so itself (`isSuccess: false`).
 */
import type { ServiceDialect } from '../http/dialect.js';
import { membersOf } from './members.js';

export const billsDialect: ServiceDialect = {
  isFailure: (body) => membersOf(body)['isSuccess'] === false,
  readError(body, status) {
    const { responseCode, responseText, responseData } = membersOf(body);
    // On failure, a text may stand in place of the details.
    const message = [responseText, membersOf(responseData)['explanation'], responseData]
      .filter((text) => typeof text === 'string' && text)
      .join(': ');
    // The service has no status of its own for what is not there. The words count only where a
    // request to delete is repeated, to tell that it is gone.
    const absent = status === 400 && /\bnot (?:found|exist)|\bno such\b/i.test(message);
    return { serviceCode: responseCode, message, ...(absent && { notFound: true }) };
  },
};

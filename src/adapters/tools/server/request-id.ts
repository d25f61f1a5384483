/**
 * The id under which a request is found again in logs.
 *
 * A proxy may have given one. It goes into logs and into the answer, so that only one that cannot be
 * mistaken for anything else is taken over; any other request gets an id of our own.
 */
import { randomUUID } from 'node:crypto';

export const idHeader = 'x-request-id';

export function requestId(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
}

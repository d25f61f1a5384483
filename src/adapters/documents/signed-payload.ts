/**
 * Fetches the payload that an event only has the address of.
 *
 * In: a signed payload. Out: the payload itself, whole, or an ApiError. The address is a credential
 * and comes from outside: only https: is asked, no other credential goes along, no redirect is
 * followed, more than the limit is not read, and nothing of the address stands in an error. One
 * attempt: an event that the receiver does not take is delivered again.
 */
import { invalidArgument } from '../http/api-error.js';
import { never } from '../http/clock.js';
import type { CallOptions } from '../http/options.js';
import { createSender } from '../http/send.js';
import { unexpected } from './unexpected.js';
import type { SignedPayload } from './webhook-events.js';

/** How long and how much is read of a payload that has to be fetched. */
export interface SignedPayloadOptions extends Pick<CallOptions, 'fetch' | 'signal'> {
  /** Longest payload. Default: 64 MiB. */
  readonly maxBytes?: number;
  /** For all of it, the body included. Default: 60 s. */
  readonly deadlineMs?: number;
}

const id = 'fetchSignedPayload';
const operation = { id, method: 'GET', path: '', repeat: 'always', auth: false } as const;

/** Which type it has is known from the event: `fetchSignedPayload<ExtractRun>(event.payload)`. */
export async function fetchSignedPayload<Payload = Readonly<Record<string, unknown>>>(
  signed: SignedPayload,
  options: SignedPayloadOptions = {},
): Promise<Payload> {
  const { fetch = globalThis.fetch, ...limits } = options;
  const { href, origin } = addressOf(signed);
  const sender = createSender({
    baseUrl: origin,
    auth: { value: 'none' },
    dialect: { readError: () => ({}) },
    retry: { maxAttempts: 1 },
    // The deadline alone counts: 60 s, unless the caller has another.
    attemptTimeoutMs: never,
    deadlineMs: 60_000,
    fetch: async (_, init) => asJson(await fetch(href, { ...init, ...omitted() })),
  });
  const payload = await sender.send(operation, {}, limits);
  if (payload !== null && typeof payload === 'object' && !Array.isArray(payload)) {
    return payload as Payload;
  }
  throw unexpected('api/malformed', id, 'payload');
}

function addressOf(signed: SignedPayload): URL {
  try {
    const url = new URL(signed.data);
    if (url.protocol === 'https:' && !(url.username || url.password)) return url;
  } catch {
    // Refused like every address that is not wanted.
  }
  throw invalidArgument(id, 'data');
}

/** Not every worker has the option `credentials`; those that have not have none to send. */
const omitted = () => 'credentials' in Request.prototype && { credentials: 'omit' as const };

/**
 * The answer of a store of files: of any type, and with no word of its own that we would repeat.
 * What was followed against the word of the request is a redirect all the same.
 */
function asJson({ status, redirected, headers, body }: Response): Response {
  if (redirected || status === 0) return new Response(null, { status: 302 });
  const kept = new Headers(headers);
  kept.set('content-type', 'application/json');
  kept.delete('x-request-id');
  return new Response(body, { status, headers: kept });
}

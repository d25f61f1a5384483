/**
 * Fetches the payload that an event only has the address of.
 *
 * In: a signed payload. Out: the payload itself, whole, or an ApiError. The address is a credential
 * and comes from outside: only https: is asked, no other credential goes along, no redirect is
 * followed, more than the limit is not read, and nothing of the address stands in an error. One
 * attempt: an event that the receiver does not take is delivered again.
 */
import { ApiError, type ApiErrorCode, invalidArgument } from '../http/api-error.js';
import { systemClock } from '../http/clock.js';
import { createDeadlines } from '../http/deadlines.js';
import { type Ending, exchange } from '../http/exchange.js';
import { createFetchTransport, type Fetch } from '../http/fetch-transport.js';
import { readObject, type SignedPayload } from './webhook-events.js';

export interface SignedPayloadOptions {
  readonly fetch?: Fetch;
  /** Longest payload. Default: 64 MiB. */
  readonly maxBytes?: number;
  /** For all of it, the body included. Default: 60 s. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

const operation = 'fetchSignedPayload';

/** Which type it has is known from the event: `fetchSignedPayload<ExtractRun>(event.payload)`. */
export async function fetchSignedPayload<Payload = Readonly<Record<string, unknown>>>(
  signed: SignedPayload,
  options: SignedPayloadOptions = {},
): Promise<Payload> {
  const { fetch = globalThis.fetch, maxBytes = 2 ** 26, deadlineMs = 60_000, signal } = options;
  if (!(maxBytes > 0)) throw invalidArgument(operation, 'maxBytes');
  if (!(deadlineMs > 0)) throw invalidArgument(operation, 'deadlineMs');
  const request = {
    method: 'GET',
    origin: addressOf(signed),
    path: '',
    headers: { accept: 'application/json' },
    body: undefined,
    until: systemClock.now() + deadlineMs,
    maxBytes,
    signal,
    streaming: undefined,
  } as const;
  const transport = createFetchTransport(guarded(fetch));
  const ending = await exchange(transport, request, createDeadlines(systemClock));
  return readPayload(ending) as Payload;
}

function addressOf(signed: SignedPayload): string {
  let url: URL | undefined;
  try {
    url = new URL(signed.data);
  } catch {
    // Refused below, like every address that is not wanted.
  }
  if (url?.protocol !== 'https:' || url.username || url.password) {
    throw invalidArgument(operation, 'data');
  }
  return url.href;
}

/** Not every worker has the option `credentials`; those that have not have none to send. */
function guarded(fetch: Fetch): Fetch {
  const omit = 'credentials' in Request.prototype ? { credentials: 'omit' as const } : {};
  return async (address, init) => {
    const response = await fetch(address, { ...init, ...omit });
    // What was followed against the word of the request is a redirect all the same.
    return response.redirected ? new Response(null, { status: 302 }) : response;
  };
}

function readPayload({ status, sent, fault, bytes }: Ending): object {
  const refused = status > 299;
  const payload = refused || fault !== undefined ? undefined : readObject(bytes);
  if (payload !== undefined) return payload;
  const answered = refused ? 'refused' : status > 0 ? 'applied' : 'unknown';
  throw new ApiError({
    code: refused ? codeOf(status) : `api/${fault ?? 'malformed'}`,
    operation,
    outcome: sent ? answered : 'not-sent',
    retryable: refused
      ? status === 429 || status > 499
      : fault !== undefined && fault !== 'aborted' && fault !== 'too-large',
    ...(status > 0 ? { status } : {}),
  });
}

/** A link that has run out is forbidden, as a rule. */
function codeOf(status: number): ApiErrorCode {
  if (status < 400) return 'api/redirect';
  if (status === 403) return 'api/forbidden';
  if (status === 404 || status === 410) return 'api/not-found';
  if (status === 429) return 'api/rate-limited';
  return status < 500 ? 'api/bad-request' : 'api/server-error';
}

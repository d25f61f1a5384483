/**
 * Two transports, undici on Node and `fetch` elsewhere or where it is given, and how what they bring
 * is read.
 *
 * Invariants: a value is never partial, nor decoded loosely; what breaks off never just ends.
 * Nothing is expected of a transport: one that does not stop, or never answers, is left behind.
 */
import type { ApiErrorCode } from './error.js';
import type { Method } from './operation.js';
import type { Fault } from './retry.js';

interface TransportRequest {
  readonly method: Method;
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<Uint8Array> | undefined;
  readonly signal: AbortSignal;
}

/** By names in small letters. */
type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The body is read no faster than it is asked for; redirects are never followed. */
interface TransportAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: AsyncIterable<Uint8Array> | Iterable<never>;
}

export type Transport = (request: TransportRequest) => Promise<TransportAnswer>;

/** Over kept-alive connections. undici is slow to load, so that is done at the first request. */
export function createUndici(): { readonly request: Transport; close(): Promise<void> } {
  const load = async () => {
    const { Agent } = await import('undici');
    return new Agent({ connections: 128, headersTimeout: 0, bodyTimeout: 0 });
  };
  let loaded: ReturnType<typeof load> | undefined;
  return {
    async request(given) {
      loaded ??= load();
      const agent = await loaded;
      // It takes any iterable as a body, although its type says less.
      const options = given as Parameters<typeof agent.request>[0];
      const { statusCode: status, headers, body } = await agent.request(options);
      // What is let go of before it is read fails where nobody listens.
      body.on('error', () => {});
      return { status, headers, body };
    },
    async close() {
      const closing = loaded;
      loaded = undefined;
      await (await closing)?.close();
    },
  };
}

export function overFetch(fetch: typeof globalThis.fetch): Transport {
  return async ({ origin, path, ...given }) => {
    const init = { ...given, duplex: 'half', redirect: 'manual' } as RequestInit;
    if (typeof given.body === 'object') {
      // Node and browsers have it; the types of browsers do not yet.
      const { from } = ReadableStream as unknown as { from(pieces: unknown): ReadableStream };
      // To send it once more elsewhere, undici would keep all of a stream that may be redirected.
      Object.assign(init, { body: from(given.body), redirect: 'error' });
    }
    const answer = await fetch(origin + path, init);
    const { 'content-encoding': packed, ...headers } = Object.fromEntries(answer.headers);
    // One that was unpacked has another length by now.
    if (packed) delete headers['content-length'];
    // A browser shows of a redirect only that it is one.
    return { status: answer.status || 302, headers, body: answer.body ?? [] };
  };
}

/** A file that is handed out while it arrives: read `body` to its end, or cancel it. */
export interface FileAnswer {
  readonly body: ReadableStream<Uint8Array>;
  readonly contentType: string;
  /** The last part of the name that the service gives; never a path. */
  readonly filename?: string;
  /** In bytes, where it is known before the end. */
  readonly size?: number;
}

/** What one service says in its own way; the rest of an answer is HTTP. */
export interface ServiceDialect {
  /** What an answer says about a failure. The body is JSON from outside, or undefined. */
  readonly readError: (body: unknown, status: number) => ServiceError;
  /** Whether an answer of 2xx is a failure nevertheless. Absent: none is. */
  readonly isFailure?: (body: unknown) => boolean;
}

/** Texts are taken as they come: they are cut, and credentials taken out, later. */
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

/** Why something is not waited for, or not read, any longer. */
export class Cut extends Error {
  constructor(readonly fault: Fault) {
    super();
  }
}

/** What comes of it in this time, unless the signal ends it before: then a {@link Cut}. */
export function within<Result>(
  ms: number,
  signal: AbortSignal | undefined,
  going: Promise<Result>,
): Promise<Result> {
  let clear = () => {};
  const cut = new Promise<never>((_, reject) => {
    const late = () => reject(new Cut('timeout'));
    const stopped = () => reject(new Cut('aborted'));
    if (signal?.aborted) stopped();
    else if (ms <= 0) late();
    // Timers count whole milliseconds, and only so many of them.
    const timer = setTimeout(late, Math.min(Math.ceil(ms), 2 ** 31 - 1));
    signal?.addEventListener('abort', stopped);
    clear = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stopped);
    };
  });
  return Promise.race([cut, going]).finally(clear);
}

/** Waits for this time, or until the signal. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await within(ms, signal, new Promise(() => {})).catch(() => {});
}

export const jsonType = /^\s*(?:application|text)\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

type Pieces = AsyncGenerator<Uint8Array<ArrayBuffer>, undefined>;

/** The pieces of an answer: as many bytes as it may have, and no fewer than it announced. */
export async function* measured({ headers, body }: TransportAnswer, most: number): Pieces {
  const announced = Number(headers['content-length'] ?? 0);
  let size = 0;
  if (announced > most) throw new Cut('too-large');
  for await (const piece of body) {
    size += piece.length;
    if (size > most) throw new Cut('too-large');
    if (piece.length > 0) yield piece as Uint8Array<ArrayBuffer>;
  }
  if (size < announced) throw new Cut('truncated');
}

/** What is written there in JSON; undefined where there is none. */
export function parse(pieces: readonly Uint8Array[]): { readonly value: unknown } | undefined {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  try {
    const texts = pieces.map((piece) => utf8.decode(piece, { stream: true }));
    return { value: JSON.parse(texts.join('') + utf8.decode()) };
  } catch {
    return undefined;
  }
}

/** Of the name that the service gives, the last part alone: it is likely to be joined to a folder. */
export function fileOf(headers: AnswerHeaders, body: FileAnswer['body']): FileAnswer {
  const length = headers['content-length'];
  const named = /\bfilename="?(?:[^";]*[/\\])?([^";/\\]+)/i;
  const [, filename = ''] = named.exec(`${headers['content-disposition']}`) ?? [];
  return {
    body,
    contentType: `${headers['content-type'] ?? 'application/octet-stream'}`,
    ...(!/^\.*$|\p{Cc}/u.test(filename) && { filename }),
    ...(length !== undefined && { size: Number(length) }),
  };
}

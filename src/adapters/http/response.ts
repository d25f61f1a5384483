/**
 * Two transports, and how their answers are read: undici on Node; `fetch` elsewhere, or if given.
 *
 * Invariants: a value is never partial or decoded loosely, and a broken-off answer never looks
 * complete. A transport is not trusted: if it does not stop or never answers, it is abandoned.
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
  readonly signal: StopSignal;
}

/** As much of an emitter as undici uses; an AbortSignal takes as long as the rest of a request. */
export class StopSignal {
  aborted = false;
  private stop?: () => void;
  on(): void {}
  once(_: string, stop: () => void): void {
    this.stop = stop;
  }
  removeListener(): void {}
  abort(): void {
    this.aborted = true;
    this.stop?.();
  }
}

/** Names are lowercase. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The body is read only on demand; redirects are never followed. */
interface TransportAnswer {
  readonly statusCode: number;
  readonly headers: AnswerHeaders;
  readonly body: AsyncIterable<Uint8Array> | Iterable<never>;
}

export type Transport = (request: TransportRequest) => Promise<TransportAnswer>;

/** Keeps connections alive. Loads undici at the first request, because loading it is slow. */
export function createUndici(): { readonly request: Transport; close(): Promise<void> } {
  let loaded: Promise<import('undici').Agent> | undefined;
  return {
    async request(given) {
      loaded ??= import('undici').then(({ Agent }) => {
        return new Agent({ connections: 128, headersTimeout: 0, bodyTimeout: 0 });
      });
      // undici accepts any iterable as a body, and such a signal, although its type does not say so.
      return (await loaded).request(given as unknown as import('undici').Dispatcher.RequestOptions);
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
    const control = new AbortController();
    given.signal.once('abort', () => control.abort());
    const usual = { signal: control.signal, duplex: 'half', redirect: 'manual' };
    const init = { ...given, ...usual } as RequestInit;
    if (typeof given.body === 'object') {
      // Node and browsers have it, but the types for browsers do not yet.
      const { from } = ReadableStream as unknown as { from(pieces: unknown): ReadableStream };
      // Unless a redirect is an error, undici keeps a copy of the whole stream to send it again.
      Object.assign(init, { body: from(given.body), redirect: 'error' });
    }
    const answer = await fetch(origin + path, init);
    const { 'content-encoding': packed, ...headers } = Object.fromEntries(answer.headers);
    // The length is that of the compressed body, which fetch has already unpacked.
    if (packed) delete headers['content-length'];
    // A browser reports any redirect as status 0.
    return { statusCode: answer.status || 302, headers, body: answer.body ?? [] };
  };
}

/** A file, streamed as it arrives: read `body` to its end, or cancel it. */
export interface FileAnswer {
  readonly body: ReadableStream<Uint8Array>;
  readonly contentType: string;
  /** The last part of the name that the service gives; never a path. */
  readonly filename?: string;
  /** In bytes, if known in advance. */
  readonly size?: number;
}

/** What is specific to one service; the rest of an answer is HTTP. */
export interface ServiceDialect {
  /** Reads what an answer says about a failure. The body is untrusted JSON, or undefined. */
  readonly readError: (body: unknown, status: number) => ServiceError;
  /** Whether a 2xx answer is a failure nevertheless. Absent: none is. */
  readonly isFailure?: (body: unknown) => boolean;
}

/** Texts as received; they are shortened and freed of credentials later. */
export interface ServiceError {
  /** Replaces the code that belongs to the status. */
  readonly code?: ApiErrorCode;
  readonly serviceCode?: unknown;
  readonly requestId?: unknown;
  readonly message?: unknown;
  /** As the service says; false ends the attempts. */
  readonly retryable?: unknown;
  /** Whether the call's subject does not exist. Absent: decided by status 404 or 410. */
  readonly notFound?: boolean;
}

/** Stops waiting or reading, and says why. */
export class Cut {
  /** `said` is what a refusal said. */
  constructor(
    readonly fault: Fault,
    readonly reason = '',
    readonly said?: unknown,
  ) {}
}

/** Settles as what it starts does, or rejects with a {@link Cut} on a timeout or an abort. */
export async function within<Result>(
  ms: number,
  signal: AbortSignal | undefined,
  start: () => Promise<Result>,
): Promise<Result> {
  if (signal?.aborted) throw new Cut('aborted');
  if (ms <= 0) throw new Cut('timeout');
  let clear = () => {};
  const cut = new Promise<never>((_, reject) => {
    const end = (fault: Fault) => reject(new Cut(fault));
    const stopped = () => end('aborted');
    // A longer timer would end at once.
    const timer = setTimeout(end, Math.min(ms, 2 ** 31 - 1), 'timeout');
    signal?.addEventListener('abort', stopped);
    clear = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stopped);
    };
  });
  return Promise.race([cut, start()]).finally(clear);
}

/** Waits for this time, or until the signal aborts. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await within(ms, signal, () => new Promise(() => {})).catch(() => {});
}

type Pieces = AsyncGenerator<Uint8Array<ArrayBuffer>, undefined>;

/** The pieces of an answer; fails if they exceed `most` or fall short of the announced length. */
export async function* measured({ headers, body }: TransportAnswer, most: number): Pieces {
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > most) throw new Cut('too-large');
    yield piece as Uint8Array<ArrayBuffer>;
  }
  if (size < Number(headers['content-length'])) throw new Cut('truncated');
}

/** Parses JSON; undefined if it is invalid. */
export function parse(pieces: readonly Uint8Array[]): unknown {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  try {
    const texts = pieces.map((piece) => utf8.decode(piece, { stream: true }));
    return JSON.parse(texts.join('') + utf8.decode());
  } catch {
    return undefined;
  }
}

/** Keeps only the last part of the service's file name, since callers may join it to a folder. */
export function fileOf(headers: AnswerHeaders, body: FileAnswer['body']): FileAnswer {
  const length = headers['content-length'];
  const named = /\bfilename="?(?:[^";]*[/\\])?([^";/\\]*[^";/\\.])/i;
  const [, filename] = named.exec(`${headers['content-disposition']}`) ?? [];
  return {
    body,
    contentType: `${headers['content-type'] ?? 'application/octet-stream'}`,
    ...(filename && { filename }),
    ...(length && { size: Number(length) }),
  };
}

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
  readonly body: string | ReadableStream<Uint8Array> | undefined;
  readonly signal: AbortSignal;
}

/** The type of what has no other. */
export const anyBytes = 'application/octet-stream';

/** Names are lowercase. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The body is read only on demand; redirects are never followed. */
interface TransportAnswer {
  readonly statusCode: number;
  readonly headers: AnswerHeaders;
  readonly body: AsyncIterable<Uint8Array> | Iterable<never>;
}

export type Transport = (request: TransportRequest) => Promise<TransportAnswer>;

/** Keeps connections alive, through the proxy of the environment. Loads undici at the first request. */
export const createUndici = (): { readonly request: Transport; close(): Promise<void> } => {
  let loaded: Promise<import('undici').EnvHttpProxyAgent> | undefined;
  return {
    async request(given) {
      loaded ??= import('undici').then(({ EnvHttpProxyAgent, buildConnector }) => {
        const connector = buildConnector({}) as Connector;
        // A request is written once there is a connection: what prevents one proves it unsent.
        const connect: Connector = (target, done) =>
          connector(target, (error, socket) => done(error && networkFailure(error, true), socket));
        return new EnvHttpProxyAgent({
          connections: 128,
          headersTimeout: 0,
          bodyTimeout: 0,
          connect: connect as import('undici').buildConnector.connector,
        });
      });
      // undici accepts any iterable as a body, although its type does not say so.
      return (await loaded).request(given as import('undici').Dispatcher.RequestOptions);
    },
    async close() {
      const closing = loaded;
      loaded = undefined;
      await (await closing)?.close();
    },
  };
};

type Connector = (target: never, done: (error: unknown, socket: unknown) => void) => unknown;

export const fetchTransport =
  (fetch: typeof globalThis.fetch): Transport =>
  async ({ origin, path, ...given }) => {
    // Unless a redirect is an error, undici keeps a copy of the whole stream to send it again.
    const redirect = typeof given.body === 'object' ? 'error' : 'manual';
    const init = { ...given, duplex: 'half', redirect } as RequestInit;
    const answer = await fetch(origin + path, init);
    const headers = Object.fromEntries(answer.headers);
    // The length is that of the compressed body, which fetch has already unpacked.
    if (headers['content-encoding']) headers['content-length'] = headers['content-encoding'] = '';
    // A browser reports any redirect as status 0.
    return { statusCode: answer.status || 302, headers, body: answer.body ?? [] };
  };

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
  readonly code?: ApiErrorCode | undefined;
  /** Replaces the status in all that is decided, if the service's own code is known. */
  readonly status?: number | undefined;
  readonly serviceCode?: unknown;
  readonly requestId?: unknown;
  readonly message?: unknown;
  /** As the service says; false ends the attempts. */
  readonly retryable?: unknown;
  /** Whether the call's subject does not exist, even if the status is neither 404 nor 410. */
  readonly notFound?: boolean;
}

/** Stops waiting or reading, and says why. */
export class TransportFailure {
  declare readonly fault: Fault;
  declare readonly reason: string;
  /** What a refusal said. */
  declare readonly read: ServiceError;

  constructor(fault: Fault, reason = '', read: ServiceError = {}) {
    this.fault = fault;
    this.reason = reason;
    this.read = read;
  }
}

/** Codes of network errors which prove that nothing of the request was sent. */
const unsent =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|UNABLE_TO.*|(?!ERR_SSL).*CERT.*)$/;

/** Keeps only the code of a network error. */
export const networkFailure = (error: unknown, isUnsent?: boolean): TransportFailure => {
  const { code, cause } = Object(error);
  const [reason = ''] = `${code ?? cause?.code}`.match(/^[A-Z\d_]{2,60}$/) ?? [];
  return new TransportFailure(
    isUnsent || unsent.test(reason) ? 'unreachable' : 'connection-lost',
    reason,
  );
};

/** Settles as what it starts does, or rejects with a {@link TransportFailure} on a timeout or an abort. */
export const withTimeout = <Result>(
  ms: number,
  signal: AbortSignal | undefined,
  start: () => Promise<Result>,
): Promise<Result> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort!: () => void;
  return new Promise<Result>((resolve, reject) => {
    const stop = (fault: Fault) => reject(new TransportFailure(fault));
    abort = () => stop('aborted');
    if (signal?.aborted) abort();
    else if (ms <= 0) stop('timeout');
    else start().then(resolve, reject);
    // A longer timer would end at once.
    timer = setTimeout(stop, Math.min(ms, 2e9), 'timeout');
    signal?.addEventListener('abort', abort);
  }).finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  });
};

/** Waits for this time, or until the signal aborts. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  withTimeout<void>(ms, signal, () => new Promise(() => {})).catch(() => {});

type Pieces = AsyncGenerator<Uint8Array<ArrayBuffer>, undefined>;

/** The pieces of an answer; fails if they exceed `most` or fall short of the announced length. */
export async function* limitSize({ headers, body }: TransportAnswer, most: number): Pieces {
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > most) throw new TransportFailure('too-large');
    yield piece as Uint8Array<ArrayBuffer>;
  }
  if (size < Number(headers['content-length'])) throw new TransportFailure('truncated');
}

/** Parses the pieces of JSON; undefined if it is invalid, or not UTF-8. */
export const parseJson = (pieces: readonly Uint8Array[]): unknown => {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    const texts = pieces.map((piece) => decoder.decode(piece, { stream: true }));
    return JSON.parse(texts.join('') + decoder.decode());
  } catch {
    return undefined;
  }
};

/** Keeps only the last part of the service's file name, since callers may join it to a folder. */
export const fileOf = (headers: AnswerHeaders, body: FileAnswer['body']): FileAnswer => {
  const length = headers['content-length'];
  const named = /\bfilename="?(?:[^";]*[/\\])?([^";/\\]*[^";/\\.])/i;
  const [, filename] = named.exec(`${headers['content-disposition']}`) ?? [];
  return {
    body,
    contentType: `${headers['content-type'] ?? anyBytes}`,
    ...(filename && { filename }),
    ...(length && { size: Number(length) }),
  };
};

/**
 * What carries a request: undici on Node, `fetch` elsewhere or where it is given.
 *
 * Both answer with a body that is read piece by piece, no faster than it is asked for, and stop with
 * the signal. Redirects are never followed. Times and limits are kept by whoever asks.
 */
import type { Method } from './operation.js';
import type { CallOptions } from './request.js';

export interface TransportRequest {
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | AsyncIterable<Uint8Array> | undefined;
  readonly signal: AbortSignal;
}

/** By names in small letters. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface TransportAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: AsyncIterable<Uint8Array>;
}

export type Transport = (request: TransportRequest) => Promise<TransportAnswer>;

/** Over kept-alive connections. undici is slow to load, so that is done at the first request. */
export function overUndici(): { readonly transport: Transport; close(): Promise<void> } {
  const load = async () => {
    const { Agent, request } = await import('undici');
    const dispatcher = new Agent({ connections: 128, headersTimeout: 0, bodyTimeout: 0 });
    return { dispatcher, request };
  };
  let loaded: ReturnType<typeof load> | undefined;
  return {
    async transport({ url, body: given, ...rest }) {
      loaded ??= load();
      const { dispatcher, request } = await loaded;
      // It takes any iterable, although its type says less.
      const options = { ...rest, dispatcher, body: given } as Parameters<typeof request>[1];
      const { statusCode, headers, body } = await request(url, options);
      // What is let go of before it is read fails where nobody listens.
      body.on('error', () => {});
      return { status: statusCode, headers, body };
    },
    async close() {
      const closing = loaded;
      loaded = undefined;
      await (await closing)?.dispatcher.close();
    },
  };
}

/** Node and browsers have it; the types of browsers do not yet. */
const { from } = ReadableStream as unknown as {
  from(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array>;
};

export function overFetch(fetch: NonNullable<CallOptions['fetch']>): Transport {
  return async ({ url, body: given, ...rest }) => {
    const streamed = typeof given === 'object';
    const body = streamed ? from(given) : given;
    // To send it once more elsewhere, undici would keep all of a stream that may be redirected.
    const redirect = streamed ? 'error' : 'manual';
    const answer = await fetch(url, { ...rest, body, redirect, duplex: 'half' } as RequestInit);
    const { 'content-encoding': packed, ...fields } = Object.fromEntries(answer.headers);
    // One that was unpacked has another length by now.
    if (packed) delete fields['content-length'];
    // A browser shows of a redirect only that it is one.
    return { status: answer.status || 302, headers: fields, body: piecesOf(answer.body) };
  };
}

/** Not every stream of every browser can be iterated. */
async function* piecesOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = stream?.getReader();
  try {
    for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) {
      yield piece.value;
    }
  } finally {
    reader?.cancel().catch(() => {});
  }
}

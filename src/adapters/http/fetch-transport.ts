/**
 * Requests over a `fetch` that was given, or the one of the surroundings.
 *
 * An answer is passed on piece by piece, and not read further while the sink pauses. One that ends
 * before its announced length is broken; a packed one has another length by the time it is here.
 */
import { never } from './clock.js';
import { type AnswerSink, piecesOf, type Transport, type TransportRequest } from './transport.js';

const shortBytes = 65_536;

export type Fetch = typeof globalThis.fetch;

export function createFetchTransport(fetch: Fetch): Transport {
  return { dispatch: (request, sink) => void carry(fetch, request, sink), close: async () => {} };
}

async function carry(fetch: Fetch, request: TransportRequest, sink: AnswerSink): Promise<void> {
  const control = new AbortController();
  let gate: Promise<void> | undefined;
  let open = () => {};
  const source = {
    abort: () => control.abort(),
    pause: () => {
      gate = new Promise((resolve) => {
        open = resolve;
      });
    },
    resume: () => open(),
  };
  try {
    sink.onRequestStart(source);
    const response = await fetch(request.origin + request.path, initOf(request, control.signal));
    const headers = Object.fromEntries(response.headers);
    if (headers['content-encoding'] !== undefined) {
      delete headers['content-encoding'];
      delete headers['content-length'];
    }
    sink.onResponseStart(source, response.status, headers);
    let missing = Number(headers['content-length'] ?? never);
    // Short answers are had more quickly at once.
    const reader = missing > shortBytes ? response.body?.getReader() : undefined;
    if (reader === undefined) {
      const piece = new Uint8Array(await response.arrayBuffer());
      missing -= piece.length;
      sink.onResponseData(source, piece);
    }
    for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) {
      missing -= piece.value.length;
      sink.onResponseData(source, piece.value);
      await gate;
      if (control.signal.aborted) await reader?.cancel();
    }
    if (missing > 0 && missing < never) throw control;
    sink.onResponseEnd();
  } catch (error) {
    sink.onResponseError(source, error);
  }
}

function initOf({ method, headers, body }: TransportRequest, signal: AbortSignal): RequestInit {
  const init = { method, headers, redirect: 'manual', signal } as RequestInit;
  if (typeof body === 'object') return { ...init, ...uploadOf(piecesOf(body)) };
  return body === undefined ? init : { ...init, body };
}

function uploadOf(pieces: AsyncIterable<Uint8Array>): object {
  let iterator: AsyncIterator<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    async pull(output) {
      iterator ??= pieces[Symbol.asyncIterator]();
      const { done, value } = await iterator.next();
      if (done) output.close();
      else output.enqueue(value);
    },
    cancel: async () => void (await iterator?.return?.()),
  });
  return { body, duplex: 'half' };
}

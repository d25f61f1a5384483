/**
 * Requests over a `fetch` that was given, or the one of the surroundings.
 *
 * An answer is passed on piece by piece, and not read further while the sink pauses. One that ends
 * before its announced length is broken; a packed one has another length by the time it is here.
 */
import type { AnswerSink, Transport, TransportRequest } from './transport.js';

export type Fetch = typeof globalThis.fetch;

export function createFetchTransport(fetch: Fetch): Transport {
  return { dispatch: (request, sink) => void carry(fetch, request, sink), close: async () => {} };
}

async function carry(
  fetch: Fetch,
  { origin, path, method, headers, body: given }: TransportRequest,
  sink: AnswerSink,
): Promise<void> {
  const control = new AbortController();
  const { signal } = control;
  let gate: Promise<void> | undefined;
  const source = {
    abort: () => {
      control.abort();
      source.resume();
    },
    pause: () => {
      gate = new Promise((open) => {
        source.resume = open;
      });
    },
    resume: () => {},
  };
  try {
    sink.onRequestStart(source);
    const streamed = typeof given === 'object';
    const body = streamed ? ReadableStream.from(given) : given;
    // To send it once more elsewhere, undici would keep all of a stream that may be redirected.
    const redirect = streamed ? 'error' : 'manual';
    const init = { method, headers, body, signal, redirect, duplex: 'half' } as RequestInit;
    const response = await fetch(origin + path, init);
    const { 'content-encoding': packed, ...fields } = Object.fromEntries(response.headers);
    if (packed) delete fields['content-length'];
    sink.onResponseStart(source, response.status, fields);
    const reader = response.body?.getReader();
    let missing = Number(fields['content-length'] ?? 0);
    for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) {
      missing -= piece.value.length;
      sink.onResponseData(source, piece.value);
      await gate;
      if (signal.aborted) await reader?.cancel();
    }
    if (missing > 0) throw fields;
    sink.onResponseEnd();
  } catch (error) {
    sink.onResponseError(source, error);
  }
}

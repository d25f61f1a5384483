/**
 * One exchange of a request for an answer, over any transport.
 *
 * In: a request, its time and its limits. Out: one ending, as data; it never rejects.
 * Invariants: the time covers headers and body of an answer that is read whole, and the silence
 * between two pieces of one that is streamed, while its reader waits; what breaks off never just
 * ends; `sent: false` is said only where surely nothing reached the service. Nothing is expected of
 * the transport: one that does not stop, or never answers, is left behind.
 *
 * There is one object for each exchange and no signal, because signals cost a third of the
 * throughput; what undici or the service throws is read for a code and dropped.
 */
import { never } from './clock.js';
import type { Deadlines } from './deadlines.js';
import { headerOf, isJson } from './headers.js';
import type { AnswerHeaders, AnswerSource, Transport, TransportRequest } from './transport.js';

/** Why an answer is not there as a whole; the code of an error but for its `api/`. */
export type Fault =
  | 'unreachable'
  | 'connection-lost'
  | 'truncated'
  | 'too-large'
  | 'timeout'
  | 'aborted';

export interface ExchangeRequest extends TransportRequest {
  /** The point of the clock at which the attempt is over. */
  readonly until: number;
  /** Longest answer that is read whole. */
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
  /** Present when the call is for a file. */
  readonly streaming: Streaming | undefined;
}

export interface Streaming {
  readonly maxBytes: number;
  /** Longest silence while the reader waits. */
  readonly idleMs: number;
  /** The point of the clock at which the stream is over; infinite when it may take its time. */
  readonly until: number;
  /** The error that the reader meets when the stream breaks. */
  readonly errorOf: (fault: Fault) => Error;
}

export interface Ending {
  /** 0 without an answer. */
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Whether something may have reached the service. */
  readonly sent: boolean;
  /** All of the body; empty with a fault. */
  readonly bytes: Uint8Array;
  readonly stream?: ReadableStream<Uint8Array>;
  readonly fault?: Fault | undefined;
  /** Code of the network error. */
  readonly reason?: string | undefined;
}

/** Made once, because making an error costs more than the rest of an exchange. */
const stopped = new Error('stopped');

/** Longest answer to a failure that is read; the status says the most. */
const failureBytes = 65_536;

/** Read ahead of the reader of a stream at most, and a piece more. */
const ahead = { highWaterMark: 262_144, size: (piece?: Uint8Array) => piece?.length ?? 0 };

export function exchange(
  transport: Transport,
  request: ExchangeRequest,
  deadlines: Deadlines,
): Promise<Ending> {
  return new Promise((resolve) => {
    const { signal, streaming } = request;
    const pieces: Uint8Array[] = [];
    let [status, size, limit, over] = [0, 0, 0, false];
    let headers: AnswerHeaders = {};
    let source: AnswerSource | undefined;
    let output: ReadableStreamDefaultController<Uint8Array> | undefined;
    const deadline = { until: request.until, expire: () => finish('timeout') };
    const onAbort = () => finish('aborted');

    function finish(fault?: Fault, reason?: string): void {
      if (over) return;
      over = true;
      deadlines.remove(deadline);
      signal?.removeEventListener('abort', onAbort);
      const sent = source !== undefined && fault !== 'unreachable';
      if (output === undefined) {
        resolve({ status, headers, sent, bytes: join(fault ? [] : pieces), fault, reason });
      } else if (fault === undefined) output.close();
      else output.error(streaming?.errorOf(fault));
      if (fault !== undefined) source?.abort(stopped);
    }

    /** From now on the service has this long for its next piece. */
    function expect(ms: number): void {
      deadlines.remove(deadline);
      deadline.until = Math.min(deadlines.clock.now() + ms, streaming?.until ?? 0);
      if (!over) deadlines.add(deadline);
    }

    function stream(idleMs: number): ReadableStream<Uint8Array> {
      const start = (given: typeof output) => {
        output = given;
      };
      const pull = () => {
        expect(idleMs);
        source?.resume();
      };
      return new ReadableStream({ start, pull, cancel: onAbort }, ahead);
    }

    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort);
    deadlines.add(deadline);
    transport.dispatch(request, {
      onRequestStart(given) {
        // Given up while it waited for a connection: this takes it out of the queue.
        if (over) throw stopped;
        source = given;
      },
      onResponseStart(_, code, fields) {
        if (over || (code > 99 && code < 200)) return;
        // A browser shows of a redirect only that it is one.
        status = code || 302;
        headers = fields;
        const streamed = streaming !== undefined && isStreamed(status, fields);
        limit = streamed ? streaming.maxBytes : request.maxBytes;
        if (status > 299) limit = Math.min(limit, failureBytes);
        if (Number(fields['content-length']) > limit) finish('too-large');
        else if (streamed) {
          const handed = stream(streaming.idleMs);
          resolve({ status, headers, sent: true, bytes: join([]), stream: handed });
        }
      },
      onResponseData(given, piece) {
        if (over) return;
        size += piece.length;
        if (size > limit) finish('too-large');
        else if (output === undefined) pieces.push(piece);
        else {
          output.enqueue(piece);
          const enough = (output.desiredSize ?? 0) <= 0;
          if (enough) given.pause();
          expect(enough ? never : (streaming?.idleMs ?? 0));
        }
      },
      onResponseEnd: () => finish(),
      onResponseError(_, error) {
        if (status > 0) return finish('truncated');
        const [code, unsent] = readError(error);
        finish(source === undefined || unsent ? 'unreachable' : 'connection-lost', code);
      },
    });
  });
}

/** JSON that is not called an attachment may be the service's word, so it is read first. */
function isStreamed(status: number, headers: AnswerHeaders): boolean {
  return status < 300 && !(isJson(headers) && headerOf(headers, 'content-disposition') === '');
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1) return first;
  const whole = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** The code of a network error, and whether it says that there was no connection. */
function readError(error: unknown): [code: string | undefined, unsent: boolean] {
  const thrown = error as { code?: unknown; cause?: { code?: unknown } } | undefined;
  const code = `${thrown?.code ?? thrown?.cause?.code}`;
  const known = /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : undefined;
  return [known, /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/.test(code)];
}

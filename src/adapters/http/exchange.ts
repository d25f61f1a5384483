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
import type { Cut, Deadlines } from './deadlines.js';
import { headerOf, isJson } from './headers.js';
import type { AnswerHeaders, AnswerSource, Transport, TransportRequest } from './transport.js';

/** Why an answer is not there as a whole; the code of an error but for its `api/`. */
export type Fault =
  | Cut['fault']
  | 'no-token'
  | 'unreachable'
  | 'connection-lost'
  | 'truncated'
  | 'too-large'
  | 'wrong-type';

export interface ExchangeRequest extends TransportRequest {
  /** The point of the clock at which the attempt is over. */
  readonly until: number;
  /** Longest answer. Default: 64 MiB of what is read whole, and streams as long as they are. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Asked before anything is written; where it says no, nothing is. */
  readonly isWanted?: () => boolean;
  /** Present when the call is for a file. */
  readonly streaming?: Streaming | undefined;
}

export interface Streaming {
  /** Longest silence while the reader waits. */
  readonly idleMs: number;
  /** The point of the clock at which the stream is over; infinite when it may take its time. */
  readonly until: number;
  /** The error that the reader meets when the stream breaks. */
  readonly errorOf: (fault: Fault, status: number) => Error;
}

/** What came to pass instead of an answer, or within one. */
export interface Broken {
  readonly fault: Fault;
  /** Code of the network error, or of what failed in fetching a token. */
  readonly reason?: string | undefined;
}

export interface Ending {
  readonly fault?: Fault | undefined;
  readonly reason?: string | undefined;
  /** 0 without an answer. */
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Whether something may have reached the service. */
  readonly sent: boolean;
  /** All of the body, unless it is streamed or there is a fault. */
  readonly bytes: Uint8Array;
  readonly stream?: ReadableStream<Uint8Array> | undefined;
}

/** Made once, because making an error costs more than the rest of an exchange. */
const stopped = new Error('stopped');

export const noBytes = new Uint8Array(0);

/** Longest answer to a failure that is read; the status says the most. */
const failureBytes = 65_536;

/** Read ahead of the reader of a stream at most, and a piece more. */
const ahead = { highWaterMark: 262_144, size: (piece?: Uint8Array) => piece?.length ?? 0 };

export function exchange(
  transport: Transport,
  request: ExchangeRequest,
  { clock, watch }: Deadlines,
): Promise<Ending> {
  return new Promise((resolve) => {
    const { signal, streaming } = request;
    const pieces: Uint8Array[] = [];
    let [status, size, limit, over] = [0, 0, 0, false];
    let headers: AnswerHeaders = {};
    let source: AnswerSource | undefined;
    let output: ReadableStreamDefaultController<Uint8Array> | undefined;

    function settle(broken?: Broken, stream?: Ending['stream']): void {
      const sent = !!source && broken?.fault !== 'unreachable';
      const bytes = join(broken || stream ? [] : pieces, size);
      resolve({ status, headers, sent, bytes, stream, ...broken });
    }

    function finish(broken?: Broken): void {
      if (over) return;
      over = true;
      stop();
      if (!output) settle(broken);
      else if (broken) output.error(streaming?.errorOf(broken.fault, status));
      else output.close();
      if (broken) source?.abort(stopped);
    }

    /** The service has this long for its next piece. */
    function expect(ms: number): void {
      stop();
      const until = Math.min(clock.now() + ms, streaming?.until ?? 0);
      if (!over) stop = watch(until, signal, finish);
    }

    function streamFor({ idleMs }: Streaming): Ending['stream'] {
      const start = (given: typeof output) => {
        output = given;
      };
      const pull = () => {
        expect(idleMs);
        source?.resume();
      };
      const cancel = () => finish({ fault: 'aborted' });
      return new ReadableStream({ start, pull, cancel }, ahead);
    }

    let stop = watch(request.until, signal, finish);
    transport.dispatch(request, {
      onRequestStart(given) {
        // Given up while it waited for a connection: this takes it out of the queue.
        if (over || request.isWanted?.() === false) throw stopped;
        source = given;
      },
      onResponseStart(_, code, fields) {
        if (over || (code > 99 && code < 200)) return;
        // A browser shows of a redirect only that it is one.
        status = code || 302;
        headers = fields;
        const failed = status > 299;
        const packed = !/^(?:identity)?$/i.test(headerOf(fields, 'content-encoding'));
        // JSON that is not called an attachment may be the service's word, so it is read first.
        const streamed =
          !failed && !(isJson(fields) && !fields['content-disposition']) && streaming;
        limit = failed ? failureBytes : (request.maxBytes ?? (streamed ? never : 2 ** 26));
        if (Number(fields['content-length']) > limit) finish({ fault: 'too-large' });
        else if (packed && !failed) finish({ fault: 'wrong-type' });
        else if (streamed) settle(undefined, streamFor(streamed));
      },
      onResponseData(_, piece) {
        // After a pause, undici hands out an empty piece.
        if (over || !piece.length) return;
        size += piece.length;
        if (size > limit) finish({ fault: 'too-large' });
        else if (output) {
          output.enqueue(piece);
          const enough = Number(output.desiredSize) <= 0;
          if (enough) source?.pause();
          expect(enough ? never : (streaming?.idleMs ?? 0));
        } else pieces.push(piece);
      },
      onResponseEnd: () => finish(),
      onResponseError: (_, error) =>
        finish(status ? { fault: 'truncated' } : readError(error, source)),
    });
  });
}

function join(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const [only = noBytes] = pieces;
  // A copy costs as much as the rest of an exchange; most answers are one piece.
  if (pieces.length < 2) return only;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Why no answer began, by the code of a network error. */
function readError(error: unknown, source?: AnswerSource): Broken {
  const thrown = error as { code?: unknown; cause?: { code?: unknown } } | undefined;
  const code = `${thrown?.code ?? thrown?.cause?.code}`;
  const unsent = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/.test(code);
  return {
    fault: unsent || !source ? 'unreachable' : 'connection-lost',
    reason: /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : undefined,
  };
}

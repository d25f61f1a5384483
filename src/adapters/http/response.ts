/**
 * What one attempt comes to: a value, or a failure with what is known about it.
 *
 * Invariants: a value is never partial, nor decoded loosely; what breaks off never just ends.
 * Nothing is expected of a transport: one that does not stop, or never answers, is left behind.
 */
import type { ApiErrorCode, CallOutcome } from './error.js';
import type { Method, Operation } from './operation.js';
import type { Fault } from './retry.js';

export interface TransportRequest {
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
export interface TransportAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: AsyncIterable<Uint8Array> | Iterable<never>;
}

export type Transport = (request: TransportRequest) => Promise<TransportAnswer>;

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

/** How an attempt failed. */
export interface Failure extends ServiceError {
  /** 0 without an answer. */
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Undefined where the status says it all. */
  readonly fault?: Fault | undefined;
  readonly reason?: string | undefined;
  /** What the service has done, as far as this attempt tells. */
  readonly outcome: CallOutcome;
}

/** Why something is not waited for, or not read, any longer. */
export class Cut extends Error {
  constructor(readonly fault: Fault) {
    super(fault);
  }
}

/** What comes of it in this time, unless the signal ends it before: then a {@link Cut}. */
export function within<Result>(
  ms: number,
  signal: AbortSignal | undefined,
  going: Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const late = () => end(() => reject(new Cut('timeout')));
    const stopped = () => end(() => reject(new Cut('aborted')));
    // Timers count whole milliseconds, and only so many of them.
    const timer = setTimeout(late, Math.min(Math.ceil(ms), 2 ** 31 - 1));
    function end(settle: () => void) {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stopped);
      settle();
    }
    signal?.addEventListener('abort', stopped);
    going.then(
      (result) => end(() => resolve(result)),
      (error) => end(() => reject(error)),
    );
    if (signal?.aborted) stopped();
    else if (ms <= 0) late();
  });
}

/** Waits for this time, or until the signal. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await within(ms, signal, new Promise(() => {})).catch(() => {});
}

/** How an attempt is read. */
export interface Reading {
  /** For headers and body; of a file, for each silence while its reader waits. */
  readonly ms: number;
  readonly signal?: AbortSignal | undefined;
  readonly maxBytes?: number | undefined;
  /** Whether the answer is handed out as it comes, what is left for it, how its reader is told. */
  readonly file: boolean;
  readonly leftMs: () => number;
  readonly errorOf: (fault: Fault, status: number) => Error;
}

/** Sends a request once, and reads what is answered; a failure is no exception. */
export async function exchange(
  transport: Transport,
  request: Omit<TransportRequest, 'signal'>,
  { ms, signal, maxBytes, file, leftMs, errorOf }: Reading,
  { answer: kind }: Operation,
  { isFailure, readError }: ServiceDialect,
): Promise<{ readonly value: unknown } | Failure> {
  const control = new AbortController();
  let status = 0;
  let headers: AnswerHeaders = {};

  /** Reads no further than its reader, who meets an error where the answer breaks off. */
  const streamOf = (pieces: Pieces) =>
    new ReadableStream<Uint8Array>(
      {
        async pull(output) {
          try {
            const { value } = await within(Math.min(ms, leftMs()), signal, pieces.next());
            if (value) output.enqueue(value);
            else output.close();
          } catch (error) {
            control.abort();
            output.error(errorOf(error instanceof Cut ? error.fault : 'truncated', status));
          }
        },
        cancel: () => control.abort(),
      },
      { highWaterMark: 0 },
    );

  async function read(): Promise<{ readonly value: unknown } | Failure> {
    const answer = await transport({ ...request, signal: control.signal });
    ({ status, headers } = answer);
    const isJson = jsonType.test(`${headers['content-type']}`);
    // The status of a failure says the most, and little is read of it.
    const good = status < 300;
    // Nothing packed was asked for.
    if (good && headers['content-encoding']) throw new Cut('wrong-type');
    // JSON may be the service's word in place of a file, so it is read first.
    if (good && file && !isJson) {
      return { value: fileOf(headers, streamOf(measured(answer, maxBytes ?? Infinity))) };
    }
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    const most = good ? (maxBytes ?? 2 ** 26) : 2 ** 16;
    for await (const piece of measured(answer, most)) pieces.push(piece);
    const json = isJson ? parse(pieces) : undefined;
    if (!good || (json && isFailure?.(json.value))) return failure('refused', json?.value);
    if (kind === 'nothing' && pieces.length === 0) return { value: undefined };
    if (file) return { value: fileOf(headers, new Blob(pieces).stream()) };
    return json ?? failure(isJson ? 'malformed' : 'wrong-type');
  }

  /** A status that is no success goes before the fault, but for a caller who has had enough. */
  function failure(fault: Fault, body?: unknown, reason?: string): Failure {
    const said = status > 299 || fault === 'refused' ? readError(body, status) : {};
    return {
      ...said,
      status,
      headers,
      fault,
      reason,
      outcome: outcomeOf(status, fault, !!isFailure),
    };
  }

  try {
    return await within(ms, signal, read());
  } catch (error) {
    control.abort();
    if (error instanceof Cut) return failure(error.fault);
    if (status) return failure('truncated');
    const code = `${Object(error).code ?? Object(Object(error).cause).code}`;
    const fault = unsent.test(code) ? 'unreachable' : 'connection-lost';
    return failure(fault, undefined, code.match(/^[A-Z][A-Z0-9_]{1,60}$/)?.[0]);
  }
}

const jsonType = /^\s*(?:application|text)\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** Codes of network errors that leave no doubt: nothing of the request went out. */
const unsent = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|\w*CERT(?:_\w+)?)$/;

type Pieces = AsyncGenerator<Uint8Array<ArrayBuffer>, undefined>;

/** The pieces of an answer: as many bytes as it may have, and no fewer than it announced. */
async function* measured({ headers, body }: TransportAnswer, most: number): Pieces {
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

function outcomeOf(status: number, fault: Fault, bodyDecides: boolean): CallOutcome {
  if (status > 299) return status < 400 || status === 408 || status > 499 ? 'unknown' : 'refused';
  if (status === 0) return fault === 'unreachable' ? 'not-sent' : 'unknown';
  if (fault === 'refused') return fault;
  // Where the body decides whether it is done, one that was not read leaves it open.
  return bodyDecides ? 'unknown' : 'applied';
}

function parse(pieces: readonly Uint8Array[]): { readonly value: unknown } | undefined {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  try {
    const texts = pieces.map((piece) => utf8.decode(piece, { stream: true }));
    return { value: JSON.parse(texts.join('') + utf8.decode()) };
  } catch {
    return undefined;
  }
}

function fileOf(headers: AnswerHeaders, body: FileAnswer['body']): FileAnswer {
  const length = headers['content-length'];
  const filename = fileNameOf(`${headers['content-disposition']}`);
  return {
    body,
    contentType: `${headers['content-type'] ?? 'application/octet-stream'}`,
    ...(filename && { filename }),
    ...(length !== undefined && { size: Number(length) }),
  };
}

/** The last part of it alone, since it is likely to be joined to a folder. */
function fileNameOf(header: string): string | undefined {
  const [, name] = /\bfilename="?(?:[^";]*[/\\])?([^";/\\]+)/i.exec(header) ?? [];
  return name && !/^\.+$|\p{Cc}/u.test(name) ? name : undefined;
}

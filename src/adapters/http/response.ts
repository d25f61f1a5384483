/**
 * What an attempt comes to: a value, or a failure with what is known about it.
 *
 * Invariants: a value is never partial, nor decoded loosely; what breaks off never just ends; texts
 * of the service are cut, on one line, and without the credential. Nothing is expected of a
 * transport: one that does not stop, or never answers, is left behind.
 */
import type { ApiErrorCode, CallOutcome } from './error.js';
import type { Call } from './request.js';
import type { AttemptEnd, Fault } from './retry.js';
import type { AnswerHeaders, Transport, TransportAnswer, TransportRequest } from './transport.js';

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
    super(fault);
  }
}

/** What comes of it in this time, unless the signal ends it before: then a {@link Cut}. */
export function within<Result>(
  ms: number,
  signal: AbortSignal | undefined,
  going: Promise<Result>,
): Promise<Result> {
  let done = () => {};
  const cut = new Promise<never>((_, reject) => {
    const late = () => reject(new Cut('timeout'));
    const stopped = () => reject(new Cut('aborted'));
    if (signal?.aborted) stopped();
    else if (ms <= 0) late();
    // Timers count whole milliseconds, and only so many of them.
    const timer = setTimeout(late, Math.min(Math.ceil(ms), 2 ** 31 - 1));
    signal?.addEventListener('abort', stopped);
    done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stopped);
    };
  });
  return Promise.race([cut, going]).finally(done);
}

/** Waits for this time, or until the signal. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await within(ms, signal, new Promise(() => {})).catch(() => {});
}

/** How long and how much is read of one answer. */
export interface ReadLimits {
  /** For headers and body; of a file, for each silence while its reader waits. */
  readonly ms: number;
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether the answer is handed out as it comes, what is left for it, how its reader is told. */
  readonly file: boolean;
  readonly leftMs: () => number;
  readonly errorOf: (fault: Fault, status: number) => Error;
}

/** How one attempt ended; it is never an exception. */
export interface Ending {
  readonly fault?: Fault | undefined;
  readonly reason?: string | undefined;
  /** 0 without an answer. */
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** False where nothing was asked of the transport. */
  readonly sent?: false;
  /** All of the body, unless it is streamed or there is a fault. */
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined;
  readonly stream?: ReadableStream<Uint8Array> | undefined;
}

/** Sends a request once, and reads what is answered. */
export async function exchange(
  transport: Transport,
  request: Omit<TransportRequest, 'signal'>,
  limits: ReadLimits,
): Promise<Ending> {
  const control = new AbortController();
  let head: Pick<Ending, 'status' | 'headers'> = { status: 0, headers: {} };

  async function read(): Promise<Ending> {
    const answer = await transport({ ...request, signal: control.signal });
    const { status, headers } = answer;
    head = { status, headers };
    if (status < 300) {
      if (!/^(?:identity)?$/i.test(headerOf(headers, 'content-encoding'))) {
        throw new Cut('wrong-type');
      }
      // JSON that is not called an attachment may be the service's word, so it is read first.
      if (limits.file && (!isJson(headers) || headers['content-disposition'])) {
        const pieces = measured(answer, limits.maxBytes ?? Infinity);
        return { ...head, stream: streamOf(pieces, control, limits, status) };
      }
    }
    // The status of a failure says the most.
    const most = status < 300 ? (limits.maxBytes ?? 2 ** 26) : 2 ** 16;
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    for await (const piece of measured(answer, most)) pieces.push(piece as Uint8Array<ArrayBuffer>);
    return { ...head, bytes: new Uint8Array(await new Blob(pieces).arrayBuffer()) };
  }

  try {
    return await within(limits.ms, limits.signal, read());
  } catch (error) {
    control.abort();
    if (error instanceof Cut) return { ...head, fault: error.fault };
    return head.status ? { ...head, fault: 'truncated' } : { ...head, ...networkFault(error) };
  }
}

/** The pieces of an answer: as many bytes as it may have, and no fewer than it announced. */
async function* measured(
  { headers, body }: TransportAnswer,
  most: number,
): AsyncGenerator<Uint8Array, undefined> {
  const announced = Number(headers['content-length'] ?? 0);
  let size = 0;
  if (announced > most) throw new Cut('too-large');
  for await (const piece of body) {
    size += piece.length;
    if (size > most) throw new Cut('too-large');
    yield piece;
  }
  if (size < announced) throw new Cut('truncated');
}

/** Reads no further than its reader, who meets an error where the answer breaks off. */
function streamOf(
  pieces: AsyncGenerator<Uint8Array, undefined>,
  control: AbortController,
  { ms, signal, leftMs, errorOf }: ReadLimits,
  status: number,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
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
}

/** Why no answer began, by the code of a network error. */
function networkFault(error: unknown): Pick<Ending, 'fault' | 'reason'> {
  const code = `${Object(error).code ?? Object(Object(error).cause).code}`;
  const unsent =
    /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|\w*CERT(?:_\w+)?)$/.test(code);
  return {
    fault: unsent ? 'unreachable' : 'connection-lost',
    reason: code.match(/^[A-Z][A-Z0-9_]{1,60}$/)?.[0],
  };
}

export interface Failure extends AttemptEnd {
  readonly code: ApiErrorCode;
  readonly reason?: string | undefined;
  readonly serviceCode?: string | undefined;
  readonly requestId?: string | undefined;
  readonly serviceMessage?: string | undefined;
  readonly notFound: boolean;
}

/** `secrets` are taken out of what the service says. */
export function judge(
  ending: Ending,
  { operation, file, checkAnswer }: Call,
  dialect: ServiceDialect,
  secrets: readonly string[],
): { readonly value: unknown } | { readonly failure: Failure } {
  const { status, headers, bytes, stream } = ending;
  let { fault, reason } = ending;
  const json = !fault && isJson(headers) ? parse(bytes) : undefined;
  const refused = status > 299 || (json && dialect.isFailure?.(json.value));
  if (refused) fault = status < 300 ? 'refused' : fault;
  else if (!fault) {
    if (stream) return { value: fileOf(headers, stream) };
    if (bytes?.length === 0 && operation.answer === 'nothing') return { value: undefined };
    if (file && bytes) return { value: fileOf(headers, new Blob([bytes]).stream(), bytes.length) };
    reason = json && checkAnswer(json.value);
    if (json && !reason) return json;
    fault = json ? 'invalid-answer' : isJson(headers) ? 'malformed' : 'wrong-type';
  }
  const said = refused ? dialect.readError(json?.value, status) : {};

  /** A text from outside, fit for a log. */
  const clean = (text: unknown): string | undefined => {
    let safe = /string|number/.test(typeof text) ? `${text}` : '';
    // Secrets whole, and without their scheme.
    for (const part of secrets.flatMap((each) => [each, each.replace(/^\S+ /, '')])) {
      if (part) safe = safe.replaceAll(part, '[credential]');
    }
    return (
      safe
        .slice(0, 1000)
        .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
        .trim() || undefined
    );
  };

  return {
    failure: {
      status,
      fault,
      reason,
      outcome: ending.sent === false ? 'not-sent' : outcomeOf(status, fault, dialect),
      code: said.code ?? `api/${refused ? codeOf(status) : fault}`,
      waitMs: waitOf(headers),
      serviceCode: clean(said.serviceCode),
      requestId: clean(said.requestId ?? headers['x-request-id']),
      serviceMessage: clean(said.message),
      retryable: said.retryable,
      notFound: said.notFound ?? (status === 404 || status === 410),
    },
  };
}

function outcomeOf(
  status: number,
  fault: Fault | undefined,
  { isFailure }: ServiceDialect,
): CallOutcome {
  if (status > 299) return status < 400 || status === 408 || status > 499 ? 'unknown' : 'refused';
  if (status === 0) return fault === 'unreachable' ? 'not-sent' : 'unknown';
  if (fault === 'refused') return fault;
  // Where the body decides whether it is done, one that was not read leaves it open.
  return isFailure && fault !== 'invalid-answer' ? 'unknown' : 'applied';
}

const statusCodes: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'not-found',
  429: 'rate-limited',
};

function codeOf(status: number): string {
  if (status < 400) return status < 300 ? 'refused' : 'redirect';
  return statusCodes[status] ?? (status < 500 ? 'bad-request' : 'server-error');
}

function parse(bytes: Uint8Array | undefined): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return undefined;
  }
}

/** Several values are joined; absent ones are the empty text. */
function headerOf(headers: AnswerHeaders, name: string): string {
  return `${headers[name] ?? ''}`;
}

function isJson(headers: AnswerHeaders): boolean {
  const json = /^\s*(?:application|text)\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
  return json.test(headerOf(headers, 'content-type'));
}

/** What `Retry-After` asks for, in milliseconds: whole seconds, or a date. */
function waitOf(headers: AnswerHeaders): number | undefined {
  const text = headerOf(headers, 'retry-after').trim();
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // Date.parse reads all sorts of things; a date of HTTP begins with the day of the week.
  const until = /^[A-Z][a-z]{2,8}, \d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(until) ? undefined : Math.max(0, until - Date.now());
}

function fileOf(headers: AnswerHeaders, body: FileAnswer['body'], bytes = 0): FileAnswer {
  const filename = fileNameOf(headerOf(headers, 'content-disposition'));
  const size = bytes || Number(headers['content-length'] ?? -1);
  return {
    body,
    contentType: headerOf(headers, 'content-type') || 'application/octet-stream',
    ...(filename && { filename }),
    ...(size >= 0 && { size }),
  };
}

/** The last part of it alone, since it is likely to be joined to a folder. */
function fileNameOf(header: string): string | undefined {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(header);
  let name = plain?.[2] ?? plain?.[1]?.replace(/\\(.)/g, '$1') ?? '';
  try {
    name = decodeURIComponent(extended ?? '') || name;
  } catch {
    // The plain form is there for those who cannot read the other.
  }
  const part = name.replace(/^.*[/\\]/s, '');
  return /^\.{0,2}$|\p{Cc}/u.test(part) ? undefined : part;
}

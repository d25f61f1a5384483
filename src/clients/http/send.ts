/**
 * Sends calls: the one loop that every operation of every client goes through.
 *
 * In: an operation, the caller's arguments, options. Out: the body of the answer, or an ApiError
 * with the outcome of all attempts. Guarantees: a call is fully prepared before anything is sent; each
 * repetition is decided knowing what all earlier attempts may have done; the deadline of a call covers
 * tokens, attempts and waits.
 */
import { type Auth, createCredential, redact } from './credential.js';
import { ApiError, type CallOutcome, invalidOption } from './error.js';
import type { Operation } from './operation.js';
import { type CallOptions, prepareCall, readAddress, type SendArguments } from './request.js';
import {
  type AnswerHeaders,
  createUndici,
  fetchTransport,
  fileOf,
  limitSize,
  networkFailure,
  parseJson,
  pause,
  type ServiceDialect,
  TransportFailure,
  withTimeout,
} from './response.js';
import { type Fault, type KeyUse, mayHaveActed, now, retryableCauses, worse } from './retry.js';

export interface SenderOptions extends CallOptions {
  /** https:, or http: to this machine; may include a path. */
  readonly baseUrl: string;
  /** Absent if no credential is sent (when one is exchanged for a token). */
  readonly auth?: Auth;
  readonly dialect: ServiceDialect;
  /** Sent with every request; names are lowercase. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Texts besides the credential that errors must not repeat. */
  readonly secrets?: readonly string[];
  /** Remembers keys, if an operation takes them. */
  readonly useKey?: (operation: string, key: string) => KeyUse;
}

export interface Sender {
  /** Resolves to the body of a 2xx answer as sent; rejects with an ApiError. */
  send(operation: Operation, given?: SendArguments, options?: CallOptions): Promise<unknown>;
  /** Closes idle connections; a later call opens new ones. */
  close(): Promise<void>;
}

/** Throws an ApiError (`api/invalid-option`) for invalid options. */
export function createSender({ auth, dialect, ...options }: SenderOptions): Sender {
  const address = readAddress(options.baseUrl);
  if (!address) throw invalidOption('baseUrl');
  const { origin, path: prefix } = address;
  const credential = auth && createCredential(auth);
  const undici = createUndici();

  async function send(operation: Operation, given: SendArguments = {}, own?: CallOptions) {
    const { id, method, time, repeat } = operation;
    const { file: isFile, source } = given;
    const limits: CallOptions = { ...options, ...own };
    const {
      signal,
      maxBytes,
      fetch = globalThis.process?.version ? undefined : globalThis.fetch,
      attemptTimeoutMs = time ? 310_000 : 30_000,
      deadlineMs = Math.max(60_000, 2 * attemptTimeoutMs),
    } = limits;
    const { maxAttempts = 4, baseMs = 500, capMs = 8000 } = { ...options.retry, ...own?.retry };
    const transport = fetch ? fetchTransport(fetch) : undici.request;
    const request = prepareCall(operation, given);
    const { key } = request;
    const use: KeyUse = (key && options.useKey?.(id, key)) || { leftMs: () => 0 };
    // What an earlier call with this key may have done counts as done by this one.
    const before = use.isOpen;
    use.isOpen = true;
    const secrets = [options.secrets, given.secrets].flat();
    const deadline = now() + deadlineMs;
    const leftMs = () => deadline - now();
    let outcome: CallOutcome = before ? 'unknown' : 'not-sent';
    let attempts = 0;
    let refused: string | undefined;
    // Of the latest attempt; the status is 0 until an answer comes.
    let token: string;
    let stop!: AbortController;
    let isSent!: boolean;
    let status!: number;
    let headers!: AnswerHeaders;

    for (;;) {
      [stop, isSent, status, headers] = [new AbortController(), false, 0, {}];
      try {
        token = await withTimeout(leftMs(), signal, async () => credential?.take(refused) ?? '');
        // Added, not replaced: a token refused earlier must not show in an error either.
        secrets.push(token, token.replace(/^\S+ /, ''));
        // No request may be sent or in transit once the service may have forgotten the key.
        const ms = Math.min(attemptTimeoutMs, leftMs(), harmlessMs());
        const answer = await withTimeout(ms, signal, exchange);
        // Nobody was told of a key of ours, so it is never used again.
        use.isOpen = given.key === undefined ? undefined : false;
        return answer;
      } catch (error) {
        stop.abort();
        await pause(waitOrThrow(failureOf(error)), signal);
      }
    }

    /** For how long another attempt cannot act twice. */
    function harmlessMs(): number {
      if (!mayHaveActed(outcome) || repeat === 'always') return Infinity;
      return use.leftMs();
    }

    /** Sends the request once and reads the answer. */
    async function exchange(): Promise<unknown> {
      attempts += 1;
      isSent = true;
      const answer = await transport({
        method,
        origin,
        path: prefix + request.path,
        headers: {
          ...options.headers,
          ...request.headers,
          ...(credential && { [credential.header]: token }),
        },
        body: source?.open() ?? request.body,
        signal: stop.signal,
      });
      ({ statusCode: status, headers } = answer);
      // No compressed answer was requested.
      const packed = headers['content-encoding'];
      const isJson = !packed && /[/+]json *(?:;|$)/i.test(`${headers['content-type']}`);
      // JSON may be an error in place of the file, so it is read first.
      if (isFile && !isJson && status < 300) {
        if (packed) throw new TransportFailure('wrong-type');
        return fileOf(headers, streamOf(limitSize(answer, maxBytes ?? Infinity)));
      }
      // The status says most about a failure, so little of its body is read.
      const most = status > 299 ? 2 ** 16 : (maxBytes ?? 2 ** 26);
      const pieces: Uint8Array<ArrayBuffer>[] = [];
      for await (const piece of limitSize(answer, most)) pieces.push(piece);
      const whole = new Blob(pieces);
      const said = isJson ? parseJson(await whole.arrayBuffer()) : undefined;
      if (status > 299 || dialect.isFailure?.(said))
        throw new TransportFailure('refused', '', dialect.readError(said, status));
      if (isFile) return fileOf(headers, whole.stream());
      if (said !== undefined || (operation.answer && !whole.size)) return said;
      throw new TransportFailure(isJson ? 'malformed' : 'wrong-type');
    }

    /** Reads only on demand; the reader gets an error if the answer breaks off. */
    function streamOf(pieces: AsyncGenerator<Uint8Array>) {
      const pull = async (output: ReadableStreamDefaultController) => {
        try {
          // The default deadline does not apply to files.
          const ms = limits.deadlineMs === undefined ? Infinity : leftMs();
          const next = () => pieces.next();
          const { value } = await withTimeout(Math.min(attemptTimeoutMs, ms), signal, next);
          if (value) output.enqueue(value);
          else output.close();
        } catch (error) {
          stop.abort();
          const failure = failureOf(error);
          output.error(errorOf(failure, failure.fault, 'applied'));
        }
      };
      const cancel = () => stop.abort();
      return new ReadableStream<Uint8Array>({ pull, cancel }, { highWaterMark: 0 });
    }

    /** Why an attempt ended. */
    function failureOf(error: unknown): TransportFailure {
      if (error instanceof TransportFailure) return error;
      if (status) return new TransportFailure('truncated');
      if (isSent) return networkFailure(error);
      // The error from fetching a token may hold a credential, so only a code of ours is kept.
      return new TransportFailure('no-token', error instanceof ApiError ? error.code : 'auth');
    }

    /** How long to wait before the next attempt; throws if there is none. */
    function waitOrThrow(failure: TransportFailure): number {
      const { fault, read } = failure;
      const judged = (status > 299 && read.status) || status;
      const isNew = judged === 401 && refused === undefined && credential?.canRenew;
      if (isNew) refused = token;
      // A repeated DELETE finds nothing if an earlier attempt succeeded.
      const usual = judged > 299 ? codeOf(judged) : fault;
      const isGone = read.notFound || usual === 'not-found';
      const isDeleted = method === 'DELETE' && mayHaveActed(outcome) && isGone;
      outcome = isDeleted ? 'applied' : worse(outcome, outcomeOf(judged, fault));
      const cause = judged > 299 ? judged : fault === 'unreachable' ? failure.reason : fault;
      const isFinal = read.retryable === false || source?.isSpent?.();
      const asked = isNew ? 0 : waitOf(`${headers['retry-after']}`);
      // Random, so that clients that failed together do not all retry together.
      const waitMs = asked ?? Math.random() * Math.min(capMs, baseMs * 2 ** (attempts - 1));
      const isPassing = isNew || retryableCauses.test(`${cause}`);
      const mayRepeat = isPassing && !isFinal && waitMs < harmlessMs();
      if (mayRepeat && attempts < maxAttempts && waitMs < leftMs()) return waitMs;
      if (!mayHaveActed(outcome)) use.isOpen = outcome === 'not-sent' ? before : false;
      // A timer may fire a little early.
      const late = fault === 'timeout' && (leftMs() < 2 ? 'deadline' : !isSent && 'unsafe-key');
      const name = isDeleted ? 'applied-before' : late || usual;
      throw errorOf(failure, name, outcome, mayRepeat);
    }

    /** What the service has done, as far as one attempt shows. */
    function outcomeOf(judged: number, fault: Fault): CallOutcome {
      if (!isSent || fault === 'unreachable') return 'not-sent';
      if (judged > 299) return /^4(?!08)/.test(`${judged}`) ? 'refused' : 'unknown';
      if (fault === 'refused') return fault;
      // If success depends on the body, an unread body leaves it open.
      return judged === 0 || dialect.isFailure ? 'unknown' : 'applied';
    }

    function errorOf(
      { reason, read }: TransportFailure,
      name: string,
      ended: CallOutcome,
      retryable = false,
    ): ApiError {
      const until = Math.floor(Date.now() + harmlessMs());
      const safe = (text: unknown) => redact(text, secrets);
      return new ApiError({
        code: read.code ?? `api/${name}`,
        operation: id,
        outcome: ended,
        retryable,
        retryableUntil: retryable && until < Infinity ? until : 0,
        idempotencyKey: key,
        status,
        attempts,
        reason,
        serviceCode: safe(read.serviceCode),
        requestId: safe(read.requestId ?? headers['x-request-id']),
        serviceMessage: safe(read.message),
      });
    }
  }

  return { send, close: undici.close };
}

const codes: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'not-found',
  429: 'rate-limited',
};

function codeOf(status: number): string {
  if (status < 400) return 'redirect';
  return codes[status] ?? (status < 500 ? 'bad-request' : 'server-error');
}

/** Reads `Retry-After` as milliseconds: whole seconds, or a date to come. */
function waitOf(text: string): number | undefined {
  // Date.parse accepts too much.
  const date = /GMT$/.test(text) ? Date.parse(text) - Date.now() : -1;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : date;
  return ms >= 0 ? ms : undefined;
}

/**
 * Sends calls: the one loop that every operation of every client goes through.
 *
 * In: an operation, the caller's arguments, options. Out: the body of the answer, or an ApiError
 * with the outcome of all attempts. Guarantees: a call is fully prepared before anything is sent; each
 * repetition is decided knowing what all earlier attempts may have done; the deadline of a call covers
 * tokens, attempts and waits.
 */
import { type Auth, createCredential, maskOf } from './credential.js';
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
import { type KeyUse, mayHaveActed, now, retryableCauses, worse } from './retry.js';

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
  const credential = auth && createCredential(auth);
  const undici = createUndici();

  const send: Sender['send'] = async (operation, given = {}, own) => {
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
    /** For how long another attempt cannot act twice. */
    const harmlessMs = () =>
      mayHaveActed(outcome) && repeat !== 'always' ? use.leftMs() : Infinity;
    let outcome: CallOutcome = before ? 'unknown' : 'not-sent';
    let attempts = 0;
    let refused: string | undefined;
    // Of the latest attempt; the status is 0 until an answer comes.
    let token: string;
    let stop!: AbortController;
    let isSent!: boolean;
    let status!: number;
    let headers!: AnswerHeaders;

    /** Ends an attempt; returns why. */
    const failureOf = (error: unknown): TransportFailure => {
      stop.abort();
      if (error instanceof TransportFailure) return error;
      if (status) return new TransportFailure('truncated');
      if (isSent) return networkFailure(error);
      // The error from fetching a token may hold a credential, so only a code of ours is kept.
      return new TransportFailure('no-token', error instanceof ApiError ? error.code : 'auth');
    };

    const errorOf = ({ reason, read }: TransportFailure, name: string, retryable = false) => {
      const untilMs = Date.now() + harmlessMs();
      const safe = maskOf(secrets);
      return new ApiError({
        code: read.code ?? `api/${name}`,
        operation: id,
        outcome,
        retryable,
        retryableUntil: retryable && untilMs < Infinity ? Math.floor(untilMs) : 0,
        idempotencyKey: key,
        status,
        attempts,
        reason,
        serviceCode: safe(read.serviceCode),
        requestId: safe(read.requestId ?? headers['x-request-id']),
        serviceMessage: safe(read.message),
      });
    };

    /** Reads only on demand; the reader gets an error if the answer breaks off. */
    const streamOf = (pieces: AsyncGenerator<Uint8Array>) => {
      const pull = async (output: ReadableStreamDefaultController) => {
        // The default deadline does not apply to files.
        const ms = limits.deadlineMs === undefined ? Infinity : leftMs();
        const next = () => pieces.next();
        try {
          const { value } = await withTimeout(Math.min(attemptTimeoutMs, ms), signal, next);
          if (value) output.enqueue(value);
          else output.close();
        } catch (error) {
          const failure = failureOf(error);
          outcome = 'applied';
          throw errorOf(failure, failure.fault);
        }
      };
      return new ReadableStream({ pull, cancel: () => stop.abort() }, { highWaterMark: 0 });
    };

    /** Sends the request once and reads the answer. */
    const exchange = async (): Promise<unknown> => {
      attempts += 1;
      isSent = true;
      const answer = await transport({
        method,
        origin: address.origin,
        path: address.path + request.path,
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
      const isUnpacked = !headers['content-encoding'];
      const isJson = isUnpacked && /[/+]json *(?:;|$)/i.test(`${headers['content-type']}`);
      // JSON may be an error in place of the file, so it is read first.
      if (isFile && isUnpacked && !isJson && status < 300)
        return fileOf(headers, streamOf(limitSize(answer, maxBytes ?? Infinity)));
      // The status says most about a failure, so little of its body is read.
      const most = status > 299 ? 2 ** 16 : (maxBytes ?? 2 ** 26);
      const pieces: Uint8Array<ArrayBuffer>[] = [];
      for await (const piece of limitSize(answer, most)) pieces.push(piece);
      const said = isJson ? parseJson(pieces) : undefined;
      if (status > 299 || dialect.isFailure?.(said))
        throw new TransportFailure('refused', '', dialect.readError(said, status));
      if (isFile && isJson) return fileOf(headers, new Blob(pieces).stream());
      if (said !== undefined || (operation.answer && !pieces.length)) return said;
      throw new TransportFailure(isJson ? 'malformed' : 'wrong-type');
    };

    /** How long to wait before the next attempt; throws if there is none. */
    const waitOrThrow = (failure: TransportFailure): number => {
      const { fault, read, reason } = failure;
      // A failing status says more than what became of its body.
      const failed = status > 299 && (read.status ?? status);
      const isNew = failed === 401 && !refused && credential?.canRenew;
      if (isNew) refused = token;
      const usual = failed ? codeOf(failed) : fault;
      // A repeated DELETE finds nothing if an earlier attempt succeeded.
      const isGone = read.notFound || usual === 'not-found';
      const isDeleted = method === 'DELETE' && mayHaveActed(outcome) && isGone;
      const cause = `${failed || (fault === 'unreachable' ? reason : fault)}`;
      let ended: CallOutcome = 'unknown';
      if (!isSent || fault === 'unreachable') ended = 'not-sent';
      // If success depends on the body, an unread body leaves it open.
      else if (isDeleted || (!failed && status && !dialect.isFailure)) ended = 'applied';
      else if (/^(?:4(?!08)|refused)/.test(cause)) ended = 'refused';
      outcome = worse(outcome, ended);
      const isFinal = read.retryable === false || source?.isSpent?.();
      const asked = isNew ? 0 : waitOf(`${headers['retry-after']}`);
      // Random, so that clients that failed together do not all retry together.
      const waitMs =
        asked >= 0 ? asked : Math.random() * Math.min(capMs, baseMs * 2 ** (attempts - 1));
      const isPassing = isNew || retryableCauses.test(cause);
      const mayRepeat = isPassing && !isFinal && waitMs < harmlessMs();
      if (mayRepeat && attempts < maxAttempts && waitMs < leftMs()) return waitMs;
      if (!mayHaveActed(outcome)) use.isOpen = outcome === 'not-sent' ? before : false;
      // A timer may fire a little early.
      const late = fault === 'timeout' && (leftMs() < 2 ? 'deadline' : !isSent && 'unsafe-key');
      const name = isDeleted ? 'applied-before' : late || usual;
      throw errorOf(failure, name, mayRepeat);
    };

    for (;;) {
      stop = new AbortController();
      isSent = false;
      status = 0;
      headers = {};
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
        await pause(waitOrThrow(failureOf(error)), signal);
      }
    }
  };

  return { send, close: undici.close };
}

/** By status, or by its first digit. */
const codes: Readonly<Record<number, string>> = {
  3: 'redirect',
  4: 'bad-request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'not-found',
  429: 'rate-limited',
};

const codeOf = (status: number): string =>
  codes[status] ?? codes[Math.floor(status / 100)] ?? 'server-error';

/** Reads `Retry-After` as milliseconds: whole seconds, or a date; -1 if it is neither. */
const waitOf = (text: string): number => {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Date.parse accepts too much.
  return /GMT$/.test(text) ? Date.parse(text) - Date.now() : -1;
};

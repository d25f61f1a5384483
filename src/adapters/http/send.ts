/**
 * Sends calls: the one loop that every operation of every client goes through.
 *
 * In: an operation, the caller's arguments, options. Out: the body of the answer, or an ApiError
 * with the outcome of all attempts. Guarantees: a call is fully prepared before anything is sent;
 * `decideRetry` decides each repetition, knowing what all earlier attempts may have done; the
 * deadline of a call covers tokens, attempts and waits; the service's messages are shortened to one
 * line, without the credential.
 */
import { ApiError, type ApiErrorCode, type CallOutcome, invalidOption } from './error.js';
import type { Operation } from './operation.js';
import {
  type CallOptions,
  isHeaderValue,
  prepareCall,
  readAddress,
  type SendArguments,
  settle,
} from './request.js';
import {
  Cut,
  createUndici,
  fileOf,
  jsonType,
  measured,
  overFetch,
  parse,
  pause,
  type ServiceDialect,
  type ServiceError,
  StopSignal,
  within,
} from './response.js';
import { type AttemptEnd, decideRetry, type Fault, keyAgeMs } from './retry.js';

/** A token and its lifetime; without one, it is used until it is refused. */
export interface Token {
  readonly token: string;
  readonly expiresInMs?: number;
}

export interface Auth {
  /** If absent, the value is a token, sent as `authorization: Bearer …`. */
  readonly header?: string | undefined;
  readonly value: string | (() => Promise<Token>);
}

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
}

export interface Sender {
  /** Resolves to the body of a 2xx answer as sent; rejects with an ApiError. */
  send(operation: Operation, given?: SendArguments, options?: CallOptions): Promise<unknown>;
  /** Closes idle connections; a later call opens new ones. */
  close(): Promise<void>;
}

/** How an attempt failed. */
interface Failure extends AttemptEnd, ServiceError {
  readonly reason?: string | undefined;
  /** What the service has done, as far as this attempt shows. */
  readonly outcome: CallOutcome;
}

/** Throws an ApiError (`api/invalid-option`) for invalid options. */
export function createSender({ auth, dialect, ...options }: SenderOptions): Sender {
  const address = readAddress(options.baseUrl);
  if ('fault' in address) throw invalidOption('baseUrl');
  const { origin, path: prefix } = address;
  const credential = auth && createCredential(auth);
  const undici = createUndici();
  const usualFetch = globalThis.process?.versions?.node ? undefined : globalThis.fetch;

  async function send(operation: Operation, given: SendArguments = {}, own?: CallOptions) {
    const { id, method, time, key, answer: kind } = operation;
    const limits = settle(options, time, own);
    const { signal, maxBytes, fetch = usualFetch } = limits;
    const transport = fetch ? overFetch(fetch) : undici.request;
    const isFile = given.file ?? kind === 'file';
    const { path, headers: ownHeaders, body } = prepareCall(operation, { ...given, file: isFile });
    const repeat = key && given.key === undefined ? 'never' : operation.repeat;
    const secrets = [...(options.secrets ?? []), ...(given.secrets ?? [])];
    const [startedAt, startedOn] = [performance.now(), Date.now()];
    let [attempts, acted, answered, renewed, token] = [0, false, false, false, ''];

    const passed = () => performance.now() - startedAt;
    const left = () => limits.deadlineMs - passed();
    /** One clock stops while the machine sleeps, the other can be changed: the larger counts. */
    const elapsed = () => Math.max(passed(), Date.now() - startedOn);

    /** Sends the request once and reads the answer. */
    async function attempt(): Promise<{ readonly value: unknown } | Failure> {
      const stop = new StopSignal();
      let [status, isSent, reason] = [0, false, ''];
      let headers: Readonly<Record<string, unknown>> = {};

      /** A failing status takes precedence over the fault, except that an abort ends the call. */
      function failure(fault: Fault, said?: unknown): Failure {
        stop.abort();
        const error =
          status > 299 || fault === 'refused' ? dialect.readError(said, status) : undefined;
        const requestId = error?.requestId ?? headers['x-request-id'];
        const waitMs = waitOf(`${headers['retry-after']}`);
        const outcome = isSent ? outcomeOf(status, fault, !!dialect.isFailure) : 'not-sent';
        return { ...error, status, fault, reason, requestId, waitMs, outcome };
      }

      async function exchange(ms: number) {
        const answer = await transport({
          method,
          origin,
          path: prefix + path,
          headers: {
            ...options.headers,
            ...ownHeaders,
            ...(credential && { [credential.header]: token }),
          },
          body: typeof body === 'object' ? body.open() : body,
          signal: stop,
        });
        ({ status, headers } = answer);
        const isJson = jsonType.test(`${headers['content-type']}`);
        // The status says most about a failure, so little of its body is read.
        const isGood = status < 300;
        // No compressed answer was requested.
        if (isGood && headers['content-encoding']) throw new Cut('wrong-type');
        // JSON may be an error in place of the file, so it is read first.
        if (isGood && isFile && !isJson) {
          return {
            value: fileOf(answer.headers, streamOf(measured(answer, maxBytes ?? Infinity), ms)),
          };
        }
        const pieces: Uint8Array<ArrayBuffer>[] = [];
        const most = isGood ? (maxBytes ?? 2 ** 26) : 2 ** 16;
        for await (const piece of measured(answer, most)) pieces.push(piece);
        const json = isJson ? parse(pieces) : undefined;
        if (!isGood || (json && dialect.isFailure?.(json.value)))
          return failure('refused', json?.value);
        if (kind === 'nothing' && pieces.length === 0) return { value: undefined };
        if (isFile) return { value: fileOf(answer.headers, new Blob(pieces).stream()) };
        return json ?? failure(isJson ? 'malformed' : 'wrong-type');
      }

      /** Reads only on demand; the reader gets an error if the answer breaks off. */
      function streamOf(pieces: AsyncGenerator<Uint8Array>, ms: number) {
        // The default deadline does not apply to files.
        const deadlineMs = own?.deadlineMs ?? options.deadlineMs ?? Infinity;
        return new ReadableStream<Uint8Array>(
          {
            async pull(output) {
              try {
                const silence = Math.min(ms, deadlineMs - passed());
                const { value } = await within(silence, signal, pieces.next());
                if (value) output.enqueue(value);
                else output.close();
              } catch (error) {
                const fault = error instanceof Cut ? error.fault : 'truncated';
                output.error(errorOf(failure(fault), 'applied'));
              }
            },
            cancel: () => stop.abort(),
          },
          { highWaterMark: 0 },
        );
      }

      try {
        const value = credential?.value() ?? '';
        token = typeof value === 'string' ? value : await within(left(), signal, value);
        // Added, not replaced: a token refused earlier must not show in an error either.
        secrets.push(token);
        // No request may be sent or in transit once the service may have forgotten the key.
        const keyLeft = acted && repeat === 'with-key' ? keyAgeMs - elapsed() : Infinity;
        const ms = Math.min(limits.attemptTimeoutMs, left(), keyLeft);
        if (signal?.aborted) throw new Cut('aborted');
        if (ms <= 0) throw new Cut('timeout');
        attempts += 1;
        isSent = true;
        return await within(ms, signal, exchange(ms), stop);
      } catch (error) {
        if (error instanceof Cut) return failure(error.fault);
        if (status) return failure('truncated');
        if (!isSent) {
          // The error from fetching a token may hold a credential, so only a code of ours is kept.
          reason = error instanceof ApiError ? error.code : 'auth';
          return failure('no-token');
        }
        const code = `${Object(error).code ?? Object(Object(error).cause).code}`;
        reason = code.match(/^[A-Z][A-Z0-9_]{1,60}$/)?.[0] ?? '';
        return failure(unsent.test(code) ? 'unreachable' : 'connection-lost');
      }
    }

    function errorOf(failure: Failure, outcome: CallOutcome, later = false, code?: ApiErrorCode) {
      const { status, fault, reason } = failure;
      return new ApiError({
        code: code ?? failure.code ?? `api/${status > 299 ? codeOf(status) : fault}`,
        operation: id,
        outcome,
        retryable: later,
        status,
        attempts,
        reason,
        serviceCode: clean(failure.serviceCode, secrets),
        requestId: clean(failure.requestId, secrets),
        serviceMessage: clean(failure.message, secrets),
      });
    }

    for (;;) {
      const end = await attempt();
      if ('value' in end) return end.value;
      const { status, fault, outcome, notFound = /404|410/.test(`${status}`) } = end;
      const refused = status === 401 && credential?.renew(token) === true;
      // A repeated DELETE finds nothing if an earlier attempt succeeded.
      const deleted = acted && method === 'DELETE' && notFound;
      acted ||= /unknown|applied/.test(outcome);
      answered ||= status > 0;
      const state = {
        repeat,
        attempts,
        acted,
        elapsed: elapsed(),
        remaining: left(),
        renewable: refused && !renewed,
        spent: typeof body === 'object' && body.isSpent?.() === true,
      };
      const decision = decideRetry(end, state, limits.retry, Math.random());
      if ('stop' in decision) {
        const later = decision.stop === 'later';
        if (deleted) throw errorOf(end, 'applied', later, 'api/applied-before');
        // A known key proves only that a request arrived; the service may have failed after that.
        const inDoubt = acted ? 'unknown' : answered ? 'refused' : 'not-sent';
        const late = fault === 'timeout' && left() < 1 ? 'api/deadline' : undefined;
        throw errorOf(end, outcome === 'applied' ? outcome : inDoubt, later, late);
      }
      renewed ||= refused;
      if (decision.afterMs > 0) await pause(decision.afterMs, signal);
    }
  }

  return { send, close: undici.close };
}

/** Network error codes which prove that nothing of the request was sent. */
const unsent = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|\w*CERT(?:_\w+)?)$/;

function outcomeOf(status: number, fault: Fault, bodyDecides: boolean): CallOutcome {
  if (status > 299) return status < 400 || status === 408 || status > 499 ? 'unknown' : 'refused';
  if (status === 0) return fault === 'unreachable' ? 'not-sent' : 'unknown';
  if (fault === 'refused') return fault;
  // If success depends on the body, an unread body leaves it open.
  return bodyDecides ? 'unknown' : 'applied';
}

function codeOf(status: number): string {
  if (status < 400) return 'redirect';
  const codes: Readonly<Record<number, string>> = {
    401: 'unauthorized',
    403: 'forbidden',
    404: 'not-found',
    409: 'conflict',
    410: 'not-found',
    429: 'rate-limited',
  };
  return codes[status] ?? (status < 500 ? 'bad-request' : 'server-error');
}

/** Reads `Retry-After` (whole seconds or a date) as milliseconds. */
function waitOf(text: string): number | undefined {
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // Date.parse accepts too much; an HTTP date begins with the day of the week.
  const until = /^[A-Z][a-z]{2,8}, \d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(until) ? undefined : Math.max(0, until - Date.now());
}

/** Makes an untrusted text safe to log. */
function clean(text: unknown, secrets: readonly string[]): string | undefined {
  let safe = /string|number/.test(typeof text) ? `${text}` : '';
  // Removes each secret whole, and also without its scheme.
  for (const secret of secrets.flatMap((each) => [each, each.replace(/^\S+ /, '')])) {
    if (secret) safe = safe.replaceAll(secret, '[credential]');
  }
  return safe
    .slice(0, 1000)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}

/**
 * The credential of a client. It lives only in closures, so no error, log or inspection of a
 * client shows it. It is checked before use, because fetch and undici name a header value that they
 * refuse. Calls that wait for a token share one request for it.
 */
function createCredential({ header, value }: Auth) {
  const sendable = (secret: unknown): string => {
    const named = /^[\w!#$%&'*+.^`|~-]+$/.test(header ?? 'x');
    if (!named || !isHeaderValue(secret)) throw invalidOption('auth');
    return header ? secret : `Bearer ${secret}`;
  };
  let held = typeof value === 'function' ? '' : sendable(value);
  let renewAt = 0;
  let fetching: Promise<string> | undefined;

  async function renewed(fetchToken: () => Promise<Token>): Promise<string> {
    const { token, expiresInMs = Infinity } = await fetchToken();
    held = sendable(token);
    // Renews a minute before the end, or after nine tenths of a short life.
    renewAt = performance.now() + expiresInMs - Math.min(60_000, expiresInMs / 10);
    return held;
  }

  return {
    header: header?.toLowerCase() ?? 'authorization',
    value(): string | Promise<string> {
      if (typeof value !== 'function' || performance.now() < renewAt) return held;
      fetching ??= renewed(value).finally(() => {
        fetching = undefined;
      });
      return fetching;
    },
    /** Reports that this value was refused; returns whether there may be another one. */
    renew(refused: string): boolean {
      if (held === refused) renewAt = 0;
      return typeof value === 'function';
    },
  };
}

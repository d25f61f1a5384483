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
} from './request.js';
import {
  type AnswerHeaders,
  Cut,
  createUndici,
  fileOf,
  measured,
  overFetch,
  parse,
  pause,
  type ServiceDialect,
  StopSignal,
  within,
} from './response.js';
import { decideRetry, type Fault, keyAgeMs } from './retry.js';

export interface Auth {
  /** If absent, the value is a token, sent as `authorization: Bearer …`. */
  readonly header?: string | undefined;
  /**
   * The function fetches a token: a text, or an OAuth answer (`access_token`, `expires_in`). Without
   * an end, a token is used until it is refused.
   */
  readonly value: string | (() => Promise<unknown>);
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

/** By how much the service may have done. */
const outcomes: readonly CallOutcome[] = ['not-sent', 'refused', 'unknown', 'applied'];
const refused = 1;
const unknown = 2;
const applied = 3;

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
    const limits: CallOptions = { ...options, ...own };
    const { signal, maxBytes, fetch = usualFetch } = limits;
    const { attemptTimeoutMs = time ? 310_000 : 30_000 } = limits;
    const { deadlineMs = Math.max(60_000, 2 * attemptTimeoutMs) } = limits;
    const policy = { maxAttempts: 4, baseMs: 500, capMs: 8000, ...options.retry, ...own?.retry };
    const transport = fetch ? overFetch(fetch) : undici.request;
    const { file: isFile, source } = given;
    const { path, headers: ownHeaders, body } = prepareCall(operation, given);
    const repeat = key && given.key === undefined ? 'never' : operation.repeat;
    const secrets = [options.secrets, given.secrets].flat();
    const [startedAt, startedOn] = [performance.now(), Date.now()];
    let [attempts, renewed, token, most] = [0, false, '', 0];

    /** Makes an untrusted text safe to log. */
    function clean(text: unknown): string {
      let safe = /string|number/.test(typeof text) ? `${text}` : '';
      for (const secret of secrets) if (secret) safe = safe.replaceAll(secret, '[credential]');
      return safe
        .slice(0, 1000)
        .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
        .trim();
    }

    const passed = () => performance.now() - startedAt;
    const left = () => deadlineMs - passed();
    /** One clock stops while the machine sleeps, the other can be changed: the larger counts. */
    const elapsed = () => Math.max(passed(), Date.now() - startedOn);

    for (;;) {
      const stop = new StopSignal();
      let [status, isSent] = [0, false];
      let headers: AnswerHeaders = {};

      /** Sends the request once and reads the answer. */
      async function exchange(): Promise<unknown> {
        attempts += 1;
        isSent = true;
        const sent = { ...options.headers, ...ownHeaders };
        if (credential) sent[credential.header] = token;
        const answer = await transport({
          method,
          origin,
          path: prefix + path,
          headers: sent,
          body: source?.open() ?? body,
          signal: stop,
        });
        ({ statusCode: status, headers } = answer);
        const isJson = /[/+]json *(?:;|$)/i.test(`${headers['content-type']}`);
        // The status says most about a failure, so little of its body is read.
        let longest = 2 ** 16;
        if (status < 300) {
          // No compressed answer was requested.
          if (headers['content-encoding']) throw new Cut('wrong-type');
          // JSON may be an error in place of the file, so it is read first.
          if (isFile && !isJson) {
            return fileOf(headers, streamOf(measured(answer, maxBytes ?? Infinity)));
          }
          longest = maxBytes ?? 2 ** 26;
        }
        const pieces: Uint8Array<ArrayBuffer>[] = [];
        for await (const piece of measured(answer, longest)) pieces.push(piece);
        const said = isJson ? parse(pieces) : undefined;
        if (status > 299 || dialect.isFailure?.(said)) throw new Cut('refused', '', said);
        if (isFile) return fileOf(headers, new Blob(pieces).stream());
        if (said !== undefined || (kind === 'nothing' && pieces.length === 0)) return said;
        throw new Cut(isJson ? 'malformed' : 'wrong-type');
      }

      /** Reads only on demand; the reader gets an error if the answer breaks off. */
      function streamOf(pieces: AsyncGenerator<Uint8Array>) {
        return new ReadableStream<Uint8Array>(
          {
            async pull(output) {
              try {
                // The default deadline does not apply to files.
                const most = (limits.deadlineMs ?? Infinity) - passed();
                const ms = Math.min(attemptTimeoutMs, most);
                const { value } = await within(ms, signal, () => pieces.next());
                if (value) output.enqueue(value);
                else output.close();
              } catch (error) {
                stop.abort();
                output.error(failure(cutOf(error, status, isSent), applied));
              }
            },
            cancel: () => stop.abort(),
          },
          { highWaterMark: 0 },
        );
      }

      /** A failing status takes precedence over the fault. */
      function failure(cut: Cut, outcome: number, retryable = false, code?: ApiErrorCode) {
        const { fault, reason, said } = cut;
        const read = dialect.readError(said, status);
        return new ApiError({
          code: code ?? read.code ?? `api/${status > 299 ? codeOf(status) : fault}`,
          operation: id,
          outcome: outcomes[outcome] as CallOutcome,
          retryable,
          status,
          attempts,
          reason,
          serviceCode: clean(read.serviceCode),
          requestId: clean(read.requestId ?? headers['x-request-id']),
          serviceMessage: clean(read.message),
        });
      }

      try {
        const value = credential?.value() ?? '';
        token = typeof value === 'string' ? value : await within(left(), signal, () => value);
        // Added, not replaced: a token refused earlier must not show in an error either.
        secrets.push(token, token.replace(/^\S+ /, ''));
        // No request may be sent or in transit once the service may have forgotten the key.
        const keyLeft = most >= unknown && repeat === 'with-key' ? keyAgeMs - elapsed() : Infinity;
        return await within(Math.min(attemptTimeoutMs, left(), keyLeft), signal, exchange);
      } catch (error) {
        stop.abort();
        const cut = cutOf(error, status, isSent);
        const read = dialect.readError(cut.said, status);
        const isNew = status === 401 && credential?.renew(token) && !renewed;
        renewed ||= !!isNew;
        // A repeated DELETE finds nothing if an earlier attempt succeeded.
        const isGone = read.notFound || codeOf(status) === 'not-found';
        const isDeleted = method === 'DELETE' && most >= unknown && isGone;
        const outcome = isSent ? outcomeOf(status, cut.fault, !!dialect.isFailure) : 0;
        most = isDeleted ? applied : Math.max(most, outcome);
        const state = {
          cause: isNew ? ('expired' as const) : status > 299 ? status : cut.fault,
          waitMs: isNew ? 0 : waitOf(`${headers['retry-after']}`),
          isFinal: read.retryable === false || !!source?.isSpent?.(),
          repeat,
          attempts,
          acted: most >= unknown,
          elapsed: elapsed(),
          remaining: left(),
        };
        const { mayRepeat, afterMs } = decideRetry(state, policy, Math.random());
        if (afterMs === undefined) {
          // A timer may fire a little early.
          const isLate = cut.fault === 'timeout' && left() < 2;
          const code = isDeleted ? 'api/applied-before' : isLate ? 'api/deadline' : undefined;
          throw failure(cut, most, mayRepeat, code);
        }
        await pause(afterMs, signal);
      }
    }
  }

  return { send, close: undici.close };
}

/** Network error codes which prove that nothing of the request was sent. */
const unsent = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|\w*CERT(?:_\w+)?)$/;

/** Why an attempt ended. */
function cutOf(error: unknown, status: number, isSent: boolean): Cut {
  if (error instanceof Cut) return error;
  if (status) return new Cut('truncated');
  // The error from fetching a token may hold a credential, so only a code of ours is kept.
  if (!isSent) return new Cut('no-token', error instanceof ApiError ? error.code : 'auth');
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  const [reason = ''] = `${code ?? cause?.code}`.match(/^[A-Z\d_]{2,60}$/) ?? [];
  return new Cut(unsent.test(reason) ? 'unreachable' : 'connection-lost', reason);
}

/** What the service has done, as far as one attempt shows. */
function outcomeOf(status: number, fault: Fault, bodyDecides: boolean): number {
  if (status > 299) return status < 400 || status === 408 || status > 499 ? unknown : refused;
  if (status === 0) return fault === 'unreachable' ? 0 : unknown;
  if (fault === 'refused') return refused;
  // If success depends on the body, an unread body leaves it open.
  return bodyDecides ? unknown : applied;
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

/** Reads `Retry-After` as milliseconds: whole seconds, or a date to come. */
function waitOf(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Date.parse accepts too much.
  const ms = text.endsWith('GMT') ? Date.parse(text) - Date.now() : -1;
  return ms >= 0 ? ms : undefined;
}

/**
 * The credential of a client. It lives only in closures, so no error, log or inspection of a
 * client shows it. It is checked before use, because fetch and undici name a header value that they
 * refuse. Calls that wait for a token share one request for it.
 */
function createCredential({ header, value }: Auth) {
  const fetchToken = value as () => Promise<unknown>;
  const isFixed = typeof value !== 'function';
  let [held, renewAt] = ['', 0];
  let fetching: Promise<string> | undefined;

  function hold(given: unknown): string {
    const { access_token: token = given, expires_in: seconds } = Object(given);
    if (!isHeaderValue(token) || !/^[\w-]+$/.test(header ?? 'x')) throw invalidOption('auth');
    // Renews after nine tenths of its life.
    renewAt = performance.now() + 900 * (Number(seconds) || Infinity);
    held = header ? token : `Bearer ${token}`;
    return held;
  }

  if (isFixed) hold(value);
  return {
    header: header ?? 'authorization',
    value(): string | Promise<string> {
      if (performance.now() < renewAt) return held;
      fetching ??= fetchToken()
        .then(hold)
        .finally(() => {
          fetching = undefined;
        });
      return fetching;
    },
    /** Reports that this value was refused; returns whether there may be another one. */
    renew(refused: string): boolean {
      if (held === refused && !isFixed) renewAt = 0;
      return !isFixed;
    },
  };
}

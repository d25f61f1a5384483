/**
 * Sends calls: the one loop that every operation of every client goes through.
 *
 * In: an operation, the caller's arguments, options. Out: the body of the answer, or an ApiError
 * with the outcome of all attempts. Guarantees: a call is fully prepared before anything is sent;
 * `decideRetry` decides each repetition, knowing what all earlier attempts may have done; the
 * deadline of a call covers tokens, attempts and waits; the service's messages are shortened to one
 * line, without the credential.
 */
import { ApiError, type CallOutcome, invalidOption } from './error.js';
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
  networkCut,
  overFetch,
  parse,
  pause,
  readAll,
  type ServiceDialect,
  within,
} from './response.js';
import { type Fault, type KeyUse, now, passing } from './retry.js';

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
  /** Remembers keys, if an operation takes them. */
  readonly useKey?: (operation: string, key: unknown) => KeyUse;
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
  if (!address) throw invalidOption('baseUrl');
  const { origin, path: prefix } = address;
  const credential = auth && createCredential(auth);
  const undici = createUndici();

  /** What the service has done, as far as one attempt shows. */
  function outcomeOf(status: number, fault: Fault): number {
    if (status > 299) return status < 400 || status === 408 || status > 499 ? unknown : refused;
    if (status === 0) return fault === 'unreachable' ? 0 : unknown;
    if (fault === 'refused') return refused;
    // If success depends on the body, an unread body leaves it open.
    return dialect.isFailure ? unknown : applied;
  }

  async function send(operation: Operation, given: SendArguments = {}, own?: CallOptions) {
    const { id, method, time, repeat } = operation;
    const { file: isFile, source, key } = given;
    const limits: CallOptions = { ...options, ...own };
    const {
      signal,
      maxBytes,
      fetch = globalThis.process?.version ? undefined : globalThis.fetch,
      attemptTimeoutMs = time ? 310_000 : 30_000,
      deadlineMs = Math.max(60_000, 2 * attemptTimeoutMs),
    } = limits;
    const { maxAttempts = 4, baseMs = 500, capMs = 8000 } = { ...options.retry, ...own?.retry };
    const transport = fetch ? overFetch(fetch) : undici.request;
    const call = prepareCall(operation, given);
    const use = key === undefined ? undefined : options.useKey?.(id, key);
    const secrets = [options.secrets, given.secrets].flat();
    const startedAt = now();
    let attempts = 0;
    let renewed = false;
    let token = '';
    // What an earlier call with this key may have done counts as done by this one.
    const before = use?.doubt ?? 0;
    let most = before < unknown ? 0 : unknown;
    if (use) use.doubt = unknown;

    const passed = () => now() - startedAt;
    const left = () => deadlineMs - passed();
    /** For how long another attempt cannot act twice. */
    const harmless = () => (most < unknown || repeat === 'always' ? Infinity : (use?.left() ?? 0));

    for (;;) {
      const stop = new AbortController();
      let status = 0;
      let isSent = false;
      let headers: AnswerHeaders = {};

      /** Sends the request once and reads the answer. */
      async function exchange(): Promise<unknown> {
        attempts += 1;
        isSent = true;
        const answer = await transport({
          method,
          origin,
          path: prefix + call.path,
          headers: {
            ...options.headers,
            ...call.headers,
            ...(credential && { [credential.header]: token }),
          },
          body: source?.open() ?? call.body,
          signal: stop.signal,
        });
        ({ statusCode: status, headers } = answer);
        // No compressed answer was requested.
        const packed = headers['content-encoding'];
        const isJson = !packed && /[/+]json *(?:;|$)/i.test(`${headers['content-type']}`);
        // JSON may be an error in place of the file, so it is read first.
        if (isFile && !isJson && status < 300) {
          if (packed) throw new Cut('wrong-type');
          return fileOf(headers, streamOf(measured(answer, maxBytes ?? Infinity)));
        }
        // The status says most about a failure, so little of its body is read.
        const whole = await readAll(answer, status > 299 ? 2 ** 16 : (maxBytes ?? 2 ** 26));
        const said = isJson ? await parse(whole) : undefined;
        if (status > 299 || dialect.isFailure?.(said)) throw new Cut('refused', '', said);
        if (isFile) return fileOf(headers, whole.stream());
        if (said !== undefined || (operation.answer && !whole.size)) return said;
        throw new Cut(isJson ? 'malformed' : 'wrong-type');
      }

      /** Reads only on demand; the reader gets an error if the answer breaks off. */
      const streamOf = (pieces: AsyncGenerator<Uint8Array>) =>
        new ReadableStream<Uint8Array>(
          {
            async pull(output) {
              try {
                // The default deadline does not apply to files.
                const ms = Math.min(attemptTimeoutMs, (limits.deadlineMs ?? Infinity) - passed());
                const { value } = await within(ms, signal, () => pieces.next());
                if (value) output.enqueue(value);
                else output.close();
              } catch (error) {
                stop.abort();
                const cut = cutOf(error, status, isSent);
                output.error(failure(cut.fault, cut, applied));
              }
            },
            cancel: () => stop.abort(),
          },
          { highWaterMark: 0 },
        );

      const failure = (name: string, { reason, said }: Cut, outcome: number, until?: number) => {
        const read = dialect.readError(said, status);
        return new ApiError({
          code: read.code ?? `api/${name}`,
          operation: id,
          outcome: outcomes[outcome] as CallOutcome,
          retryable: !!until,
          retryableUntil: until === Infinity ? 0 : until,
          status,
          attempts,
          reason,
          serviceCode: clean(read.serviceCode),
          requestId: clean(read.requestId ?? headers['x-request-id']),
          serviceMessage: clean(read.message),
        });
      };

      /** Makes an untrusted text safe to log. */
      const clean = (text: unknown): string => {
        let safe = /string|number/.test(typeof text) ? `${text}` : '';
        for (const secret of secrets) if (secret) safe = safe.replaceAll(secret, '[credential]');
        return safe
          .slice(0, 1000)
          .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
          .trim();
      };

      try {
        const value = credential?.value() ?? '';
        token = typeof value === 'string' ? value : await within(left(), signal, () => value);
        // Added, not replaced: a token refused earlier must not show in an error either.
        secrets.push(token, token.replace(/^\S+ /, ''));
        // No request may be sent or in transit once the service may have forgotten the key.
        const ms = Math.min(attemptTimeoutMs, left(), harmless());
        const answer = await within(ms, signal, exchange);
        if (use) use.doubt = refused;
        return answer;
      } catch (error) {
        stop.abort();
        const cut = cutOf(error, status, isSent);
        const { fault } = cut;
        const read = dialect.readError(cut.said, status);
        const judged = (status > 299 && read.status) || status;
        const isNew: boolean = judged === 401 && !renewed && !!credential?.renew(token);
        renewed ||= isNew;
        // A repeated DELETE finds nothing if an earlier attempt succeeded.
        const isGone = read.notFound || codeOf(judged) === 'not-found';
        const isDeleted = method === 'DELETE' && most >= unknown && isGone;
        most = isDeleted ? applied : Math.max(most, isSent ? outcomeOf(judged, fault) : 0);
        const cause = judged > 299 ? judged : fault === 'unreachable' ? cut.reason : fault;
        const isFinal = read.retryable === false || source?.isSpent?.();
        const asked = isNew ? 0 : waitOf(`${headers['retry-after']}`);
        // Random, so that clients that failed together do not all retry together.
        const waitMs = asked ?? Math.random() * Math.min(capMs, baseMs * 2 ** (attempts - 1));
        const mayRepeat = (isNew || passing.test(`${cause}`)) && !isFinal && waitMs < harmless();
        if (!mayRepeat || attempts >= maxAttempts || waitMs >= left()) {
          if (use) use.doubt = Math.max(before, most);
          // A timer may fire a little early.
          const late = fault === 'timeout' && (left() < 2 ? 'deadline' : !isSent && 'unsafe-key');
          const usual = judged > 299 ? codeOf(judged) : fault;
          const name = isDeleted ? 'applied-before' : late || usual;
          throw failure(name, cut, most, mayRepeat ? Math.floor(Date.now() + harmless()) : 0);
        }
        await pause(waitMs, signal);
      }
    }
  }

  return { send, close: undici.close };
}

/** Why an attempt ended. */
function cutOf(error: unknown, status: number, isSent: boolean): Cut {
  if (error instanceof Cut) return error;
  if (status) return new Cut('truncated');
  // The error from fetching a token may hold a credential, so only a code of ours is kept.
  if (!isSent) return new Cut('no-token', error instanceof ApiError ? error.code : 'auth');
  return networkCut(error);
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
  // Date.parse accepts too much.
  const date = /GMT$/.test(text) ? Date.parse(text) - Date.now() : -1;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : date;
  return ms >= 0 ? ms : undefined;
}

/**
 * The credential of a client. It lives only in closures, so no error, log or inspection of a
 * client shows it. It is checked before use, because fetch and undici name a header value that they
 * refuse. Calls that wait for a token share one request for it.
 */
function createCredential({ header, value }: Auth) {
  const fetchToken = typeof value === 'function' && value;
  let held = '';
  let renewAt = 0;
  let fetching: Promise<string> | undefined;

  function hold(given: unknown): string {
    const { access_token: token = given, expires_in: seconds } = Object(given);
    if (!isHeaderValue(token) || !/^[\w-]+$/.test(header ?? 'x')) throw invalidOption('auth');
    // Renews after nine tenths of its life.
    renewAt = now() + 900 * (Number(seconds) || Infinity);
    held = header ? token : `Bearer ${token}`;
    return held;
  }

  if (!fetchToken) hold(value);
  return {
    header: header ?? 'authorization',
    value(): string | Promise<string> {
      if (!fetchToken || now() < renewAt) return held;
      fetching ??= fetchToken()
        .then(hold)
        .finally(() => {
          fetching = undefined;
        });
      return fetching;
    },
    /** Reports that this value was refused; returns whether there may be another one. */
    renew(refused: string): boolean {
      if (held === refused) renewAt = 0;
      return !!fetchToken;
    },
  };
}

/**
 * Sends calls: the one loop that all operations of all clients go through, and the two transports,
 * undici on Node and `fetch` elsewhere or where it is given.
 *
 * In: an operation, what the caller gives, options. Out: the body of the answer, or an ApiError with
 * the outcome of all attempts. Guarantees: a call is prepared whole before anything is sent; between
 * two attempts stands a `decideRetry`, which sees what every attempt before may have done; the
 * deadline of the call holds for tokens, attempts and waits alike; texts of the service are cut, on
 * one line, and without the credential.
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
  exchange,
  type Failure,
  pause,
  type ServiceDialect,
  type Transport,
  within,
} from './response.js';
import { decideRetry, type Fault, keyAgeMs } from './retry.js';

/** A token and how long it lives; without an end, until it is refused. */
export interface Token {
  readonly token: string;
  readonly expiresInMs?: number;
}

export interface Auth {
  /** Without a header, the value is a token and goes as `authorization: Bearer …`. */
  readonly header?: string | undefined;
  readonly value: string | (() => Promise<Token>);
}

export interface SenderOptions extends CallOptions {
  /** https:, or http: to this machine; may have a path. */
  readonly baseUrl: string;
  /** Absent where no credential goes along (the exchange of one for a token). */
  readonly auth?: Auth;
  readonly dialect: ServiceDialect;
  /** Sent with every request; names in small letters. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Texts beside the credential that must not be repeated in errors. */
  readonly secrets?: readonly string[];
}

export interface Sender {
  /** Resolves to the body of a 2xx answer as it was sent; rejects with an ApiError. */
  send(operation: Operation, given?: SendArguments, options?: CallOptions): Promise<unknown>;
  /** Lets go of idle connections; a call after it opens new ones. */
  close(): Promise<void>;
}

/** Throws an ApiError (`api/invalid-option`) for options that cannot be. */
export function createSender({ auth, dialect, ...options }: SenderOptions): Sender {
  const address = readAddress(options.baseUrl);
  if ('fault' in address) throw invalidOption('baseUrl');
  const { origin, path: prefix } = address;
  const credential = auth && createCredential(auth);
  const undici = createUndici();
  const usualFetch = globalThis.process?.versions?.node ? undefined : globalThis.fetch;
  const usual = settle(options);

  async function send(operation: Operation, given: SendArguments = {}, own?: CallOptions) {
    const { id: name, method, time, key, answer } = operation;
    const limits = own || time ? settle(options, time, own) : usual;
    const { signal, fetch = usualFetch } = limits;
    const transport = fetch ? overFetch(fetch) : undici.request;
    const file = given.file ?? answer === 'file';
    const { path, headers, body } = prepareCall(operation, { ...given, file });
    const repeat = key && given.key === undefined ? 'never' : operation.repeat;
    const secrets = [...(options.secrets ?? []), ...(given.secrets ?? [])];
    const [startedAt, startedOn] = [performance.now(), Date.now()];
    let [attempts, acted, answered, renewed, token] = [0, false, false, false, ''];

    const passed = () => performance.now() - startedAt;
    const left = () => limits.deadlineMs - passed();
    /** A machine that sleeps stops one clock, and its owner may set the other. */
    const elapsed = () => Math.max(passed(), Date.now() - startedOn);

    async function attempt(): ReturnType<typeof exchange> {
      const unsent = { status: 0, headers: {}, outcome: 'not-sent' } as const;
      try {
        const value = credential?.value() ?? '';
        token = typeof value === 'string' ? value : await within(left(), signal, value);
      } catch (error) {
        if (error instanceof Cut) return { ...unsent, fault: error.fault };
        // What fetching it fails with may hold a credential: only a code of ours is kept.
        const reason = error instanceof ApiError ? error.code : 'auth';
        return { ...unsent, fault: 'no-token', reason };
      }
      // The token, too, that was refused before this one.
      secrets.push(token);
      // Nothing is sent, or on its way, once the key may have been forgotten.
      const keyLeft = acted && repeat === 'with-key' ? keyAgeMs - elapsed() : Infinity;
      const ms = Math.min(limits.attemptTimeoutMs, left(), keyLeft);
      if (signal?.aborted) return { ...unsent, fault: 'aborted' };
      if (ms <= 0) return { ...unsent, fault: 'timeout' };
      attempts += 1;
      const request = {
        method,
        origin,
        path: prefix + path,
        headers: {
          ...options.headers,
          ...headers,
          ...(credential && { [credential.header]: token }),
        },
        body: typeof body === 'object' ? body.open() : body,
      };
      const reading = {
        ms,
        signal,
        maxBytes: limits.maxBytes,
        file,
        // The usual deadline does not hold for files.
        leftMs: () => (own?.deadlineMs ?? options.deadlineMs ?? Infinity) - passed(),
        errorOf: (fault: Fault, status: number) =>
          errorOf({ status, headers: {}, fault, outcome: 'applied' }, 'applied', false),
      };
      return exchange(transport, request, reading, operation, dialect);
    }

    function errorOf(failure: Failure, outcome: CallOutcome, later: boolean, code?: ApiErrorCode) {
      const { status, fault } = failure;
      return new ApiError({
        code: code ?? failure.code ?? `api/${status > 299 ? codeOf(status) : fault}`,
        operation: name,
        outcome,
        retryable: later,
        status,
        attempts,
        reason: failure.reason,
        serviceCode: clean(failure.serviceCode, secrets),
        requestId: clean(failure.requestId ?? failure.headers['x-request-id'], secrets),
        serviceMessage: clean(failure.message, secrets),
      });
    }

    for (;;) {
      const end = await attempt();
      if ('value' in end) return end.value;
      const { status, fault, outcome, notFound = /404|410/.test(`${status}`) } = end;
      const refused = status === 401 && credential?.renew(token) === true;
      // What an earlier attempt has deleted is not found.
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
      const waitMs = waitOf(`${end.headers['retry-after']}`);
      const decision = decideRetry({ ...end, waitMs }, state, limits.retry, Math.random());
      if ('stop' in decision) {
        const later = decision.stop === 'later';
        if (deleted) throw errorOf(end, 'applied', later, 'api/applied-before');
        // A key that was seen says only that the request came: the service may have failed after it.
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

/** What `Retry-After` asks for, in milliseconds: whole seconds, or a date. */
function waitOf(text: string): number | undefined {
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // Date.parse reads all sorts of things; a date of HTTP begins with the day of the week.
  const until = /^[A-Z][a-z]{2,8}, \d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(until) ? undefined : Math.max(0, until - Date.now());
}

/** A text from outside, fit for a log. */
function clean(text: unknown, secrets: readonly string[]): string | undefined {
  let safe = /string|number/.test(typeof text) ? `${text}` : '';
  // Whole, and without their scheme.
  for (const secret of secrets.flatMap((each) => [each, each.replace(/^\S+ /, '')])) {
    if (secret) safe = safe.replaceAll(secret, '[credential]');
  }
  const line = safe.slice(0, 1000).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  return line.trim() || undefined;
}

/**
 * The credential of a client. It lives in closures alone, so that no error, log or inspection of a
 * client shows it; it is checked before it is used, since the functions that send a header name its
 * value when they refuse it. A token is fetched once for all calls that wait for it.
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
    // A minute before its end, or a tenth of a short life.
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
    /** Says that this value was refused; whether there may be another one. */
    renew(refused: string): boolean {
      if (held === refused) renewAt = 0;
      return typeof value === 'function';
    },
  };
}

/** Over kept-alive connections. undici is slow to load, so that is done at the first request. */
function createUndici(): { readonly request: Transport; close(): Promise<void> } {
  const load = async () => {
    const { Agent } = await import('undici');
    return new Agent({ connections: 128, headersTimeout: 0, bodyTimeout: 0 });
  };
  let loaded: ReturnType<typeof load> | undefined;
  return {
    async request(given) {
      loaded ??= load();
      const agent = await loaded;
      // It takes any iterable as a body, although its type says less.
      const options = given as Parameters<typeof agent.request>[0];
      const { statusCode: status, headers, body } = await agent.request(options);
      // What is let go of before it is read fails where nobody listens.
      body.on('error', () => {});
      return { status, headers, body };
    },
    async close() {
      const closing = loaded;
      loaded = undefined;
      await (await closing)?.close();
    },
  };
}

function overFetch(fetch: NonNullable<CallOptions['fetch']>): Transport {
  return async ({ origin, path, ...given }) => {
    const init = { ...given, duplex: 'half', redirect: 'manual' } as RequestInit;
    if (typeof given.body === 'object') {
      // Node and browsers have it; the types of browsers do not yet.
      const { from } = ReadableStream as unknown as { from(pieces: unknown): ReadableStream };
      // To send it once more elsewhere, undici would keep all of a stream that may be redirected.
      Object.assign(init, { body: from(given.body), redirect: 'error' });
    }
    const answer = await fetch(origin + path, init);
    const { 'content-encoding': packed, ...headers } = Object.fromEntries(answer.headers);
    // One that was unpacked has another length by now.
    if (packed) delete headers['content-length'];
    // A browser shows of a redirect only that it is one.
    return { status: answer.status || 302, headers, body: answer.body ?? [] };
  };
}

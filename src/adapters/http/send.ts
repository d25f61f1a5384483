/**
 * Sends calls: the one loop that all operations of all clients go through.
 *
 * In: an operation, what the caller gives, options. Out: the body of the answer, or an ApiError with
 * the outcome of all attempts. Guarantees: a call is prepared whole before anything is sent; between
 * two attempts stands a `decideRetry`, which sees what every attempt before may have done; the
 * deadline of the call holds for tokens, attempts and waits alike.
 */
import { readAddress } from './base-address.js';
import { ApiError, type CallOutcome, invalidOption } from './error.js';
import type { Operation } from './operation.js';
import {
  type CallOptions,
  isHeaderName,
  isHeaderValue,
  prepareCall,
  type SendArguments,
  settle,
  type Validation,
} from './request.js';
import {
  Cut,
  exchange,
  type Failure,
  judge,
  pause,
  type ServiceDialect,
  within,
} from './response.js';
import { decideRetry, type Fault, keyAgeMs } from './retry.js';
import { overFetch, overUndici } from './transport.js';

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

export interface SenderOptions extends CallOptions, Validation {
  /** https:, or http: to this machine; may have a path. */
  readonly baseUrl: string;
  readonly auth: Auth;
  readonly dialect: ServiceDialect;
  /** Sent with every request. */
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
export function createSender({ auth: given, ...options }: SenderOptions): Sender {
  const address = readAddress(options.baseUrl);
  if ('fault' in address) throw invalidOption('baseUrl');
  const { origin, path } = address;
  const clientHeaders = headersOf(options.headers);
  const credential = createCredential(given);
  const usual = isNode()
    ? overUndici()
    : { transport: overFetch(globalThis.fetch), close: async () => {} };
  settle(options);

  async function send(operation: Operation, given: SendArguments = {}, own?: CallOptions) {
    const limits = settle(options, operation, own);
    const call = prepareCall(operation, given, limits, options);
    const { id, method, auth = true } = operation;
    const { signal } = limits;
    const { body } = call;
    const transport = limits.fetch ? overFetch(limits.fetch) : usual.transport;
    const unprotected = operation.repeat === 'with-key' && given.key === undefined;
    const repeat = unprotected ? 'never' : operation.repeat;
    const secrets = [...(options.secrets ?? []), ...(given.secrets ?? [])];
    const [startedAt, startedOn] = [performance.now(), Date.now()];
    let [attempts, acted, answered, renewed, token] = [0, false, false, false, ''];

    const passed = () => performance.now() - startedAt;
    const left = () => limits.deadlineMs - passed();
    /** A machine that sleeps stops one clock, and its owner may set the other. */
    const elapsed = () => Math.max(passed(), Date.now() - startedOn);

    async function attempt() {
      const nothing = { status: 0, headers: {}, sent: false } as const;
      try {
        token = await within(left(), signal, auth ? credential.value() : Promise.resolve(''));
      } catch (error) {
        if (error instanceof Cut) return { ...nothing, fault: error.fault };
        // What fetching it fails with may hold a credential: only a code of ours is kept.
        const reason = error instanceof ApiError ? error.code : 'auth';
        return { ...nothing, fault: 'no-token' as const, reason };
      }
      // The token, too, that was refused before this one.
      secrets.push(token);
      // Nothing is sent, or on its way, once the key may have been forgotten.
      const keyLeft = acted && repeat === 'with-key' ? keyAgeMs - elapsed() : Infinity;
      if (keyLeft <= 0) return { ...nothing, fault: 'timeout' as const };
      attempts += 1;
      const request = {
        method,
        url: origin + path + call.path,
        headers: { ...clientHeaders, ...call.headers, ...(auth && { [credential.header]: token }) },
        body: typeof body === 'object' ? body.open() : body,
      };
      return exchange(transport, request, {
        ...limits,
        ms: Math.min(limits.attemptTimeoutMs, left(), keyLeft),
        file: call.file,
        leftMs: () => limits.fileMs - passed(),
        errorOf: (fault: Fault, status: number) =>
          new ApiError({
            code: `api/${fault}`,
            operation: id,
            outcome: 'applied',
            attempts,
            status,
          }),
      });
    }

    function errorOf(failure: Failure, actedBefore: boolean, retryable: boolean): ApiError {
      const { outcome, fault } = failure;
      const late = fault === 'timeout' && left() < 1;
      const facts = { ...failure, operation: id, attempts, retryable };
      // What an earlier attempt has deleted is not found.
      if (actedBefore && method === 'DELETE' && failure.notFound) {
        return new ApiError({ ...facts, code: 'api/applied-before', outcome: 'applied' });
      }
      // A key that was seen says only that the request came: the service may have failed after it.
      const inDoubt: CallOutcome = acted ? 'unknown' : answered ? 'refused' : 'not-sent';
      return new ApiError({
        ...facts,
        code: late ? 'api/deadline' : failure.code,
        outcome: outcome === 'applied' ? outcome : inDoubt,
      });
    }

    for (;;) {
      const verdict = judge(await attempt(), call, options.dialect, secrets);
      if ('value' in verdict) return verdict.value;
      const { failure } = verdict;
      const refused = auth && failure.status === 401 && credential.renew(token);
      const actedBefore = acted;
      acted ||= /unknown|applied/.test(failure.outcome);
      answered ||= failure.status > 0;
      const state = {
        repeat,
        attempts,
        acted,
        elapsed: elapsed(),
        remaining: left(),
        renewable: refused && !renewed,
        spent: typeof body === 'object' && body.isSpent?.() === true,
      };
      const decision = decideRetry(failure, state, limits.retry, Math.random());
      if ('stop' in decision) throw errorOf(failure, actedBefore, decision.stop === 'later');
      renewed ||= refused;
      if (decision.afterMs > 0) await pause(decision.afterMs, signal);
    }
  }

  return { send, close: usual.close };
}

/** In small letters, so that none is sent twice. */
function headersOf(given: SenderOptions['headers'] = {}): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json' };
  for (const [name, value] of Object.entries(given)) {
    if (!isHeaderName(name) || !isHeaderValue(value)) throw invalidOption('headers');
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

/** Other surroundings that pass for Node bring a `fetch` that suits them better. */
function isNode(): boolean {
  const versions: Readonly<Record<string, string | undefined>> = globalThis.process?.versions ?? {};
  return Boolean(versions['node'] && !versions['bun'] && !versions['deno']);
}

/**
 * The credential of a client. It lives in closures alone, so that no error, log or inspection of a
 * client shows it; it is checked before it is used, since the functions that send a header name its
 * value when they refuse it. A token is fetched once for all calls that wait for it.
 */
function createCredential({ header, value }: Auth) {
  let held = typeof value === 'function' ? '' : sendable(value);
  let [renewAt, endsAt] = [0, 0];
  let fetching: Promise<string> | undefined;

  function sendable(secret: unknown): string {
    if (!isHeaderValue(secret) || !isHeaderName(header ?? 'x')) throw invalidOption('auth');
    return header ? secret : `Bearer ${secret}`;
  }

  async function renewed(fetchToken: () => Promise<Token>): Promise<string> {
    try {
      const { token, expiresInMs = Infinity } = await fetchToken();
      held = sendable(token);
      endsAt = performance.now() + expiresInMs;
      // A minute before its end, or a tenth of a short life.
      renewAt = endsAt - Math.min(60_000, expiresInMs / 10);
    } catch (error) {
      // The old one does as long as it lives.
      if (endsAt <= performance.now()) throw error;
    }
    return held;
  }

  return {
    header: header?.toLowerCase() ?? 'authorization',
    async value(): Promise<string> {
      if (typeof value !== 'function' || performance.now() < renewAt) return held;
      fetching ??= renewed(value).finally(() => {
        fetching = undefined;
      });
      return fetching;
    },
    /** Says that this value was refused; whether there may be another one. */
    renew(refused: string): boolean {
      if (held === refused) [renewAt, endsAt] = [0, 0];
      return typeof value === 'function';
    },
  };
}

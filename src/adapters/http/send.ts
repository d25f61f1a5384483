/**
 * Sends calls: the one function that all operations of all clients go through.
 *
 * In: an operation, what the caller gives, options. Out: the body of the answer, or an ApiError.
 * Invariant: a call is prepared whole before anything is sent.
 */
import { invalidOption } from './api-error.js';
import { runAttempts } from './attempts.js';
import { parseBaseUrl } from './base-address.js';
import { type CallSetting, prepareCall, type SendArguments } from './call.js';
import { type Clock, systemClock } from './clock.js';
import { type Auth, createCredential } from './credentials.js';
import { createDeadlines } from './deadlines.js';
import { type Ending, type ExchangeRequest, exchange } from './exchange.js';
import { createFetchTransport } from './fetch-transport.js';
import type { FileAnswer } from './file-answer.js';
import { isHeaderName, isHeaderValue } from './headers.js';
import { createNodeTransport } from './node-transport.js';
import type { Operation } from './operation.js';
import { type CallOptions, createLimits } from './options.js';

/**
 * `secrets` are texts beside the credential that must not be repeated in errors; `validators` stand
 * by operation id; `onWarning` takes what `validate: 'warn'` finds (`console.warn` without it).
 */
export interface SenderOptions extends CallOptions, CallSetting {
  /** https:, or http: to this machine; may have a path. */
  readonly baseUrl: string;
  readonly auth: Auth;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Sender {
  /** Resolves to the body of a 2xx answer as it was sent; rejects with an ApiError. */
  send(operation: Operation, given?: SendArguments, options?: CallOptions): Promise<unknown>;
  /** The same for an answer that is a file. */
  sendForFile(
    operation: Operation,
    given?: SendArguments,
    options?: CallOptions,
  ): Promise<FileAnswer>;
  /** Lets go of idle connections; a call after it opens new ones. */
  close(): Promise<void>;
}

/** What tests replace. */
export interface Surroundings {
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly exchange?: (request: ExchangeRequest) => Promise<Ending>;
}

/** Throws an ApiError (`api/invalid-option`) for options that cannot be. */
export function createSender(options: SenderOptions, surroundings: Surroundings = {}): Sender {
  const { clock = systemClock, random = Math.random } = surroundings;
  const { origin, path } = parseBaseUrl(options.baseUrl);
  const deadlines = createDeadlines(clock);
  const credential = createCredential(options.auth, clock);
  const headersFor = createHeaders(credential.header, options.headers);
  const core = { origin, credential, deadlines, random, headersFor };
  const limitsOf = createLimits(options);
  const transport = isNode() ? createNodeTransport() : createFetchTransport(globalThis.fetch);

  async function send(operation: Operation, given: SendArguments = {}, own?: CallOptions) {
    const limits = limitsOf(operation, own);
    const call = prepareCall(operation, given, limits, path, clock, options);
    const carrier = limits.fetch === undefined ? transport : createFetchTransport(limits.fetch);
    const once = (request: ExchangeRequest) => exchange(carrier, request, deadlines);
    return runAttempts(call, core, surroundings.exchange ?? once);
  }

  return {
    send,
    sendForFile: (operation, given, own) =>
      send(operation, { ...given, file: true }, own) as Promise<FileAnswer>,
    close: () => transport.close(),
  };
}

/** By the credential, made anew only when it changes; without one where a call takes none. */
function createHeaders(name: string, given: SenderOptions['headers'] = {}) {
  const fixed: Record<string, string> = { accept: 'application/json' };
  for (const [each, value] of Object.entries(given)) {
    if (!isHeaderName(each) || !isHeaderValue(value)) throw invalidOption('headers');
    // In small letters, so that none is sent twice.
    fixed[each.toLowerCase()] = value;
  }
  let [current, headers] = ['', fixed];
  return (credential: string) => {
    if (credential === '') return fixed;
    if (credential !== current) headers = { ...fixed, [name]: credential };
    current = credential;
    return headers;
  };
}

/** Other surroundings that pass for Node bring a `fetch` that suits them better. */
function isNode(): boolean {
  const versions: Readonly<Record<string, string | undefined>> = globalThis.process?.versions ?? {};
  return Boolean(versions['node'] && !versions['bun'] && !versions['deno']);
}

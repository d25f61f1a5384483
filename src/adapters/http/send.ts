/**
 * Sends calls: the one function that all operations of all clients go through.
 *
 * In: an operation, what the caller gives, options. Out: the body of the answer, or an ApiError.
 * Invariant: a call is prepared whole before anything is sent.
 */
import { invalidOption } from './api-error.js';
import { type Core, runAttempts } from './attempts.js';
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
export function createSender(
  { auth, ...options }: SenderOptions,
  { clock = systemClock, random = Math.random, exchange: replaced }: Surroundings = {},
): Sender {
  const core: Core = {
    ...options,
    ...parseBaseUrl(options.baseUrl),
    headers: headersOf(options.headers),
    credential: createCredential(auth, clock),
    deadlines: createDeadlines(clock),
    random,
  };
  const limitsOf = createLimits(options);
  const usual = isNode() ? createNodeTransport() : createFetchTransport(globalThis.fetch);

  async function send(operation: Operation, given: SendArguments = {}, own?: CallOptions) {
    const limits = limitsOf(operation, own);
    const call = prepareCall(operation, given, limits, options);
    const transport = limits.fetch ? createFetchTransport(limits.fetch) : usual;
    const once = (request: ExchangeRequest) => exchange(transport, request, core.deadlines);
    return runAttempts(call, limits, core, replaced ?? once);
  }

  return {
    send,
    sendForFile: (operation, given, own) =>
      send(operation, { ...given, file: true }, own) as Promise<FileAnswer>,
    close: usual.close,
  };
}

/** In small letters, so that none is sent twice. */
function headersOf(given: SenderOptions['headers'] = {}): Core['headers'] {
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

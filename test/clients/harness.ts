/** What tests of clients share: a server that is told how to behave, a fetch with a script, time. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { ApiError } from '../../src/bills.js';

export interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A text or bytes go out as they are, anything else as JSON. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
}

/** Undefined where it answers by itself, or not at all. */
export type Behave = (
  request: Recorded,
  response: ServerResponse,
  count: number,
) => Reply | undefined;

export interface TestServer {
  url: string;
  readonly requests: Recorded[];
  /** What comes back from now on, until the test ends. */
  behave: Behave;
  connections(): Promise<number>;
}

/** For all tests of a file: a server on this machine that keeps every request. */
export function useServer(usual: Behave = () => ({ body: {} })): TestServer {
  const requests: Recorded[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const recorded = { method, url, headers, body: Buffer.concat(pieces) };
    requests.push(recorded);
    const reply = used.behave(recorded, response, requests.length);
    if (reply === undefined) return;
    const { status = 200, headers: own = {}, body } = reply;
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    response.writeHead(status, raw ? own : { 'content-type': 'application/json', ...own });
    response.end(raw ? body : JSON.stringify(body));
  });
  const used: TestServer = {
    url: '',
    requests,
    behave: usual,
    connections: () => new Promise((resolve) => server.getConnections((_, n) => resolve(n))),
  };
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    used.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    requests.length = 0;
    used.behave = usual;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return used;
}

export interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly signal: AbortSignal;
  /** When, in milliseconds from the start of the script. */
  readonly at: number;
}

/** What an attempt meets. */
export type Step = (request: Sent) => Promise<Response>;

export function answer(status: number, body: unknown = {}, headers: object = {}): Step {
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const all = { 'content-type': 'application/json', ...headers };
  return async () =>
    new Response(status === 204 ? null : (text as string), { status, headers: all });
}

export const fails = (code: string): Step => {
  return () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code } }));
};

/** A transport that neither answers nor stops. */
export const silence: Step = () => new Promise(() => {});

/** A fetch that goes through the steps, and stays at the last. */
export function scripted(...steps: readonly Step[]) {
  const begun = performance.now();
  const sent: Sent[] = [];
  const fetch = ((url: string, init: Sent) => {
    const step = steps[Math.min(sent.length, steps.length - 1)] as Step;
    const request = { ...init, url, at: performance.now() - begun };
    sent.push(request);
    return step(request);
  }) as unknown as typeof globalThis.fetch;
  return { sent, fetch };
}

/** For all tests of a file: timers that a test moves, and no chance. */
export function useFakeTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    vi.setSystemTime(Date.parse('2026-03-01T10:00:00Z'));
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
}

/** How a call ended on moved timers, and when. */
export async function endOf(call: Promise<unknown>, ms = 2_000_000) {
  const begun = performance.now();
  const took = () => performance.now() - begun;
  const end = call.then(
    (value) => ({ value, ms: took() }),
    (error: ApiError) => ({ error, ms: took() }),
  );
  await vi.advanceTimersByTimeAsync(ms);
  return end as Promise<{ value?: unknown; error?: ApiError; ms: number }>;
}

/** The error of a call that has to fail. */
export async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    (value) => new Error(`it went well: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

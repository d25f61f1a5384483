/** Calls over a fetch that answers from a list: attempts, outcomes, errors, credentials. */
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../src/adapters/http/error.js';
import type { Operation } from '../../../src/adapters/http/operation.js';
import type { CallOptions, SendArguments } from '../../../src/adapters/http/request.js';
import type { FileAnswer, ServiceDialect } from '../../../src/adapters/http/response.js';
import { createSender, type SenderOptions } from '../../../src/adapters/http/send.js';

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What an attempt meets. */
type Step = (request: Sent) => Promise<Response>;

const json = { 'content-type': 'application/json' };

function answer(status: number, body: unknown = {}, headers: Record<string, string> = {}): Step {
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const none = status === 204 ? null : (text as string);
  return async () => new Response(none, { status, headers: { ...json, ...headers } });
}

const fails = (code: string): Step => {
  return () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code } }));
};
const unreachable = fails('ECONNREFUSED');
const reset = fails('ECONNRESET');
const timeout: Step = () => new Promise(() => {});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  vi.setSystemTime(Date.parse('2026-03-01T10:00:00Z'));
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const secret = 'key-0123456789';

const dialect: ServiceDialect = {
  readError: (body) => (body ?? {}) as object,
  isFailure: (body) => (body as { isSuccess?: boolean })?.isSuccess === false,
};

const plainDialect: ServiceDialect = { readError: dialect.readError };

const get: Operation = { id: 'bills.get', method: 'GET', path: '/Bill/{id}', repeat: 'always' };
const remove: Operation = { ...get, id: 'bills.delete', method: 'DELETE' };
const post: Operation = {
  id: 'runs.create',
  method: 'POST',
  path: '/runs',
  body: 'json',
  repeat: 'never',
};
const create: Operation = {
  ...post,
  id: 'bills.create',
  key: 'idempotencyKey',
  repeat: 'with-key',
};
const withKey: SendArguments = { key: 'k1' };

function setUp(steps: readonly Step[], options: Partial<SenderOptions> = {}) {
  const requests: Sent[] = [];
  const fetch = ((url: string, init: Omit<Sent, 'url'>) => {
    const step = steps[requests.length];
    requests.push({ ...init, url });
    if (step === undefined) throw new Error('one attempt too many');
    return step({ ...init, url });
  }) as unknown as typeof globalThis.fetch;
  const given = { baseUrl: 'https://api.example.com/api', dialect, ...options };
  const auth = options.auth ?? { header: 'requestToken', value: secret };
  const sender = createSender({ fetch, ...given, auth });
  async function failure(
    operation: Operation,
    given: SendArguments = {},
    own?: CallOptions,
  ): Promise<ApiError> {
    const path = operation.path.includes('{') ? { path: ['x'] } : {};
    const call = sender.send(operation, { ...path, ...given }, own).then(
      () => new Error('it went well'),
      (error: unknown) => error,
    );
    await vi.advanceTimersByTimeAsync(700_000);
    const error = await call;
    expect(error).toBeInstanceOf(ApiError);
    return error as ApiError;
  }
  return { transport: { requests }, sender, failure };
}

describe('a request', () => {
  it('has address, headers and body as they were given', async () => {
    const { sender, transport } = setUp([answer(200, { a: 1 })], { headers: { 'x-version': '2' } });
    const body = { n: 1 };
    const given = { body, key: 'k', query: { q: 1 } };
    expect(await sender.send(create, given)).toEqual({ a: 1 });
    expect(transport.requests).toMatchObject([
      {
        method: 'POST',
        url: 'https://api.example.com/api/runs?q=1',
        body: '{"n":1}',
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          idempotencykey: 'k',
          requesttoken: secret,
          'x-version': '2',
        },
      },
    ]);
  });
  it('has each header once, that of the call before that of the client', async () => {
    const headers = { requesttoken: 'other', idempotencykey: 'fixed' };
    const { sender, transport } = setUp([answer(200)], { headers });
    await sender.send(create, withKey);
    expect(transport.requests[0]?.headers).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      idempotencykey: 'k1',
      requesttoken: secret,
    });
  });
  it('has {} where a JSON body is absent, and the body as it is where it is null', async () => {
    const { sender, transport } = setUp([answer(200), answer(200)]);
    await sender.send(post);
    await sender.send(post, { body: null });
    expect(transport.requests.map(({ body }) => body)).toEqual(['{}', 'null']);
  });
  it.each<[string, Operation, SendArguments, string]>([
    ['a key that nobody reads', post, { key: 'k' }, 'key'],
    ['an empty key', create, { key: '' }, 'idempotencyKey'],
    ['a blank key', create, { key: '  ' }, 'idempotencyKey'],
    ['a key of two lines', create, { key: 'a\r\nb: c' }, 'idempotencyKey'],
    ['a key that is no text', create, { key: 7 }, 'idempotencyKey'],
    ['a number too large', post, { body: { n: 1n } }, 'body'],
    ['a function', post, { body: () => 1 }, 'body'],
    ['half of a character', get, { query: { q: '\ud800' } }, 'q'],
    ['a missing segment', get, { path: [] }, 'id'],
    ['a segment too many', get, { path: ['a', 'b'] }, 'path'],
  ])('is refused before anything is sent: %s', async (_, operation, given, reason) => {
    const { transport, failure } = setUp([]);
    const error = await failure(operation, given);
    expect(error).toMatchObject({ code: 'api/invalid-argument', outcome: 'not-sent', reason });
    expect(transport.requests).toEqual([]);
  });
  it('is refused for a circle', async () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const { failure } = setUp([]);
    expect((await failure(post, { body: circle })).reason).toBe('body');
  });
});

describe('options that cannot be', () => {
  it.each<[string, object]>([
    ['baseUrl', { baseUrl: 'http://api.example.com' }],
    ['maxAttempts', { retry: { maxAttempts: 0 } }],
    ['maxAttempts', { retry: { maxAttempts: 1.5 } }],
    ['maxAttempts', { retry: { maxAttempts: Number.NaN } }],
    ['baseMs', { retry: { baseMs: -1 } }],
    ['capMs', { retry: { capMs: 'x' } }],
    ['attemptTimeoutMs', { attemptTimeoutMs: Number.NaN }],
    ['deadlineMs', { deadlineMs: -5 }],
    ['maxBytes', { maxBytes: '1' }],
    ['auth', { auth: { header: 'h', value: `${secret}\n` } }],
    ['auth', { auth: { value: '' } }],
    ['auth', { auth: { value: undefined } }],
    ['auth', { auth: {} }],
    ['auth', { auth: { header: 'a b', value: secret } }],
  ])('%s is refused when it is given', (reason, options) => {
    let error: unknown;
    try {
      setUp([], options);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: 'api/invalid-option', reason, outcome: 'not-sent' });
    expect(`${error}${inspect(error)}`).not.toContain(secret);
  });
  it('of a call, too', async () => {
    const { failure } = setUp([]);
    const error = await failure(get, {}, { retry: { maxAttempts: 0 } });
    expect(error.code).toBe('api/invalid-option');
  });
});

/** A browser shows of a redirect only that it is one. */
const hidden: Step = async () =>
  ({ status: 0, headers: new Headers(), body: null }) as unknown as Response;

describe('outcomes', () => {
  type Row = [string, Operation, SendArguments, Step[], Partial<ApiError>];
  const refusal = answer(400, { serviceCode: 'BAD' });
  const rows: Row[] = [
    [
      'never connected',
      post,
      {},
      [unreachable, unreachable, unreachable, unreachable],
      { code: 'api/unreachable', outcome: 'not-sent', retryable: true, attempts: 4 },
    ],
    [
      'refused',
      post,
      {},
      [refusal],
      { code: 'api/bad-request', outcome: 'refused', retryable: false, serviceCode: 'BAD' },
    ],
    ['limited and then refused', post, {}, [answer(429), refusal], { outcome: 'refused' }],
    [
      'limited and then unreachable',
      post,
      {},
      [answer(429), unreachable, unreachable, unreachable],
      { outcome: 'refused', code: 'api/unreachable' },
    ],
    [
      'lost',
      post,
      {},
      [reset],
      { code: 'api/connection-lost', outcome: 'unknown', retryable: false, reason: 'ECONNRESET' },
    ],
    ['500', post, {}, [answer(500)], { code: 'api/server-error', outcome: 'unknown', status: 500 }],
    ['408', post, {}, [answer(408)], { outcome: 'unknown', status: 408 }],
    ['lost without a key', create, {}, [reset], { outcome: 'unknown', attempts: 1 }],
    [
      'lost and then refused',
      create,
      withKey,
      [reset, refusal],
      { code: 'api/bad-request', outcome: 'unknown', attempts: 2 },
    ],
    [
      'our own key after a loss',
      create,
      withKey,
      [reset, answer(409)],
      { code: 'api/conflict', outcome: 'unknown', status: 409, retryable: false },
    ],
    [
      'our own key after a limit',
      create,
      withKey,
      [answer(429), answer(409)],
      { code: 'api/conflict', outcome: 'refused' },
    ],
    [
      'a key that is used',
      create,
      withKey,
      [answer(409)],
      { code: 'api/conflict', outcome: 'refused', retryable: false },
    ],
    [
      'deleted before',
      remove,
      {},
      [timeout, answer(404)],
      { code: 'api/applied-before', outcome: 'applied', status: 404 },
    ],
    [
      'deleted before, in the words of the service',
      remove,
      {},
      [timeout, answer(400, { notFound: true })],
      { outcome: 'applied', status: 400 },
    ],
    ['not there', remove, {}, [answer(404)], { code: 'api/not-found', outcome: 'refused' }],
    ['not there after a limit', remove, {}, [answer(429), answer(404)], { outcome: 'refused' }],
    [
      'read of what is not there after a loss',
      get,
      {},
      [reset, answer(404)],
      { outcome: 'unknown' },
    ],
    [
      'a failure within a success',
      post,
      {},
      [answer(200, { isSuccess: false, message: 'no' })],
      { code: 'api/refused', outcome: 'refused', status: 200, serviceMessage: 'no' },
    ],
    [
      'a redirect',
      get,
      {},
      [answer(302, {}, { location: 'https://elsewhere' })],
      { code: 'api/redirect', outcome: 'unknown', status: 302 },
    ],
    ['a hidden redirect', get, {}, [hidden], { code: 'api/redirect', outcome: 'unknown' }],
    [
      'a certificate that is not believed',
      post,
      {},
      [1, 2, 3, 4].map(() => fails('CERT_HAS_EXPIRED')),
      { code: 'api/unreachable', outcome: 'not-sent', reason: 'CERT_HAS_EXPIRED' },
    ],
    [
      'a code of its own',
      post,
      {},
      [answer(402, { code: 'api/usage-blocked' })],
      { code: 'api/usage-blocked', outcome: 'refused' },
    ],
  ];
  it.each(rows)('%s', async (_, operation, given, steps, expected) => {
    const { failure, transport } = setUp(steps);
    expect(await failure(operation, given)).toMatchObject(expected);
    expect(transport.requests).toHaveLength(steps.length);
  });

  const unreadable: [string, Step, string][] = [
    ['another type', answer(200, '<p>', { 'content-type': 'text/html' }), 'api/wrong-type'],
    ['no type', answer(200, '{}', { 'content-type': '' }), 'api/wrong-type'],
    ['half of one', answer(200, '{"a":'), 'api/malformed'],
    ['none', answer(200, ''), 'api/malformed'],
  ];
  it.each(unreadable)(
    'an answer with %s is applied, if the status says so',
    async (_, step, code) => {
      const facts = { code, status: 200, retryable: false };
      const plain = setUp([step], { dialect: plainDialect });
      expect(await plain.failure(post)).toMatchObject({ ...facts, outcome: 'applied' });
      const judged = setUp([step]);
      expect(await judged.failure(post)).toMatchObject({ ...facts, outcome: 'unknown' });
    },
  );
  it('an answer of bytes that are no text is malformed', async () => {
    const bytes = new Uint8Array([0x22, 0xff, 0x22]);
    expect((await setUp([answer(200, bytes)]).failure(post)).code).toBe('api/malformed');
  });
});

describe('answers', () => {
  it('are what the service sent', async () => {
    const type = { 'content-type': 'application/problem+json; charset=utf-8' };
    const { sender } = setUp([answer(201, '\ufeff[1,"\u00fc"]', type)]);
    expect(await sender.send(post)).toEqual([1, 'ü']);
  });
  it('may be nothing where nothing is promised', async () => {
    const nothing: Operation = { ...post, answer: 'nothing' };
    const empty = answer(204, '', { 'content-type': '' });
    const { sender, failure } = setUp([empty, answer(200, { a: 1 }), answer(200, 'x')]);
    expect(await sender.send(nothing)).toBeUndefined();
    expect(await sender.send(nothing)).toEqual({ a: 1 });
    expect((await failure(nothing)).code).toBe('api/malformed');
  });
  it('are files where a file is asked for', async () => {
    const headers = {
      'content-type': 'text/csv',
      'content-length': '3',
      'content-disposition': 'attachment; filename="../a.csv"',
    };
    const { sender, transport } = setUp([answer(200, 'abc', headers)]);
    const file = await sender.send(get, { path: ['x'], file: true });
    const { body, ...rest } = file as FileAnswer;
    expect(rest).toEqual({ contentType: 'text/csv', size: 3, filename: 'a.csv' });
    expect(await new Response(body).text()).toBe('abc');
    expect(transport.requests[0]?.headers['accept']).toBe('*/*');
  });
  it.each([
    ['attachment; filename="a b.pdf"', 'a b.pdf'],
    ['attachment; filename=a.csv', 'a.csv'],
    ['attachment; FileName="x.pdf"; filename*=UTF-8\'\'na%C3%AFve.pdf', 'x.pdf'],
    ['attachment; filename="C:\\\\temp\\\\x.pdf"', 'x.pdf'],
    ['attachment; filename="../../x"', 'x'],
    ['attachment; filename=".."', undefined],
    ['attachment; filename="/"', undefined],
  ])('that are files have a name that is no path: %j', async (disposition, filename) => {
    const { sender } = setUp([answer(200, {}, { 'content-disposition': disposition })]);
    const file = (await sender.send(get, { path: ['x'], file: true })) as FileAnswer;
    expect(file.filename).toBe(filename);
    await file.body.cancel();
  });
  it('may be cut within a character', async () => {
    const pieces = [...new TextEncoder().encode('"ü"')].map((byte) => Uint8Array.of(byte));
    const body = ReadableStream.from(pieces) as ReadableStream;
    const { sender } = setUp([async () => new Response(body, { headers: json })]);
    expect(await sender.send(post)).toBe('ü');
  });
  it('that are files are not read ahead, and let go of where they are not wanted', async () => {
    let pulled = 0;
    const source = new ReadableStream<Uint8Array>(
      {
        pull(output) {
          pulled += 1;
          output.enqueue(new Uint8Array(1));
        },
      },
      { highWaterMark: 0 },
    );
    const { sender, transport } = setUp([async () => new Response(source)]);
    const { body } = (await sender.send(get, { path: ['x'], file: true })) as FileAnswer;
    await vi.advanceTimersByTimeAsync(10);
    expect(pulled).toBe(0);
    await body.cancel();
    expect((transport.requests[0] as Sent & { signal: AbortSignal }).signal.aborted).toBe(true);
  });
  it('that are JSON instead of a file are a failure or the file', async () => {
    const { sender, failure } = setUp([answer(200, { a: 1 }), answer(200, { isSuccess: false })]);
    const file = await sender.send(get, { path: ['x'], file: true });
    expect(await new Response((file as FileAnswer).body).text()).toBe('{"a":1}');
    expect((await failure(get, { file: true })).code).toBe('api/refused');
  });
});

describe('attempts', () => {
  it('end with the first success', async () => {
    const { sender, transport } = setUp([reset, answer(503), answer(200, { ok: 1 })]);
    const call = sender.send(get, { path: ['x'] });
    await vi.advanceTimersByTimeAsync(2000);
    expect(await call).toEqual({ ok: 1 });
    expect(transport.requests).toHaveLength(3);
  });
  it('end where the service says so', async () => {
    const { failure, transport } = setUp([answer(500, { retryable: false })]);
    expect(await failure(get)).toMatchObject({ retryable: false, status: 500 });
    expect(transport.requests).toHaveLength(1);
  });
  it.each<[CallOptions | undefined, Operation, number]>([
    [undefined, get, 60_000],
    [{ attemptTimeoutMs: 100 }, get, 60_000],
    [{ attemptTimeoutMs: 40_000 }, get, 80_000],
    [{ deadlineMs: 7000 }, get, 7000],
    [undefined, { ...get, time: 'processing' }, 620_000],
  ])('have a deadline: %j', async (own, operation, ms) => {
    const { sender } = setUp([answer(429, {}, { 'retry-after': `${ms / 1000 - 1}` }), answer(200)]);
    const call = sender.send(operation, { path: ['x'] }, own);
    await vi.advanceTimersByTimeAsync(ms);
    expect(await call).toEqual({});
    const late = setUp([answer(429, {}, { 'retry-after': `${ms / 1000}` })]);
    expect(await late.failure(operation, {}, own)).toMatchObject({ code: 'api/rate-limited' });
  });
  it('end with the deadline of the call, and say so', async () => {
    const { failure } = setUp([], { deadlineMs: 0 });
    expect(await failure(get)).toMatchObject({ code: 'api/deadline', retryable: true });
  });
  it('may be had once', async () => {
    const { failure } = setUp([unreachable], { retry: { maxAttempts: 1 } });
    expect((await failure(get)).attempts).toBe(1);
  });
  it('follow the options of the call before those of the client', async () => {
    const { failure } = setUp([reset, reset], { retry: { maxAttempts: 1 } });
    const own = { retry: { maxAttempts: 2 }, deadlineMs: undefined } as object;
    expect((await failure(get, {}, own)).attempts).toBe(2);
  });
  it('never begin again with a body that is used up', async () => {
    let begun = false;
    const body = {
      contentType: 'multipart/form-data',
      async *open() {
        begun = true;
        yield new Uint8Array(1);
      },
    };
    const once = { ...body, isSpent: () => begun };
    const upload: Operation = { ...post, body: 'multipart', repeat: 'always' };
    const read: Step = async (request) => {
      for await (const _ of request.body as AsyncIterable<unknown>) break;
      return reset(request);
    };
    const { failure, transport } = setUp([unreachable, read]);
    expect(await failure(upload, { body: once })).toMatchObject({ attempts: 2, retryable: false });
    expect(transport.requests).toHaveLength(2);
    const again = setUp([read, read, read, read]);
    expect((await again.failure(upload, { body })).attempts).toBe(4);
  });
});

describe('credentials', () => {
  it('are nowhere in an error, whatever the service says', async () => {
    const said = { message: `no such key: ${secret}`, serviceCode: secret, requestId: secret };
    for (const auth of [{ header: 'requestToken', value: secret }, { value: secret }]) {
      const { failure, sender } = setUp([answer(401, said)], { auth, secrets: ['other'] });
      const error = await failure(post);
      for (const text of [`${error}`, error.stack, inspect(error), JSON.stringify(error)]) {
        expect(text).not.toContain(secret);
      }
      expect(error.serviceMessage).toBe('no such key: [credential]');
      expect(inspect(sender, { depth: 9, showHidden: true })).not.toContain(secret);
    }
  });
  it('that were refused before, or stand behind a scheme, are no better known', async () => {
    let count = 0;
    const value = async () => {
      count += 1;
      return { token: `tok-${count}` };
    };
    const said = answer(401, { message: 'tok-1 and tok-2 are bad' });
    const renewing = setUp([said, said], { auth: { value } });
    expect((await renewing.failure(post)).serviceMessage).toBe(
      '[credential] and [credential] are bad',
    );
    const auth = { header: 'authorization', value: 'Basic abc123' };
    const { failure } = setUp([answer(401, { message: 'abc123?' })], { auth });
    expect((await failure(post)).serviceMessage).toBe('[credential]?');
  });
  it('of a call of its own are taken out, too', async () => {
    const { failure } = setUp([answer(400, { message: 'wrong password hunter2' })]);
    const error = await failure(post, { secrets: ['hunter2'] });
    expect(error.serviceMessage).toBe('wrong password [credential]');
  });
  it('and other texts are cut and kept on one line', async () => {
    const said = {
      message: `a\r\n\u001b[31m\u2028${'x'.repeat(5000)}`,
      serviceCode: { toString: 1 },
    };
    const error = await setUp([answer(400, said)]).failure(post);
    expect(error.serviceMessage).toMatch(/^a \[31m x+$/);
    expect(error.message.length).toBeLessThan(1200);
    expect(error.serviceCode).toBeUndefined();
  });
  it('stand in JSON as facts', async () => {
    const headers = { 'x-request-id': 'r-1' };
    const error = await setUp([answer(400, {}, headers)]).failure(post);
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'ApiError',
      message: 'runs.create: api/bad-request (400)',
      code: 'api/bad-request',
      operation: 'runs.create',
      outcome: 'refused',
      retryable: false,
      status: 400,
      requestId: 'r-1',
      attempts: 1,
    });
  });
});

describe('tokens', () => {
  const tokens = (list: (string | Error)[], expiresInMs?: number) => {
    let calls = 0;
    const token = async () => {
      const next = list[calls];
      calls += 1;
      if (next === undefined || next instanceof Error) throw next ?? new Error('no more');
      return { token: next, ...(expiresInMs === undefined ? {} : { expiresInMs }) };
    };
    return { auth: { value: token }, calls: () => calls };
  };
  const sentWith = ({ requests }: { requests: readonly { headers: object }[] }) =>
    requests.map(({ headers }) => (headers as Record<string, string>)['authorization']);

  it('are fetched once for all', async () => {
    const { auth, calls } = tokens(['t1']);
    const { sender, transport } = setUp([answer(200), answer(200), answer(200)], { auth });
    await Promise.all([sender.send(post), sender.send(post)]);
    await sender.send(post);
    expect(calls()).toBe(1);
    expect(sentWith(transport)).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t1']);
  });
  it('are renewed before they end', async () => {
    const { auth, calls } = tokens(['t1', 't2'], 600_000);
    const { sender, transport } = setUp([answer(200), answer(200), answer(200)], { auth });
    await sender.send(post);
    await vi.advanceTimersByTimeAsync(539_999);
    await sender.send(post);
    expect(calls()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await sender.send(post);
    expect(sentWith(transport)).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2']);
  });
  it('are renewed once after a 401, for every operation', async () => {
    const { auth } = tokens(['t1', 't2', 't3']);
    const { sender, transport, failure } = setUp(
      [answer(401), answer(200), answer(401), answer(401)],
      { auth },
    );
    await sender.send(post);
    expect(sentWith(transport)).toEqual(['Bearer t1', 'Bearer t2']);
    expect(await failure(post)).toMatchObject({ code: 'api/unauthorized', outcome: 'refused' });
    expect(sentWith(transport).slice(2)).toEqual(['Bearer t2', 'Bearer t3']);
  });
  it('of which all were refused at the same time are renewed once', async () => {
    const { auth, calls } = tokens(['t1', 't2']);
    const { sender } = setUp([answer(401), answer(401), answer(200), answer(200)], { auth });
    await Promise.all([sender.send(post), sender.send(post)]);
    expect(calls()).toBe(2);
  });
  it('that took the place of the refused one are kept, whoever hears of it late', async () => {
    const { auth, calls } = tokens(['t1', 't2', 't3']);
    let late = (_: Promise<Response>) => {};
    const slow = () =>
      new Promise<Response>((resolve) => {
        late = resolve;
      });
    const steps = [answer(200), slow, answer(401), answer(200), answer(200)];
    const { sender, transport } = setUp(steps, { auth });
    await sender.send(post);
    const slowly = sender.send(post);
    await sender.send(post);
    late(answer(401)({} as Sent));
    await slowly;
    expect(calls()).toBe(2);
    expect(sentWith(transport).slice(-1)).toEqual(['Bearer t2']);
  });
  it('that are fixed are not renewed', async () => {
    const { failure, transport } = setUp([answer(401)], { auth: { value: 'fixed' } });
    await failure(get);
    expect(transport.requests).toHaveLength(1);
  });
  it('that cannot be had, or be sent, end the call without a word of theirs', async () => {
    for (const token of [new Error(secret), `${secret}\n`, '']) {
      const { failure, transport } = setUp([], { auth: tokens([token]).auth });
      const error = await failure(post);
      expect(error).toMatchObject({ code: 'api/no-token', outcome: 'not-sent', retryable: false });
      expect(inspect(error)).not.toContain(secret);
      expect(transport.requests).toEqual([]);
    }
  });
  it('that never come end with the deadline, or the signal', async () => {
    const auth = { value: () => new Promise<never>(() => {}) };
    const { failure, sender } = setUp([], { auth });
    expect(await failure(post)).toMatchObject({ code: 'api/deadline', outcome: 'not-sent' });
    const control = new AbortController();
    const call = sender.send(post, {}, { signal: control.signal });
    control.abort();
    await expect(call).rejects.toMatchObject({ code: 'api/aborted' });
  });
});

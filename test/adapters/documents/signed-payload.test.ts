/** Payloads that are fetched: what is asked, what is taken, and how it fails. */
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  fetchSignedPayload,
  type SignedPayloadOptions,
} from '../../../src/adapters/documents/signed-payload.js';
import { ApiError } from '../../../src/adapters/http/api-error.js';

const data = 'https://files.example/payload.json?X-Signature=s3cr%65t+a%20b';
const signed = { object: 'signed_data_url', data, id: 'exr_1' } as const;
const payload = { id: 'exr_1', status: 'PROCESSED', name: 'Zoë' };

type Fetch = typeof globalThis.fetch;

const answering =
  (response: () => Response): Fetch =>
  async () =>
    response();

const piecesOf = (...pieces: (Uint8Array | 'error')[]) =>
  new ReadableStream<Uint8Array>({
    pull(output) {
      const piece = pieces.shift();
      if (piece === undefined) output.close();
      else if (piece === 'error') output.error(new TypeError(`terminated: ${data}`));
      else output.enqueue(piece);
    },
  });

async function failureOf(options: SignedPayloadOptions, from: unknown = signed): Promise<ApiError> {
  const error: unknown = await fetchSignedPayload(from as typeof signed, options).then(
    () => expect.fail('was fetched'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  expect(inspect(error) + JSON.stringify(error)).not.toMatch(/s3cr|files\.example/);
  return error as ApiError;
}

describe('the payload', () => {
  it('is asked for once, by its address as it is, without a credential or a way to elsewhere', async () => {
    const fetch = vi.fn<Fetch>(async () => Response.json(payload));
    expect(await fetchSignedPayload(signed, { fetch })).toEqual(payload);
    expect(fetch).toHaveBeenCalledTimes(1);
    const [address, init] = fetch.mock.calls[0] ?? [];
    expect(address).toBe(data);
    expect(init).toMatchObject({ method: 'GET', redirect: 'manual', credentials: 'omit' });
    expect(init?.headers).toEqual({ accept: 'application/json' });
    expect(init?.body).toBeUndefined();
  });

  it('may come in pieces, as any type, and have just the size that is allowed', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(payload));
    const half = bytes.indexOf(0xc3) + 1;
    const fetch = answering(
      () =>
        new Response(piecesOf(bytes.slice(0, half), bytes.slice(half)), {
          headers: { 'content-type': 'binary/octet-stream' },
        }),
    );
    expect(await fetchSignedPayload(signed, { fetch, maxBytes: bytes.length })).toEqual(payload);
    expect(await failureOf({ fetch, maxBytes: bytes.length - 1 })).toMatchObject({
      code: 'api/too-large',
      outcome: 'applied',
      status: 200,
    });
  });
});

describe('nothing is asked', () => {
  it.each([
    'http://files.example/a',
    'http://127.0.0.1/a',
    'file:///etc/passwd',
    'data:application/json,{}',
    'https://user:word@files.example/',
    'https://user@files.example/',
    '//files.example/a',
    'files.example',
    '',
    undefined,
  ])('of the address %j', async (address) => {
    const fetch = vi.fn<Fetch>();
    const error = await failureOf({ fetch }, { ...signed, data: address });
    expect(error).toMatchObject({
      code: 'api/invalid-argument',
      reason: 'data',
      outcome: 'not-sent',
    });
    expect(fetch).not.toHaveBeenCalled();
  });

  it.each([null, 5, 'x'])('for the payload %j', async (from) => {
    expect(await failureOf({ fetch: vi.fn<Fetch>() }, from)).toMatchObject({
      code: 'api/invalid-argument',
      reason: 'data',
    });
  });

  it.each([
    ['maxBytes', { maxBytes: -1 }],
    ['maxBytes', { maxBytes: Number.NaN }],
    ['deadlineMs', { deadlineMs: -1 }],
    ['deadlineMs', { deadlineMs: Number.NaN }],
  ])('with a wrong %s', async (reason, options) => {
    const fetch = vi.fn<Fetch>();
    expect(await failureOf({ fetch, ...options })).toMatchObject({
      code: 'api/invalid-option',
      reason,
    });
    expect(fetch).not.toHaveBeenCalled();
  });

  it('when the caller has given up before', async () => {
    const fetch = vi.fn<Fetch>();
    const error = await failureOf({ fetch, signal: AbortSignal.abort() });
    expect(error).toMatchObject({ code: 'api/aborted', outcome: 'not-sent' });
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('an answer is refused', () => {
  const whole = JSON.stringify(payload);
  const redirected = () =>
    Object.defineProperty(Response.json(payload), 'redirected', { value: true });
  it.each<[string, () => Response, object]>([
    [
      '301',
      () => new Response(null, { status: 301, headers: { location: 'https://a/' } }),
      { code: 'api/redirect', status: 301, outcome: 'unknown' },
    ],
    ['that was redirected nevertheless', redirected, { code: 'api/redirect', outcome: 'unknown' }],
    [
      '304',
      () => new Response(null, { status: 304 }),
      { code: 'api/redirect', status: 304, outcome: 'unknown' },
    ],
    [
      'that no browser tells',
      () => Response.error(),
      { code: 'api/redirect', status: 302, outcome: 'unknown' },
    ],
    [
      '403',
      () => new Response('expired', { status: 403 }),
      { code: 'api/forbidden', status: 403, retryable: false },
    ],
    ['404', () => new Response('', { status: 404 }), { code: 'api/not-found' }],
    ['410', () => new Response('', { status: 410 }), { code: 'api/not-found' }],
    [
      '400',
      () => Response.json(payload, { status: 400 }),
      { code: 'api/bad-request', retryable: false },
    ],
    ['429', () => new Response('', { status: 429 }), { code: 'api/rate-limited', retryable: true }],
    [
      '503',
      () => new Response('', { status: 503 }),
      { code: 'api/server-error', retryable: true, outcome: 'unknown' },
    ],
  ])('with status %s', async (_, response, expected) => {
    const error = await failureOf({ fetch: answering(response) });
    expect(error).toMatchObject({ outcome: 'refused', ...expected });
  });

  it.each<[string, () => Response, object]>([
    [
      'nothing',
      () => new Response(null, { status: 204 }),
      { code: 'api/malformed', status: 204, retryable: false },
    ],
    ['half of it', () => new Response(whole.slice(0, -5)), { code: 'api/malformed' }],
    ['a list', () => Response.json([payload]), { code: 'api/malformed' }],
    [
      'no UTF-8',
      () => new Response(Buffer.from('{"a":"\xff"}', 'latin1')),
      { code: 'api/malformed' },
    ],
    [
      'a broken body',
      () => new Response(piecesOf(Buffer.from(whole), 'error')),
      { code: 'api/truncated', retryable: true },
    ],
    [
      'a length beyond the limit',
      () => new Response('{}', { headers: { 'content-length': '67108865' } }),
      { code: 'api/too-large' },
    ],
  ])('that is %s', async (_, response, expected) => {
    const error = await failureOf({ fetch: answering(response) });
    expect(error).toMatchObject({ outcome: 'applied', ...expected });
  });

  it('without a word of the store, which knows the address', async () => {
    const said = { code: data, message: data, requestId: data };
    const headers = { 'x-request-id': data };
    const error = await failureOf({
      fetch: answering(() => Response.json(said, { status: 403, headers })),
    });
    expect(error).toMatchObject({ code: 'api/forbidden' });
    expect(error).not.toHaveProperty('requestId');
  });

  it('that never ends, at the limit', async () => {
    let given = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(output) {
        given += 1000;
        output.enqueue(new Uint8Array(1000));
      },
    });
    const error = await failureOf({
      fetch: answering(() => new Response(endless)),
      maxBytes: 50_000,
    });
    expect(error.code).toBe('api/too-large');
    expect(given).toBeLessThan(60_000);
  });
});

describe('an attempt', () => {
  it('is the only one, whatever it comes to', async () => {
    for (const status of [503, 429]) {
      const fetch = vi.fn<Fetch>(answering(() => new Response('', { status })));
      await failureOf({ fetch });
      expect(fetch).toHaveBeenCalledTimes(1);
    }
  });
});

describe('an attempt ends', () => {
  const never: Fetch = () => new Promise(() => {});
  const stuck = answering(
    () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) })),
  );

  it('when there is no connection', async () => {
    const fetch: Fetch = async () => {
      throw new TypeError(`fetch failed: ${data}`, { cause: new Error(data) });
    };
    expect(await failureOf({ fetch })).toMatchObject({
      code: 'api/connection-lost',
      outcome: 'unknown',
      retryable: true,
    });
  });

  it('when the function throws at once', async () => {
    const fetch: Fetch = () => {
      throw new Error('no network here');
    };
    expect(await failureOf({ fetch })).toMatchObject({ code: 'api/connection-lost' });
  });

  it('after a minute, if nothing else was said', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const started = performance.now();
    const failure = failureOf({ fetch: never });
    await vi.runAllTimersAsync();
    expect(await failure).toMatchObject({ code: 'api/deadline' });
    expect(performance.now() - started).toBe(60_000);
  });

  it.each([
    ['no answer', never],
    ['no body', stuck],
  ])('at its deadline: %s', async (_, fetch) => {
    const error = await failureOf({ fetch, deadlineMs: 20 });
    expect(error).toMatchObject({ code: 'api/deadline', retryable: true });
  });

  it.each([
    ['no answer', never],
    ['no body', stuck],
  ])('when the caller gives up: %s', async (_, fetch) => {
    const control = new AbortController();
    setTimeout(() => control.abort(), 10);
    const error = await failureOf({ fetch, signal: control.signal });
    expect(error).toMatchObject({ code: 'api/aborted', retryable: false });
  });

  it('and tells the function so', async () => {
    const seen: AbortSignal[] = [];
    const fetch: Fetch = (_, init) => {
      if (init?.signal) seen.push(init.signal);
      return new Promise(() => {});
    };
    await failureOf({ fetch, deadlineMs: 10 });
    expect(seen.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

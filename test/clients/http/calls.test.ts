/**
 * Calls of both clients over a scripted fetch: which are sent again, when, and which error callers get.
 * What could act twice is never sent twice.
 */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  ApiError,
  type BillsClient,
  type BillsClientOptions,
  createBillsClient,
} from '../../../src/bills.js';
import { createDocumentsClient, type DocumentsClient } from '../../../src/documents.js';
import { answer, endOf, fails, type Step, scripted, silence, useFakeTime } from '../harness.js';

useFakeTime();

type Act = (bills: BillsClient, documents: DocumentsClient) => Promise<unknown>;

const key = { idempotencyKey: 'k' };
const keyless = { idempotencyKey: null };
const file = { id: 'file_1' };

/** May be sent again whatever became of the first. */
const repeatable: Readonly<Record<string, Act>> = {
  get: (bills) => bills.get(1),
  update: (bills) => bills.update(2, {}),
  delete: (bills) => bills.delete(3),
  deleteAttachment: (bills) => bills.deleteAttachment(3, 'a'),
  getAttachment: (bills) => bills.getAttachment(3, 'b'),
  list: (bills) => bills.list('e'),
  export: (bills) => bills.export('f', { format: 'csv' }),
  'files.get': (_, documents) => documents.files.get('a'),
  'files.delete': (_, documents) => documents.files.delete('b'),
};

/** While their key lives. */
const keyed: Readonly<Record<string, Act>> = {
  keyed: (bills) => bills.create('e', {}, key),
  'keyed send': (bills) => bills.sendToApproval(6, [], key),
  'own key': (bills) => bills.create('e', {}),
  'own key, send': (bills) => bills.sendToApproval(6, []),
};

/** Would act again with each request. */
const acting: Readonly<Record<string, Act>> = {
  create: (bills) => bills.create('e', {}, keyless),
  send: (bills) => bills.sendToApproval(7, [], keyless),
  // Nothing says that these are harmless to repeat, although one is a GET.
  setApprovers: (bills) => bills.setApprovers(4, []),
  setApproved: (bills) => bills.setApproved(5, true),
  extract: (_, documents) => documents.extract({ file, config: {} }),
  run: (_, documents) => documents.extractRuns.create({ file, config: {} }),
  cancel: (_, documents) => documents.extractRuns.cancel('c'),
  'extractors.update': (_, documents) => documents.extractors.update('d', {}),
  'items.update': (_, documents) => documents.evaluationSets.items.update('e', 'f', {}),
  upload: (_, documents) => documents.files.upload(Buffer.from('x')),
};
const acts = { ...repeatable, ...keyed, ...acting };

/** A browser shows of a redirect only that it is one. */
const hidden: Step = async () =>
  ({ status: 0, headers: new Headers(), body: null }) as unknown as Response;

/** By name, what an attempt can meet; a number is a status, and `/7` what it asks to wait. */
const ends: Readonly<Record<string, Step>> = {
  unreachable: fails('ECONNREFUSED'),
  untrusted: fails('CERT_HAS_EXPIRED'),
  unverified: fails('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
  // Of a fetch, nobody knows whether this was before or after the request.
  protocol: fails('EPROTO'),
  lost: fails('ECONNRESET'),
  silence,
  hidden,
  ok: answer(200, { isSuccess: true }),
  no: answer(200, { isSuccess: false, responseText: 'no' }),
  gone: answer(400, { isSuccess: false, responseText: 'Bill 1 does not exist' }),
  final: answer(503, { code: 'X', retryable: false }),
  blocked: answer(429, { code: 'USAGE_BLOCKED' }),
  half: answer(200, '{}', { 'content-length': '9' }),
  page: answer(200, '<p>', { 'content-type': 'text/html' }),
};
const stepOf = (name: string): Step => {
  const [status, wait] = name.split('/');
  return ends[name] ?? answer(Number(status), {}, wait ? { 'retry-after': wait } : {});
};

const baseUrl = 'https://api.example.com';

function clients(fetch: typeof globalThis.fetch, options: object = {}) {
  const shared = { baseUrl, fetch, ...options };
  return [
    createBillsClient({ ...shared, auth: { apiKey: 'k' } }),
    createDocumentsClient({ ...shared, apiKey: 'k' }),
  ] as const;
}

async function tried(act: string, steps: readonly string[], options: object = {}) {
  const { sent, fetch } = scripted(...steps.map(stepOf));
  const call = acts[act] as Act;
  const { value, error } = await endOf(call(...clients(fetch, options)));
  return { value, error, at: sent.map(({ at }) => at) };
}

/**
 * `call: what its attempts meet, the last for ever => code outcome, whether a later call may do better
 * (later) @ when attempts were made`. Half of each bound of a wait is waited: 250, 500, 1000 ms.
 */
const cases = `
create: unreachable => unreachable not-sent later @ 0 250 750 1750
create: untrusted => unreachable not-sent @ 0
get: unverified => unreachable not-sent @ 0
create: protocol => connection-lost unknown @ 0
setApproved: 503 => server-error unknown @ 0
setApproved: 429 503 => server-error unknown @ 0 250
setApprovers: lost => connection-lost unknown @ 0
create: 429 unreachable => unreachable refused later @ 0 250 750 1750
create: 400 => bad-request refused @ 0
create: 429 400 => bad-request refused @ 0 250
create: 401 => unauthorized refused @ 0
create: 403 => forbidden refused @ 0
create: 410 => not-found refused @ 0
create: lost => connection-lost unknown @ 0
create: 500 => server-error unknown @ 0
create: 408 => bad-request unknown @ 0
create: unreachable 500 => server-error unknown @ 0 250
create: no => refused refused @ 0
create: half => truncated unknown @ 0
create: page => wrong-type unknown @ 0
create: silence => timeout unknown @ 0
run: half => truncated applied @ 0
run: page => wrong-type applied @ 0
run: final => server-error unknown @ 0
run: blocked => usage-blocked refused @ 0
keyed: lost 400 => bad-request unknown @ 0 250
keyed: lost 409 => conflict unknown @ 0 250
keyed: 429 409 => conflict refused @ 0 250
keyed: 409 => conflict refused @ 0
keyed: 503 ok => well @ 0 250
own key: lost 503 ok => well @ 0 250 750
own key: 503/120 => server-error unknown @ 0
delete: silence 404 => applied-before applied @ 0 30250
delete: 503 gone => applied-before applied @ 0 250
delete: 404 => not-found refused @ 0
delete: gone => bad-request refused @ 0
delete: 429 404 => not-found refused @ 0 250
get: lost 404 => not-found unknown @ 0 250
get: 302 => redirect unknown @ 0
get: hidden => redirect unknown @ 0
get: 307 => redirect unknown @ 0
get: page => wrong-type unknown @ 0
get: half ok => well @ 0 250
get: lost 503 ok => well @ 0 250 750
get: 408 502 504 599 => server-error unknown later @ 0 250 750 1750
get: silence => deadline unknown later @ 0 30250
get: 503/7 429/0 ok => well @ 0 7000 7000
get: 429/61 => rate-limited refused later @ 0
files.get: final => server-error unknown @ 0
extract: silence => timeout unknown @ 0
`;

it.each(cases.trim().split('\n'))('%s', async (line) => {
  const [, act = '', steps = '', told, times = ''] =
    /^(.+?): (.+) => (.+) @ (.+)$/.exec(line) ?? [];
  const { error, at } = await tried(act, steps.split(' '));
  const found =
    error && `${error.code.slice(4)} ${error.outcome}${error.retryable ? ' later' : ''}`;
  expect(found ?? 'well').toBe(told);
  expect(at).toEqual(times.split(' ').map(Number));
  if (error?.status !== undefined) expect(error.attempts).toBe(at.length);
});

describe('every operation', () => {
  const twice = { retry: { maxAttempts: 2, baseMs: 1 } };
  it.each([
    ['unreachable', '2 not-sent', '2 not-sent'],
    ['429', '2 refused', '2 refused'],
    ['lost', '2 unknown', '1 unknown'],
    ['503', '2 unknown', '1 unknown'],
    ['409', '1 refused', '1 refused'],
  ])('that meets %s is sent again only if it cannot act twice', async (step, safe, unsafe) => {
    for (const name of Object.keys(acts)) {
      const { error, at } = await tried(name, [step], twice);
      const expected = name in acting ? unsafe : safe;
      expect([name, `${at.length} ${error?.outcome}`]).toEqual([name, expected]);
    }
  });

  it('is never sent again if it could act twice, in any sequence of answers', async () => {
    const surely = /^(?:un\w+|no|gone|blocked|4(?!08).*)$/;
    const met = fc.constantFrom(
      ...Object.keys(ends),
      '400',
      '404',
      '408',
      '429/40',
      '500',
      '503/60',
    );
    const options = { deadlineMs: 400_000, retry: { maxAttempts: 6 } };
    const call = fc.tuple(fc.constantFrom(...Object.keys(acts)), fc.array(met, { minLength: 1 }));
    await fc.assert(
      fc.asyncProperty(call, async ([name, steps]) => {
        const { value, error, at } = await tried(name, steps, options);
        const attempts = at.map((_, index) => steps[Math.min(index, steps.length - 1)] as string);
        const doubtful = attempts.map((each) => !surely.test(each) && each !== 'ok');
        for (const [index, time] of at.entries()) {
          if (!doubtful.slice(0, index).includes(true)) continue;
          expect(name in repeatable || (name in keyed && time < 110_000)).toBe(true);
        }
        expect(at.length).toBeLessThanOrEqual(6);
        if (error === undefined) return void expect(value).toBeDefined();
        if (error.outcome === 'not-sent') expect(attempts.join()).toMatch(/^(?:un\w+,?)+$/);
        if (error.outcome === 'refused') expect(doubtful).not.toContain(true);
        if (error.retryable) expect(name in acting && doubtful.includes(true)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});

const billsWith = (fetch: typeof globalThis.fetch, options: Partial<BillsClientOptions> = {}) =>
  createBillsClient({ baseUrl, auth: { apiKey: 'k' }, fetch, ...options });

describe('time', () => {
  it.each<[string, object, number]>([
    ['get', {}, 60_000],
    ['get', { attemptTimeoutMs: 100 }, 60_000],
    ['get', { attemptTimeoutMs: 40_000 }, 80_000],
    ['get', { deadlineMs: 7000 }, 7000],
    ['extract', {}, 620_000],
  ])('%s with %j has %i ms for all attempts', async (act, options, ms) => {
    const wait = (seconds: number) => [`429/${seconds}`, 'ok'];
    expect((await tried(act, wait(ms / 1000 - 1), options)).at).toEqual([0, ms - 1000]);
    expect((await tried(act, wait(ms / 1000), options)).at).toEqual([0]);
  });

  it('between attempts is a random part of a limit that doubles up to a cap', async () => {
    const options = { retry: { maxAttempts: 8, capMs: 4000 } };
    for (const part of [0, 0.25, 0.96]) {
      vi.mocked(Math.random).mockReturnValue(part);
      const { at } = await tried('get', ['500'], options);
      const waits = at.slice(1).map((each, index) => each - (at[index] as number));
      for (const [index, wait] of waits.entries()) {
        const bound = Math.min(4000, 500 * 2 ** index);
        expect(Math.abs(wait - part * bound)).toBeLessThanOrEqual(1);
      }
      expect(waits).toHaveLength(7);
    }
  });

  it.each(['-1', '1.5', '1e3', '0x10', 'soon', '2026-03-01', 'Sun, nonsense', '1, 2'])(
    'is not read from an invalid Retry-After: %s',
    async (wait) => expect((await tried('get', [`503/${wait}`, 'ok'])).at).toEqual([0, 250]),
  );

  it('is read from a Retry-After date', async () => {
    const date = 'Sun, 01 Mar 2026 10:00:07 GMT';
    expect((await tried('get', [`503/${date}`, 'ok'])).at).toEqual([0, 7000]);
  });

  it('that has run out before the first attempt ends the call unsent', async () => {
    const { error, at } = await tried('get', ['ok'], { deadlineMs: 0 });
    expect(error).toMatchObject({ code: 'api/deadline', outcome: 'not-sent', retryable: true });
    expect(at).toEqual([]);
  });

  it('is left on no timer after all calls have ended', async () => {
    const bills = billsWith(scripted(silence).fetch);
    const controls = Array.from({ length: 50 }, () => new AbortController());
    const calls = Promise.allSettled(controls.map(({ signal }) => bills.get(1, { signal })));
    await vi.advanceTimersByTimeAsync(1000);
    for (const control of controls) control.abort();
    for (const end of await calls) {
      expect(end).toMatchObject({ reason: { code: 'api/aborted', outcome: 'unknown' } });
      expect(end).toHaveProperty('reason', expect.any(ApiError));
    }
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a key', () => {
  it('is made for each call that gets none, is the same for its repeats, and is told in the error', async () => {
    const steps = ['503', 'ok', '503'].map(stepOf);
    const { sent, fetch } = scripted(...steps);
    const bills = billsWith(fetch, { retry: { maxAttempts: 2 } });
    const keys = () => sent.map(({ headers }) => headers['idempotencyKey']);
    await endOf(bills.create('e', {}), 1000);
    expect(keys()[0]).toMatch(/^[\da-f-]{36}$/);
    expect(keys()[1]).toBe(keys()[0]);
    const { error } = await endOf(bills.sendToApproval(1, []), 1000);
    expect(keys()[2]).not.toBe(keys()[0]);
    const told = { idempotencyKey: keys()[2], retryable: true, outcome: 'unknown' };
    expect(JSON.parse(JSON.stringify(error))).toMatchObject(told);
    // So the caller can go on with it, but not for ever.
    const again = { idempotencyKey: error?.idempotencyKey as string };
    await vi.advanceTimersByTimeAsync(120_000);
    expect((await endOf(bills.create('e', {}, again))).error?.code).toBe('api/unsafe-key');
    await endOf(bills.create('e', {}, keyless), 1000);
    expect([keys().length, keys().at(-1)]).toEqual([5, undefined]);
  });

  const patient = { deadlineMs: 900_000, retry: { maxAttempts: 9 } };

  it.each([
    ['keyed', ['503/50'], [0, 50_000, 100_000]],
    ['keyed send', ['503/50'], [0, 50_000, 100_000]],
    ['keyed', ['503/109', '503/1'], [0, 109_000]],
    ['update', ['503/50'], [0, 1, 2, 3, 4, 5, 6, 7, 8].map((each) => each * 50_000)],
    ['keyed', ['429/50'], [0, 1, 2, 3, 4, 5, 6, 7, 8].map((each) => each * 50_000)],
  ])('protects %s that meets %j for 110 s', async (act, steps, times) => {
    expect((await tried(act, steps, patient)).at).toEqual(times);
  });

  it('is checked again after a slow token request', async () => {
    const { sent, fetch } = scripted(stepOf('503/100'), stepOf('401'), stepOf('ok'));
    let tokens = 0;
    const bearer = async () => {
      tokens += 1;
      if (tokens > 1) await new Promise((resolve) => setTimeout(resolve, 25_000));
      return 'token';
    };
    const bills = billsWith(fetch, { ...patient, auth: { bearer } });
    const { error } = await endOf(bills.create('e', {}, key));
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false });
    expect([tokens, sent.map(({ at }) => at)]).toEqual([2, [0, 100_000]]);
  });

  /** `what: seconds after the first call, and what its attempt meets: how it ends | …, requests`. */
  const acrossCalls = `
is as old as its first use by any call: \
0 503: server-error unknown until 110 | 100 503: server-error unknown until 110 | \
111 ok: unsafe-key unknown, 2
stays doubtful after a refusal, and for ever: \
0 503: server-error unknown until 110 | 60 400: bad-request unknown | 9000 ok: unsafe-key unknown, 2
may be used anew once its call is known to be done: \
0 ok: | 200 503: server-error unknown until 310 | 300 ok:, 3
does not protect a use that began while it lived: \
0 ok: | 100 503: server-error unknown until 110 | 111 ok: unsafe-key unknown, 2
has no age before it was sent: \
0 unreachable: unreachable not-sent until 0 | 200 503: server-error unknown until 310 | 300 ok:, 3`;

  it.each(acrossCalls.match(/^.+/gm)!)('%s', async (row) => {
    const [, what, count] = /: (.*), (\d)$/s.exec(row)!;
    const calls = Array.from(what!.matchAll(/(\d+) (\w+):(?: ([^|]+))?/g));
    const { sent, fetch } = scripted(...calls.map(([, , step]) => stepOf(step!)));
    const bills = billsWith(fetch, { retry: { maxAttempts: 1 } });
    const start = Date.now();
    for (const [, at, , end = ''] of calls) {
      await vi.advanceTimersByTimeAsync(Number(at) * 1000 - (Date.now() - start));
      const { error } = await endOf(bills.create('e', {}, key), 0);
      const { code = 'well', outcome = '', retryable, retryableUntil = start } = error ?? {};
      const until = retryable && `until ${(retryableUntil - start) / 1000}`;
      expect([code.slice(4), outcome, until].filter(Boolean).join(' ')).toBe(end.trim());
    }
    expect(sent).toHaveLength(Number(count));
  });

  it('that another call is using may have acted', async () => {
    const { sent, fetch } = scripted(silence, stepOf('400'));
    const bills = billsWith(fetch, { attemptTimeoutMs: 200_000 });
    const first = endOf(bills.create('e', {}, key), 0);
    await vi.advanceTimersByTimeAsync(5000);
    expect((await endOf(bills.create('e', {}, key), 0)).error?.outcome).toBe('unknown');
    await vi.advanceTimersByTimeAsync(110_000);
    const late = await endOf(bills.create('e', {}, key), 0);
    expect(late.error).toMatchObject({ code: 'api/unsafe-key', retryable: false });
    expect([sent.length, await endOf(first, 400_000)]).toMatchObject([2, {}]);
  });

  it('is refused where the client remembers too many to forget any safely', async () => {
    let sent = 0;
    const unavailable = new Response(null, { status: 503 });
    const headers = new Headers({ 'content-type': 'application/json' });
    // The same answer for all of them, since there are so many.
    const done = { status: 200, headers, body: [Buffer.from('{}')] } as unknown as Response;
    const fetch = async () => (sent++ === 0 ? unavailable : done);
    const bills = billsWith(fetch, { retry: { maxAttempts: 1 } });
    const use = (index: number) => bills.create('e', {}, { idempotencyKey: `${index}` });
    for (let index = 0; index < 50_000; index += 1) await use(index).catch(() => {});

    const { error } = await endOf(use(50_000), 0);
    expect(error).toMatchObject({
      code: 'api/unsafe-key',
      outcome: 'not-sent',
      reason: 'too many',
    });
    await vi.advanceTimersByTimeAsync(200_000);
    // The outcome of one is unknown; the others may be forgotten by now.
    await use(50_000);
    expect((await endOf(use(0), 0)).error?.code).toBe('api/unsafe-key');
    expect(sent).toBe(50_001);
  });

  it('ages by the time of day too, since the machine may have slept', async () => {
    const { sent, fetch } = scripted(async (request) => {
      vi.setSystemTime(Date.now() + 200_000);
      return stepOf('503')(request);
    });
    expect((await endOf(billsWith(fetch).create('e', {}, key))).error?.outcome).toBe('unknown');
    expect(sent).toHaveLength(1);
  });
});

/** Time as callers meet it, on timers that a test moves: waits, limits, keys that age. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSender } from '../../../src/adapters/http/send.js';
import {
  ApiError,
  type BillsClientOptions,
  billsOperations,
  createBillsClient,
} from '../../../src/bills.js';
import { createDocumentsClient, type DocumentsClient } from '../../../src/documents.js';

const baseUrl = 'https://api.example.com';
const auth = { apiKey: 'k' };
const file = { id: 'file_1' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  vi.setSystemTime(Date.parse('2026-03-01T10:00:00Z'));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A fetch that answers by status and header, or never, and notes when it was asked. */
function fetchOf(...steps: readonly (Response | undefined)[]) {
  const begun = performance.now();
  const at: number[] = [];
  const answer = async (_: unknown, init?: RequestInit) => {
    const step = steps[Math.min(at.length, steps.length - 1)];
    at.push(performance.now() - begun);
    if (step) return step.clone();
    return new Promise<never>((_, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new Error('stopped')));
    });
  };
  return { at, fetch: answer as typeof fetch };
}

const json = { 'content-type': 'application/json' };
const says = (status: number, headers: object = {}) =>
  new Response('{}', { status, headers: { ...json, ...headers } });
const told = (wait: string, status = 503) => says(status, { 'retry-after': wait });

/** How the call ended, and when. */
async function endOf(call: Promise<unknown>, ms = 2_000_000) {
  const begun = performance.now();
  const end = call.then(
    (value) => ({ value, ms: performance.now() - begun }),
    (error: ApiError) => ({ error, ms: performance.now() - begun }),
  );
  await vi.advanceTimersByTimeAsync(ms);
  return end as Promise<{ value?: unknown; error?: ApiError; ms: number }>;
}

const billsWith = (options: Partial<BillsClientOptions>) =>
  createBillsClient({ baseUrl, auth, ...options });

describe('without options', () => {
  it('an attempt takes 30 s at most, a call 60 s', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { at, fetch } = fetchOf(undefined);
    const { error, ms } = await endOf(billsWith({ fetch }).get(1));
    expect(error).toMatchObject({ code: 'api/deadline', outcome: 'unknown', attempts: 2 });
    expect(at).toEqual([0, 30_000]);
    expect(ms).toBe(60_000);
  });

  type Processing = (documents: DocumentsClient) => Promise<unknown>;
  it.each<[string, Processing]>([
    ['extract', (documents) => documents.extract({ file, config: {} })],
    ['classify', (documents) => documents.classify({ file, config: {} })],
    ['split', (documents) => documents.split({ file, config: {} })],
    ['parse', (documents) => documents.parse({ file })],
    ['edit', (documents) => documents.edit({ file })],
  ])('an attempt to %s takes 310 s at most', async (_, act) => {
    const { at, fetch } = fetchOf(undefined);
    const { error, ms } = await endOf(act(createDocumentsClient({ baseUrl, apiKey: 'k', fetch })));
    expect(error).toMatchObject({ code: 'api/timeout', outcome: 'unknown' });
    expect([at, ms]).toEqual([[0], 310_000]);
  });

  it('there are four attempts, each after a random part of a bound that doubles', async () => {
    for (const part of [0, 0.5, 0.96]) {
      vi.spyOn(Math, 'random').mockReturnValue(part);
      const { at, fetch } = fetchOf(says(500));
      expect((await endOf(billsWith({ fetch }).get(1))).error?.attempts).toBe(4);
      const waits = at.slice(1).map((each, index) => each - at[index]!);
      for (const [index, wait] of waits.entries()) {
        expect(wait).toBeGreaterThanOrEqual(part * 500 * 2 ** index);
        expect(wait).toBeLessThanOrEqual(part * 500 * 2 ** index + 20);
      }
    }
  });
});

describe('Retry-After', () => {
  it.each(['-1', '1.5', '1e3', '0x10', 'soon', '2026-03-01', 'Sun, nonsense', '1, 2'])(
    'of %j says nothing',
    async (wait) => {
      vi.spyOn(Math, 'random').mockReturnValue(0);
      const { at, fetch } = fetchOf(told(wait), says(200));
      await endOf(billsWith({ fetch }).get(1));
      expect(at).toEqual([0, 0]);
    },
  );

  it.each(['7', 'Sun, 01 Mar 2026 10:00:07 GMT'])('of %j is waited out', async (wait) => {
    for (const status of [429, 503]) {
      vi.setSystemTime(Date.parse('2026-03-01T10:00:00Z'));
      const { at, fetch } = fetchOf(told(wait, status), says(200));
      expect((await endOf(billsWith({ fetch }).get(1))).value).toEqual({});
      expect(at).toEqual([0, 7000]);
    }
  });

  it('past the deadline ends the call at once', async () => {
    const { at, fetch } = fetchOf(told('61', 429));
    const { error, ms } = await endOf(billsWith({ fetch }).create('e', {}));
    expect(error).toMatchObject({ code: 'api/rate-limited', retryable: true, outcome: 'refused' });
    expect([at, ms]).toEqual([[0], 0]);
  });
});

describe('a key', () => {
  const patient = { deadlineMs: 900_000, retry: { maxAttempts: 9 } };
  const key = { idempotencyKey: 'k' };

  it('protects a repeat for less than 110 s', async () => {
    const [steps, sent] = [[told('50')], [0, 50_000, 100_000]];
    const create = fetchOf(...steps);
    const { error } = await endOf(billsWith({ ...patient, ...create }).create('e', {}, key));
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false, attempts: 3 });
    expect(create.at).toEqual(sent);
    const approval = fetchOf(...steps);
    await endOf(billsWith({ ...patient, ...approval }).sendToApproval(1, [], key));
    expect(approval.at).toEqual(sent);
    const last = fetchOf(told('109'), told('1'));
    await endOf(billsWith({ ...patient, ...last }).create('e', {}, key));
    expect(last.at).toEqual([0, 109_000]);
  });

  it('counts when the request is sent, behind a token that took its time', async () => {
    const { at, fetch } = fetchOf(told('100'));
    let tokens = 0;
    const bearer = async () => {
      tokens += 1;
      if (tokens > 1) await new Promise((resolve) => setTimeout(resolve, 25_000));
      return 'token';
    };
    const expiring = createSender({
      baseUrl,
      fetch,
      ...patient,
      auth: { value: async () => ({ token: await bearer(), expiresInMs: 90_000 }) },
      dialect: { readError: () => ({}) },
    });
    const { create } = billsOperations;
    const { error } = await endOf(expiring.send(create, { path: ['e'], body: {}, key: 'k' }));
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false });
    expect(at).toEqual([0]);
  });

  it('grows old by the time of day, where the machine slept', async () => {
    let sent = 0;
    const fetch = async () => {
      sent += 1;
      vi.setSystemTime(Date.now() + 200_000);
      return says(503);
    };
    const { error } = await endOf(billsWith({ fetch }).create('e', {}, key));
    expect(error).toMatchObject({ outcome: 'unknown' });
    expect(sent).toBe(1);
  });

  it('is no question where nothing can act twice', async () => {
    const update = fetchOf(told('50'));
    await endOf(billsWith({ ...patient, ...update }).update(1, {}));
    expect(update.at).toHaveLength(9);
    const limited = fetchOf(told('50', 429));
    await endOf(billsWith({ ...patient, ...limited }).create('e', {}, key));
    expect(limited.at).toHaveLength(9);
  });
});

describe('timers', () => {
  it('there is none when all calls are over', async () => {
    const { at, fetch } = fetchOf(undefined);
    const bills = billsWith({ fetch });
    const controls = Array.from({ length: 50 }, () => new AbortController());
    const ends = Promise.allSettled(controls.map(({ signal }) => bills.get(1, { signal })));
    await vi.advanceTimersByTimeAsync(1000);
    expect(at).toHaveLength(50);
    for (const control of controls) control.abort();
    for (const end of await ends) {
      expect(end).toMatchObject({ reason: { code: 'api/aborted', outcome: 'unknown' } });
      expect(end).toHaveProperty('reason', expect.any(ApiError));
    }
    expect(vi.getTimerCount()).toBe(0);
  });
});

/** A key protects a repeat only while it lives, however long the way to the service takes. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBillsClient } from '../../../src/bills.js';

const json = { 'content-type': 'application/json' };
const key = { idempotencyKey: 'k' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => void vi.useRealTimers());

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  const error = call.catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(900_000);
  return error;
}

describe('the age of a key counts when the request is sent', () => {
  it('behind a token that took its time', async () => {
    const begun = performance.now();
    const at: number[] = [];
    let tokens = 0;
    const answer = async (url: unknown) => {
      if (`${url}`.endsWith('Token/serverside')) {
        tokens += 1;
        if (tokens > 1) await new Promise((resolve) => setTimeout(resolve, 25_000));
        const body = { access_token: `t${tokens}`, expires_in: 90 };
        return new Response(JSON.stringify(body), { headers: json });
      }
      at.push(performance.now() - begun);
      return new Response('{}', { status: 503, headers: { ...json, 'retry-after': '100' } });
    };
    const bills = createBillsClient({
      baseUrl: 'https://api.example.com',
      auth: { clientId: 'id', clientSecret: 'secret' },
      fetch: answer as typeof fetch,
      deadlineMs: 900_000,
    });
    expect(await errorOf(bills.create('e', {}, key))).toMatchObject({
      outcome: 'unknown',
      retryable: false,
    });
    expect(at).toEqual([0]);
  });

  it('by the time of day, where the machine slept', async () => {
    let sent = 0;
    const answer = async () => {
      sent += 1;
      vi.setSystemTime(Date.now() + 200_000);
      return new Response('{}', { status: 503, headers: json });
    };
    const auth = { apiKey: 'k' };
    const bills = createBillsClient({ baseUrl: 'https://api.example.com', auth, fetch: answer });
    expect(await errorOf(bills.create('e', {}, key))).toMatchObject({ outcome: 'unknown' });
    expect(sent).toBe(1);
  });
});

import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { FaultText } from '../../../src/adapters/sandbox/fault.js';
import { type Send, type Served, serve } from './serve.js';

const create = (bills: Send, fault?: string, key?: string) =>
  bills('POST', '/Bill/single/shop', {
    json: { comments: 'x'.repeat(100) },
    headers: {
      ...(fault === undefined ? {} : { 'x-sandbox-fault': fault }),
      ...(key === undefined ? {} : { idempotencyKey: key }),
    },
  });

const count = ({ sandbox }: Served) => sandbox.bills.all().length;

describe('a fault', () => {
  it.each([
    ['status=503', 503, 0],
    ['status=500', 500, 0],
    ['status-after=500', 500, 1],
    ['status=302', 302, 0],
    ['status-after=204', 204, 1],
    ['rate-limit=2', 429, 0],
    ['declined', 200, 0],
    ['none', 200, 1],
    ['latency=150', 200, 1],
    ['slow-body=20', 200, 1],
    ['wrong-type', 200, 1],
    ['nonsense', 400, 0],
    ['status=99', 400, 0],
    ['latency', 400, 0],
    ['reset=1', 400, 0],
  ])('%s answers %i, and %i bills are created', async (fault, status, created) => {
    const served = await serve();
    const started = performance.now();
    const answer = await create(served.bills, fault);
    const took = performance.now() - started;
    expect(answer.status).toBe(status);
    expect(count(served)).toBe(created);
    expect(served.sandbox.requests).toMatchObject([{ acted: created === 1, status }]);
    if (status >= 400) expect(answer.json.isSuccess).toBe(false);
    expect(answer.headers.get('retry-after')).toBe(status === 429 ? '2' : null);
    if (fault === 'declined') expect(answer.json).toMatchObject({ isSuccess: false });
    if (fault === 'wrong-type') expect(answer.headers.get('content-type')).toContain('text/html');
    if (fault === 'latency=150') expect(took).toBeGreaterThanOrEqual(149);
    if (fault === 'slow-body=20') expect(took).toBeGreaterThanOrEqual(150);
    if (status === 302) expect(answer.headers.get('location')).toContain('/api/Bill/single/shop');
  });

  it.each([
    ['reset', 0],
    ['reset-after', 1],
    ['truncate', 1],
  ])('%s breaks the connection, and %i bills are created', async (fault, created) => {
    const served = await serve();
    await expect(create(served.bills, fault)).rejects.toThrow();
    expect(count(served)).toBe(created);
  });

  it.each([
    ['hang', 0],
    ['hang-after', 1],
  ])('%s never answers, and %i bills are created', async (fault, created) => {
    const served = await serve();
    const headers = { 'x-sandbox-fault': fault };
    const patience = new AbortController();
    const sent = { json: {}, headers, signal: patience.signal };
    const answer = served.bills('POST', '/Bill/single/shop', sent);
    const ended = expect(answer).rejects.toThrow(/aborted/i);
    await expect.poll(() => served.sandbox.requests.length).toBe(1);
    const later = new Promise((resolve) => setTimeout(resolve, 100, 'no answer'));
    expect(await Promise.race([answer, later])).toBe('no answer');
    patience.abort();
    await ended;
    expect(count(served)).toBe(created);
  });

  it('truncate sends half of what it has promised', async () => {
    const { sandbox } = await serve();
    const headers = { requestToken: 'sandbox-key', 'x-sandbox-fault': 'truncate' };
    const received = await new Promise<{ promised: number; got: number }>((resolve, reject) => {
      const sent = request(`${sandbox.billsUrl}/Query/bills/shop`, { headers }, (answer) => {
        let got = 0;
        answer.on('data', (chunk: Buffer) => {
          got += chunk.length;
        });
        answer.on('error', () => {});
        answer.on('close', () =>
          resolve({ promised: Number(answer.headers['content-length']), got }),
        );
      });
      sent.on('error', reject).end();
    });
    expect(received.got).toBe(Math.floor(received.promised / 2));
    expect(received.got).toBeGreaterThan(0);
  });

  it('has the codes of the documents service', async () => {
    const { documents } = await serve();
    const codes = [];
    for (const fault of [
      'status=402',
      'status=410',
      'status=401',
      'status=503',
      'rate-limit=1',
      'declined',
    ]) {
      const { json } = await documents('GET', '/files', { headers: { 'x-sandbox-fault': fault } });
      codes.push([json.code, json.retryable]);
    }
    expect(codes).toEqual([
      ['USAGE_BLOCKED', false],
      ['ENDPOINT_REMOVED', false],
      ['UNAUTHORIZED', false],
      ['INTERNAL_ERROR', true],
      ['RATE_LIMIT_EXCEEDED', true],
      ['INVALID_REQUEST', false],
    ]);
  });

  it.each(['status-after=500', 'reset-after'])(
    'hides a refusal as it hides a success: %s',
    async (fault) => {
      const { bills, sandbox } = await serve();
      const headers = { 'x-sandbox-fault': fault };
      const status = await bills('GET', '/Bill/7', { headers }).then(
        (answer) => answer.status,
        () => 0,
      );
      expect(status).toBe(fault === 'reset-after' ? 0 : 500);
      expect(sandbox.requests).toMatchObject([{ acted: false }]);
    },
  );

  it('strikes before the credential is looked at', async () => {
    const { sandbox } = await serve();
    const headers = { 'x-sandbox-fault': 'status=503' };
    expect((await fetch(`${sandbox.billsUrl}/Bill/1`, { headers })).status).toBe(503);
  });
});

describe('ordered faults', () => {
  it('befall the next requests of an operation, and each once', async () => {
    const { bills, sandbox } = await serve();
    sandbox.faults.next('status=503', { operation: 'bills.create', times: 2 });
    sandbox.faults.next('status=500');
    const statuses = [];
    for (let index = 0; index < 4; index += 1) statuses.push((await create(bills)).status);
    expect(statuses).toEqual([503, 503, 500, 200]);
    sandbox.faults.next('status=500', { operation: 'bills.get' });
    expect((await create(bills)).status).toBe(200);
    expect((await create(bills, 'none')).status).toBe(200);
    expect((await bills('GET', '/Bill/1', { headers: { 'x-sandbox-fault': 'none' } })).status).toBe(
      200,
    );
    expect((await bills('GET', '/Bill/1')).status).toBe(500);
  });

  it('end with clear, and are checked', async () => {
    const { bills, sandbox } = await serve({ faults: { share: 1, faults: ['status=500'] } });
    sandbox.faults.next('status=503');
    sandbox.faults.clear();
    expect((await create(bills)).status).toBe(200);
    expect(() => sandbox.faults.next('explode' as FaultText)).toThrow(RangeError);
    expect(() => sandbox.faults.byChance({ share: 2, faults: [] })).toThrow(RangeError);
    expect(() => sandbox.faults.byChance({ share: -0.1, faults: [] })).toThrow(RangeError);
    expect(() => sandbox.faults.byChance({ share: Number.NaN, faults: [] })).toThrow(RangeError);
  });
});

describe('faults by chance', () => {
  const faults: readonly FaultText[] = ['status=500', 'status=503', 'status-after=500'];

  /** The statuses of two tries of each key, the keys in this order. */
  async function fates(seed: number, keys: readonly number[]) {
    const { bills } = await serve({ seed, faults: { share: 0.3, faults } });
    const found: [number, number, number][] = [];
    for (const key of keys) {
      const [first, second] = [
        await create(bills, undefined, `${key}`),
        await create(bills, undefined, `${key}`),
      ];
      found.push([key, first.status, second.status]);
    }
    return found.sort(([a], [b]) => a - b);
  }

  it('befall the same requests whatever the order, and others with another seed', async () => {
    const keys = Array.from({ length: 60 }, (_, index) => index);
    const forwards = await fates(1, keys);
    expect(await fates(1, [...keys].reverse())).toEqual(forwards);
    expect(await fates(2, keys)).not.toEqual(forwards);
    const failed = forwards
      .flatMap(([, ...statuses]) => statuses)
      .filter((status) => status !== 200);
    expect(failed.length).toBeGreaterThan(120 * 0.2);
    expect(failed.length).toBeLessThan(120 * 0.4);
    expect(new Set(failed)).toEqual(new Set([500, 503]));
    // A repeat has a fate of its own.
    expect(forwards.some(([, first, second]) => first !== 200 && second === 200)).toBe(true);
  });

  it('befall only the operations that they are for', async () => {
    const { bills, sandbox } = await serve();
    sandbox.faults.byChance({ share: 1, faults, operations: ['bills.get'] });
    expect((await create(bills)).status).toBe(200);
    expect((await bills('GET', '/Bill/1')).status).toBeGreaterThanOrEqual(500);
    sandbox.faults.byChance(null);
    expect((await bills('GET', '/Bill/1')).status).toBe(200);
  });
});

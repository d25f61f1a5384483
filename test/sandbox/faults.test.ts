import { describe, expect, it } from 'vitest';
import type { FaultText } from '../../src/sandbox/fault.js';
import { type Send, serve } from './serve.js';

const create = (bills: Send, fault?: string) =>
  bills('POST', '/Bill/single/shop', {
    json: { comments: 'x'.repeat(100) },
    headers: fault === undefined ? {} : { 'x-sandbox-fault': fault },
  });

/** 0 where the connection breaks, and null where there is no answer within this time. */
function statusOf(
  answer: Promise<{ readonly status: number }>,
  ms: number,
): Promise<number | null> {
  const later = new Promise<null>((resolve) => setTimeout(resolve, ms, null));
  const status = answer.then(
    (each) => each.status,
    () => 0,
  );
  return Promise.race([status, later]);
}

describe('a fault', () => {
  it.each([
    ['status=503', 503, 0],
    ['status-after=500', 500, 1],
    ['status=302', 400, 0],
    ['key-lost=500', 500, 0],
    ['key-late=500', 500, 1],
    ['rate-limit=2', 429, 0],
    ['declined', 200, 0],
    ['none', 200, 1],
    ['wrong-type', 200, 1],
    ['reset', 0, 0],
    ['reset-after', 0, 1],
    ['truncate', 0, 1],
    ['hang', null, 0],
    ['hang-after', null, 1],
    ['latency=150', null, 1],
    ['nonsense', 400, 0],
    ['latency', 400, 0],
  ])('%s gives status %j, and %i bills are created', async (fault, status, created) => {
    const { bills, sandbox } = await serve();
    const answer = create(bills, fault);
    expect(await statusOf(answer, status === null ? 100 : 60_000)).toBe(status);
    sandbox.clock.advance(2000);
    expect(sandbox.bills.all()).toHaveLength(created);
    const record = sandbox.requests[0];
    expect(record?.acted).toBe(created === 1);
    if (fault === 'latency=150') expect((await answer).status).toBe(200);
    if (!status) return;
    expect(record?.status).toBe(status);
    const { headers, json } = await answer;
    if (status >= 400 || fault === 'declined') expect(json.isSuccess).toBe(false);
    expect(headers.get('retry-after')).toBe(status === 429 ? '2' : null);
    if (fault === 'wrong-type') expect(headers.get('content-type')).toContain('text/html');
  });

  it.each([
    ['status=402', 'USAGE_BLOCKED', false],
    ['status=410', 'ENDPOINT_REMOVED', false],
    ['status=401', 'UNAUTHORIZED', false],
    ['status=503', 'INTERNAL_ERROR', true],
    ['rate-limit=1', 'RATE_LIMIT_EXCEEDED', true],
  ])('%s has an error code of the documents service', async (fault, code, retryable) => {
    const { documents } = await serve();
    const { json } = await documents('GET', '/files', { headers: { 'x-sandbox-fault': fault } });
    expect(json).toMatchObject({ code, retryable, requestId: expect.stringMatching(/^req_/) });
  });

  it('strikes before the credential is checked', async () => {
    const { sandbox } = await serve();
    const headers = { 'x-sandbox-fault': 'status=503' };
    expect((await fetch(`${sandbox.billsUrl}/Bill/1`, { headers })).status).toBe(503);
  });
});

it('ordered faults strike the next requests of an operation, each once', async () => {
  const { bills, sandbox } = await serve({ faults: { share: 1, faults: ['status=418'] } });
  sandbox.faults.next('status=503', { operation: 'bills.create', times: 2 });
  sandbox.faults.next('status=500');
  sandbox.faults.next('status=501', { operation: 'bills.get' });
  const statuses = [];
  for (const fault of [undefined, 'none', undefined, undefined, undefined]) {
    statuses.push((await create(bills, fault)).status);
  }
  expect(statuses).toEqual([503, 200, 503, 500, 418]);
  expect((await bills('GET', '/Bill/1')).status).toBe(501);
  sandbox.faults.byChance(null);
  expect((await create(bills)).status).toBe(200);
});

it('random faults strike the same requests in every run, and others with another seed', async () => {
  const statuses = async (seed: number) => {
    const faults: readonly FaultText[] = ['status=500', 'status=503', 'status-after=500'];
    const { bills } = await serve({ seed, faults: { share: 0.5, faults } });
    const found: number[] = [];
    for (let call = 0; call < 40; call += 1) found.push((await create(bills)).status);
    return found;
  };
  const first = await statuses(1);
  expect(await statuses(1)).toEqual(first);
  expect(await statuses(2)).not.toEqual(first);
  const failed = first.filter((each) => each !== 200);
  expect(failed.length).toBeGreaterThan(40 * 0.2);
  expect(failed.length).toBeLessThan(40 * 0.8);
  expect(new Set(failed)).toEqual(new Set([500, 503]));
});

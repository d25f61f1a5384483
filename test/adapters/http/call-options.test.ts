/** Options of a call go before those of its client, one by one; what a client holds open ends. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type BillsClient,
  type BillsClientOptions,
  type CallOptions,
  createBillsClient,
} from '../../../src/bills.js';

const json = { 'content-type': 'application/json' };
const success = '{"isSuccess":true}';

let server: Server;
let origin: string;
let seen = 0;
let behave: (response: ServerResponse) => void;

const well = (response: ServerResponse) => response.writeHead(200, json).end(success);
const badly = (response: ServerResponse) => response.writeHead(500, json).end('{}');
const silent = () => {};

beforeEach(async () => {
  [seen, behave] = [0, well];
  server = createServer((_, response) => {
    seen += 1;
    behave(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const clientWith = (options: Partial<BillsClientOptions> = {}): BillsClient =>
  createBillsClient({ baseUrl: origin, auth: { apiKey: 'k' }, ...options });

const failure = (bills: BillsClient, own?: CallOptions) => {
  const call = own === undefined ? bills.get(1) : bills.get(1, own);
  return call.then(
    () => ({ code: 'it went well' }),
    (error: unknown) => error,
  );
};

describe('given with the client or with the call,', () => {
  type Case = [name: string, behave: typeof behave, options: CallOptions, expected: object];
  const quick = { retry: { baseMs: 1 } };
  const cases: Case[] = [
    ['maxAttempts', badly, { retry: { ...quick.retry, maxAttempts: 2 } }, { attempts: 2 }],
    [
      'attemptTimeoutMs',
      silent,
      { retry: { maxAttempts: 1 }, attemptTimeoutMs: 80 },
      { code: 'api/timeout' },
    ],
    ['deadlineMs', silent, { deadlineMs: 80 }, { code: 'api/deadline' }],
    ['maxBytes', well, { maxBytes: 5 }, { code: 'api/too-large' }],
    ['signal', well, { signal: AbortSignal.abort() }, { code: 'api/aborted', outcome: 'not-sent' }],
    [
      'fetch',
      well,
      { fetch: async () => new Response('{}', { status: 403, headers: json }) },
      { code: 'api/forbidden' },
    ],
  ];
  it.each(cases)('%s holds, and the client is as it was', async (_, next, options, expected) => {
    behave = next;
    const bills = clientWith();
    expect(await failure(bills, options)).toMatchObject(expected);
    expect(await failure(clientWith(options))).toMatchObject(expected);
    behave = well;
    expect(await bills.get(1)).toEqual(JSON.parse(success));
  });

  it('one does not undo the others', async () => {
    behave = badly;
    const bills = clientWith({ retry: { maxAttempts: 3, baseMs: 1 }, deadlineMs: 9000 });
    expect(await failure(bills, { retry: { capMs: 2 } })).toMatchObject({ attempts: 3 });
    expect(seen).toBe(3);
  });
});

describe('the signal', () => {
  it.each([
    ['an attempt', silent, 1],
    ['a wait', badly, 1],
  ])('ends %s at once', async (_, next, sent) => {
    behave = next;
    const control = new AbortController();
    const bills = clientWith({ retry: { baseMs: 60_000, capMs: 60_000 }, deadlineMs: 900_000 });
    const call = failure(bills, { signal: control.signal });
    await vi.waitFor(() => expect(seen).toBe(1));
    await sleep(30);
    control.abort(new Error('a reason of the caller'));
    expect(await call).toMatchObject({ code: 'api/aborted', outcome: 'unknown', retryable: false });
    expect(seen).toBe(sent);
  });

  it('keeps no listener of a call that is over', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const [add, remove] = [signal.addEventListener, signal.removeEventListener];
    Object.assign(signal, {
      addEventListener: (...given: Parameters<typeof add>) => {
        listeners += 1;
        add.apply(signal, given);
      },
      removeEventListener: (...given: Parameters<typeof remove>) => {
        listeners -= 1;
        remove.apply(signal, given);
      },
    });
    await clientWith().get(1, { signal });
    expect(listeners).toBe(0);
  });
});

describe('close', () => {
  it('lets a call end, lets go of its connection, and prevents no later call', async () => {
    const connections = () =>
      new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
    behave = (response) => void setTimeout(() => well(response), 50);
    const bills = clientWith();
    const call = bills.get(1);
    await vi.waitFor(() => expect(seen).toBe(1));
    await bills.close();
    expect(await call).toEqual(JSON.parse(success));
    await vi.waitFor(async () => expect(await connections()).toBe(0));
    expect(await bills.get(1)).toEqual(JSON.parse(success));
    await bills.close();
    await clientWith().close();
  });
});

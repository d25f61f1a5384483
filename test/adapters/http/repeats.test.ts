/** Calls of several attempts over both transports: what the last answer says of those before. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ApiError, type BillsClient, createBillsClient } from '../../../src/bills.js';
import type { Behaviour } from './rough-server.js';

let server: Server;
let origin: string;
/** What the next requests meet, and what came with each of them. */
let steps: Behaviour[] = [];
let came: { key: unknown; token: unknown; body: string }[] = [];

const says =
  (status: number, body: object = {}): Behaviour =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const lost: Behaviour = (request) => request.socket.destroy();

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { idempotencykey: key, authorization: token } = request.headers;
    came.push({ key, token, body });
    (steps.shift() ?? says(200, { isSuccess: true }))(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  [steps, came] = [[], []];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

type Act = (bills: BillsClient) => Promise<unknown>;
type Case = [name: string, act: Act, steps: Behaviour[], outcome: ApiError['outcome']];

const remove: Act = (bills) => bills.delete(1);
const detach: Act = (bills) => bills.deleteAttachment(1, 'a');
const read: Act = (bills) => bills.get(1);
const change: Act = (bills) => bills.update(1, {});
const create: Act = (bills) => bills.create('e', { netAmount: 1 }, { idempotencyKey: 'k' });
const send: Act = (bills) => bills.sendToApproval(1, ['u'], { idempotencyKey: 'k' });
const bare: Act = (bills) => bills.create('e', { netAmount: 1 });

const cases: readonly Case[] = [
  ['an attempt that was lost deleted', remove, [lost, says(404)], 'applied'],
  ['an attempt that failed deleted', detach, [says(503), says(404)], 'applied'],
  ['an attempt that was not let in deleted nothing', remove, [says(429), says(404)], 'refused'],
  ['nothing was there to read', read, [lost, says(404)], 'unknown'],
  ['a key that was seen says nothing of what was lost', create, [lost, says(409)], 'unknown'],
  ['nor of what failed', send, [says(500), says(409)], 'unknown'],
  ['an attempt that was not let in created nothing', create, [says(429), says(409)], 'refused'],
  ['a conflict without a key is one', change, [lost, says(409)], 'unknown'],
  ['a refusal says nothing of what was lost', create, [lost, says(400)], 'unknown'],
  ['nor does a wait', send, [lost, says(429), says(400)], 'unknown'],
  ['without a key, what was lost is the end', bare, [says(429), lost], 'unknown'],
];

const transports: Readonly<Record<string, object>> = {
  node: {},
  fetch: { fetch: (...given: Parameters<typeof fetch>) => fetch(...given) },
};

describe.each(Object.keys(transports))('over %s', (name) => {
  const options = () => ({ baseUrl: origin, retry: { baseMs: 1 }, ...transports[name] });

  it.each(cases)('%s', async (_, act, next, outcome) => {
    steps = [...next];
    const bills = createBillsClient({ ...options(), auth: { apiKey: 'k' } });
    await expect(act(bills)).rejects.toMatchObject({ outcome, attempts: next.length });
    // The same request each time, with the key of the caller or none.
    const [first] = came;
    expect(came).toEqual(next.map(() => first));
    expect(first?.key).toBe(act === create || act === send ? 'k' : undefined);
    await bills.close();
  });

  it('a token that is refused is renewed, once in a call, whatever the call does', async () => {
    let count = 0;
    const auth = { bearer: async () => `t${++count}` };
    const bills = createBillsClient({ ...options(), auth });
    steps = [says(401)];
    expect(await bare(bills)).toEqual({ isSuccess: true });
    steps = [says(401), says(401)];
    await expect(bare(bills)).rejects.toMatchObject({ outcome: 'refused', attempts: 2 });
    const tokens = came.map(({ token }) => token);
    expect(tokens).toEqual(['t1', 't2', 't2', 't3'].map((token) => `Bearer ${token}`));
    await bills.close();
  });
});

/** Every kind of failure over both transports: its facts, and nothing of a credential anywhere. */
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ApiError, type CallOptions, createBillsClient } from '../../../src/bills.js';
import { createDocumentsClient } from '../../../src/documents.js';
import { type Behaviour, type RoughServer, startRoughServer } from './rough-server.js';

const secret = 'S3CRET-0123456789';
const json = { 'content-type': 'application/json' };

/** A service that repeats the credential wherever it can. */
const indiscreet = {
  isSuccess: false,
  responseCode: `C-${secret}`,
  responseText: `key ${secret} is wrong`,
  responseData: { explanation: secret },
  code: `C-${secret}`,
  message: `key ${secret} is wrong`,
  requestId: `R-${secret}`,
};
const echoed = { ...json, 'x-request-id': `R-${secret}`, 'x-echo': secret };
const says =
  (status: number, body: object = indiscreet, headers: object = echoed): Behaviour =>
  (_, response) =>
    response.writeHead(status, secret, { ...headers }).end(JSON.stringify(body));
const raw =
  (body: string | Buffer, headers: object): Behaviour =>
  (_, response) =>
    response.writeHead(200, { ...headers }).end(body);
const begun =
  (headers: object, then: (destroy: () => void) => void = () => {}): Behaviour =>
  (_, response) => {
    response.writeHead(200, { ...headers }).write('{"a":');
    then(() => response.socket?.destroy());
  };
const soon = (act: () => void) => void setTimeout(act, 10);

type Facts = Partial<Record<keyof ApiError, unknown>>;
type Case = [name: string, behave: Behaviour, facts: Facts, options?: CallOptions];

const spoken = {
  serviceCode: 'C-[credential]',
  serviceMessage: expect.stringMatching(/^key \[credential\] is wrong/),
  requestId: 'R-[credential]',
};
const unknown = { outcome: 'unknown' };
const cases: Case[] = [
  ['refused', says(400), { code: 'api/bad-request', status: 400, outcome: 'refused', ...spoken }],
  ['no longer known', says(401), { code: 'api/unauthorized', status: 401, outcome: 'refused' }],
  ['forbidden', says(403), { code: 'api/forbidden', status: 403, outcome: 'refused' }],
  ['not found', says(404), { code: 'api/not-found', status: 404, outcome: 'refused', ...spoken }],
  ['in conflict', says(409), { code: 'api/conflict', status: 409, outcome: 'refused' }],
  [
    'limited',
    says(429),
    { code: 'api/rate-limited', status: 429, outcome: 'refused', retryable: true },
  ],
  ['broken', says(500), { code: 'api/server-error', status: 500, ...unknown, ...spoken }],
  [
    'sent elsewhere',
    says(307, {}, { location: `/${secret}` }),
    { code: 'api/redirect', status: 307, ...unknown },
  ],
  [
    'lost',
    (request) => request.socket.destroy(),
    { code: 'api/connection-lost', status: undefined, ...unknown },
  ],
  [
    'silent',
    () => {},
    { code: 'api/timeout', status: undefined, ...unknown },
    { attemptTimeoutMs: 200, deadlineMs: 9000 },
  ],
  ['late', () => {}, { code: 'api/deadline', status: undefined, ...unknown }, { deadlineMs: 200 }],
  ['stuck', begun(json), { code: 'api/deadline', status: 200 }, { deadlineMs: 200 }],
  [
    'cut off',
    begun({ ...json, 'content-length': '50' }, soon),
    { code: 'api/truncated', status: 200 },
  ],
  ['cut off between two chunks', begun(json, soon), { code: 'api/truncated', status: 200 }],
  ['too large', raw(`"${'x'.repeat(99)}"`, json), { code: 'api/too-large' }, { maxBytes: 100 }],
  ['larger than it says', begun(json), { code: 'api/too-large', status: 200 }, { maxBytes: 4 }],
  ['of another type', raw('<p>', { 'content-type': 'text/html' }), { code: 'api/wrong-type' }],
  ['of no type', raw('{}', {}), { code: 'api/wrong-type', status: 200 }],
  ['half of JSON', raw('{"a":', json), { code: 'api/malformed', status: 200 }],
  ['empty', raw('', json), { code: 'api/malformed', status: 200 }],
  ['no text', raw(Buffer.of(0x22, 0xff, 0x22), json), { code: 'api/malformed', status: 200 }],
];

let server: RoughServer;
let behave: Behaviour;

beforeAll(async () => {
  server = await startRoughServer((request, response) => behave(request, response));
});
afterAll(() => server.close());

/** All that can be read from a value, by whatever way it may come into a log. */
function textsOf(value: object): string {
  const all = inspect(value, { depth: 99, showHidden: true, getters: true, maxStringLength: null });
  const { stack = '', cause } = value as Error;
  const own = Reflect.ownKeys(value).map((name) => `${inspect(Reflect.get(value, name))}`);
  return [all, stack, `${value}`, JSON.stringify(value), inspect(cause), ...own].join('\n');
}

const transports: Readonly<Record<string, object>> = {
  node: {},
  fetch: { fetch: (...given: Parameters<typeof fetch>) => fetch(...given) },
};

describe.each(Object.keys(transports))('over %s', (name) => {
  const options = () => ({
    baseUrl: server.origin,
    retry: { maxAttempts: 1 },
    ...transports[name],
  });
  const bills = () => createBillsClient({ ...options(), auth: { apiKey: secret } });
  const documents = () => createDocumentsClient({ ...options(), apiKey: secret });

  async function failureOf(call: Promise<unknown>): Promise<ApiError> {
    const error = await call.then(
      (value) => new Error(`it went well: ${inspect(value)}`),
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(textsOf(error as Error)).not.toContain(secret);
    expect(error).not.toHaveProperty('cause');
    return error as ApiError;
  }

  it.each(cases)('an answer that is %s', async (_, next, facts, own) => {
    behave = next;
    server.seen.length = 0;
    const { status, ...others } = { status: 200, retryable: false, ...facts };
    const clients = [bills(), documents()] as const;
    const calls = [
      failureOf(clients[0].create('e', {}, {}, own)),
      failureOf(clients[1].extractRuns.create({ file: { id: 'f' }, config: {} }, own)),
    ];
    for (const error of await Promise.all(calls)) {
      expect(error).toMatchObject({ attempts: 1, ...others });
      expect([error.status, 'status' in error]).toEqual([status, status !== undefined]);
      expect(error.outcome).toMatch(/^(?:refused|applied|unknown)$/);
    }
    await Promise.all(clients.map((client) => client.close()));
    const operations = (await Promise.all(calls)).map(({ operation }) => operation);
    expect(operations).toEqual(['bills.create', 'extractRuns.create']);
    // Neither sent again nor sent elsewhere.
    expect(server.seen.sort()).toEqual(['POST /Bill/single/e', 'POST /extract_runs']);
  });

  it('a failure with 200 is one', async () => {
    behave = says(200);
    const expected = { code: 'api/refused', status: 200, outcome: 'refused', ...spoken };
    expect(await failureOf(bills().create('e', {}))).toMatchObject({
      ...expected,
      requestId: expect.stringContaining('[credential]'),
    });
  });

  it('an answer that is packed is unpacked or refused, never taken as it is', async () => {
    const packed = gzipSync('{"a":1}');
    behave = raw(packed, { ...json, 'content-encoding': 'gzip', 'content-length': packed.length });
    const got = await bills().get(1).catch(failureCode);
    expect(got).toEqual(name === 'fetch' ? { a: 1 } : 'api/wrong-type');
    behave = raw(packed, { 'content-type': 'text/csv', 'content-encoding': 'gzip' });
    const file = bills().export('e', { format: 'csv' });
    const text = await file.then(({ body }) => new Response(body).text(), failureCode);
    expect(text).toBe(name === 'fetch' ? '{"a":1}' : 'api/wrong-type');
  });
  const failureCode = (error: ApiError) => error.code;

  it('a client shows nothing, and neither it nor a call writes anything', async () => {
    const methods = ['log', 'info', 'warn', 'error', 'debug'] as const;
    const spies = methods.map((method) => vi.spyOn(console, method));
    behave = says(500);
    for (const client of [bills(), documents()]) {
      expect(textsOf(client)).not.toContain(secret);
      await failureOf('files' in client ? client.files.get('a') : client.get(1));
      expect(textsOf(client)).not.toContain(secret);
    }
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});

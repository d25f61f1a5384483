/**
 * Both transports against a server that misbehaves: every failure has its facts and no credential,
 * and a file is complete or ends with an error, at the pace of its reader.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { type ApiError, type CallOptions, createBillsClient } from '../../../src/bills.js';
import { createDocumentsClient } from '../../../src/documents.js';
import { answer, type Behave, failureOf, type Step, scripted, useServer } from '../harness.js';

const server = useServer();
const secret = 'S3CRET-0123456789';
const json = { 'content-type': 'application/json' };
const csv = { 'content-type': 'text/csv' };

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
const says =
  (status: number, body: object = indiscreet, more: object = {}): Behave =>
  () => ({ status, body, headers: { 'x-request-id': `R-${secret}`, 'x-echo': secret, ...more } });
const raw =
  (body: string | Buffer, headers: Record<string, string | number>): Behave =>
  () => ({ body, headers });
const begun =
  (headers: object, then: (response: ServerResponse) => void = () => {}): Behave =>
  (_, response) => {
    response.writeHead(200, { ...headers }).write('{"a":');
    then(response);
    return undefined;
  };
const soon = (response: ServerResponse) => void setTimeout(() => response.socket?.destroy(), 10);
const never: Behave = () => undefined;
const lost: Behave = (_, response) => void response.socket?.destroy();

type Facts = Partial<Record<keyof ApiError, unknown>>;
type Case = [name: string, behave: Behave, facts: Facts, options?: CallOptions];

const spoken = {
  serviceCode: 'C-[credential]',
  serviceMessage: expect.stringMatching(/^key \[credential\] is wrong/),
  requestId: 'R-[credential]',
};
const refused = { outcome: 'refused' };
const unknown = { outcome: 'unknown' };
const unanswered = { ...unknown, status: undefined };
const cases: Case[] = [
  ['refused', says(400), { code: 'api/bad-request', status: 400, ...refused, ...spoken }],
  ['unauthorized', says(401), { code: 'api/unauthorized', status: 401, ...refused }],
  ['a limit', says(429), { code: 'api/rate-limited', status: 429, retryable: true, ...refused }],
  ['a server error', says(500), { code: 'api/server-error', status: 500, ...unknown, ...spoken }],
  [
    'a redirect',
    says(307, {}, { location: `/${secret}` }),
    { code: 'api/redirect', status: 307, ...unknown },
  ],
  ['a lost connection', lost, { code: 'api/connection-lost', ...unanswered }],
  ['none by the timeout', never, { code: 'api/timeout', ...unanswered }, { attemptTimeoutMs: 150 }],
  ['none by the deadline', never, { code: 'api/deadline', ...unanswered }, { deadlineMs: 150 }],
  ['unfinished at the deadline', begun(json), { code: 'api/deadline' }, { deadlineMs: 150 }],
  ['cut off', begun({ ...json, 'content-length': '50' }, soon), { code: 'api/truncated' }],
  ['cut off between two chunks', begun(json, soon), { code: 'api/truncated' }],
  ['too large', raw(`"${'x'.repeat(99)}"`, json), { code: 'api/too-large' }, { maxBytes: 100 }],
  ['too large in its first piece', begun(json), { code: 'api/too-large' }, { maxBytes: 4 }],
  ['of another type', raw('<p>', { 'content-type': 'text/html' }), { code: 'api/wrong-type' }],
  ['of no type', raw('{}', {}), { code: 'api/wrong-type' }],
  ['half of JSON', raw('{"a":', json), { code: 'api/malformed' }],
  ['empty', raw('', json), { code: 'api/malformed' }],
  ['invalid UTF-8', raw(Buffer.of(0x22, 0xff, 0x22), json), { code: 'api/malformed' }],
];

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
    baseUrl: server.url,
    retry: { maxAttempts: 1 },
    ...transports[name],
  });
  const bills = () => createBillsClient({ ...options(), auth: { apiKey: secret } });
  const documents = () => createDocumentsClient({ ...options(), apiKey: secret });

  async function discreet(call: Promise<unknown>): Promise<ApiError> {
    const error = await failureOf(call);
    expect(textsOf(error)).not.toContain(secret);
    expect(error).not.toHaveProperty('cause');
    return error;
  }

  it.each(cases)('an answer: %s', async (_, next, facts, own) => {
    server.behave = next;
    const { status, ...others } = { status: 200, retryable: false, ...facts };
    const clients = [bills(), documents()] as const;
    const errors = await Promise.all([
      discreet(clients[0].create('e', {}, { idempotencyKey: null }, own)),
      discreet(clients[1].extractRuns.create({ file: { id: 'f' }, config: {} }, own)),
    ]);
    for (const error of errors) {
      expect(error).toMatchObject({ attempts: 1, ...others });
      expect([error.status, 'status' in error]).toEqual([status, status !== undefined]);
      expect(error.outcome).toMatch(/^(?:refused|applied|unknown)$/);
    }
    for (const client of clients) expect(textsOf(client)).not.toContain(secret);
    await Promise.all(clients.map((client) => client.close()));
    expect(errors.map(({ operation }) => operation)).toEqual([
      'bills.create',
      'extractRuns.create',
    ]);
    // Neither sent again nor sent elsewhere.
    const urls = server.requests.map(({ url }) => url).sort();
    expect(urls).toEqual(['/Bill/single/e', '/extract_runs']);
  });

  // fetch sends at once where it has a connection.
  it.runIf(name === 'node')('a call aborted before it was sent is never sent', async () => {
    const control = new AbortController();
    const call = failureOf(bills().get(1, { signal: control.signal }));
    control.abort();
    expect((await call).code).toBe('api/aborted');
    await sleep(30);
    expect(server.requests).toEqual([]);
  });

  it.runIf(name === 'node')('without a secure connection, nothing was sent', async () => {
    const options = { auth: { apiKey: secret }, retry: { baseMs: 1, maxAttempts: 2 } };
    const plain = createBillsClient({ ...options, baseUrl: server.url.replace('http', 'https') });
    for (const call of [plain.create('e', {}), plain.get(1), plain.setApproved(1, true)]) {
      const facts = { code: 'api/unreachable', outcome: 'not-sent', attempts: 1, retryable: false };
      const error = await discreet(call);
      expect(error).toMatchObject({
        ...facts,
        reason: expect.stringMatching(/^(?:EPROTO|ERR_SSL)/),
      });
    }
    expect(server.requests).toEqual([]);
    // Whoever hangs up may have a reason that passes.
    const rude = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(rude, 'listening');
    const { port } = rude.address() as AddressInfo;
    const hasty = createBillsClient({ ...options, baseUrl: `https://127.0.0.1:${port}` });
    const facts = { code: 'api/unreachable', outcome: 'not-sent', attempts: 2, retryable: true };
    expect(await discreet(hasty.create('e', {}))).toMatchObject(facts);
    rude.close();
    await Promise.all([plain.close(), hasty.close()]);
  });

  it('a compressed answer is decompressed or refused', async () => {
    const packed = gzipSync('{"a":1}');
    const gzip = { 'content-encoding': 'gzip', 'content-length': packed.length };
    const codeOf = (error: ApiError) => error.code;
    server.behave = raw(packed, { ...json, ...gzip });
    const got = await bills().get(1).catch(codeOf);
    expect(got).toEqual(name === 'fetch' ? { a: 1 } : 'api/wrong-type');
    server.behave = raw(packed, { ...csv, ...gzip });
    const file = bills().export('e', { format: 'csv' });
    const text = await file.then(({ body }) => new Response(body).text(), codeOf);
    expect(text).toBe(name === 'fetch' ? '{"a":1}' : 'api/wrong-type');
  });

  const piece = Buffer.alloc(65_536, 'x');
  /** Pieces that were taken, and whether the connection of the last answer ended. */
  let [taken, closed] = [0, false];
  /** As fast as it is taken, without an end or, of CSV, with what `then` does after a little. */
  const file =
    (status = 200, headers: object = csv, then?: (response: ServerResponse) => void): Behave =>
    (_, response) => {
      [taken, closed] = [0, false];
      response.socket?.once('close', () => {
        closed = true;
      });
      response.writeHead(status, { ...headers });
      const more = () => {
        if (response.destroyed) return;
        taken += 1;
        if (response.write(piece)) setImmediate(more);
        else response.once('drain', more);
      };
      if (then === undefined) return void more();
      response.write('a,b');
      then(response);
      return undefined;
    };
  const download = async (own?: CallOptions) =>
    (await bills().getAttachment(1, 'a', undefined, own)).body;

  it.each<[string, Behave, CallOptions, string]>([
    ['breaks off', file(200, csv, soon), {}, 'truncated'],
    ['is shorter than it says', file(200, { ...csv, 'content-length': 9 }, soon), {}, 'truncated'],
    ['is too long', file(), { maxBytes: 200_000 }, 'too-large'],
    ['stops arriving', file(200, csv, () => {}), { attemptTimeoutMs: 150 }, 'timeout'],
  ])('a file that %s ends with an error', async (_, next, own, code) => {
    server.behave = next;
    const body = await download(own);
    // Nobody reads yet when it breaks off.
    await sleep(30);
    const error = await failureOf(new Response(body).arrayBuffer());
    expect(error).toMatchObject({ code: `api/${code}`, operation: 'bills.getAttachment' });
    await vi.waitFor(() => expect(closed).toBe(true));
  });

  it('an endless error in place of a file is not read to its end', async () => {
    server.behave = file(500, json);
    expect((await failureOf(download())).code).toBe('api/server-error');
    await vi.waitFor(() => expect(closed).toBe(true));
    // Far below what an answer may have, whatever was on its way.
    expect(taken * piece.length).toBeLessThan(2 ** 25);
  });

  it('a file can be read slowly, but not past a deadline that was given', async () => {
    server.behave = file();
    const reader = (await download({ attemptTimeoutMs: 1000 })).getReader();
    await sleep(1100);
    expect((await reader.read()).done).toBe(false);
    await reader.cancel();
    const whole = async () => {
      const other = (await download({ deadlineMs: 300 })).getReader();
      while (!(await other.read()).done) await sleep(20);
    };
    expect((await failureOf(whole())).code).toBe('api/timeout');
  });

  it('a file is read only on demand, and closed when the reader cancels', async () => {
    server.behave = file();
    const stream = await download();
    await sleep(60);
    const held = taken;
    await sleep(60);
    expect(taken).toBe(held);
    const reader = stream.getReader();
    // What is on its way already has to be read first.
    for (let count = 0; count < 1000 && taken === held; count += 1) await reader.read();
    expect(taken).toBeGreaterThan(held);
    await reader.cancel();
    await vi.waitFor(() => expect(closed).toBe(true));
  });

  it('a file ends with the signal, and closes the connection', async () => {
    server.behave = file(200, csv, () => {});
    const control = new AbortController();
    const reader = (await download({ signal: control.signal })).getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('a,b');
    control.abort(new Error(secret));
    expect((await discreet(reader.read())).code).toBe('api/aborted');
    await vi.waitFor(() => expect(closed).toBe(true));
  });
});

describe('a fetch', () => {
  const clientOn = (...steps: Step[]) => {
    const { sent, fetch } = scripted(...steps);
    const options = { baseUrl: 'https://api.example.com', retry: { maxAttempts: 1 }, fetch };
    return { sent, bills: createBillsClient({ ...options, auth: { apiKey: 'k' } }) };
  };

  it('that returns less than it announced is an error', async () => {
    const length = { 'content-length': 9 };
    const { bills } = clientOn(
      answer(200, 'a,b', { ...csv, ...length }),
      answer(200, '[]', length),
    );
    const { body } = await bills.export('e', { format: 'csv' });
    expect((await failureOf(new Response(body).arrayBuffer())).code).toBe('api/truncated');
    expect((await failureOf(bills.get(1))).code).toBe('api/truncated');
  });

  it('does not follow redirects, and so keeps no copy of an upload', async () => {
    const { sent, fetch } = scripted(answer(200));
    const documents = createDocumentsClient({ baseUrl: 'https://a.example', fetch, apiKey: 'k' });
    await documents.files.get('a');
    await documents.files.upload(Buffer.from('x'));
    expect(sent).toMatchObject([{ redirect: 'manual' }, { redirect: 'error' }]);
  });

  it('can split an answer within a character', async () => {
    const pieces = [...new TextEncoder().encode('\ufeff["ü"]')].map((byte) => Uint8Array.of(byte));
    const type = { 'content-type': 'application/problem+json; charset=utf-8' };
    const body = ReadableStream.from(pieces) as ReadableStream;
    const { bills } = clientOn(async () => new Response(body, { status: 201, headers: type }));
    expect(await bills.get(1)).toEqual(['ü']);
  });

  it.each([
    ['attachment; filename="a b.pdf"', 'a b.pdf'],
    ['attachment; filename=a.csv', 'a.csv'],
    ['attachment; FileName="x.pdf"; filename*=UTF-8\'\'na%C3%AFve.pdf', 'x.pdf'],
    ['attachment; filename="C:\\\\temp\\\\x.pdf"', 'x.pdf'],
    ['attachment; filename="../../x"', 'x'],
    ['attachment; filename=".."', undefined],
    ['attachment; filename="/"', undefined],
  ])('returns files whose name is not a path: %j', async (disposition, filename) => {
    const headers = { ...csv, 'content-length': 2, 'content-disposition': disposition };
    const { bills, sent } = clientOn(answer(200, '{}', headers));
    const { body, ...rest } = await bills.getAttachment(1, 'a');
    expect(rest).toEqual({ contentType: 'text/csv', size: 2, ...(filename && { filename }) });
    expect(sent[0]?.headers['accept']).toBe('*/*');
    await body.cancel();
  });
});

/** Options and arguments of both clients: what is sent, and what is refused before. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type BillsClientOptions,
  type CallOptions,
  createBillsClient,
} from '../../../src/bills.js';
import { createDocumentsClient } from '../../../src/documents.js';
import { answer, type Behave, failureOf, scripted, useServer } from '../harness.js';

const server = useServer();
const auth = { apiKey: 'k' };
const clientWith = (options: Partial<BillsClientOptions> = {}) =>
  createBillsClient({ baseUrl: server.url, auth, ...options });

const badly: Behave = () => ({ status: 500, body: {} });
const silent: Behave = () => undefined;
const well: Behave = () => ({ body: { isSuccess: true } });

describe('an option of the client or of the call:', () => {
  type Case = [name: string, behave: Behave, options: CallOptions, expected: object];
  const { fetch } = scripted(answer(403));
  const once = { retry: { maxAttempts: 1 } };
  const cases: Case[] = [
    ['maxAttempts', badly, { retry: { baseMs: 1, maxAttempts: 2 } }, { attempts: 2 }],
    ['attemptTimeoutMs', silent, { attemptTimeoutMs: 80, ...once }, { code: 'api/timeout' }],
    ['deadlineMs', silent, { deadlineMs: 80 }, { code: 'api/deadline' }],
    ['maxBytes', well, { maxBytes: 5 }, { code: 'api/too-large' }],
    ['signal', well, { signal: AbortSignal.abort() }, { code: 'api/aborted', outcome: 'not-sent' }],
    ['fetch', well, { fetch }, { code: 'api/forbidden' }],
  ];
  it.each(cases)('%s, without changing the client', async (_, next, options, expected) => {
    server.behave = next;
    const bills = clientWith();
    expect(await failureOf(bills.get(1, options))).toMatchObject(expected);
    expect(await failureOf(clientWith(options).get(1))).toMatchObject(expected);
    server.behave = well;
    expect(await bills.get(1)).toEqual({ isSuccess: true });
  });

  it('one option does not reset the others, nor does an undefined one', async () => {
    server.behave = badly;
    const bills = clientWith({ retry: { maxAttempts: 3, baseMs: 1 }, deadlineMs: 9000 });
    const own = { retry: { capMs: 2 }, deadlineMs: undefined } as object;
    expect(await failureOf(bills.get(1, own))).toMatchObject({ attempts: 3 });
  });
});

it('the signal ends a wait at once', async () => {
  server.behave = badly;
  const control = new AbortController();
  const bills = clientWith({ retry: { baseMs: 60_000, capMs: 60_000 }, deadlineMs: 900_000 });
  const call = failureOf(bills.get(1, { signal: control.signal }));
  await vi.waitFor(() => expect(server.requests).toHaveLength(1));
  await sleep(30);
  control.abort(new Error('a reason of the caller'));
  expect(await call).toMatchObject({ code: 'api/aborted', outcome: 'unknown', retryable: false });
  expect(server.requests).toHaveLength(1);
});

describe('close', () => {
  const own = useServer((_, response) => {
    setTimeout(() => response.writeHead(200, { 'content-type': 'text/json' }).end('[]'), 50);
    return undefined;
  });
  it('waits for running calls, closes connections, and allows later calls', async () => {
    const bills = clientWith({ baseUrl: own.url });
    const call = bills.get(1);
    await vi.waitFor(() => expect(own.requests).toHaveLength(1));
    await bills.close();
    expect(await call).toEqual([]);
    await vi.waitFor(async () => expect(await own.connections()).toBe(0));
    expect(await bills.get(1)).toEqual([]);
    await bills.close();
    await clientWith().close();
  });
});

describe('an address of a service', () => {
  const refused = [
    ...['http://api.example.com', 'http://localhost.example.com', 'http://127.0.0.1.example.com'],
    ...['http://localhost@example.com', 'http://169.254.169.254', 'http://10.0.0.1'],
    ...['http://0.0.0.0', 'http://[::2]', 'ws://localhost', 'file:///etc/passwd', 'S3CRET'],
    ...['https://user:S3CRET@example.com', 'https://example.com/?S3CRET', 'https://x/#S3CRET'],
  ];
  it.each(refused)('cannot be %s', (text) => {
    const makers = [
      () => createBillsClient({ baseUrl: text, auth }),
      () => createDocumentsClient({ baseUrl: text, apiKey: 'k' }),
      () => createDocumentsClient({ region: 'us2', baseUrls: { us2: text }, apiKey: 'k' }),
    ];
    for (const make of makers) {
      expect(make).toThrow(/api\/invalid-option/);
      expect(make).not.toThrow(/S3CRET/);
    }
  });

  it.each(['https://x.example.com', 'http://localhost:1', 'http://127.1', 'http://[::1]:9/a'])(
    'can be %s',
    (baseUrl) => {
      expect(() => createBillsClient({ baseUrl, auth })).not.toThrow();
    },
  );
});

describe('over a fetch,', () => {
  let bills: ReturnType<typeof createBillsClient>;
  let documents: ReturnType<typeof createDocumentsClient>;
  let sent: ReturnType<typeof scripted>['sent'];
  beforeEach(() => {
    const script = scripted(answer(200));
    sent = script.sent;
    const options = { baseUrl: 'https://api.example.com/v1', fetch: script.fetch };
    bills = createBillsClient({ ...options, auth });
    documents = createDocumentsClient({ ...options, apiKey: 'k' });
  });
  const refused = { code: 'api/invalid-argument', outcome: 'not-sent' };

  it.each(['', '.', '..', 'a\0', 'a\nb', 'a\u007f', '\ud800', 7, null, undefined, {}, ['a']])(
    'an id cannot be %j',
    async (id) => {
      const { get } = documents.extractors.versions;
      expect(await failureOf(get('a', id as string))).toMatchObject(refused);
      expect(sent).toEqual([]);
    },
  );

  it.each(['a/b', '../x', '%2e%2e', 'a?b#c', '...', ' ', '\u{1f600}', 'ü'])(
    'an id is one segment of the path, whatever it contains: %j',
    async (id) => {
      await documents.extractors.versions.get('a b', id);
      const { pathname, search, hash } = new URL(sent[0]?.url ?? '');
      expect([search, hash]).toEqual(['', '']);
      const segments = pathname.split('/').map(decodeURIComponent);
      expect(segments).toEqual(['', 'v1', 'extractors', 'a b', 'versions', id]);
    },
  );

  it('a body is needed, and has only what JSON can hold', async () => {
    const items = (itemCost: unknown) => ({ billItems: [{}, { itemCost }] });
    const circular: { billItems?: unknown } = {};
    circular.billItems = [circular];
    const wrong: [reason: string, call: (...given: never[]) => Promise<unknown>, ...unknown[]][] = [
      ...[undefined, null, 'x', []].map((body) => ['body', bills.create, 'e', body] as never),
      ...[undefined, {}, 'ann', [''], [7], [undefined]].flatMap((users) => [
        ['body', bills.setApprovers, 1, users] as never,
        ['body', bills.sendToApproval, 1, users] as never,
      ]),
      ['body', bills.update, 1],
      ['body', documents.extractRuns.create],
      ['body', documents.extract, []],
      ['body', documents.evaluationSets.items.update, 'a', 'b', null],
      ...[Number.NaN, Infinity, -Infinity, null, '12', 1n].flatMap((amount) => [
        ['netAmount', bills.create, 'e', { netAmount: amount }] as never,
        ['itemCost', bills.update, 1, items(amount)] as never,
      ]),
      ['mode', bills.update, 1, { mode: 1.5 }],
      ['more', bills.update, 1, { vendor: { more: Number.NaN } }],
      ['more', bills.create, 'e', { more: () => 1 }],
      ['1', documents.extract, { metadata: { list: [1, Number.NaN] } }],
      ['0', documents.extract, { list: [undefined] }],
      ['score', documents.workflowRuns.update, 'a', { metadata: { score: Infinity } }],
      ['n', documents.extract, { n: 1n }],
    ];
    for (const [reason, call, ...given] of wrong) {
      expect(await failureOf(call(...(given as never[])))).toMatchObject({ ...refused, reason });
    }
    await expect(bills.create('e', circular as never)).rejects.toThrow();
    expect(sent).toEqual([]);
    await bills.create('e', { more: undefined, endDate: null } as never);
    await documents.workflowRuns.cancel('a');
    await documents.files.get('a');
    expect(sent.map(({ body }) => body)).toEqual(['{"endDate":null}', '{}', undefined]);
  });

  it('parameters have to be of their kind', async () => {
    for (const [reason, call] of [
      ['limitRecord', () => bills.list('e', { limitRecord: 'many' as never })],
      ['fromRecord', () => bills.listByOrg(1, { fromRecord: Infinity })],
      ['limitRecord', () => bills.export('e', { format: 'csv', limitRecord: '20' as never })],
      ['approved', () => bills.setApproved(1, 'yes' as never)],
      ['approved', () => bills.setApproved(1, 'true' as never)],
      ['approved', () => bills.setApproved(1, 1 as never)],
      ['autocreateUser', () => bills.sendToApproval(1, ['a'], { autocreateUser: 'no' as never })],
      ['returnObject', () => bills.deleteAttachment(1, 'a', { returnObject: 0 as never })],
      ['maxPageSize', () => documents.files.list({ maxPageSize: Number.NaN })],
      ['maxPageSize', () => documents.extractRuns.list({ maxPageSize: 'all' as never })],
      ['html', () => documents.files.get('a', { html: 'yes' as never })],
      ['convertToPdf', () => documents.files.upload(Buffer.of(1), { convertToPdf: 1 as never })],
      ['nameContains', () => documents.files.list({ nameContains: '\ud800' })],
    ] as const) {
      expect(await failureOf(call())).toMatchObject({ ...refused, reason });
    }
    expect(sent).toEqual([]);
  });
});

const documentsOver = (fetch: typeof globalThis.fetch) =>
  createDocumentsClient({ baseUrl: server.url, apiKey: 'k', fetch });

it('an answer without a body is undefined if the operation allows that, otherwise an error', async () => {
  const { fetch } = scripted(answer(204, '', { 'content-type': '' }));
  const { files, workflowRuns } = documentsOver(fetch);
  const bills = clientWith({ fetch });
  expect(await files.delete('a')).toBeUndefined();
  expect(await workflowRuns.cancel('a')).toBeUndefined();
  for (const call of [files.get('a'), bills.get(1), bills.delete(1)]) {
    expect(await failureOf(call)).toMatchObject({ code: 'api/wrong-type', status: 204 });
  }
  const own = scripted(answer(200, { a: 1 }), answer(200, 'x'));
  expect(await files.delete('a', own)).toEqual({ a: 1 });
  expect((await failureOf(files.delete('a', own))).code).toBe('api/malformed');
});

it('an error as JSON contains its facts, with texts shortened to one line', async () => {
  const said = { message: `a\r\n\u001b[31m\u2028${'x'.repeat(5000)}`, code: { toString: 1 } };
  const { fetch } = scripted(answer(400, said, { 'x-request-id': 'r-1' }));
  const error = await failureOf(documentsOver(fetch).files.get('a'));
  expect(error.serviceMessage).toMatch(/^a \[31m x{900,1000}$/);
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'ApiError',
    message: `files.get: api/bad-request (400): ${error.serviceMessage}`,
    code: 'api/bad-request',
    operation: 'files.get',
    outcome: 'refused',
    retryable: false,
    status: 400,
    requestId: 'r-1',
    attempts: 1,
    serviceMessage: error.serviceMessage,
  });
});

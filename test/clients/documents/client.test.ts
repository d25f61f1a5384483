/**
 * The documents client: methods, pages, wire, versions, errors of the service, confidence. That each
 * method sends what the service takes is tried beside its official SDK.
 */
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  createDocumentsClient,
  type DocumentsClientOptions,
  documentOperations,
  isRetryable,
} from '../../../src/documents.js';
import { answer, failureOf, type Step, scripted } from '../harness.js';

type Changes = Partial<Record<keyof DocumentsClientOptions, unknown>>;
const file = { id: 'f' };
const usual = { baseUrl: 'https://x.example', apiKey: 'sk_secret' };

function start(steps: readonly Step[] = [answer(200)], changes: Changes = {}) {
  const { sent, fetch } = scripted(...steps);
  const retry = { maxAttempts: 2, baseMs: 1, capMs: 1 };
  const options = { ...usual, retry, fetch, ...changes } as DocumentsClientOptions;
  return { sent, client: createDocumentsClient(options) };
}

describe('methods', () => {
  it('are the 69 operations, iterate for every list, and poll for runs', () => {
    const found: string[] = [];
    const walk = (at: object, path: string): void => {
      for (const [name, value] of Object.entries(at)) {
        if (typeof value === 'function') found.push(path + name);
        else walk(value, `${path}${name}.`);
      }
    };
    walk(start().client, '');
    const ids = documentOperations.map(({ id }) => id);
    const lists = ids.filter((id) => id.endsWith('.list'));
    const verbs = ['extract', 'classify', 'split', 'parse', 'edit', 'workflow'];
    const polled = verbs.flatMap((verb) => [`${verb}Runs.poll`, `${verb}Runs.createAndPoll`]);
    const iterated = lists.map((id) => id.replace('list', 'iterate'));
    expect(found.sort()).toEqual([...ids, ...iterated, ...polled, 'close'].sort());
    expect([ids.length, lists.length]).toEqual([69, 13]);
  });

  it('are repeated only if they read or delete; some wait, and some answers may be empty', () => {
    for (const { id, method, repeat, answer = 'json', time, body } of documentOperations) {
      const isHarmless = method === 'GET' || method === 'DELETE';
      expect([id, repeat]).toEqual([id, isHarmless ? 'always' : 'never']);
      expect([id, answer === 'nothing']).toEqual([id, /\.(?:update|delete|cancel)$/.test(id)]);
      expect([id, time === 'processing']).toEqual([id, /^[a-z]+$/.test(id)]);
      const sent = id === 'files.upload' ? 'multipart' : id.endsWith('.cancel') ? 'empty' : 'json';
      expect([id, body]).toEqual([id, isHarmless ? undefined : sent]);
    }
  });

  it('take the options of the call as the last argument', async () => {
    const { sent, client } = start([answer(500)]);
    const once = { retry: { maxAttempts: 1 } };
    const calls = [
      client.files.list({}, once),
      client.files.get('a', {}, once),
      client.extractors.versions.get('a', 'b', once),
      client.extractors.versions.iterate('a', {}, once).next(),
      client.parse({ file: { text: 'x' } }, {}, once),
      client.evaluationSets.items.delete('a', 'b', once),
    ];
    for (const call of calls) await failureOf(call);
    expect(sent).toHaveLength(calls.length);
  });

  it('send key and version to the address, or to that of the region', async () => {
    const apiVersion = '2024-07-30';
    const { sent, client } = start([answer(200)], { vendorPrefix: 'Acme', apiVersion });
    await client.workflowRuns.create({ workflowId: 'w', files: [] });
    expect(sent[0]?.headers).toEqual({
      accept: 'application/json',
      'accept-encoding': 'identity',
      authorization: 'Bearer sk_secret',
      'x-acme-api-version': '2024-07-30',
      'content-type': 'application/json',
    });
    const baseUrls = { us1: 'https://one.example/v1/', us2: 'https://two.example' };
    for (const [region, url] of [
      [undefined, 'https://one.example/v1/files/f'],
      ['us2', 'https://two.example/files/f'],
    ]) {
      const other = start([answer(200)], { baseUrl: undefined, baseUrls, region });
      await other.client.files.get('f');
      expect(other.sent[0]?.url).toBe(url);
      expect(other.sent[0]?.headers).toHaveProperty('x-service-api-version', '2026-02-09');
    }
  });

  it('are refused with the current wire if the service no longer has them', async () => {
    const { evaluationSets } = start([], { wire: 'current' }).client;
    const told = { code: 'api/not-in-wire', outcome: 'not-sent' };
    expect(await failureOf(evaluationSets.items.createBulk('set', {}))).toMatchObject(told);
  });

  it('are refused with an older version that does not have them', async () => {
    const { client, sent } = start([answer(200, { id: 'r' })], { apiVersion: '2025-04-21' });
    const named = client as unknown as Record<string, Record<string, (id: string) => unknown>>;
    const missing = [
      ...['extract', 'extractRuns', 'extractors', 'classify', 'classifyRuns', 'classifiers'],
      ...['split', 'splitRuns', 'splitters', 'parse', 'edit'],
    ];
    for (const group of missing) {
      const call = named[group]?.['get'] ?? named[group];
      const error = await failureOf((call as (id: unknown) => Promise<unknown>)({}));
      expect(error).toMatchObject({ code: 'api/not-in-wire', reason: 'apiVersion' });
    }
    expect(sent).toEqual([]);
    for (const group of ['files', 'parseRuns', 'editRuns', 'workflowRuns', 'evaluationSets']) {
      await named[group]?.['get']?.('r');
    }
    expect(sent).toHaveLength(5);
  });
});

it.each([[{}], [() => 1], [Number.NaN], [['a', {}]], ['\ud800']])(
  'a filter that cannot be in a query is refused by name: %o',
  async (status) => {
    const { client, sent } = start([]);
    const error = await failureOf(client.extractRuns.list({ status } as never));
    expect(error).toMatchObject({ code: 'api/invalid-argument', reason: 'status' });
    expect(sent).toEqual([]);
  },
);

it.each<[string, ...Changes[]]>([
  ['apiKey', { apiKey: '' }, { apiKey: undefined }, { apiKey: 'a\r\nb' }],
  ['apiVersion', { apiVersion: '2026-02-10' }],
  ['vendorPrefix', { vendorPrefix: 'a b' }, { vendorPrefix: 'a\r\nx' }, { vendorPrefix: '' }],
  ['wire', { wire: 'other' }],
  ['baseUrl', { baseUrl: undefined }],
  [
    'region',
    ...[undefined, 'us2', 'constructor'].map((region) => {
      return { baseUrl: undefined, baseUrls: { us3: 'https://a.example' }, region };
    }),
  ],
])('invalid options are refused: %s', (reason, ...all) => {
  const expected = expect.objectContaining({ code: 'api/invalid-option', reason });
  for (const changes of all) expect(() => start([], changes)).toThrow(expected);
});

describe('iterate', () => {
  const page = (data: unknown, nextPageToken?: unknown) => answer(200, { data, nextPageToken });

  async function all(entries: AsyncIterable<unknown>, found: unknown[] = []): Promise<unknown[]> {
    for await (const entry of entries) found.push(entry);
    return found;
  }

  it('fetches all pages with the query, each only when it is needed', async () => {
    const { sent, client } = start([page([1, 2], 'b'), page([], 'c'), page([3], null)]);
    const entries = client.extractors.versions.iterate('ex', { maxPageSize: 2 });
    expect(sent).toHaveLength(0);
    expect((await entries.next()).value).toBe(1);
    expect(sent).toHaveLength(1);
    expect(await all(entries)).toEqual([2, 3]);
    expect(sent.map(({ url }) => url.replace(usual.baseUrl, ''))).toEqual(
      ['', '&nextPageToken=b', '&nextPageToken=c'].map(
        (token) => `/extractors/ex/versions?maxPageSize=2${token}`,
      ),
    );
  });

  it.each([
    ['at once', ['a', 'a'], undefined],
    ['later', ['a', 'b', 'c', 'a'], undefined],
    ['from the query', ['a'], 'a'],
  ])('ends with an error when a page token repeats %s', async (_, tokens, nextPageToken) => {
    const { client } = start(tokens.map((token, index) => page([index], token)));
    const found: unknown[] = [];
    const reading = failureOf(all(client.files.iterate({ nextPageToken }), found));
    const told = { code: 'api/repeated-page', operation: 'files.list' };
    expect(await reading).toMatchObject(told);
    expect(found).toHaveLength(tokens.length);
  });

  it.each(['null', [], { data: 'x' }])('refuses %j as a page', async (body) => {
    const { client } = start([answer(200, body)]);
    const told = { code: 'api/malformed', reason: 'data' };
    expect(await failureOf(all(client.files.iterate()))).toMatchObject(told);
  });
});

describe('an error of the service', () => {
  it.each([
    [400, 'INVALID_REQUEST', undefined, 1, 'api/bad-request'],
    [500, 'INTERNAL_ERROR', undefined, 2, 'api/server-error'],
    [500, 'INTERNAL_ERROR', false, 1, 'api/server-error'],
    [402, 'USAGE_BLOCKED', undefined, 1, 'api/usage-blocked'],
    [429, 'USAGE_BLOCKED', undefined, 1, 'api/usage-blocked'],
    [410, 'ENDPOINT_REMOVED', undefined, 1, 'api/endpoint-removed'],
    [503, 'ENDPOINT_REMOVED', undefined, 1, 'api/endpoint-removed'],
  ])('%i %s (retryable: %j) ends after %i attempts as %s', async (...row) => {
    const [status, serviceCode, retryable, attempts, code] = row;
    const [serviceMessage, requestId] = ['The id is not right.', 'req_1'];
    const said = { code: serviceCode, message: serviceMessage, requestId, retryable };
    const { sent, client } = start([answer(status, said)]);
    const error = await failureOf(client.files.get('f'));
    expect(sent).toHaveLength(attempts);
    const told = { code, status, serviceCode, serviceMessage, requestId };
    expect(error).toMatchObject({ ...told, operation: 'files.get', retryable: attempts === 2 });
  });

  it('that a repeated deletion is not found means that the first one succeeded', async () => {
    const gone = answer(400, { code: 'NOT_FOUND', message: 'gone' });
    const error = await failureOf(start([answer(500), gone]).client.files.delete('f'));
    expect(error.outcome).toBe('applied');
  });
});

it('no error contains a secret, even if the service repeats it', async () => {
  const message = 'bad geheim-1, tok-2, sk_secret';
  const { client } = start([answer(401, { code: 'UNAUTHORIZED', message })], { wire: 'current' });
  const run = { workflow: { id: 'w' }, file, secrets: { a: 'geheim-1', b: 'tok-2' } } as never;
  const inputs = [{ file, secrets: { a: 'geheim-1' } }, { secrets: { a: 'tok-2' } }];
  const calls: [RegExp, Promise<unknown>][] = [
    [/sk_secret/, client.files.get('f')],
    [/sk_secret|geheim/, client.files.upload(Buffer.from('x'), { password: 'geheim-1' })],
    [/sk_secret|geheim|tok-2/, client.workflowRuns.create(run)],
    [/sk_secret|geheim|tok-2/, client.workflowRuns.createAndPoll(run)],
    [/sk_secret|geheim|tok-2/, client.workflowRuns.createBatch({ workflow: { id: 'w' }, inputs })],
  ];
  for (const [confidential, call] of calls) {
    const error = await failureOf(call);
    const shown = inspect([error, client], { depth: 9, showHidden: true });
    expect(`${error}${shown}${JSON.stringify(error)}${error.stack}`).not.toMatch(confidential);
    expect(error.serviceMessage).toMatch(/^bad .*\[credential\]$/);
  }
});

it.each(['sec ret/+key?', '~~~???>>>', 'a%2fb c'])(
  'nor is there one in another form: %s',
  async (apiKey) => {
    const base64 = Buffer.from(apiKey).toString('base64');
    const encoded = [apiKey, base64].map(encodeURIComponent);
    const forms = [apiKey, base64, Buffer.from(apiKey).toString('base64url'), ...encoded];
    const all = [...forms, ...encoded.map((form) => form.toLowerCase()), escape(apiKey)];
    const spaced = all.map((form) => form.replaceAll('%20', '+'));
    const { client } = start([answer(400, { message: [...all, ...spaced].join(' ') })], { apiKey });
    const { serviceMessage = '' } = await failureOf(client.files.get('f'));
    expect(serviceMessage.replace(/=|%3d/gi, '')).toMatch(/^(?:\[credential\] ?)+$/);
  },
);

it.each([
  ['FAILED', 'INTERNAL_ERROR', true],
  ['FAILED', 'DOCUMENT_PROCESSOR_ERROR', true],
  ['FAILED', 'INVALID_WORKFLOW', false],
  ['FAILED', 'SOMETHING_NEW', false],
  ['FAILED', null, false],
  ['PROCESSED', 'INTERNAL_ERROR', false],
])('whether a run that is %s because of %s is retryable: %s', (status, failureReason, expected) => {
  expect(isRetryable({ status, failureReason })).toBe(expected);
});

/** The client on a server of this machine: addresses, headers, versions, errors of the service. */
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ApiError,
  createDocumentsClient,
  type DocumentsClientOptions,
  isRetryable,
} from '../../../src/documents.js';
import { type RecordingServer, startRecordingServer } from './recording-server.js';

let server: RecordingServer;
beforeAll(async () => {
  server = await startRecordingServer();
});
beforeEach(() => {
  server.requests.length = 0;
  server.answer = () => ({ body: { id: 'x' } });
});
afterAll(() => server.close());

type Changes = Partial<Record<keyof DocumentsClientOptions, unknown>>;
const client = (changes: Changes = {}) =>
  createDocumentsClient({
    baseUrl: server.url,
    apiKey: 'sk_secret',
    retry: { maxAttempts: 2, baseMs: 1, capMs: 1 },
    ...changes,
  } as DocumentsClientOptions);

describe('a request', () => {
  it('carries key, version and type of body', async () => {
    const body = { file: { url: 'https://example.com/a.pdf' }, extractor: { id: 'ex_1' } };
    expect(await client().extract(body)).toEqual({ id: 'x' });
    await client().workflowRuns.cancel('run');
    const [extract, cancel] = server.requests;
    expect(extract).toMatchObject({
      method: 'POST',
      path: '/extract',
      query: [],
      headers: {
        authorization: 'Bearer sk_secret',
        'x-service-api-version': '2026-02-09',
        'content-type': 'application/json',
      },
    });
    expect(JSON.parse(String(extract?.body))).toEqual(body);
    expect([cancel?.path, String(cancel?.body)]).toEqual(['/workflow_runs/run/cancel', '{}']);
  });

  it.each(['2026-02-09', '2025-04-21', '2024-12-23', '2024-07-30'])(
    'names the version %s under the prefix of the vendor',
    async (apiVersion) => {
      await client({ vendorPrefix: 'acme', apiVersion }).files.list();
      expect(server.requests[0]?.headers).toMatchObject({ 'x-acme-api-version': apiVersion });
      expect(server.requests[0]?.headers).not.toHaveProperty('x-service-api-version');
    },
  );

  it('goes below the address, or to that of the region, an id as one segment', async () => {
    await client({ baseUrl: `${server.url}/v1` }).extractors.versions.get('a/b', 'draft?');
    const baseUrls = { us1: `${server.url}/one`, us2: `${server.url}/two` };
    await client({ baseUrl: undefined, baseUrls }).files.get('f');
    await client({ baseUrl: undefined, baseUrls, region: 'us2' }).files.get('f');
    const paths = ['/v1/extractors/a%2Fb/versions/draft%3F', '/one/files/f', '/two/files/f'];
    expect(server.requests.map(({ path }) => path)).toEqual(paths);
  });

  it('has no answer where none is told, and must have one elsewhere', async () => {
    const fetch = async () => new Response(null, { status: 204 });
    const { files, extractors } = client({ fetch });
    expect(await files.delete('f')).toBeUndefined();
    expect(await extractors.update('e', { name: 'n' })).toBeUndefined();
    await expect(files.get('f')).rejects.toMatchObject({ name: 'ApiError' });
  });
});

it.each<[string, Changes]>([
  ['apiKey', { apiKey: '' }],
  ['apiKey', { apiKey: undefined }],
  ['apiKey', { apiKey: 'a\r\nb' }],
  ['apiVersion', { apiVersion: '2026-02-10' }],
  ['vendorPrefix', { vendorPrefix: 'a b' }],
  ['vendorPrefix', { vendorPrefix: 'a\r\nx' }],
  ['vendorPrefix', { vendorPrefix: '' }],
  ['wire', { wire: 'other' }],
  ['baseUrl', { baseUrl: undefined }],
  ['baseUrl', { baseUrl: 'http://example.com' }],
  ['region', { baseUrl: undefined, baseUrls: {} }],
  ['region', { baseUrl: undefined, baseUrls: { us1: 'https://a.example' }, region: 'us2' }],
  ['region', { baseUrl: undefined, baseUrls: {}, region: 'constructor' }],
  ['region', { baseUrl: undefined, baseUrls: { us3: 'https://a.example' }, region: 'us3' }],
])('options that cannot be are refused: %s in %j', (reason, changes) => {
  const expected = expect.objectContaining({ code: 'api/invalid-option', reason });
  expect(() => client(changes)).toThrow(expected);
});

describe('an error of the service', () => {
  const failing = async (status: number, body: unknown) => {
    server.answer = () => ({ status, body });
    const error = await client()
      .files.get('f')
      .catch((reason: ApiError) => reason);
    return error as ApiError;
  };

  it.each([
    [400, 'INVALID_REQUEST', undefined, 1, 'api/bad-request'],
    [500, 'INVALID_REQUEST', undefined, 1, 'api/server-error'],
    [503, 'INVALID_REQUEST', true, 2, 'api/server-error'],
    [500, 'INTERNAL_ERROR', undefined, 2, 'api/server-error'],
    [500, 'INTERNAL_ERROR', false, 1, 'api/server-error'],
    [402, 'USAGE_BLOCKED', undefined, 1, 'api/usage-blocked'],
    [429, 'USAGE_BLOCKED', undefined, 1, 'api/usage-blocked'],
    [410, 'ENDPOINT_REMOVED', undefined, 1, 'api/endpoint-removed'],
    [503, 'ENDPOINT_REMOVED', undefined, 1, 'api/endpoint-removed'],
  ])('%i %s (retryable: %j) ends after %i attempts as %s', async (...row) => {
    const [status, serviceCode, retryable, attempts, code] = row;
    const said = { code: serviceCode, message: 'The id is not right.', requestId: 'req_1' };
    const error = await failing(status, { ...said, retryable });
    expect(server.requests).toHaveLength(attempts);
    const told = { code, status, serviceCode, requestId: 'req_1', operation: 'files.get' };
    expect(error).toMatchObject({ ...told, serviceMessage: 'The id is not right.' });
    expect(error.retryable).toBe(attempts === 2);
    expect(error.message).toContain('The id is not right.');
  });

  it.each([[null], [[]], ['text'], [7], [{ code: 7, message: {} }], [{ code: '__proto__' }]])(
    'is one whatever the answer looks like: %j',
    async (body) => {
      const error = await failing(400, body);
      expect(error).toMatchObject({ code: 'api/bad-request', status: 400, outcome: 'refused' });
      expect(typeof error.message).toBe('string');
    },
  );

  it('takes a deletion that is not found at its repetition for applied', async () => {
    server.answer = (_, count) =>
      count === 1
        ? { status: 500, body: { code: 'INTERNAL_ERROR' } }
        : { status: 400, body: { code: 'NOT_FOUND', message: 'gone' } };
    await expect(client().files.delete('f')).rejects.toMatchObject({ outcome: 'applied' });
  });
});

describe('what is confidential stands in no error, even if the service repeats it', () => {
  const run = { workflow: { id: 'w' }, file: { id: 'f' } };
  const secrets = { a: 'geheim-1', b: 'tok-2' };
  const inputs = [{ file: { id: 'f' }, secrets: { a: 'geheim-1' } }, { secrets: { a: 'tok-2' } }];

  it.each<[string, (using: ReturnType<typeof client>) => Promise<unknown>]>([
    ['the key', ({ files }) => files.get('f')],
    ['a password', ({ files }) => files.upload(Buffer.from('x'), { password: 'geheim-1' })],
    ['secrets', ({ workflowRuns }) => workflowRuns.create({ ...run, secrets } as never)],
    [
      'those of a poll',
      ({ workflowRuns: { createAndPoll } }) => createAndPoll({ ...run, secrets } as never),
    ],
    [
      'those of a batch',
      ({ workflowRuns }) => workflowRuns.createBatch({ workflow: { id: 'w' }, inputs }),
    ],
  ])('%s', async (_, call) => {
    server.answer = ({ body, headers }) => {
      const found = `${body}${headers.authorization}`.match(/geheim-\d|tok-\d|sk_secret/g);
      return { status: 401, body: { code: 'UNAUTHORIZED', message: `bad ${found?.join()}` } };
    };
    const using = client({ wire: 'current' });
    const error = await call(using).catch((reason: ApiError) => reason);
    const shown = inspect([error, using], { depth: 9, showHidden: true });
    const text = `${error}${shown}${JSON.stringify(error)}${(error as ApiError).stack}`;
    expect(text).not.toMatch(/geheim-\d|tok-\d|sk_secret/);
    expect((error as ApiError).serviceMessage).toMatch(/^bad (?:\[\w+\],?)+$/);
  });
});

it.each([
  ['FAILED', 'INTERNAL_ERROR', true],
  ['FAILED', 'DOCUMENT_PROCESSOR_ERROR', true],
  ['FAILED', 'INVALID_WORKFLOW', false],
  ['FAILED', 'FAILED_TO_PROCESS_FILE', false],
  ['FAILED', 'SOMETHING_NEW', false],
  ['FAILED', null, false],
  ['PROCESSED', 'INTERNAL_ERROR', false],
])('a run that is %s because of %s may succeed later: %s', (status, failureReason, expected) => {
  expect(isRetryable({ status, failureReason })).toBe(expected);
});

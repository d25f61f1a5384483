/** The client on a server of this machine: addresses, headers, versions, errors of the service. */
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
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
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      path: '/extract',
      query: [],
      headers: {
        authorization: 'Bearer sk_secret',
        'x-service-api-version': '2026-02-09',
        'content-type': 'application/json',
      },
    });
    expect(JSON.parse(String(server.requests[0]?.body))).toEqual(body);
  });

  it('names the version under the prefix of the vendor', async () => {
    await client({ vendorPrefix: 'acme', apiVersion: '2025-04-21' }).files.list();
    expect(server.requests[0]?.headers).toMatchObject({ 'x-acme-api-version': '2025-04-21' });
    expect(server.requests[0]?.headers).not.toHaveProperty('x-service-api-version');
  });

  it('cancels with an empty object', async () => {
    await client().workflowRuns.cancel('run');
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/workflow_runs/run/cancel' });
    expect(String(server.requests[0]?.body)).toBe('{}');
  });

  it('encodes an id as one segment of the path, and goes below that of the address', async () => {
    await client({ baseUrl: `${server.url}/v1` }).extractors.versions.get('a/b', 'draft?');
    expect(server.requests[0]?.path).toBe('/v1/extractors/a%2Fb/versions/draft%3F');
  });

  it('goes to the region', async () => {
    const baseUrls = { us1: `${server.url}/one`, us2: `${server.url}/two` };
    await client({ baseUrl: undefined, baseUrls }).files.get('f');
    await client({ baseUrl: undefined, baseUrls, region: 'us2' }).files.get('f');
    expect(server.requests.map(({ path }) => path)).toEqual(['/one/files/f', '/two/files/f']);
  });

  it('has no answer where none is told, and must have one elsewhere', async () => {
    const fetch = async () => new Response(null, { status: 204 });
    const { files, extractRuns, extractors } = client({ fetch });
    expect(await files.delete('f')).toBeUndefined();
    expect(await extractRuns.cancel('r')).toBeUndefined();
    expect(await extractors.update('e', { name: 'n' })).toBeUndefined();
    await expect(files.get('f')).rejects.toMatchObject({ name: 'ApiError' });
  });
});

describe('options that cannot be', () => {
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
  ])('are refused: %s in %j', (reason, changes) => {
    expect(() => client(changes)).toThrow(
      expect.objectContaining({ code: 'api/invalid-option', reason }),
    );
  });
});

describe('a version of the API', () => {
  it.each(['2026-02-09', '2025-04-21', '2024-12-23', '2024-07-30'])('may be %s', async (date) => {
    await client({ apiVersion: date, onWarning: () => {} }).files.list();
    expect(server.requests[0]?.headers['x-service-api-version']).toBe(date);
  });

  it('is warned of once for each endpoint that came later', async () => {
    const warnings: string[] = [];
    const onWarning = (text: string) => warnings.push(text);
    const { extract, files, parseRuns } = client({ apiVersion: '2025-04-21', onWarning });
    const body = { file: { id: 'f' }, config: {} };
    await extract(body);
    await extract(body);
    await files.list();
    await parseRuns.get('run');
    expect(warnings).toEqual([
      'extract came with version 2026-02-09 of the API, later than 2025-04-21',
    ]);
  });

  it('is not warned of when it is the latest', async () => {
    const onWarning = vi.fn();
    await client({ onWarning }).extract({ file: { id: 'f' }, config: {} });
    expect(onWarning).not.toHaveBeenCalled();
  });

  it('is warned of on the console when nobody listens', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    await client({ apiVersion: '2024-07-30' }).splitters.get('sp');
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
  });
});

describe('an error of the service', () => {
  const failing = async (status: number, body: unknown, method: 'get' | 'delete' = 'get') => {
    server.answer = () => ({ status, body });
    const error = await client()
      .files[method]('f')
      .catch((reason: ApiError) => reason);
    return error as ApiError;
  };

  it('keeps its code, message and request id', async () => {
    const error = await failing(400, {
      code: 'INVALID_REQUEST',
      message: 'The id is not right.',
      retryable: false,
      requestId: 'req_1',
    });
    expect(error).toMatchObject({
      code: 'api/bad-request',
      status: 400,
      serviceCode: 'INVALID_REQUEST',
      requestId: 'req_1',
      retryable: false,
      operation: 'files.get',
      outcome: 'refused',
    });
    expect(error.message).toContain('The id is not right.');
  });

  it.each([
    ['USAGE_BLOCKED', 'api/usage-blocked', 'No credits are left.'],
    ['ENDPOINT_REMOVED', 'api/endpoint-removed', 'Use POST /extract_runs.'],
  ])('has a code of its own for %s, with the message', async (code, ours, message) => {
    for (const status of [402, 410, 429, 503]) {
      server.requests.length = 0;
      expect(await failing(status, { code, message })).toMatchObject({
        code: ours,
        serviceCode: code,
        status,
        serviceMessage: message,
        retryable: false,
      });
      expect(server.requests).toHaveLength(1);
    }
  });

  it('ends the attempts when it lasts, whatever the status', async () => {
    await failing(500, { code: 'INVALID_REQUEST', message: 'no' });
    expect(server.requests).toHaveLength(1);
  });

  it('takes the word of the service before that', async () => {
    await failing(503, { code: 'INVALID_REQUEST', message: 'no', retryable: true });
    expect(server.requests).toHaveLength(2);
  });

  it('is tried again when it passes', async () => {
    await failing(500, { code: 'INTERNAL_ERROR', message: 'sorry' });
    expect(server.requests).toHaveLength(2);
    server.requests.length = 0;
    await failing(500, { code: 'INTERNAL_ERROR', message: 'sorry', retryable: false });
    expect(server.requests).toHaveLength(1);
  });

  it.each([[null], [[]], ['text'], [7], [{ code: 7, message: {} }], [{ code: '__proto__' }]])(
    'is one whatever the answer looks like: %j',
    async (body) => {
      const error = await failing(400, body);
      expect(error).toMatchObject({ code: 'api/bad-request', status: 400 });
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

  it('shows no key, even if the service repeats it', async () => {
    const error = await failing(401, { code: 'UNAUTHORIZED', message: 'bad key sk_secret' });
    expect(`${inspect(error)}${JSON.stringify(error)}${error.stack}`).not.toContain('sk_secret');
    expect(inspect(client(), { depth: 9, showHidden: true })).not.toContain('sk_secret');
  });
});

describe('a failed run', () => {
  it.each([
    ['FAILED', 'INTERNAL_ERROR', true],
    ['FAILED', 'DOCUMENT_PROCESSOR_ERROR', true],
    ['FAILED', 'INVALID_WORKFLOW', false],
    ['FAILED', 'FAILED_TO_PROCESS_FILE', false],
    ['FAILED', 'SOMETHING_NEW', false],
    ['FAILED', null, false],
    ['FAILED', undefined, false],
    ['PROCESSED', 'INTERNAL_ERROR', false],
  ])('%s because of %s may succeed later: %s', (status, failureReason, expected) => {
    const run = failureReason === undefined ? { status } : { status, failureReason };
    expect(isRetryable(run)).toBe(expected);
  });
});

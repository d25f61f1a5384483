/**
 * The documents of the sandbox, by plain requests: files, processors, runs, workflows, evaluation sets.
 * Lists, cancelling and deleting are held against a model beside the client.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { receive, type Send, serve } from './serve.js';

interface Listed {
  readonly id: string;
}

const file = { url: 'https://example.com/a/invoice.pdf' };

/** A request, its body, and the status or what the answer holds. */
type Line = readonly [request: string, json: unknown, expected: number | object];

async function play(documents: Send, lines: readonly Line[]): Promise<void> {
  for (const [request, json, expected] of lines) {
    const [method = '', path = ''] = request.split(' ');
    const answer = await documents(method, path, { json });
    if (typeof expected === 'number') expect([request, answer.status]).toEqual([request, expected]);
    else expect([request, answer.json]).toMatchObject([request, expected]);
  }
}

const created = async (documents: Send, path: string, json: object) =>
  (await documents('POST', path, { json })).json;

async function uploaded(documents: Send, content: string | Buffer, name: string, query = '') {
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(Buffer.from(content))], { type: 'text/plain' }), name);
  return (await documents('POST', `/files/upload${query}`, { body })).json;
}

describe('a file', () => {
  it('is downloaded byte by byte from a signed address, until it is deleted', async () => {
    const { documents } = await serve();
    const content = Buffer.from('\0\xff\r\n--b\r\n----\r\n\r\n--b--', 'latin1');
    const { presignedUrl, ...stored } = await uploaded(documents, content, 'ä".bin');
    const metadata = { sizeBytes: content.length };
    expect(stored).toMatchObject({ object: 'file', name: 'ä".bin', type: 'text/plain', metadata });
    expect((await receive(await fetch(presignedUrl))).bytes).toEqual(content);
    await play(documents, [
      [`DELETE /files/${stored.id}`, undefined, { id: stored.id }],
      [`GET /files/${stored.id}`, undefined, { code: 'NOT_FOUND', retryable: false }],
    ]);
    expect((await fetch(presignedUrl)).status).toBe(404);
    const pdf = await uploaded(documents, 'a < b', 'p', '?convertToPdf=true');
    expect(pdf.type).toBe('application/pdf');
    const contents = { rawText: 'a < b', html: 'a < b' };
    await play(documents, [
      [`GET /files/${pdf.id}?rawText=true&html=true`, undefined, { contents }],
    ]);
  });

  const field = 'Content-Disposition: form-data; name="file"';
  it.each([
    ['multipart/form-data; boundary=b', `--b\r\n${field}\r\n\r\nx\r\n--b--\r\n`],
    ['multipart/form-data', '--b--\r\n'],
    ['text/plain; boundary=b', `--b\r\n${field}; filename="a"\r\n\r\nx\r\n--b--\r\n`],
  ])('is not in a body of %s %j', async (type, body) => {
    const { documents } = await serve();
    const answer = await documents('POST', '/files/upload', {
      body,
      headers: { 'content-type': type },
    });
    expect([answer.status, answer.json.message]).toEqual([400, expect.stringMatching(/a form/)]);
  });

  it('is on one page, whatever comes and goes between pages', async () => {
    const { documents } = await serve();
    const ids: string[] = [];
    const upload = async () => void ids.push((await uploaded(documents, 'x', 'x')).id);
    for (let count = 0; count < 5; count += 1) await upload();
    const path = '/files?maxPageSize=2';
    const first = (await documents('GET', path)).json;
    await upload();
    await documents('DELETE', `/files/${ids[3]}`);
    const second = (await documents('GET', `${path}&nextPageToken=${first.nextPageToken}`)).json;
    const third = (await documents('GET', `${path}&nextPageToken=${second.nextPageToken}`)).json;
    const found = [first, second, third].map(({ data }) => data.map(({ id }: Listed) => id));
    expect(found).toEqual([[ids[4], ids[3]], [ids[2], ids[1]], [ids[0]]]);
    expect(third.nextPageToken).toBeUndefined();
  });

  it.each([
    ['maxPageSize=0', 'maxPageSize must be from 1 to 1000'],
    ['sortDir=up', 'sortDir must be one of desc, asc'],
    ['sortBy=name', 'sortBy must be one of createdAt, updatedAt'],
  ])('is not listed by %s', async (query, message) => {
    const { documents } = await serve();
    await play(documents, [
      [`GET /files?${query}`, undefined, { code: 'INVALID_REQUEST', message }],
    ]);
  });
});

const properties = {
  total: { type: ['number', 'null'] },
  day: { type: ['string', 'null'], 'service:type': 'date' },
  kind: { enum: [null, 'credit', 'debit'] },
  lines: {
    type: 'array',
    items: { type: 'object', properties: { count: { type: ['integer', 'null'] } } },
  },
};
const value = { total: 12.5, day: '2026-01-31', kind: 'credit', lines: [{ count: 7 }] };
const classes = [{ id: 'i', type: 'invoice' }];
const split = { type: 'invoice', startPage: 1, endPage: 1 };

describe.each([
  ['extract', 'extractor', 'ex', { schema: { type: 'object', properties } }, { value }],
  ['classify', 'classifier', 'cl', { classifications: classes }, { id: 'i', type: 'invoice' }],
  ['split', 'splitter', 'sp', { splitClassifications: classes }, { splits: [split] }],
] as const)('%s', (verb, noun, prefix, config, output) => {
  it('runs by the clock or at once, and is found by what it is of', async () => {
    const { documents, sandbox } = await serve();
    const { id } = await created(documents, `/${noun}s`, { name: 'mine', config });
    const path = `/${verb}_runs`;
    const run = await created(documents, path, { file, [noun]: { id }, metadata: { order: 7 } });
    expect(id).toMatch(new RegExp(`^${prefix}_`));
    const other = await created(documents, path, { file, config });
    sandbox.clock.advance(500);
    const metadata = { order: 7 };
    const done = { object: `${verb}_run`, status: 'PROCESSED', output };
    const found = (...ids: string[]) => ({ data: ids.map((each) => ({ id: each })) });
    await play(documents, [
      [`GET ${path}/${run.id}`, undefined, { ...done, metadata, config, [noun]: { id } }],
      [`POST ${path}/${run.id}/cancel`, {}, { code: 'INVALID_REQUEST' }],
      [`POST ${path}/${run.id}/cancel`, undefined, 400],
      [`GET ${path}?${noun}Id=${id}`, undefined, found(run.id)],
      [`GET ${path}?fileNameContains=invoice`, undefined, found(other.id, run.id)],
      [`GET ${path}?fileNameContains=letter`, undefined, found()],
      [`POST /${verb}`, { file, config }, done],
    ]);
  });

  it.each([
    [{ file }, 400, /required property/],
    [{ file, config: {}, [noun]: { id: 'x' } }, 400, /exactly one schema/],
    [{ file, [noun]: { id: 'x' } }, 404, `There is no ${noun} with this id`],
    [{ config: {}, file: { url: 'file:///etc' } }, 400, /^file must have/],
    [{ config: {}, file: { id: 'x' } }, 404, 'There is no file with this id'],
  ])('refuses %j', async (json, status, message) => {
    const { documents, sandbox } = await serve();
    const answer = await documents('POST', `/${verb}`, { json });
    expect([answer.status, answer.json.message]).toEqual([status, expect.stringMatching(message)]);
    expect(sandbox.documents.runs().size).toBe(0);
  });

  it('has processors with versions', async () => {
    const { documents } = await serve();
    const { id } = await created(documents, `/${noun}s`, { name: 'mine', config });
    const path = `/${noun}s/${id}/versions`;
    const minor = await created(documents, path, { releaseType: 'minor', description: 'd' });
    const version = { object: `${noun}_version`, version: '0.1', description: 'd', config };
    expect(minor).toMatchObject({ ...version, [`${noun}Id`]: id });
    const change = { name: 'new', config: {} };
    await play(documents, [[`POST /${noun}s/${id}`, change, change]]);
    const major = await created(documents, path, { releaseType: 'major' });
    expect(major).toMatchObject({ version: '1.0', config: {} });
    const by = (reference: object) => ({ file, [noun]: { id, ...reference } });
    await play(documents, [
      [`GET ${path}/${major.id}`, undefined, major],
      [`GET ${path}/x`, undefined, 404],
      [`GET /${noun}s/x/versions`, undefined, 404],
      [`GET ${path}?sortDir=asc`, undefined, { data: [minor, major] }],
      [`POST /${verb}`, by({ version: '0.1' }), { config }],
      [`POST /${verb}`, by({}), { config: {} }],
      [`POST /${verb}`, by({ overrideConfig: { a: 1 } }), { config: { a: 1 } }],
      [`POST /${verb}`, by({ version: '9.9' }), 404],
      [`POST /${noun}s`, {}, 400],
    ]);
  });
});

it('parsing gives the text, editing a file; both end although their file is gone', async () => {
  const { documents, sandbox } = await serve();
  for (const verb of ['parse', 'edit']) {
    const { id } = await uploaded(documents, 'Hello.', 'a');
    const run = await created(documents, `/${verb}_runs`, { file: { id } });
    await documents('DELETE', `/files/${id}`);
    sandbox.clock.advance(6000);
    const { status, output } = (await documents('GET', `/${verb}_runs/${run.id}`)).json;
    expect(status).toBe('PROCESSED');
    if (verb === 'parse') expect(output).toMatchObject({ chunks: [{ content: 'Hello.' }] });
    else expect(await (await fetch(output.editedFile.presignedUrl)).text()).toBe('Hello.');
  }
});

describe('the end of a run', () => {
  const json = { file, config: {} };

  it.each([
    ['FAILED=FAILED_TO_PROCESS_FILE', 'FAILED_TO_PROCESS_FILE'],
    ['FAILED', 'INTERNAL_ERROR'],
    ['NEEDS_REVIEW', null],
    ['DONE', null],
    ['FAILED=', null],
  ])('is %s where the request asks for it', async (outcome, failureReason) => {
    const { documents } = await serve();
    const headers = { 'x-sandbox-outcome': outcome };
    const answer = await documents('POST', '/extract', { json, headers });
    if (failureReason === null) return expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ status: 'FAILED', output: null, failureReason });
  });

  it('is what a test has ordered, for the next run', async () => {
    const { documents, sandbox } = await serve();
    sandbox.documents.outcomes.next('FAILED');
    await play(documents, [
      ['POST /parse', { file }, { status: 'FAILED' }],
      ['POST /parse', { file }, { status: 'PROCESSED' }],
    ]);
    expect(() => sandbox.documents.outcomes.next('FAILED=no')).toThrow(RangeError);
  });
});

it('workflows run in both forms and in batches, and end with the runs of their steps', async () => {
  const { documents, sandbox } = await serve();
  const steps = [{ type: 'PARSE', name: 'read' }, { type: 'EXTRACT' }];
  const { id } = await created(documents, '/workflows', { name: 'w', steps });
  const first = { ...file, fileName: 'first.pdf' };
  const today = { workflow: { id }, file: first, metadata: { a: 1 } };
  for (const json of [{ workflowId: id, files: [first, file] }, today]) {
    const run = await created(documents, '/workflow_runs', json);
    const workflow = { id, name: 'w' };
    expect(run).toMatchObject({ object: 'workflow_run', workflow, stepRuns: [], batchId: null });
    expect(run.files).toMatchObject([{ name: 'first.pdf' }, {}].slice(0, run.files.length));
    sandbox.clock.advance(1000);
    const path = `/workflow_runs/${run.id}`;
    const stepRuns = steps.map((step) => ({ step, status: 'PROCESSED', result: {} }));
    const { metadata = null } = json as { metadata?: object };
    await play(documents, [
      [`GET ${path}`, undefined, { status: 'PROCESSED', stepRuns, metadata }],
      [`POST ${path}`, { name: 'n', id: 'x' }, { id: run.id, name: 'n', status: 'PROCESSED' }],
    ]);
  }
  await play(documents, [
    ['POST /workflow_runs', { workflowId: id }, 400],
    ['POST /workflow_runs', { workflowId: 'x', files: [first] }, 404],
    ['POST /workflow_runs/batch', { workflowId: id, files: [file, {}] }, 400],
  ]);
  const before = sandbox.documents.runs().size;
  for (const [json, count] of [
    [{ workflow: { id }, inputs: [{ file, metadata: { n: 1 } }, { file }] }, 2],
    [{ workflowId: id, files: [file] }, 1],
  ] as const) {
    const { batchId } = await created(documents, '/workflow_runs/batch', json);
    const list = await documents('GET', `/workflow_runs?batchId=${batchId}&workflowId=${id}`);
    expect(list.json.data).toHaveLength(count);
  }
  expect(sandbox.documents.runs().size).toBe(before + 3);
});

it('an evaluation set has items, changed in both forms', async () => {
  const { documents } = await serve();
  const { id: entityId } = await created(documents, '/extractors', { name: 'x' });
  const set = await created(documents, '/evaluation_sets', { name: 's', entityId });
  const other = await created(documents, '/evaluation_sets', { name: 't', entityId: 'y' });
  const path = `/evaluation_sets/${set.id}`;
  const item = { file: { text: 'x' }, expectedOutput: { value: { a: 1 } } };
  const { evaluationSetItems } = await created(documents, `${path}/items`, { items: [item] });
  const [{ id, file: stored, ...first }] = evaluationSetItems;
  expect(first).toMatchObject({ evaluationSetId: set.id, expectedOutput: item.expectedOutput });
  const elsewhere = `/evaluation_sets/${other.id}`;
  await play(documents, [
    [`GET ${path}`, undefined, set],
    [`GET /evaluation_sets?entityId=${entityId}`, undefined, { data: [set] }],
    [`POST ${path}/items/bulk`, { items: [{ fileId: stored.id, expectedOutput: {} }, item] }, 200],
    [`GET ${path}/items`, undefined, { data: [{}, {}, { id }] }],
    [`GET ${elsewhere}/items`, undefined, { data: [] }],
    [`PATCH ${path}/items/${id}`, { expectedOutput: { a: 1 } }, { expectedOutput: { a: 1 } }],
    [`POST ${path}/items/${id}`, { expectedOutput: { a: 2 } }, { expectedOutput: { a: 2 } }],
    [`GET ${path}/items/${id}`, undefined, { expectedOutput: { a: 2 } }],
    [`GET ${elsewhere}/items/${id}`, undefined, 404],
    [`PATCH ${elsewhere}/items/${id}`, { expectedOutput: {} }, 404],
    [`GET ${elsewhere}/runs/x`, undefined, 404],
    ['GET /evaluation_set_runs/x', undefined, 404],
    ['POST /evaluation_sets', {}, 400],
    ['POST /evaluation_sets/x/items', { items: [] }, 404],
    [`POST ${path}/items`, { items: [{}] }, 400],
    [`DELETE ${path}/items/${id}`, undefined, 200],
    [`GET ${path}/items/${id}`, undefined, 404],
  ]);
});

/** That they are signed as the client expects is tested beside it. */
describe('webhooks', () => {
  it('follow no redirect, and do not hold up the end where nobody answers', async () => {
    const asked: unknown[] = [];
    const server = createServer(({ url }, response) => {
      if (asked.push(url) === 1) response.writeHead(307, { location: '/elsewhere' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const { documents, sandbox } = await serve({ documents: { webhooks: { url, secret: 's' } } });
    await documents('POST', '/parse', { json: { file } });
    await sandbox.documents.webhooksSettled();
    await documents('POST', '/parse', { json: { file } });
    await expect.poll(() => asked).toEqual(['/hook', '/hook']);
    const started = performance.now();
    await sandbox.close();
    await sandbox.documents.webhooksSettled();
    expect(performance.now() - started).toBeLessThan(4500);
    expect(sandbox.documents.deliveries).toMatchObject([{ status: 307 }, { status: null }]);
  });

  it.each(['https://example.com/', 'nowhere', 'http://127.0.0.1.example.com/'])(
    'leave the machine for no address: %s',
    async (url) => {
      const options = { documents: { webhooks: { url, secret: 's' } } };
      await expect(serve(options)).rejects.toThrow(RangeError);
    },
  );
});

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { receive, type Send, serve } from './serve.js';

const file = { url: 'https://example.com/a/invoice.pdf' };
const times = { pendingMs: 1000, processingMs: 5000 };
const schema = {
  type: 'object',
  properties: {
    total: { type: ['number', 'null'] },
    day: { type: ['string', 'null'], 'service:type': 'date' },
    kind: { enum: [null, 'credit', 'debit'] },
    lines: {
      type: 'array',
      items: { type: 'object', properties: { count: { type: ['integer', 'null'] } } },
    },
  },
};

async function uploaded(documents: Send, content: string | Buffer, name = 'note.txt', query = '') {
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(Buffer.from(content))], { type: 'text/plain' }), name);
  body.set('password', 'secret');
  return (await documents('POST', `/files/upload${query}`, { body })).json;
}

const created = async (documents: Send, path: string, json: object) =>
  (await documents('POST', path, { json })).json;

describe('a file', () => {
  it('is uploaded, shown, downloaded byte by byte, and gone once deleted', async () => {
    const { documents, sandbox } = await serve();
    const content = Buffer.from('\0\xff\r\n--b\r\n----\r\n\r\n--b--', 'latin1');
    const stored = await uploaded(documents, content, 'ä".bin');
    expect(stored).toMatchObject({
      object: 'file',
      id: expect.stringMatching(/^file_/),
      name: 'ä".bin',
      type: 'text/plain',
      contents: null,
      metadata: { sizeBytes: content.length },
      createdAt: '2026-01-01T00:00:00.000Z',
    });
    expect(JSON.stringify(stored)).not.toContain('secret');
    const { id, presignedUrl } = stored;
    expect((await documents('GET', `/files/${id}`)).json).toEqual(stored);
    expect((await receive(await fetch(presignedUrl))).bytes).toEqual(content);
    const forged = presignedUrl.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'));
    expect((await fetch(forged)).status).toBe(403);
    const pdf = await uploaded(documents, 'a < b', 'p', '?convertToPdf=true');
    expect(pdf.type).toBe('application/pdf');
    const shown = await documents('GET', `/files/${pdf.id}?rawText=true&html=true`);
    expect(shown.json.contents).toEqual({ rawText: 'a < b', html: 'a < b' });
    expect((await documents('DELETE', `/files/${id}`)).json).toEqual({ id });
    for (const method of ['GET', 'DELETE']) {
      const { status, json } = await documents(method, `/files/${id}`);
      expect([status, json]).toMatchObject([404, { code: 'NOT_FOUND', retryable: false }]);
    }
    expect((await fetch(presignedUrl)).status).toBe(404);
    expect(sandbox.requests.at(-1)?.operation).toBe('downloads.get');
  });

  it('is listed by a part of its name, page by page, whatever comes meanwhile', async () => {
    const { documents, sandbox } = await serve();
    for (const name of ['a1', 'b1', 'a2', 'a3']) {
      await uploaded(documents, 'x', name);
      sandbox.clock.advance(name === 'a1' ? 0 : 1000);
    }
    const listed = async (query: string) => {
      const { json } = await documents('GET', `/files?${query}`);
      expect(json.object).toBe('list');
      return [json.data.map((each: { name: string }) => each.name), json.nextPageToken];
    };
    const [names, token] = await listed('nameContains=a&maxPageSize=2');
    expect(names).toEqual(['a3', 'a2']);
    await uploaded(documents, 'x', 'a4');
    const next = `nameContains=a&maxPageSize=2&nextPageToken=${token}`;
    expect(await listed(next)).toEqual([['a1'], undefined]);
    expect((await listed('sortDir=asc'))[0]).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
    for (const [query, message] of [
      ['maxPageSize=0', 'maxPageSize must be from 1 to 1000'],
      ['sortDir=up', 'sortDir must be one of desc, asc'],
      ['sortBy=name', 'sortBy must be one of createdAt, updatedAt'],
    ]) {
      const { status, json } = await documents('GET', `/files?${query}`);
      expect([status, json]).toMatchObject([400, { code: 'INVALID_REQUEST', message }]);
    }
  });

  const type = 'multipart/form-data; boundary=b';
  const field = 'Content-Disposition: form-data; name="file"';
  it.each([
    [type, ''],
    [type, `--b\r\n${field}; filename="a"\r\n\r\nx\r\n--b`],
    [type, `--b\r\n${field}\r\n\r\nx\r\n--b--\r\n`],
    ['multipart/form-data', '--b--\r\n'],
    ['text/plain; boundary=b', `--b\r\n${field}; filename="a"\r\n\r\nx\r\n--b--\r\n`],
  ])('is not in a body of %s %j', async (contentType, body) => {
    const { documents } = await serve();
    const headers = { 'content-type': contentType };
    const { status, json } = await documents('POST', '/files/upload', { body, headers });
    expect([status, json.message]).toMatchObject([400, expect.stringContaining('must be a form')]);
  });
});

const output = {
  extract: { value: { total: 12.5, day: '2026-01-31', kind: 'credit', lines: [{ count: 7 }] } },
  classify: { id: 'i', type: 'invoice' },
  split: { splits: [{ type: 'invoice', startPage: 1, endPage: 1 }] },
};
const classes = [{ id: 'i', type: 'invoice' }];

describe.each([
  ['extract', 'extractor', 'exr_', 'ex_', { schema }],
  ['classify', 'classifier', 'clr_', 'cl_', { classifications: classes }],
  ['split', 'splitter', 'spr_', 'sp_', { splitClassifications: classes }],
] as const)('%s', (verb, noun, runPrefix, prefix, config) => {
  it('runs by the clock, unless it is cancelled, and is listed', async () => {
    const { documents, sandbox } = await serve({ documents: { times } });
    const { id } = await created(documents, `/${noun}s`, { name: 'mine', config });
    expect(id.startsWith(prefix)).toBe(true);
    const path = `/${verb}_runs`;
    const [run, unwanted] = [
      await created(documents, path, { file, [noun]: { id }, metadata: { order: 7 } }),
      await created(documents, path, { file, config }),
    ];
    expect(run).toMatchObject({
      object: `${verb}_run`,
      id: expect.stringMatching(new RegExp(`^${runPrefix}`)),
      status: 'PENDING',
      output: null,
      failureReason: null,
      metadata: { order: 7 },
      config,
      [noun]: { id },
      file: { name: 'invoice.pdf' },
    });
    const cancel = (each: { id: string }) =>
      documents('POST', `${path}/${each.id}/cancel`, { json: {} });
    expect((await documents('GET', `/files/${run.id}`)).status).toBe(404);
    expect((await documents('POST', `${path}/${unwanted.id}/cancel`)).status).toBe(400);
    expect((await cancel(unwanted)).json.status).toBe('CANCELLED');
    const statuses = [999, 1, 4999, 1].map((milliseconds) => {
      sandbox.clock.advance(milliseconds);
      return [...sandbox.documents.runs().values()].join(' ');
    });
    expect(statuses).toEqual(
      ['PENDING', 'PROCESSING', 'PROCESSING', 'PROCESSED'].map((each) => `${each} CANCELLED`),
    );
    const done = (await documents('GET', `${path}/${run.id}`)).json;
    expect(done).toMatchObject({ status: 'PROCESSED', updatedAt: '2026-01-01T00:00:06.000Z' });
    expect(done.output).toMatchObject(output[verb]);
    for (const each of [run, unwanted]) {
      expect((await cancel(each)).json).toMatchObject({ code: 'INVALID_REQUEST' });
    }
    const found = async (query: string) =>
      (await documents('GET', `${path}?${query}`)).json.data.map((each: { id: string }) => each.id);
    expect(await found('')).toEqual([unwanted.id, run.id]);
    expect(await found('status=PROCESSED')).toEqual([run.id]);
    expect(await found(`${noun}Id=${id}`)).toEqual([run.id]);
    expect(await found('fileNameContains=invoice')).toHaveLength(2);
    expect(await found('fileNameContains=letter')).toEqual([]);
    expect(await found('sourceId=elsewhere')).toEqual([]);
    expect((await documents('DELETE', `${path}/${run.id}`)).json).toEqual({ id: run.id });
    expect(await found('')).toEqual([unwanted.id]);
    const atOnce = await created(documents, `/${verb}`, { file, config });
    expect(atOnce).toMatchObject({ status: 'PROCESSED', output: output[verb] });
  });

  it.each([
    [{ file }, 400, /required property/],
    [{ file, config: {}, [noun]: { id: 'x' } }, 400, /exactly one schema/],
    [{ file, [noun]: { id: 'x' } }, 404, `There is no ${noun} with this id`],
    [{ file, [noun]: 'x' }, 400, `/${noun} must be object`],
    [{ config: {} }, 400, /required property 'file'/],
    [{ config: {}, file: {} }, 400, /required property/],
    [{ config: {}, file: { url: 'file:///etc' } }, 400, /^file must have/],
    [{ config: {}, file: { id: 'x' } }, 404, 'There is no file with this id'],
    [{ config: {}, file, metadata: 7 }, 400, '/metadata must be object'],
  ])('refuses %j', async (json, status, message) => {
    const { documents, sandbox } = await serve();
    const answer = await documents('POST', `/${verb}`, { json });
    expect(answer.status).toBe(status);
    expect(answer.json.message).toMatch(message);
    expect(sandbox.documents.runs().size).toBe(0);
  });

  it('has processors with versions', async () => {
    const { documents } = await serve();
    const { id } = await created(documents, `/${noun}s`, { name: 'mine', config });
    const versions = `/${noun}s/${id}/versions`;
    const publish = (releaseType: string) =>
      documents('POST', versions, { json: { releaseType, description: 'd' } });
    const minor = (await publish('minor')).json;
    const version = { object: `${noun}_version`, version: '0.1', description: 'd', config };
    expect(minor).toMatchObject({ ...version, [`${noun}Id`]: id });
    const changed = await created(documents, `/${noun}s/${id}`, { name: 'new', config: {} });
    const draftVersion = { version: 'draft', config: {} };
    expect(changed).toMatchObject({ name: 'new', draftVersion });
    const { json: major } = await publish('major');
    expect(major).toMatchObject({ version: '1.0', config: {} });
    expect((await publish('patch')).status).toBe(400);
    expect((await documents('GET', `${versions}/${major.id}`)).json).toEqual(major);
    expect((await documents('GET', `${versions}/x`)).status).toBe(404);
    expect((await documents('GET', `/${noun}s/x/versions`)).status).toBe(404);
    const listed = await documents('GET', `${versions}?sortDir=asc`);
    expect(listed.json.data).toEqual([minor, major]);
    const run = async (reference: object) =>
      created(documents, `/${verb}`, { file, [noun]: { id, ...reference } });
    const named = { [`${noun}Version`]: { version: '0.1' } };
    expect(await run({ version: '0.1' })).toMatchObject({ config, ...named });
    expect(await run({})).toMatchObject({ config: {} });
    expect((await run({ overrideConfig: { a: 1 } })).config).toEqual({ a: 1 });
    expect((await run({ version: '9.9' })).code).toBe('NOT_FOUND');
    const last = await created(documents, `/${noun}s`, { name: 'last' });
    expect((await documents('GET', `/${noun}s`)).json.data).toEqual([last, changed]);
    expect((await documents('POST', `/${noun}s`, { json: {} })).status).toBe(400);
  });
});

it('parsing gives the text, editing a file; both end although their file is gone', async () => {
  const { documents, sandbox } = await serve({ documents: { times } });
  const chunks = { chunks: [{ content: 'Hello.' }] };
  const parsed = await created(documents, '/parse', { file: { text: 'Hello.' } });
  expect(parsed).toMatchObject({ object: 'parse_run', status: 'PROCESSED', output: chunks });
  for (const verb of ['parse', 'edit']) {
    const { id } = await uploaded(documents, 'Hello.');
    const run = await created(documents, `/${verb}_runs`, { file: { id } });
    await documents('DELETE', `/files/${id}`);
    sandbox.clock.advance(6000);
    const path = `/${verb}_runs/${run.id}`;
    const done = (await documents('GET', path)).json;
    expect(done.status).toBe('PROCESSED');
    if (verb === 'parse') expect(done.output).toMatchObject(chunks);
    else expect(await (await fetch(done.output.editedFile.presignedUrl)).text()).toBe('Hello.');
    expect((await documents('DELETE', path)).json).toEqual({ id: run.id });
  }
});

describe('the end of a run', () => {
  const json = { file, config: { schema } };

  it.each([
    ['FAILED=FAILED_TO_PROCESS_FILE', 'FAILED_TO_PROCESS_FILE'],
    ['FAILED', 'INTERNAL_ERROR'],
    ['NEEDS_REVIEW', null],
    ['REJECTED', null],
    ['DONE', null],
    ['FAILED=', null],
  ])('is %s where the request asks for it', async (outcome, failureReason) => {
    const { documents } = await serve();
    const headers = { 'x-sandbox-outcome': outcome };
    const answer = await documents('POST', '/extract', { json, headers });
    if (failureReason === null) return expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ status: 'FAILED', output: null, failureReason });
  });

  it('is what a test has ordered, for the next run of a kind', async () => {
    const { documents, sandbox } = await serve();
    sandbox.documents.outcomes.next('FAILED', { kind: 'parse' });
    expect((await created(documents, '/extract', json)).status).toBe('PROCESSED');
    for (const status of ['FAILED', 'PROCESSED']) {
      expect((await created(documents, '/parse', { file })).status).toBe(status);
    }
    expect(() => sandbox.documents.outcomes.next('FAILED=no')).toThrow(RangeError);
  });

  it('is CANCELLING for a while, by switch', async () => {
    const options = { times: { ...times, cancellingMs: 500 } };
    const { documents, sandbox } = await serve({ documents: options });
    const { id } = await created(documents, '/extract_runs', json);
    const cancelling = await created(documents, `/extract_runs/${id}/cancel`, {});
    expect(cancelling.status).toBe('CANCELLING');
    sandbox.clock.advance(499);
    expect(sandbox.documents.runs().get(id)).toBe('CANCELLING');
    sandbox.clock.advance(60_000);
    expect(sandbox.documents.runs().get(id)).toBe('CANCELLED');
  });

  it('comes by itself where the clock runs', async () => {
    const options = { times: { pendingMs: 5, processingMs: 5 } };
    const { documents, sandbox } = await serve({ clock: { mode: 'real' }, documents: options });
    const { id } = await created(documents, '/extract_runs', json);
    await expect.poll(() => sandbox.documents.runs().get(id)).toBe('PROCESSED');
  });
});

describe('a workflow', () => {
  it('runs in both forms, and ends with the runs of its steps', async () => {
    const { documents, sandbox } = await serve();
    const steps = [{ type: 'PARSE', name: 'read' }, { type: 'EXTRACT' }];
    const { id } = await created(documents, '/workflows', { name: 'w', steps });
    expect(id).toMatch(/^workflow_/);
    const first = { url: 'https://example.com/a.pdf', fileName: 'first.pdf' };
    const forms = [
      { workflowId: id, files: [first, file] },
      { workflow: { id }, file: first, metadata: { a: 1 } },
    ];
    for (const json of forms) {
      const run = await created(documents, '/workflow_runs', json);
      const workflow = { id, name: 'w' };
      expect(run).toMatchObject({ object: 'workflow_run', workflow, stepRuns: [], batchId: null });
      expect(run.files).toHaveLength('files' in json ? 2 : 1);
      expect(run.files[0]).toMatchObject({ name: 'first.pdf' });
      sandbox.clock.advance(1000);
      const path = `/workflow_runs/${run.id}`;
      expect((await documents('GET', path)).json).toMatchObject({
        status: 'PROCESSED',
        stepRuns: [
          { step: { type: 'PARSE', name: 'read' }, status: 'PROCESSED', result: {} },
          { step: { type: 'EXTRACT' } },
        ],
      });
      expect(await created(documents, path, { name: 'n', id: 'x' })).toMatchObject({
        id: run.id,
        name: 'n',
        status: 'PROCESSED',
        metadata: 'metadata' in json ? { a: 1 } : null,
      });
      expect((await documents('DELETE', path)).json).toEqual({ id: run.id });
    }
    for (const [json, status] of [
      [{ workflowId: id }, 400],
      [{ workflow: { id }, files: [first] }, 400],
      [{ workflowId: 'x', files: [first] }, 404],
    ] as const) {
      expect((await documents('POST', '/workflow_runs', { json })).status).toBe(status);
    }
  });

  it('runs in batches', async () => {
    const { documents, sandbox } = await serve();
    const { id } = await created(documents, '/workflows', { name: 'w' });
    const batches = [
      [{ workflow: { id }, inputs: [{ file, metadata: { n: 1 } }, { file }] }, 2],
      [{ workflowId: id, files: [file] }, 1],
      [{ workflowId: id, files: [file, {}] }, 0],
      [{ workflowId: id }, 0],
    ] as const;
    for (const [json, count] of batches) {
      const before = sandbox.documents.runs().size;
      const { batchId } = await created(documents, '/workflow_runs/batch', json);
      expect(sandbox.documents.runs().size - before).toBe(count);
      if (count === 0) continue;
      const list = await documents('GET', `/workflow_runs?batchId=${batchId}&workflowId=${id}`);
      expect(list.json.data).toHaveLength(count);
    }
  });
});

it('an evaluation set has items, changed in both forms', async () => {
  const { documents } = await serve();
  const extractor = await created(documents, '/extractors', { name: 'x' });
  const create = { name: 's', entityId: extractor.id };
  const set = await created(documents, '/evaluation_sets', create);
  expect(set).toMatchObject({ object: 'evaluation_set', entityId: extractor.id, name: 's' });
  const path = `/evaluation_sets/${set.id}`;
  expect((await documents('GET', path)).json).toEqual(set);
  const found = async (query: string) =>
    (await documents('GET', `/evaluation_sets?${query}`)).json.data;
  expect(await found(`entityId=${extractor.id}`)).toEqual([set]);
  expect(await found('entityId=other')).toEqual([]);
  const item = { file: { text: 'x' }, expectedOutput: { value: { a: 1 } } };
  const one = await created(documents, `${path}/items`, { items: [item] });
  const [first] = one.evaluationSetItems;
  expect(first).toMatchObject({ evaluationSetId: set.id, expectedOutput: item.expectedOutput });
  const bulk = { items: [{ fileId: first.file.id, expectedOutput: {} }, item] };
  expect((await documents('POST', `${path}/items/bulk`, { json: bulk })).status).toBe(200);
  expect((await documents('GET', `${path}/items`)).json.data).toHaveLength(3);
  for (const method of ['PATCH', 'POST']) {
    const json = { expectedOutput: { method } };
    const updated = await documents(method, `${path}/items/${first.id}`, { json });
    expect(updated.json).toMatchObject(json);
    expect((await documents('GET', `${path}/items/${first.id}`)).json).toEqual(updated.json);
  }
  const other = await created(documents, '/evaluation_sets', create);
  expect((await documents('GET', `/evaluation_sets/${other.id}/items`)).json.data).toEqual([]);
  for (const [method, address, json, status] of [
    ['GET', `/evaluation_sets/${other.id}/runs/x`, undefined, 404],
    ['GET', '/evaluation_set_runs/x', undefined, 404],
    ['GET', `/evaluation_sets/${other.id}/items/${first.id}`, undefined, 404],
    ['PATCH', `/evaluation_sets/${other.id}/items/${first.id}`, { expectedOutput: {} }, 404],
    ['POST', '/evaluation_sets', {}, 400],
    ['POST', '/evaluation_sets/x/items', { items: [] }, 404],
    ['POST', `${path}/items`, {}, 400],
    ['POST', `${path}/items`, { items: [{}] }, 400],
    ['DELETE', `${path}/items/${first.id}`, undefined, 200],
    ['GET', `${path}/items/${first.id}`, undefined, 404],
  ] as const) {
    expect((await documents(method, address, { json })).status).toBe(status);
  }
});

/** That they are signed as the client expects is tested beside it. */
describe('webhooks', () => {
  async function listen(listener: RequestListener) {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    return serve({ documents: { webhooks: { url, secret: 's' } } });
  }

  it('follow no redirect', async () => {
    const asked: unknown[] = [];
    const { documents, sandbox } = await listen(({ url }, response) => {
      asked.push(url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    await documents('POST', '/parse', { json: { file } });
    await sandbox.documents.webhooksSettled();
    expect(asked).toEqual(['/hook']);
    expect(sandbox.documents.deliveries).toMatchObject([{ status: 307 }]);
  });

  it('that nobody answers do not hold up the end of the sandbox', async () => {
    const asked: unknown[] = [];
    const { documents, sandbox } = await listen(({ url }) => asked.push(url));
    await documents('POST', '/parse', { json: { file } });
    await expect.poll(() => asked).toHaveLength(1);
    const started = performance.now();
    await sandbox.close();
    await sandbox.documents.webhooksSettled();
    expect(performance.now() - started).toBeLessThan(4500);
    expect(sandbox.documents.deliveries).toMatchObject([{ status: null }]);
  });

  it.each(['https://example.com/', 'nowhere', 'http://127.0.0.1.example.com/'])(
    'leave the machine for no address: %s',
    async (url) => {
      const options = { documents: { webhooks: { url, secret: 's' } } };
      await expect(serve(options)).rejects.toThrow(RangeError);
    },
  );
});

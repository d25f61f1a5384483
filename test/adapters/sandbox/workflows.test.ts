import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { WebhookOptions } from '../../../src/adapters/sandbox/webhooks.js';
import { type Send, serve } from './serve.js';

const file = { url: 'https://example.com/a.pdf', fileName: 'first.pdf' };

async function workflow(documents: Send, steps: readonly object[] = []): Promise<string> {
  return (await documents('POST', '/workflows', { json: { name: 'w', steps } })).json.id;
}

describe('a workflow run', () => {
  it('starts in both forms', async () => {
    const { documents } = await serve();
    const id = await workflow(documents);
    expect(id).toMatch(/^workflow_/);
    const forms = [
      { workflowId: id, files: [file, file] },
      { workflow: { id }, file },
    ];
    for (const json of forms) {
      const answer = await documents('POST', '/workflow_runs', { json });
      expect(answer.json).toMatchObject({
        object: 'workflow_run',
        status: 'PENDING',
        workflow: { id, name: 'w' },
        stepRuns: [],
        batchId: null,
      });
      expect(answer.json.files).toHaveLength('files' in json ? 2 : 1);
      expect(answer.json.files[0]).toMatchObject({ name: 'first.pdf' });
    }
  });

  it.each([
    ['spec', 'workflow', { file }],
    ['spec', 'workflowId', { file }],
    ['current', 'workflowId', { files: [file] }],
    ['current', 'workflow', { files: [file] }],
    ['both', 'neither', { files: [file] }],
  ] as const)('starts in no other form: %s %s %j', async (wire, name, files) => {
    const { documents } = await serve({ documents: { wire } });
    const id = await workflow(documents);
    const json = { [name]: name === 'workflow' ? { id } : id, ...files };
    expect((await documents('POST', '/workflow_runs', { json })).status).toBe(400);
  });

  it('ends with the runs of its steps', async () => {
    const { documents, sandbox } = await serve();
    const id = await workflow(documents, [{ type: 'PARSE', name: 'read' }, { type: 'EXTRACT' }]);
    const json = { workflowId: id, files: [file] };
    const run = (await documents('POST', '/workflow_runs', { json })).json;
    sandbox.clock.advance(1000);
    expect((await documents('GET', `/workflow_runs/${run.id}`)).json).toMatchObject({
      status: 'PROCESSED',
      stepRuns: [
        { step: { type: 'PARSE', name: 'read' }, status: 'PROCESSED', result: {} },
        { step: { type: 'EXTRACT' } },
      ],
    });
  });

  it('is reviewed where it needs it, and only then', async () => {
    const { documents, sandbox } = await serve();
    const id = await workflow(documents);
    const start = async (outcome: string) => {
      const headers = { 'x-sandbox-outcome': outcome };
      const json = { workflowId: id, files: [file] };
      return (await documents('POST', '/workflow_runs', { json, headers })).json.id;
    };
    const ids: string[] = [];
    for (const outcome of ['NEEDS_REVIEW', 'NEEDS_REVIEW', 'REJECTED', 'FAILED']) {
      ids.push(await start(outcome));
    }
    sandbox.clock.advance(1000);
    const statuses = () => [...sandbox.documents.runs().values()];
    expect(statuses()).toEqual(['NEEDS_REVIEW', 'NEEDS_REVIEW', 'REJECTED', 'FAILED']);
    sandbox.documents.review(ids[0] ?? '', 'accept');
    sandbox.documents.review(ids[1] ?? '', 'reject');
    expect(statuses()).toEqual(['PROCESSED', 'REJECTED', 'REJECTED', 'FAILED']);
    expect(() => sandbox.documents.review(ids[0] ?? '', 'reject')).toThrow(RangeError);
    for (const each of ids) {
      const cancel = await documents('POST', `/workflow_runs/${each}/cancel`, { json: {} });
      expect(cancel.status).toBe(400);
    }
  });

  it('is updated, cancelled and deleted', async () => {
    const { documents } = await serve();
    const json = { workflowId: await workflow(documents), files: [file], metadata: { a: 1 } };
    const { id } = (await documents('POST', '/workflow_runs', { json })).json;
    const path = `/workflow_runs/${id}`;
    const named = await documents('POST', path, { json: { name: 'n' } });
    expect(named.json).toMatchObject({ id, name: 'n', metadata: { a: 1 } });
    const changed = await documents('POST', path, { json: { metadata: { b: 2 } } });
    expect(changed.json).toMatchObject({ name: 'n', metadata: { b: 2 } });
    expect((await documents('POST', `${path}/cancel`, { json: {} })).json.status).toBe('CANCELLED');
    expect((await documents('DELETE', path)).json).toEqual({ id });
    expect((await documents('GET', path)).status).toBe(404);
  });

  it('starts in batches', async () => {
    const { documents } = await serve();
    const id = await workflow(documents);
    const batches = [
      { workflow: { id }, inputs: [{ file, metadata: { n: 1 } }, { file }] },
      { workflowId: id, files: [file] },
    ];
    const counts = [];
    for (const json of batches) {
      const { batchId } = (await documents('POST', '/workflow_runs/batch', { json })).json;
      const list = await documents('GET', `/workflow_runs?batchId=${batchId}&workflowId=${id}`);
      expect(list.json.data[0].batchId).toBe(batchId);
      counts.push(list.json.data.length);
    }
    expect(counts).toEqual([2, 1]);
    expect(
      (await documents('POST', '/workflow_runs/batch', { json: { workflowId: id } })).status,
    ).toBe(400);
  });
});

describe('an evaluation set', () => {
  it('has items, in both forms, and runs', async () => {
    const { documents } = await serve();
    const extractor = (await documents('POST', '/extractors', { json: { name: 'x' } })).json.id;
    const create = { name: 's', entityId: extractor };
    const set = (await documents('POST', '/evaluation_sets', { json: create })).json;
    expect(set).toMatchObject({ object: 'evaluation_set', entity: { id: extractor, name: 'x' } });
    const path = `/evaluation_sets/${set.id}`;
    expect((await documents('GET', path)).json).toEqual(set);
    expect((await documents('GET', `/evaluation_sets?entityId=${extractor}`)).json.data).toEqual([
      set,
    ]);
    expect((await documents('GET', '/evaluation_sets?entityId=other')).json.data).toEqual([]);

    const item = { file: { text: 'x' }, expectedOutput: { value: { a: 1 } } };
    const one = await documents('POST', `${path}/items`, { json: { items: [item] } });
    const [first] = one.json.evaluationSetItems;
    expect(first).toMatchObject({ evaluationSetId: set.id, expectedOutput: item.expectedOutput });
    const bulk = { items: [{ ...item, file: undefined, fileId: first.file.id }, item] };
    expect((await documents('POST', `${path}/items/bulk`, { json: bulk })).status).toBe(200);
    expect((await documents('GET', `${path}/items`)).json.data).toHaveLength(3);

    for (const [method, value] of [
      ['PATCH', 2],
      ['POST', 3],
    ] as const) {
      const json = { expectedOutput: { value } };
      const updated = await documents(method, `${path}/items/${first.id}`, { json });
      expect(updated.json.expectedOutput).toEqual({ value });
    }
    expect((await documents('GET', `${path}/items/${first.id}`)).json.expectedOutput).toEqual({
      value: 3,
    });

    const started = await documents('POST', '/evaluation_set_runs', {
      json: { evaluationSetId: set.id },
    });
    expect(started.json).toMatchObject({ object: 'evaluation_set_run', metrics: { numFiles: 3 } });
    const runId = started.json.id;
    for (const address of [`${path}/runs/${runId}`, `/evaluation_set_runs/${runId}`]) {
      expect((await documents('GET', address)).json).toEqual(started.json);
    }
    const other = (await documents('POST', '/evaluation_sets', { json: create })).json;
    expect((await documents('GET', `/evaluation_sets/${other.id}/runs/${runId}`)).status).toBe(404);
    expect((await documents('GET', `/evaluation_sets/${other.id}/items/${first.id}`)).status).toBe(
      404,
    );

    expect((await documents('DELETE', `${path}/items/${first.id}`)).json).toEqual({ id: first.id });
    expect((await documents('GET', `${path}/items/${first.id}`)).json.code).toBe('NOT_FOUND');
  });

  it.each([
    ['/evaluation_sets', { name: 's', entityId: 'x' }, 404],
    ['/evaluation_sets', { name: 's' }, 400],
    ['/evaluation_sets/x/items', { items: [] }, 404],
    ['/evaluation_set_runs', {}, 400],
  ])('is not made of nothing: %s %j', async (path, json, status) => {
    const { documents } = await serve();
    expect((await documents('POST', path, { json })).status).toBe(status);
  });
});

describe('who may call the documents', () => {
  const good = { authorization: 'Bearer sandbox-key', 'x-service-api-version': '2024-12-23' };

  it.each([
    [{ ...good, authorization: '' }, 401, 'UNAUTHORIZED'],
    [{ ...good, authorization: 'Bearer other' }, 401, 'UNAUTHORIZED'],
    [{ authorization: good.authorization }, 400, 'INVALID_REQUEST'],
    [{ ...good, 'x-service-api-version': '2026-01-01' }, 400, 'INVALID_REQUEST'],
  ])('%j is refused', async (headers, status, code) => {
    const { sandbox } = await serve();
    const answer = await fetch(`${sandbox.documentsUrl}/files`, { headers });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ code, retryable: false });
  });

  it('sends the headers of the vendor', async () => {
    const { sandbox } = await serve({ documents: { vendorPrefix: 'acme', apiKey: 'k' } });
    const headers = { authorization: 'Bearer k', 'x-acme-api-version': '2026-02-09' };
    expect((await fetch(`${sandbox.documentsUrl}/files`, { headers })).status).toBe(200);
  });

  it('says of what type the body of a POST is, unless it speaks to the service of today', async () => {
    const statuses = [];
    for (const wire of ['spec', 'current'] as const) {
      const { documents } = await serve({ documents: { wire } });
      const json = { file, config: {} };
      const { id } = (await documents('POST', '/extract_runs', { json })).json;
      statuses.push((await documents('POST', `/extract_runs/${id}/cancel`)).status);
    }
    expect(statuses).toEqual([400, 200]);
  });
});

/** That they are signed as the client expects is tested beside it. */
describe('webhooks', () => {
  interface Got {
    readonly eventType: string;
    readonly payload: object;
  }

  async function addressOf(server: Server): Promise<string> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  }

  async function listen(options: Partial<WebhookOptions> = {}) {
    const got: Got[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      got.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.end();
    });
    const url = await addressOf(server);
    const served = await serve({ documents: { webhooks: { url, secret: 's', ...options } } });
    return { ...served, got };
  }

  it('are delivered, for every end that has an event', async () => {
    const { documents, sandbox, got } = await listen();
    const extract = { file, config: { schema: {} } };
    const run = (await documents('POST', '/extract', { json: extract })).json;
    const headers = { 'x-sandbox-outcome': 'FAILED' };
    await documents('POST', '/parse', { json: { file }, headers });
    const id = await workflow(documents, [{ type: 'PARSE' }]);
    for (const outcome of ['PROCESSED', 'NEEDS_REVIEW', 'FAILED', 'REJECTED']) {
      const json = { workflowId: id, files: [file] };
      await documents('POST', '/workflow_runs', {
        json,
        headers: { 'x-sandbox-outcome': outcome },
      });
    }
    sandbox.clock.advance(1000);
    await sandbox.documents.webhooksSettled();
    expect(got.map(({ eventType }) => eventType).sort()).toEqual([
      'extract_run.processed',
      'parse_run.failed',
      'workflow_run.completed',
      'workflow_run.failed',
      'workflow_run.needs_review',
      ...['workflow_run.step_run.processed', 'workflow_run.step_run.processed'],
      'workflow_run.step_run.processed',
    ]);
    expect(got.find(({ eventType }) => eventType === 'extract_run.processed')).toEqual({
      eventId: expect.stringMatching(/^event_/),
      eventType: 'extract_run.processed',
      payload: run,
    });
    expect(sandbox.documents.deliveries).toHaveLength(8);
    expect(sandbox.documents.deliveries[0]).toMatchObject({ status: 200 });
  });

  it('are only those that were asked for', async () => {
    const { documents, sandbox, got } = await listen({ events: ['extract_run.processed'] });
    await documents('POST', '/extract', { json: { file, config: {} } });
    await documents('POST', '/parse', { json: { file } });
    await sandbox.documents.webhooksSettled();
    expect(got.map(({ eventType }) => eventType)).toEqual(['extract_run.processed']);
  });

  it('that nobody answers are recorded as such', async () => {
    const webhooks = { url: 'http://127.0.0.1:1/', secret: 's' };
    const { documents, sandbox } = await serve({ documents: { webhooks } });
    await documents('POST', '/parse', { json: { file } });
    await sandbox.documents.webhooksSettled();
    expect(sandbox.documents.deliveries).toMatchObject([{ status: null }]);
  });

  it('follow no redirect', async () => {
    const asked: unknown[] = [];
    const server = createServer(({ url }, response) => {
      asked.push(url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const webhooks = { url: await addressOf(server), secret: 's' };
    const { documents, sandbox } = await serve({ documents: { webhooks } });
    await documents('POST', '/parse', { json: { file } });
    await sandbox.documents.webhooksSettled();
    expect(asked).toEqual(['/hook']);
    expect(sandbox.documents.deliveries).toMatchObject([{ status: 307 }]);
  });

  it('that are under way do not hold up the end of the sandbox', async () => {
    const asked: unknown[] = [];
    // Never answers.
    const server = createServer(({ url }) => asked.push(url));
    const webhooks = { url: await addressOf(server), secret: 's' };
    const { documents, sandbox } = await serve({ documents: { webhooks } });
    await documents('POST', '/parse', { json: { file } });
    await expect.poll(() => asked).toHaveLength(1);
    const started = performance.now();
    await sandbox.close();
    await sandbox.documents.webhooksSettled();
    expect(performance.now() - started).toBeLessThan(2000);
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

import { describe, expect, it } from 'vitest';
import type { DocumentsOptions } from '../../../src/adapters/sandbox/documents.js';
import { type Send, serve } from './serve.js';

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

const processing = [
  ['extract', 'extractor', 'exr_', 'ex_'],
  ['classify', 'classifier', 'clr_', 'cl_'],
  ['split', 'splitter', 'spr_', 'sp_'],
] as const;

const configs = {
  extract: { schema },
  classify: { classifications: [{ id: 'i', type: 'invoice' }] },
  split: { splitClassifications: [{ id: 'i', type: 'invoice' }] },
};

async function made(documents: Send, noun: string, config: object = {}): Promise<string> {
  const json = { name: 'mine', config };
  return (await documents('POST', `/${noun}s`, { json })).json.id;
}

describe.each(processing)('%s', (name, noun, runPrefix, prefix) => {
  const config = configs[name];

  it('answers at once, with what the configuration asks for', async () => {
    const { documents } = await serve();
    const json = { file, config, metadata: { order: 7 } };
    const answer = await documents('POST', `/${name}`, { json });
    expect(answer.json).toMatchObject({
      object: `${name}_run`,
      id: expect.stringMatching(new RegExp(`^${runPrefix}`)),
      status: 'PROCESSED',
      failureReason: null,
      metadata: { order: 7 },
      config,
      [noun]: null,
      file: { name: 'invoice.pdf' },
    });
    expect(answer.json.output).toMatchObject(
      {
        extract: {
          value: { total: 12.5, day: '2026-01-31', kind: 'credit', lines: [{ count: 7 }] },
        },
        classify: { id: 'i', type: 'invoice' },
        split: { splits: [{ type: 'invoice', startPage: 1, endPage: 1 }] },
      }[name],
    );
  });

  it('goes on by the clock, as a run', async () => {
    const { documents, sandbox } = await serve({ documents: { times } });
    const id = await made(documents, noun, config);
    expect(id.startsWith(prefix)).toBe(true);
    const path = `/${name}_runs`;
    const started = await documents('POST', path, { json: { file, [noun]: { id } } });
    expect(started.json).toMatchObject({ status: 'PENDING', output: null, [noun]: { id } });
    const runPath = `${path}/${started.json.id}`;
    const statusAfter = async (milliseconds: number) => {
      sandbox.clock.advance(milliseconds);
      return (await documents('GET', runPath)).json.status;
    };
    expect(await statusAfter(999)).toBe('PENDING');
    expect(await statusAfter(1)).toBe('PROCESSING');
    expect(await statusAfter(4999)).toBe('PROCESSING');
    expect(await statusAfter(1)).toBe('PROCESSED');
    const { json } = await documents('GET', runPath);
    expect(json.output).not.toBeNull();
    expect(json.updatedAt).toBe('2026-01-01T00:00:06.000Z');
  });

  it('is cancelled while it has not ended, and not afterwards', async () => {
    const { documents, sandbox } = await serve({ documents: { times } });
    const start = async () =>
      (await documents('POST', `/${name}_runs`, { json: { file, config } })).json.id;
    const [cancelled, ended] = [await start(), await start()];
    const cancel = (id: string) => documents('POST', `/${name}_runs/${id}/cancel`, { json: {} });
    expect((await cancel(cancelled)).json.status).toBe('CANCELLED');
    sandbox.clock.advance(60_000);
    expect(sandbox.documents.runs()).toEqual(
      new Map([
        [cancelled, 'CANCELLED'],
        [ended, 'PROCESSED'],
      ]),
    );
    for (const id of [cancelled, ended]) {
      expect((await cancel(id)).json).toMatchObject({ code: 'INVALID_REQUEST' });
    }
  });

  it('is listed by status and by processor, and deleted', async () => {
    const { documents, sandbox } = await serve({ documents: { times } });
    const id = await made(documents, noun);
    const path = `/${name}_runs`;
    const first = await documents('POST', path, { json: { file, [noun]: { id } } });
    sandbox.clock.advance(60_000);
    const second = await documents('POST', path, { json: { file, config } });
    const found = async (query: string) =>
      (await documents('GET', `${path}?${query}`)).json.data.map((run: { id: string }) => run.id);
    expect(await found('')).toEqual([second.json.id, first.json.id]);
    expect(await found('status=PENDING')).toEqual([second.json.id]);
    expect(await found(`${noun}Id=${id}`)).toEqual([first.json.id]);
    expect(await found('fileNameContains=invoice')).toHaveLength(2);
    expect(await found('fileNameContains=letter')).toEqual([]);
    expect(await found('sourceId=elsewhere')).toEqual([]);
    const removed = await documents('DELETE', `${path}/${second.json.id}`);
    expect(removed.json).toEqual({ id: second.json.id });
    sandbox.clock.advance(60_000);
    expect(await found('')).toEqual([first.json.id]);
  });

  it.each([
    [{ file }, 400, `The body must have either ${noun} or config`],
    [{ file, config, [noun]: { id: 'x' } }, 404, `There is no ${noun} with this id`],
    [{ file, [noun]: { id: 'x' } }, 404, `There is no ${noun} with this id`],
    [{ file, [noun]: 'x' }, 400, `${noun} must be an object`],
    [{ config }, 400, 'file must be an object'],
    [{ config, file: {} }, 400, 'file must have an id, a text, or a url that is one'],
    [
      { config, file: { url: 'file:///etc' } },
      400,
      'file must have an id, a text, or a url that is one',
    ],
    [{ config, file: { id: 'x' } }, 404, 'There is no file with this id'],
    [{ config, file, metadata: 7 }, 400, 'metadata must be an object'],
  ])('refuses %j', async (json, status, message) => {
    const { documents, sandbox } = await serve();
    const answer = await documents('POST', `/${name}`, { json });
    expect([answer.status, answer.json.message]).toEqual([status, message]);
    expect(sandbox.documents.runs().size).toBe(0);
  });

  it('has processors with versions', async () => {
    const { documents } = await serve();
    const id = await made(documents, noun, config);
    const versions = `/${noun}s/${id}/versions`;
    const publish = (releaseType: string) =>
      documents('POST', versions, { json: { releaseType, description: 'd' } });
    expect((await publish('minor')).json).toMatchObject({
      object: `${noun}_version`,
      version: '0.1',
      description: 'd',
      config,
      [`${noun}Id`]: id,
    });
    const changed = await documents('POST', `/${noun}s/${id}`, {
      json: { name: 'new', config: {} },
    });
    expect(changed.json).toMatchObject({
      name: 'new',
      draftVersion: { version: 'draft', config: {} },
    });
    const { json: major } = await publish('major');
    expect(major).toMatchObject({ version: '1.0', config: {} });
    expect((await publish('patch')).status).toBe(400);
    expect((await documents('GET', `${versions}/${major.id}`)).json).toEqual(major);
    expect((await documents('GET', `${versions}/x`)).status).toBe(404);
    const listed = await documents('GET', `${versions}?sortDir=asc`);
    expect(listed.json.data.map(({ version }: { version: string }) => version)).toEqual([
      '0.1',
      '1.0',
    ]);
    const run = await documents('POST', `/${name}`, {
      json: { file, [noun]: { id, version: '0.1' } },
    });
    expect(run.json).toMatchObject({ config, [`${noun}Version`]: { version: '0.1' } });
    const override = { [noun]: { id, overrideConfig: { a: 1 } }, file };
    expect((await documents('POST', `/${name}`, { json: override })).json.config).toEqual({ a: 1 });
  });

  it('has processors that are listed', async () => {
    const { documents } = await serve();
    await made(documents, noun, config);
    const last = (await documents('POST', `/${noun}s`, { json: { name: 'last' } })).json;
    expect((await documents('GET', `/${noun}s/${last.id}`)).json).toEqual(last);
    const list = await documents('GET', `/${noun}s`);
    expect(list.json.data.map((each: { name: string }) => each.name)).toEqual(['last', 'mine']);
    expect((await documents('POST', `/${noun}s`, { json: {} })).status).toBe(400);
    expect((await documents('GET', `/${noun}s/x`)).json.code).toBe('NOT_FOUND');
  });
});

describe('parsing and editing', () => {
  it('parse gives the text in chunks', async () => {
    const { documents, sandbox } = await serve({ documents: { times } });
    const json = { file: { text: 'Hello.', name: 'h.txt' } };
    const output = { chunks: [{ content: 'Hello.' }] };
    const direct = await documents('POST', '/parse', { json });
    expect(direct.json).toMatchObject({ object: 'parse_run', status: 'PROCESSED', output });
    const { id } = (await documents('POST', '/parse_runs', { json })).json;
    const path = `/parse_runs/${id}`;
    expect((await documents('GET', path)).json).toMatchObject({ status: 'PENDING', output: null });
    sandbox.clock.advance(6000);
    expect((await documents('GET', path)).json.output).toMatchObject(output);
    expect((await documents('DELETE', path)).json).toEqual({ id });
  });

  it('edit gives a file', async () => {
    const { documents, sandbox } = await serve({ documents: { times } });
    const json = { file: { text: 'form' }, config: { a: 1 } };
    const { output } = (await documents('POST', '/edit', { json })).json;
    expect(await (await fetch(output.editedFile.presignedUrl)).text()).toBe('form');
    const { id } = (await documents('POST', '/edit_runs', { json })).json;
    sandbox.clock.advance(6000);
    expect((await documents('GET', `/edit_runs/${id}`)).json.status).toBe('PROCESSED');
    expect((await documents('DELETE', `/edit_runs/${id}`)).json).toEqual({ id });
  });
});

it.each(['parse', 'edit'])('%s ends although its file is gone', async (name) => {
  const { documents, sandbox } = await serve({ documents: { times } });
  const body = new FormData();
  body.set('file', new Blob(['x']), 'x.txt');
  const { id } = (await documents('POST', '/files/upload', { body })).json;
  const run = (await documents('POST', `/${name}_runs`, { json: { file: { id } } })).json;
  await documents('DELETE', `/files/${id}`);
  sandbox.clock.advance(6000);
  expect(sandbox.documents.runs().get(run.id)).toBe('PROCESSED');
});

describe('the end of a run', () => {
  const extraction = { file, config: { schema } };

  it('is what the request asks for', async () => {
    const { documents } = await serve();
    const headers = { 'x-sandbox-outcome': 'FAILED=FAILED_TO_PROCESS_FILE' };
    const { json } = await documents('POST', '/extract', { json: extraction, headers });
    expect(json).toMatchObject({
      status: 'FAILED',
      output: null,
      failureReason: 'FAILED_TO_PROCESS_FILE',
      failureMessage: expect.any(String),
    });
  });

  it('is what a test has ordered, for the next run of a kind', async () => {
    const { documents, sandbox } = await serve();
    sandbox.documents.outcomes.next('FAILED', { kind: 'parse' });
    expect((await documents('POST', '/extract', { json: extraction })).json.status).toBe(
      'PROCESSED',
    );
    for (const status of ['FAILED', 'PROCESSED']) {
      expect((await documents('POST', '/parse', { json: { file } })).json.status).toBe(status);
    }
    expect(() => sandbox.documents.outcomes.next('FAILED=no')).toThrow(RangeError);
  });

  it.each(['NEEDS_REVIEW', 'REJECTED', 'DONE', 'FAILED='])(
    'is not %s for an extraction',
    async (outcome) => {
      const { documents } = await serve();
      const headers = { 'x-sandbox-outcome': outcome };
      expect((await documents('POST', '/extract', { json: extraction, headers })).status).toBe(400);
    },
  );

  it('is CANCELLING for a while, by switch', async () => {
    const { documents, sandbox } = await serve({
      documents: { times: { ...times, cancellingMs: 500 } },
    });
    const { id } = (await documents('POST', '/extract_runs', { json: extraction })).json;
    const cancel = await documents('POST', `/extract_runs/${id}/cancel`, { json: {} });
    expect(cancel.json.status).toBe('CANCELLING');
    sandbox.clock.advance(499);
    expect(sandbox.documents.runs().get(id)).toBe('CANCELLING');
    sandbox.clock.advance(60_000);
    expect(sandbox.documents.runs().get(id)).toBe('CANCELLED');
  });

  it('comes by itself where the clock runs', async () => {
    const options: DocumentsOptions = { times: { pendingMs: 5, processingMs: 5 } };
    const { documents } = await serve({ clock: { mode: 'real' }, documents: options });
    const { id } = (await documents('POST', '/extract_runs', { json: extraction })).json;
    await expect
      .poll(async () => (await documents('GET', `/extract_runs/${id}`)).json.status)
      .toBe('PROCESSED');
  });
});

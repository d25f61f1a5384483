/**
 * The documents of the sandbox, by plain requests: files, processors, runs, workflows, evaluation sets.
 * A model beside the client covers lists, cancelling and deleting.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { play, receive, type Send, serve } from './serve.js';

const file = { url: 'https://example.com/a/invoice.pdf' };

async function uploaded(documents: Send, content: string | Buffer, name: string, query = '') {
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(Buffer.from(content))], { type: 'text/plain' }), name);
  return (await documents('POST', `/files/upload${query}`, { body })).json;
}

describe('a file', () => {
  it('is downloaded byte by byte from a signed address, until it is deleted', async () => {
    const served = await serve();
    const { documents } = served;
    const content = Buffer.from('\0\xff\r\n--b\r\n----\r\n\r\n--b--', 'latin1');
    const { presignedUrl, ...stored } = await uploaded(documents, content, 'ä".bin');
    const metadata = { sizeBytes: content.length };
    expect(stored).toMatchObject({ object: 'file', name: 'ä".bin', type: 'text/plain', metadata });
    expect((await receive(await fetch(presignedUrl))).bytes).toEqual(content);
    const pdf = await uploaded(documents, 'a < b', 'p', '?convertToPdf=true');
    const transcript = `
      DELETE /files/$id => {id: $id}
      GET /files/$id => {code: "NOT_FOUND", retryable: false}
      GET /files/$pdf?rawText=true&html=true => {type: "application/pdf", contents: $contents}
      GET /files?maxPageSize=0 => 400 maxPageSize must be from 1 to 1000
      GET /files?sortDir=up => 400 sortDir must be one of desc, asc
      GET /files?sortBy=name => 400 sortBy must be one of createdAt, updatedAt`;
    const contents = { rawText: 'a < b', html: 'a < b' };
    await play(served, 'documents', transcript, { id: stored.id, pdf: pdf.id, contents });
    expect((await fetch(presignedUrl)).status).toBe(404);
  });

  const field = 'Content-Disposition: form-data; name="file"';
  it.each([
    ['multipart/form-data; boundary=b', `--b\r\n${field}\r\n\r\nx\r\n--b--\r\n`],
    ['multipart/form-data', '--b--\r\n'],
    ['text/plain; boundary=b', `--b\r\n${field}; filename="a"\r\n\r\nx\r\n--b--\r\n`],
  ])('is not found in a body of %s %j', async (type, body) => {
    const { documents } = await serve();
    const headers = { 'content-type': type };
    const { status, json } = await documents('POST', '/files/upload', { body, headers });
    expect([status, json.message]).toEqual([400, expect.stringMatching(/a form/)]);
  });

  it('is on one page of a list, even if files come and go between pages', async () => {
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
    const found = [first, second, third].map(({ data }) =>
      data.map(({ id }: { id: string }) => id),
    );
    expect(found).toEqual([[ids[4], ids[3]], [ids[2], ids[1]], [ids[0]]]);
    expect(third.nextPageToken).toBeUndefined();
  });
});

const classes = [{ id: 'i', type: 'invoice' }];
const split = { type: 'invoice', startPage: 1, endPage: 1 };

describe.each([
  ['extract', 'extractor', { schema: { properties: { total: {} } } }, { value: { total: null } }],
  ['classify', 'classifier', { classifications: classes }, { id: 'i', type: 'invoice' }],
  ['split', 'splitter', { splitClassifications: classes }, { splits: [split] }],
] as const)('%s', (verb, noun, config, output) => {
  it('takes its time or ends at once, and its runs are found by processor and file', async () => {
    const transcript = `
      POST /${noun}s {name: "mine", config: $config} => {id: $id}
      POST /${verb}_runs {file: $file, ${noun}: {id: $id}, metadata: {order: 7}} => {id: $run}
      POST /${verb}_runs {file: $file, config: $config} => {id: $other}
      wait 500
      GET /${verb}_runs/$run => $done
      GET /${verb}_runs/$run => {metadata: {order: 7}, config: $config, ${noun}: {id: $id}}
      POST /${verb}_runs/$run/cancel {} => {code: "INVALID_REQUEST"}
      POST /${verb}_runs/$run/cancel => 400
      GET /${verb}_runs?${noun}Id=$id => {data: [{id: $run}]}
      GET /${verb}_runs?fileNameContains=invoice => {data: [{id: $other}, {id: $run}]}
      GET /${verb}_runs?fileNameContains=letter => {data: []}
      POST /${verb} {file: $file, config: $config} => $done`;
    const done = { object: `${verb}_run`, status: 'PROCESSED', output };
    await play(await serve(), 'documents', transcript, { file, config, done });
  });

  it('is refused without a file, or without exactly one processor that exists', async () => {
    const served = await serve();
    const transcript = `
      POST /${verb} {file: $file} => 400 body must have required property
      POST /${verb} {file: $file, config: {}, ${noun}: {id: "x"}} => 400 body must match exactly one schema
      POST /${verb} {file: $file, ${noun}: {id: "x"}} => 404 There is no ${noun} with this id
      POST /${verb} {config: {}, file: {url: "file:///etc"}} => 400 file must have
      POST /${verb} {config: {}, file: {id: "x"}} => 404 There is no file with this id`;
    await play(served, 'documents', transcript, { file });
    expect(served.sandbox.documents.runs().size).toBe(0);
  });

  it('has processors with versions', async () => {
    const version = { object: `${noun}_version`, version: '0.1', description: 'd', config };
    const transcript = `
      POST /${noun}s {name: "mine", config: $config} => {id: $id}
      POST /${noun}s/$id/versions {releaseType: "minor", description: "d"} => $version
      GET /${noun}s/$id/versions => {data: [{id: $minor, ${noun}Id: $id}]}
      POST /${noun}s/$id {name: "new", config: {}} => {name: "new", config: {}}
      POST /${noun}s/$id/versions {releaseType: "major"} => {id: $major, version: "1.0", config: {}}
      GET /${noun}s/$id/versions/$major => {id: $major, version: "1.0"}
      GET /${noun}s/$id/versions/x => 404
      GET /${noun}s/x/versions => 404
      GET /${noun}s/$id/versions?sortDir=asc => {data: [{id: $minor}, {id: $major}]}
      POST /${verb} {file: $file, ${noun}: {id: $id, version: "0.1"}} => {config: $config}
      POST /${verb} {file: $file, ${noun}: {id: $id}} => {config: {}}
      POST /${verb} {file: $file, ${noun}: {id: $id, overrideConfig: {a: 1}}} => {config: {a: 1}}
      POST /${verb} {file: $file, ${noun}: {id: $id, version: "9.9"}} => 404
      POST /${noun}s {} => 400`;
    await play(await serve(), 'documents', transcript, { file, config, version });
  });
});

it('parsing gives the text and editing a file, even if the file is deleted meanwhile', async () => {
  const { documents, sandbox } = await serve();
  for (const verb of ['parse', 'edit']) {
    const { id } = await uploaded(documents, 'Hello.', 'a');
    const path = `/${verb}_runs`;
    const run = (await documents('POST', path, { json: { file: { id } } })).json;
    await documents('DELETE', `/files/${id}`);
    sandbox.clock.advance(6000);
    const { status, output } = (await documents('GET', `${path}/${run.id}`)).json;
    expect(status).toBe('PROCESSED');
    if (verb === 'parse') expect(output).toMatchObject({ chunks: [{ content: 'Hello.' }] });
    else expect(await (await fetch(output.editedFile.presignedUrl)).text()).toBe('Hello.');
  }
});

it('a run ends as its request or a test has ordered', async () => {
  const served = await serve();
  served.sandbox.documents.outcomes.next('FAILED');
  const transcript = `
    POST /parse {file: $file} => {status: "FAILED", output: null, failureReason: "INTERNAL_ERROR"}
    POST /parse {file: $file} => {status: "PROCESSED"}
    x-sandbox-outcome=FAILED=INVALID POST /parse {file: $file} => {failureReason: "INVALID"}
    x-sandbox-outcome=FAILED POST /parse {file: $file} => {failureReason: "INTERNAL_ERROR"}
    x-sandbox-outcome=NEEDS_REVIEW POST /parse {file: $file} => 400
    x-sandbox-outcome=DONE POST /parse {file: $file} => 400
    x-sandbox-outcome=FAILED= POST /parse {file: $file} => 400`;
  await play(served, 'documents', transcript, { file });
  expect(() => served.sandbox.documents.outcomes.next('FAILED=no')).toThrow(RangeError);
});

it('workflows run in both forms and in batches, and end with the runs of their steps', async () => {
  const served = await serve();
  const steps = [{ type: 'PARSE', name: 'read' }, { type: 'EXTRACT' }];
  const stepRuns = steps.map((step) => ({ step, status: 'PROCESSED', result: {} }));
  const first = { ...file, fileName: 'first.pdf' };
  const started = { object: 'workflow_run', stepRuns: [], batchId: null };
  const transcript = `
    POST /workflows {name: "w", steps: $steps} => {id: $id}
    POST /workflow_runs {workflowId: $id, files: [$first, $file]} => $started
    GET /workflow_runs => {data: [{id: $old, files: [$named, {}], workflow: {id: $id, name: "w"}}]}
    POST /workflow_runs {workflow: {id: $id}, file: $first, metadata: {a: 1}} => {id: $new}
    wait 1000
    GET /workflow_runs/$old => {status: "PROCESSED", stepRuns: $stepRuns, metadata: null}
    GET /workflow_runs/$new => {status: "PROCESSED", stepRuns: $stepRuns, metadata: {a: 1}}
    POST /workflow_runs/$old {name: "n", id: "x"} => {id: $old, name: "n", status: "PROCESSED"}
    POST /workflow_runs {workflowId: $id} => 400
    POST /workflow_runs {workflowId: "x", files: [$first]} => 404
    POST /workflow_runs/batch {workflowId: $id, files: [$file, {}]} => 400
    POST /workflow_runs/batch {workflow: {id: $id}, inputs: [{file: $file}, {file: $file}]} => {batchId: $two}
    GET /workflow_runs?batchId=$two&workflowId=$id => {data: [{}, {}]}
    POST /workflow_runs/batch {workflowId: $id, files: [$file]} => {batchId: $one}
    GET /workflow_runs?batchId=$one&workflowId=$id => {data: [{}]}`;
  const given = { file, first, named: { name: 'first.pdf' }, steps, stepRuns, started };
  await play(served, 'documents', transcript, given);
  expect(served.sandbox.documents.runs().size).toBe(5);
});

it('an evaluation set has items, changed in both forms', async () => {
  const item = { file: { text: 'x' }, expectedOutput: { value: { a: 1 } } };
  const transcript = `
    POST /extractors {name: "x"} => {id: $entity}
    POST /evaluation_sets {name: "s", entityId: $entity} => {id: $set}
    POST /evaluation_sets {name: "t", entityId: "y"} => {id: $other}
    POST /evaluation_sets/$set/items {items: [$item]} => {evaluationSetItems: [{id: $id}]}
    GET /evaluation_sets/$set/items/$id => {evaluationSetId: $set, file: {id: $file}}
    GET /evaluation_sets/$set/items/$id => {expectedOutput: {value: {a: 1}}}
    GET /evaluation_sets/$set => {id: $set, name: "s"}
    GET /evaluation_sets?entityId=$entity => {data: [{id: $set}]}
    POST /evaluation_sets/$set/items/bulk {items: [{fileId: $file, expectedOutput: {}}, $item]} => 200
    GET /evaluation_sets/$set/items => {data: [{}, {}, {id: $id}]}
    GET /evaluation_sets/$other/items => {data: []}
    PATCH /evaluation_sets/$set/items/$id {expectedOutput: {a: 1}} => {expectedOutput: {a: 1}}
    POST /evaluation_sets/$set/items/$id {expectedOutput: {a: 2}} => {expectedOutput: {a: 2}}
    GET /evaluation_sets/$set/items/$id => {expectedOutput: {a: 2}}
    GET /evaluation_sets/$other/items/$id => 404
    PATCH /evaluation_sets/$other/items/$id {expectedOutput: {}} => 404
    DELETE /evaluation_sets/$other/items/$id => 404
    GET /evaluation_sets/$other/runs/x => 404
    GET /evaluation_set_runs/x => 404
    POST /evaluation_sets {} => 400
    POST /evaluation_sets/x/items {items: []} => 404
    POST /evaluation_sets/$set/items {items: [{}]} => 400
    DELETE /evaluation_sets/$set/items/$id => 200
    GET /evaluation_sets/$set/items/$id => 404`;
  await play(await serve(), 'documents', transcript, { item });
});

/** The client tests their signatures. */
describe('webhooks', () => {
  it('follow no redirect, and do not delay the end if no answer comes', async () => {
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
    'are not sent to another machine: %s',
    async (url) => {
      const options = { documents: { webhooks: { url, secret: 's' } } };
      await expect(serve(options)).rejects.toThrow(RangeError);
    },
  );
});

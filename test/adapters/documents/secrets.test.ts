/** What a call hands over in confidence stands in no error, even if the service repeats it. */
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type ApiError, createDocumentsClient } from '../../../src/documents.js';

/** A client of a service that repeats whatever it is sent. */
const client = () =>
  createDocumentsClient({
    baseUrl: 'https://documents.example',
    apiKey: 'sk_1',
    wire: 'current',
    fetch: async (_, init) => {
      const sent = await new Response(init?.body).text();
      const message = `cannot open ${sent.match(/geheim-\d|tok-\d/g)?.join(' or ')}`;
      return Response.json({ code: 'INVALID_REQUEST', message, requestId: 'r' }, { status: 400 });
    },
  });

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => expect.fail('was taken'),
    (reason: ApiError) => reason,
  );
  expect(`${error}${inspect(error)}${JSON.stringify(error)}`).not.toMatch(/geheim-\d|tok-\d/);
  return error;
}

describe('nothing of a confidence stands in an error', () => {
  it('the password of an upload', async () => {
    const upload = client().files.upload(Buffer.from('x'), { password: 'geheim-1' });
    const { serviceMessage } = await failureOf(upload);
    expect(serviceMessage).toMatch(/^cannot open \[\w+\]$/);
  });

  it('the secrets of a run', async () => {
    const { workflowRuns } = client();
    const run = { workflow: { id: 'w' }, file: { id: 'f' } };
    const secrets = { a: 'geheim-1', b: 'tok-2' };
    const { serviceMessage } = await failureOf(workflowRuns.create({ ...run, secrets }));
    expect(serviceMessage).toMatch(/^cannot open \[\w+\] or \[\w+\]$/);
    await failureOf(workflowRuns.createAndPoll({ ...run, secrets }));
  });

  it('those of a batch', async () => {
    const inputs = [{ file: { id: 'f' }, secrets: { a: 'geheim-1' } }, { secrets: { a: 'tok-2' } }];
    const batch = client().workflowRuns.createBatch({ workflow: { id: 'w' }, inputs });
    expect((await failureOf(batch)).serviceMessage).toMatch(/^cannot open \[\w+\] or \[\w+\]$/);
  });
});

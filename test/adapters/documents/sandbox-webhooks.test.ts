/** What the sandbox signs and delivers is what the receiver believes, and nothing else is. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import type { ExtractRun, StepRun, WorkflowRun } from '../../../src/adapters/documents/types.js';
import { createSandbox, type Sandbox } from '../../../src/adapters/sandbox/sandbox.js';
import type { WebhookOptions } from '../../../src/adapters/sandbox/webhooks.js';
import {
  createDocumentsClient,
  type DocumentsClient,
  isKnownWebhookEvent,
  isSignedPayload,
  verifyWebhook,
  type WebhookDelivery,
} from '../../../src/documents.js';

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Setting {
  readonly sandbox: Sandbox;
  readonly client: DocumentsClient;
  /** Deliveries so far, as they arrived, each with what verifies it. */
  deliveries(changes?: Partial<WebhookDelivery>): Promise<WebhookDelivery[]>;
}

const secret = 'wss_sandbox';
const file = { text: 'a bill' };
const config = { schema: { type: 'object', properties: {} } };

async function listen(): Promise<{ readonly url: string; readonly got: Got[] }> {
  const got: Got[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    got.push({ headers: request.headers, body: Buffer.concat(pieces) });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, got };
}

async function setUp(
  options: Partial<WebhookOptions> = {},
  vendorPrefix = 'service',
): Promise<Setting> {
  const { url, got } = await listen();
  const webhooks = { url, secret, ...options };
  const sandbox = await createSandbox({
    clock: { mode: 'manual' },
    documents: { vendorPrefix, webhooks },
  });
  const client = createDocumentsClient({
    baseUrl: sandbox.documentsUrl,
    apiKey: 'sandbox-key',
    vendorPrefix,
  });
  onTestFinished(async () => {
    await client.close();
    await sandbox.close();
  });
  return {
    sandbox,
    client,
    async deliveries(changes = {}) {
      await sandbox.documents.webhooksSettled();
      const now = sandbox.clock.now();
      return got.map(({ headers, body }) => ({
        headers,
        body,
        secret,
        now,
        vendorPrefix,
        ...changes,
      }));
    },
  };
}

/** Every end of a run that has an event: of the five verbs, and of workflows. */
async function processEverything({ sandbox, client }: Setting): Promise<void> {
  for (const outcome of ['PROCESSED', 'FAILED=INVALID_WORKFLOW'] as const) {
    for (const verb of ['extract', 'classify', 'split'] as const) {
      sandbox.documents.outcomes.next(outcome);
      await client[verb]({ file, config });
    }
    for (const verb of ['parse', 'edit'] as const) {
      sandbox.documents.outcomes.next(outcome);
      await client[verb]({ file });
    }
  }
  const { id: workflowId } = await client.workflows.create({
    name: 'w',
    steps: [{ type: 'EXTRACT' }],
  });
  for (const outcome of ['PROCESSED', 'FAILED', 'NEEDS_REVIEW'] as const) {
    sandbox.documents.outcomes.next(outcome);
    const files = [{ url: 'https://files.example/a.pdf' }];
    await client.workflowRuns.create({ workflowId, files });
  }
  sandbox.clock.advance(1000);
}

const codeOf = (delivery: WebhookDelivery): Promise<string> =>
  verifyWebhook(delivery).then(
    () => 'trusted',
    ({ code }) => code,
  );

describe('a delivery of the sandbox', () => {
  it('is believed and known, for every kind of event', async () => {
    const setting = await setUp();
    await processEverything(setting);
    const events = await Promise.all((await setting.deliveries()).map(verifyWebhook));
    expect(events.every(isKnownWebhookEvent)).toBe(true);
    const kinds = new Set(events.map(({ eventType }) => eventType));
    const verbs = ['extract', 'classify', 'split', 'parse', 'edit'];
    expect([...kinds].sort()).toEqual(
      [
        ...verbs.flatMap((verb) => [`${verb}_run.processed`, `${verb}_run.failed`]),
        ...['completed', 'failed', 'needs_review', 'step_run.processed'].map(
          (end) => `workflow_run.${end}`,
        ),
      ].sort(),
    );
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length);
  });

  it('has a payload of its type, the same as the run', async () => {
    const setting = await setUp();
    await processEverything(setting);
    for (const event of await Promise.all((await setting.deliveries()).map(verifyWebhook))) {
      if (!isKnownWebhookEvent(event) || isSignedPayload(event.payload)) {
        expect.fail(`${event.eventType} is not known, or not whole`);
      }
      switch (event.eventType) {
        case 'extract_run.processed':
          expectTypeOf(event.payload).toEqualTypeOf<ExtractRun>();
          expect(await setting.client.extractRuns.get(event.payload.id)).toEqual(event.payload);
          break;
        case 'extract_run.failed':
          expect(event.payload.failureReason).toBe('INVALID_WORKFLOW');
          break;
        case 'workflow_run.needs_review':
          expectTypeOf(event.payload).toEqualTypeOf<WorkflowRun>();
          expect(event.payload.status).toBe('NEEDS_REVIEW');
          break;
        case 'workflow_run.step_run.processed':
          expectTypeOf(event.payload).toEqualTypeOf<StepRun>();
          expect(event.payload.step?.type).toBe('EXTRACT');
      }
    }
  });

  it('is signed under the names of the vendor', async () => {
    const setting = await setUp({}, 'acme');
    await setting.client.parse({ file });
    expect(await Promise.all((await setting.deliveries()).map(codeOf))).toEqual(['trusted']);
    const [other] = await setting.deliveries({ vendorPrefix: 'service' });
    expect(await codeOf(other as WebhookDelivery)).toBe('api/webhook-timestamp');
  });

  it('is refused when it was tampered with, is signed by another, or is sent once more later', async () => {
    const setting = await setUp();
    await setting.client.parse({ file });
    const [delivery] = (await setting.deliveries()) as [WebhookDelivery];
    expect(await codeOf(delivery)).toBe('trusted');
    const text = `${delivery.body}`;
    const tampered = { ...delivery, body: text.replace('PROCESSED', 'CANCELLED') };
    expect(tampered.body).not.toBe(text);
    expect(await codeOf(tampered)).toBe('api/webhook-signature');
    expect(await codeOf({ ...delivery, body: JSON.stringify(JSON.parse(text), null, 1) })).toBe(
      'api/webhook-signature',
    );
    expect(await codeOf({ ...delivery, secret: 'wss_other' })).toBe('api/webhook-signature');
    setting.sandbox.clock.advance(300_000);
    expect(await codeOf({ ...delivery, now: setting.sandbox.clock.now() })).toBe('trusted');
    setting.sandbox.clock.advance(1000);
    expect(await codeOf({ ...delivery, now: setting.sandbox.clock.now() })).toBe(
      'api/webhook-too-old',
    );
  });

  it('may have an address in the place of its payload, which is asked for it', async () => {
    const setting = await setUp({ payload: 'signed-url' });
    const run = await setting.client.extract({ file, config });
    const [delivery] = (await setting.deliveries()) as [WebhookDelivery];
    const { payload } = await verifyWebhook(delivery);
    if (!isSignedPayload(payload)) return expect.fail('is whole');
    expect(payload.id).toBe(run.id);
    const answer = await fetch(payload.data, { redirect: 'error', credentials: 'omit' });
    expect(await answer.json()).toEqual(run);
  });
});

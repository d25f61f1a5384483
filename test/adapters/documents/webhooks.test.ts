/** Deliveries of webhooks: what is believed, what is not, and what comes out. */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import {
  ApiError,
  createDocumentsClient,
  type ExtractRun,
  isKnownWebhookEvent,
  isSignedPayload,
  type SignedPayload,
  type StepRun,
  verifyWebhook,
  type WebhookDelivery,
} from '../../../src/documents.js';
import { createSandbox } from '../../../src/testing.js';
import { useServer } from '../harness.js';

const secret = 'wss_secret';
const sentAt = 1767225600;
const event = {
  eventId: 'event_1',
  eventType: 'extract_run.processed',
  payload: { id: 'exr_1', status: 'PROCESSED' },
};
const text = JSON.stringify(event);

function sign(body: string | Uint8Array, time: number | string = sentAt, key = secret): string {
  return createHmac('sha256', key).update(`v0:${time}:`).update(body).digest('hex');
}

const headersOf = (signature: string, timestamp: number | string = sentAt) => ({
  'x-service-request-timestamp': `${timestamp}`,
  'x-service-request-signature': signature,
});

/** A delivery that is right, but for what is given. */
function delivery(given: object = {}): WebhookDelivery {
  const { body = text } = given as { body?: unknown };
  const isBody = typeof body === 'string' || body instanceof Uint8Array;
  const headers = headersOf(sign(isBody ? body : ''));
  return { body: body as string, headers, secret, now: sentAt * 1000, ...given };
}

async function codeOf(given: object): Promise<string> {
  const error = await verifyWebhook(delivery(given)).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error === null) return 'trusted';
  expect(error).toBeInstanceOf(ApiError);
  const told = { operation: 'verifyWebhook', outcome: 'not-sent', retryable: false };
  expect(error).toMatchObject(told);
  expect(JSON.stringify(error)).not.toContain(secret);
  const { code, reason } = error as ApiError;
  return reason === undefined ? code : `${code} ${reason}`;
}

describe('a delivery that the service signed', () => {
  const elsewhere = 'a163fef42da9468d6b494c725f8b1c6af251a2d3d240e982e8b0808bf360ee26';
  const right = sign(text);
  it.each<[string, object]>([
    ['a signature that was made elsewhere', { headers: headersOf(elsewhere) }],
    ['a signature in capitals', { headers: headersOf(right.toUpperCase()) }],
    ['bytes', { body: Buffer.from(text) }],
    ['bytes within a longer buffer', { body: Buffer.from(`xx${text}yy`).subarray(2, -2) }],
    ['headers of fetch', { headers: new Headers(headersOf(right)) }],
    [
      'names of headers in capitals, and lists of values',
      {
        headers: {
          'X-Service-Request-Timestamp': [`${sentAt}`],
          'X-SERVICE-REQUEST-SIGNATURE': [right],
          host: undefined,
        },
      },
    ],
    [
      'another prefix',
      {
        vendorPrefix: 'Vendor',
        headers: { 'x-vendor-request-timestamp': sentAt, 'x-vendor-request-signature': right },
      },
    ],
    [
      'a secret beyond ASCII',
      { secret: 'gehéim', headers: headersOf(sign(text, sentAt, 'gehéim')) },
    ],
    ['five minutes of age', { now: (sentAt + 300) * 1000 }],
    ['a minute ahead', { now: (sentAt - 60) * 1000 }],
    ['an hour of age, if that is allowed', { now: (sentAt + 3600) * 1000, toleranceSeconds: 3600 }],
  ])('may have %s', async (_, given) => {
    expect(await verifyWebhook(delivery(given))).toEqual(event);
  });

  it('is judged by the clock of the machine when none is given', async () => {
    const time = Math.floor(Date.now() / 1000);
    const headers = headersOf(sign(text, time), time);
    expect(await verifyWebhook({ body: text, headers, secret })).toEqual(event);
  });

  it('is read as it was signed, every character, whatever is written into it meanwhile', async () => {
    const unknown = {
      eventId: 'e',
      eventType: 'extractor.created',
      payload: 'Zoë 🐈 \u2028 \0',
      x: 1,
    };
    const body = Buffer.from(JSON.stringify(unknown));
    const going = verifyWebhook(delivery({ body }));
    body.fill(' ');
    expect(await going).toEqual(unknown);
  });
});

describe('a delivery is refused', () => {
  const right = sign(text);
  const only = 'x-service-request-timestamp';
  const twice = { ...headersOf(right), 'X-Service-Request-Signature': right };
  const junk = [`${right}00`, `${right}zz`, `${right}\n`, right.slice(2), `zz${right.slice(2)}`];
  const times = ['', '1e9', '-1', '1.5', ' 1', 'now', '0x10', '1767225600000', '١'];
  const bodies = [
    ...['hello', '', '[]', 'null', '{"eventType":"a","payload":{}}'],
    ...['{"eventId":"a","eventType":1,"payload":{}}', '{"eventId":"a","eventType":"b"}'],
    Buffer.from(text.replace('PROCESSED', '\xff'), 'latin1'),
  ];
  type Refused = [code: string, why: string, given: object];
  it.each<Refused>([
    ['webhook-signature', 'with another secret', { secret: 'wss_other' }],
    ['webhook-signature', 'with another body', { headers: headersOf(sign(`${text} `)) }],
    ['webhook-signature', 'with another time', { headers: headersOf(right, sentAt + 1) }],
    ['webhook-signature', 'with its time otherwise', { headers: headersOf(right, `0${sentAt}`) }],
    ['webhook-signature', 'without a signature', { headers: { [only]: `${sentAt}` } }],
    ['webhook-signature', 'with two signatures', { headers: twice }],
    ['webhook-signature', 'as old and forged', { now: 0, secret: 'wss_other' }],
    ...junk.map((each): Refused => {
      return ['webhook-signature', 'with junk', { headers: headersOf(each) }];
    }),
    ['webhook-timestamp', 'without headers', { headers: new Headers() }],
    ['webhook-timestamp', 'with the headers of another vendor', { vendorPrefix: 'vendor' }],
    ...times.map((time): Refused => {
      return ['webhook-timestamp', `of ${time}`, { headers: headersOf(sign(text, time), time) }];
    }),
    ['webhook-too-old', 'a moment after five minutes', { now: (sentAt + 300) * 1000 + 1 }],
    ['webhook-too-old', 'in time', { now: (sentAt + 11) * 1000, toleranceSeconds: 10 }],
    ['webhook-from-future', 'more than a minute ahead', { now: (sentAt - 60) * 1000 - 1 }],
    ...bodies.map((body): Refused => ['webhook-body', `when it is ${body}`, { body }]),
    ...[
      ...[{ secret: '' }, { secret: undefined }, { body: event }, { body: null }],
      ...[{ headers: null }, { now: Number.NaN }, { vendorPrefix: 'a b' }],
      ...[{ toleranceSeconds: -1 }, { toleranceSeconds: Infinity }],
    ].map((given): Refused => [`invalid-argument ${Object.keys(given)}`, 'by argument', given]),
  ])('as %s, %s', async (code, _, given) => expect(await codeOf(given)).toBe(`api/${code}`));

  it('wherever one bit of body, time or signature differs', async () => {
    const bits = fc.tuple(fc.constantFrom('body', 'time', 'signature'), fc.nat(), fc.nat(7));
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), bits, async (noise, [part, at, bit]) => {
        const body = Buffer.concat([Buffer.from(text.slice(0, -1)), noise, Buffer.from('}')]);
        const signed = sign(body);
        const parts = { body, time: Buffer.from(`${sentAt}`), signature: Buffer.from(signed) };
        const bytes = parts[part as keyof typeof parts];
        const place = at % bytes.length;
        bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
        // The case of a hex digit says nothing.
        fc.pre(part !== 'signature' || bytes.toString('latin1').toLowerCase() !== signed);
        const [digits, time] = [parts.signature.toString('latin1'), parts.time.toString('latin1')];
        const code = await codeOf({ body, headers: headersOf(digits, time) });
        expect(code).toMatch(/webhook-(signature|timestamp)$/);
      }),
      { numRuns: 200 },
    );
  });
});

it('an event says whether its kind is known, and its payload has to be fetched', () => {
  const verbs = ['extract', 'classify', 'split', 'parse', 'edit'];
  const kinds = [
    ...verbs.flatMap((verb) => [`${verb}_run.processed`, `${verb}_run.failed`]),
    ...['completed', 'failed', 'needs_review', 'step_run.processed'].map(
      (end) => `workflow_run.${end}`,
    ),
  ];
  for (const eventType of kinds) {
    expect(isKnownWebhookEvent({ ...event, eventType })).toBe(true);
    for (const other of [`${eventType}.x`, ` ${eventType}`, eventType.slice(1)]) {
      expect(isKnownWebhookEvent({ ...event, eventType: other })).toBe(false);
    }
  }
  const signed = { object: 'signed_data_url', data: 'https://files.example/1', id: 'exr_1' };
  expect(isSignedPayload(signed)).toBe(true);
  const others = [{ data: 1 }, { id: null }, { object: 'run' }].map((each) => ({
    ...signed,
    ...each,
  }));
  for (const other of [null, 'signed_data_url', ...others])
    expect(isSignedPayload(other)).toBe(false);
});

const hook = useServer();

/** A sandbox whose webhooks come here, and all that came so far. */
async function listen(payload: 'inline' | 'signed-url' = 'inline') {
  const webhooks = { url: `${hook.url}/hook`, secret, payload };
  const sandbox = await createSandbox({ clock: { mode: 'manual' }, documents: { webhooks } });
  const client = createDocumentsClient({ baseUrl: sandbox.documentsUrl, apiKey: 'sandbox-key' });
  onTestFinished(async () => {
    await client.close();
    await sandbox.close();
  });
  const deliveries = async () => {
    await sandbox.documents.webhooksSettled();
    const now = sandbox.clock.now();
    return hook.requests.map(({ headers, body }): WebhookDelivery => {
      return { headers, body, secret, now };
    });
  };
  return { sandbox, client, deliveries };
}

const file = { text: 'a bill' };
const config = { schema: { type: 'object', properties: {} } };

describe('a delivery of the sandbox', () => {
  it('is believed and known, with the run as its payload', async () => {
    const { sandbox, client, deliveries } = await listen();
    await client.extract({ file, config });
    const { id: workflowId } = await client.workflows.create({
      name: 'w',
      steps: [{ type: 'EXTRACT' }],
    });
    await client.workflowRuns.create({
      workflowId,
      files: [{ url: 'https://files.example/a.pdf' }],
    });
    sandbox.clock.advance(1000);
    const events = await Promise.all((await deliveries()).map(verifyWebhook));
    for (const each of events) {
      if (!isKnownWebhookEvent(each)) return expect.fail(`${each.eventType} is not known`);
      if (each.eventType === 'extract_run.processed') {
        expectTypeOf(each.payload).toEqualTypeOf<ExtractRun | SignedPayload>();
        expect(await client.extractRuns.get(each.payload.id)).toEqual(each.payload);
      } else if (each.eventType === 'workflow_run.step_run.processed') {
        expectTypeOf(each.payload).toEqualTypeOf<StepRun | SignedPayload>();
        expect(each.payload).toHaveProperty('step.type', 'EXTRACT');
      }
      // @ts-expect-error: no such kind.
      expect(each.eventType === 'extract_run.procesed').toBe(false);
    }
    const types = events.map(({ eventType }) => eventType).sort();
    const ofWorkflow = ['completed', 'step_run.processed'].map((end) => `workflow_run.${end}`);
    expect(types).toEqual(['extract_run.processed', ...ofWorkflow]);
  });

  it('may have an address in the place of its payload, which is asked for it', async () => {
    const { client, deliveries } = await listen('signed-url');
    const run = await client.extract({ file, config });
    const [one] = (await deliveries()) as [WebhookDelivery];
    const { payload } = await verifyWebhook(one);
    if (!isSignedPayload(payload)) return expect.fail('is whole');
    expect(payload.id).toBe(run.id);
    const answer = await fetch(payload.data, { redirect: 'error', credentials: 'omit' });
    expect(await answer.json()).toEqual(run);
  });
});

/** Webhook deliveries: which are trusted, which are refused, and what they resolve to. */
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
  const error = await verifyWebhook(delivery(given)).catch((reason: unknown) => reason);
  if (!(error instanceof Error)) {
    expect(error).toEqual(event);
    return 'trusted';
  }
  expect(error).toBeInstanceOf(ApiError);
  const told = { operation: 'verifyWebhook', outcome: 'not-sent', retryable: false };
  expect(error).toMatchObject(told);
  expect(JSON.stringify(error)).not.toContain(secret);
  const { code, reason } = error as ApiError;
  return reason === undefined ? code : `${code} ${reason}`;
}

describe('a delivery', () => {
  it('is checked against the clock of the machine by default', async () => {
    const time = Math.floor(Date.now() / 1000);
    const headers = headersOf(sign(text, time), time);
    expect(await verifyWebhook({ body: text, headers, secret })).toEqual(event);
  });

  it('is read exactly as signed, even if the body is changed meanwhile', async () => {
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

  const elsewhere = 'a163fef42da9468d6b494c725f8b1c6af251a2d3d240e982e8b0808bf360ee26';
  const right = sign(text);
  const capitals = {
    'X-Service-Request-Timestamp': [`${sentAt}`],
    'X-SERVICE-REQUEST-SIGNATURE': [right],
    host: undefined,
  };
  const vendors = { 'x-vendor-request-timestamp': sentAt, 'x-vendor-request-signature': right };
  const foreign = { secret: 'gehéim', headers: headersOf(sign(text, sentAt, 'gehéim')) };
  const only = 'x-service-request-timestamp';
  const twice = { ...headersOf(right), 'X-Service-Request-Signature': right };
  const junk = [`${right}00`, `${right}zz`, `${right}\n`, right.slice(2), `zz${right.slice(2)}`];
  const times = ['', '1e9', '-1', '1.5', ' 1', 'now', '0x10', '1767225600000', '١'];
  const bodies = [
    ...['hello', '', '[]', 'null', '{"eventType":"a","payload":{}}'],
    ...['{"eventId":"a","eventType":1,"payload":{}}', '{"eventId":"a","eventType":"b"}'],
    Buffer.from(text.replace('PROCESSED', '\xff'), 'latin1'),
  ];
  type Row = [code: string, why: string, given: object];
  it.each<Row>([
    ['trusted', 'with a signature made elsewhere', { headers: headersOf(elsewhere) }],
    ['trusted', 'with a signature in capitals', { headers: headersOf(right.toUpperCase()) }],
    ['trusted', 'as bytes', { body: Buffer.from(text) }],
    ['trusted', 'as bytes in others', { body: Buffer.from(`xx${text}yy`).subarray(2, -2) }],
    ['trusted', 'with headers of fetch', { headers: new Headers(headersOf(right)) }],
    ['trusted', 'with names in capitals, and lists of values', { headers: capitals }],
    ['trusted', 'with another prefix', { vendorPrefix: 'Vendor', headers: vendors }],
    ['trusted', 'with a secret beyond ASCII', foreign],
    ['trusted', 'at five minutes of age', { now: (sentAt + 300) * 1000 }],
    ['trusted', 'a minute ahead', { now: (sentAt - 60) * 1000 }],
    ['trusted', 'an hour old', { now: (sentAt + 3600) * 1000, toleranceSeconds: 3600 }],
    ['webhook-signature', 'with another secret', { secret: 'wss_other' }],
    ['webhook-signature', 'with another body', { headers: headersOf(sign(`${text} `)) }],
    ['webhook-signature', 'with another time', { headers: headersOf(right, sentAt + 1) }],
    ['webhook-signature', 'with its time otherwise', { headers: headersOf(right, `0${sentAt}`) }],
    ['webhook-signature', 'without a signature', { headers: { [only]: `${sentAt}` } }],
    ['webhook-signature', 'with two signatures', { headers: twice }],
    ['webhook-signature', 'as old and forged', { now: 0, secret: 'wss_other' }],
    ...junk.map((each): Row => {
      return ['webhook-signature', 'with junk', { headers: headersOf(each) }];
    }),
    ['webhook-timestamp', 'without headers', { headers: new Headers() }],
    ['webhook-timestamp', 'with the headers of another vendor', { vendorPrefix: 'vendor' }],
    ...times.map((time): Row => {
      return ['webhook-timestamp', `of ${time}`, { headers: headersOf(sign(text, time), time) }];
    }),
    ['webhook-too-old', 'a moment after five minutes', { now: (sentAt + 300) * 1000 + 1 }],
    ['webhook-too-old', 'at no time', { now: Number.NaN }],
    ['webhook-too-old', 'in no time', { toleranceSeconds: Number.NaN }],
    ['webhook-too-old', 'in time', { now: (sentAt + 11) * 1000, toleranceSeconds: 10 }],
    ['webhook-from-future', 'more than a minute ahead', { now: (sentAt - 60) * 1000 - 1 }],
    ...bodies.map((body): Row => ['webhook-body', `when it is ${body}`, { body }]),
    ...[
      ...[{ secret: '' }, { secret: undefined }, { body: event }, { body: null }],
      ...[{ vendorPrefix: 'a b' }],
    ].map((given): Row => [`invalid-argument ${Object.keys(given)}`, 'by argument', given]),
  ])('is %s %s', async (code, _, given) => {
    expect((await codeOf(given)).replace('api/', '')).toBe(code);
  });

  it('is refused if any bit of body, time or signature differs', async () => {
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

it('known kinds of events and signed payloads are recognized', () => {
  const kinds = [
    ...['extract', 'classify', 'split', 'parse', 'edit'].flatMap((verb) => {
      return [`${verb}_run.processed`, `${verb}_run.failed`];
    }),
    ...['workflow_run.completed', 'workflow_run.failed', 'workflow_run.needs_review'],
    'workflow_run.step_run.processed',
  ];
  const isKnown = (eventType: string) => isKnownWebhookEvent({ ...event, eventType });
  expect(kinds.filter(isKnown)).toEqual(kinds);
  expect(kinds.flatMap((kind) => [`${kind}.x`, ` ${kind}`, kind.slice(1)]).filter(isKnown)).toEqual(
    [],
  );
  const signed = { object: 'signed_data_url', data: 'https://files.example/1', id: 'exr_1' };
  const others = [{ data: 1 }, { id: null }, { object: 'run' }].map((each) => ({
    ...signed,
    ...each,
  }));
  expect([signed, null, 'signed_data_url', ...others].filter(isSignedPayload)).toEqual([signed]);
});

const hook = useServer();

it.each(['inline', 'signed-url'] as const)(
  'deliveries of the sandbox are trusted: %s',
  async (payload) => {
    const webhooks = { url: `${hook.url}/hook`, secret, payload };
    const sandbox = await createSandbox({ clock: { mode: 'manual' }, documents: { webhooks } });
    const client = createDocumentsClient({ baseUrl: sandbox.documentsUrl, apiKey: 'sandbox-key' });
    onTestFinished(async () => {
      await client.close();
      await sandbox.close();
    });
    const config = { schema: { type: 'object', properties: {} } };
    const run = await client.extract({ file: { text: 'a bill' }, config });
    await sandbox.documents.webhooksSettled();
    const [{ headers, body } = { headers: {}, body: '' }] = hook.requests;
    const event = await verifyWebhook({ headers, body, secret, now: sandbox.clock.now() });
    if (!isKnownWebhookEvent(event)) return expect.fail(`${event.eventType} is not known`);
    // @ts-expect-error: no such kind.
    expect(event.eventType === 'extract_run.procesed').toBe(false);
    if (event.eventType !== 'extract_run.processed') return expect.fail(event.eventType);
    expectTypeOf(event.payload).toEqualTypeOf<ExtractRun | SignedPayload>();
    if (!isSignedPayload(event.payload))
      return expect([payload, event.payload]).toEqual(['inline', run]);
    expect([payload, event.payload.id]).toEqual(['signed-url', run.id]);
    const answer = await fetch(event.payload.data, { redirect: 'error', credentials: 'omit' });
    expect(await answer.json()).toEqual(run);
  },
);

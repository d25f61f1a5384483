/** Deliveries of webhooks: what is believed, what is not, and what comes out. */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { ExtractRun, WorkflowRun } from '../../../src/adapters/documents/types.js';
import {
  isKnownWebhookEvent,
  isSignedPayload,
  type SignedPayload,
  verifyWebhook,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookEventType,
} from '../../../src/adapters/documents/webhooks.js';
import { ApiError } from '../../../src/adapters/http/error.js';

const secret = 'wss_secret';
const sentAt = 1767225600;
const event = {
  eventId: 'event_1',
  eventType: 'extract_run.processed',
  payload: { id: 'exr_1', status: 'PROCESSED' },
};
const text = JSON.stringify(event);

function sign(
  body: string | Uint8Array,
  timestamp: number | string = sentAt,
  key = secret,
): string {
  return createHmac('sha256', key).update(`v0:${timestamp}:`).update(body).digest('hex');
}

/** A delivery that is right, but for what is given. */
function delivery(given: Partial<WebhookDelivery> = {}): WebhookDelivery {
  const body = given.body ?? text;
  const bytes = body instanceof ArrayBuffer ? new Uint8Array(body) : body;
  const isBody = typeof bytes === 'string' || bytes instanceof Uint8Array;
  return {
    body,
    headers: {
      'x-service-request-timestamp': `${sentAt}`,
      'x-service-request-signature': sign(isBody ? bytes : ''),
    },
    secret,
    now: sentAt * 1000,
    ...given,
  };
}

const headersOf = (signature: string, timestamp: number | string = sentAt) => ({
  'x-service-request-timestamp': `${timestamp}`,
  'x-service-request-signature': signature,
});

async function codeOf(given: Partial<WebhookDelivery>): Promise<string> {
  const error = await verifyWebhook(delivery(given)).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error === null) return 'trusted';
  expect(error).toBeInstanceOf(ApiError);
  const { code, operation, outcome, retryable, reason } = error as ApiError;
  expect({ operation, outcome, retryable }).toEqual({
    operation: 'verifyWebhook',
    outcome: 'not-sent',
    retryable: false,
  });
  expect(JSON.stringify(error)).not.toContain(secret);
  return reason === undefined ? code : `${code} ${reason}`;
}

describe('a delivery that the service signed', () => {
  it('is the event that it holds, by a signature made elsewhere', async () => {
    const headers = headersOf('a163fef42da9468d6b494c725f8b1c6af251a2d3d240e982e8b0808bf360ee26');
    expect(await verifyWebhook(delivery({ headers }))).toEqual(event);
  });

  it.each<[string, Partial<WebhookDelivery>]>([
    ['bytes', { body: Buffer.from(text) }],
    ['bytes within a longer buffer', { body: Buffer.from(`xx${text}yy`).subarray(2, -2) }],
    ['an array buffer', { body: new TextEncoder().encode(text).buffer as ArrayBuffer }],
    ['headers of fetch', { headers: new Headers(headersOf(sign(text))) }],
    [
      'names of headers in capitals',
      {
        headers: {
          'X-Service-Request-Timestamp': `${sentAt}`,
          'X-SERVICE-REQUEST-SIGNATURE': sign(text),
        },
      },
    ],
    [
      'headers with lists of values',
      {
        headers: {
          'x-service-request-timestamp': [`${sentAt}`],
          'x-service-request-signature': [sign(text)],
          host: undefined,
        },
      },
    ],
    ['a signature in capitals', { headers: headersOf(sign(text).toUpperCase()) }],
    [
      'another prefix',
      {
        vendorPrefix: 'Vendor',
        headers: {
          'x-vendor-request-timestamp': `${sentAt}`,
          'x-vendor-request-signature': sign(text),
        },
      },
    ],
    [
      'a secret beyond ASCII',
      { secret: 'gehéim', headers: headersOf(sign(text, sentAt, 'gehéim')) },
    ],
    ['a date as time', { now: new Date(sentAt * 1000) }],
    ['a clock as time', { now: () => sentAt * 1000 }],
    ['five minutes of age', { now: (sentAt + 300) * 1000 }],
    ['a minute ahead', { now: (sentAt - 60) * 1000 }],
    ['an hour of age, if that is allowed', { now: (sentAt + 3600) * 1000, toleranceSeconds: 3600 }],
  ])('may have %s', async (_, given) => {
    expect(await verifyWebhook(delivery(given))).toEqual(event);
  });

  it('is judged by the clock of the machine when none is given', async () => {
    const timestamp = Math.floor(Date.now() / 1000);
    const { now: _, ...rest } = delivery({ headers: headersOf(sign(text, timestamp), timestamp) });
    expect(await verifyWebhook(rest)).toEqual(event);
  });

  it('keeps every character of a text', async () => {
    const body = JSON.stringify({ ...event, payload: { name: 'Zoë 🐈 \u2028 \0' } });
    expect(await verifyWebhook(delivery({ body }))).toHaveProperty(
      'payload.name',
      'Zoë 🐈 \u2028 \0',
    );
  });

  it('is read as it was signed, whatever is written into it meanwhile', async () => {
    const body = Buffer.from(text);
    const going = verifyWebhook(delivery({ body, headers: headersOf(sign(text)) }));
    body.fill(' ');
    expect(await going).toEqual(event);
  });
});

describe('a delivery is refused', () => {
  const right = sign(text);
  it.each<[string, Partial<WebhookDelivery>, string]>([
    ['with another secret', { secret: 'wss_other' }, 'api/webhook-signature'],
    ['with another body', { headers: headersOf(sign(`${text} `)) }, 'api/webhook-signature'],
    ['with another time', { headers: headersOf(right, sentAt + 1) }, 'api/webhook-signature'],
    [
      'with the same time written otherwise',
      { headers: headersOf(right, `0${sentAt}`) },
      'api/webhook-signature',
    ],
    ['with digits and more', { headers: headersOf(`${right}00`) }, 'api/webhook-signature'],
    ['with digits and junk', { headers: headersOf(`${right}zz`) }, 'api/webhook-signature'],
    ['with digits and a line', { headers: headersOf(`${right}\n`) }, 'api/webhook-signature'],
    ['with too few digits', { headers: headersOf(right.slice(0, 62)) }, 'api/webhook-signature'],
    [
      'with junk among the digits',
      { headers: headersOf(`zz${right.slice(2)}`) },
      'api/webhook-signature',
    ],
    ['with a prefix', { headers: headersOf(`v0=${right}`) }, 'api/webhook-signature'],
    ['with an empty signature', { headers: headersOf('') }, 'api/webhook-signature'],
    [
      'without a signature',
      { headers: { 'x-service-request-timestamp': `${sentAt}` } },
      'api/webhook-signature',
    ],
    [
      'without a time',
      { headers: { 'x-service-request-signature': right } },
      'api/webhook-timestamp',
    ],
    ['without headers', { headers: new Headers() }, 'api/webhook-timestamp'],
    ['with the headers of another vendor', { vendorPrefix: 'vendor' }, 'api/webhook-timestamp'],
    [
      'with two signatures',
      { headers: { ...headersOf(right), 'X-Service-Request-Signature': right } },
      'api/webhook-signature',
    ],
    [
      'with a list of two signatures',
      { headers: { ...headersOf(right), 'x-service-request-signature': [right, right] } },
      'api/webhook-signature',
    ],
    ...['', '1e9', '-1', '1.5', ' 1', 'now', '0x10', '1767225600000', '١'].map(
      (time): [string, Partial<WebhookDelivery>, string] => [
        `with the time ${JSON.stringify(time)}`,
        { headers: headersOf(sign(text, time), time) },
        'api/webhook-timestamp',
      ],
    ),
    ['a moment after five minutes', { now: (sentAt + 300) * 1000 + 1 }, 'api/webhook-too-old'],
    [
      'a second after its tolerance',
      { now: (sentAt + 11) * 1000, toleranceSeconds: 10 },
      'api/webhook-too-old',
    ],
    [
      'a moment more than a minute ahead',
      { now: (sentAt - 60) * 1000 - 1 },
      'api/webhook-from-future',
    ],
    ['as old and forged: forged', { now: 0, secret: 'wss_other' }, 'api/webhook-signature'],
    ['when it is no JSON', { body: 'hello' }, 'api/webhook-body'],
    ['when it is empty', { body: '' }, 'api/webhook-body'],
    [
      'when it is no UTF-8',
      { body: Buffer.from(text.replace('PROCESSED', '\xff'), 'latin1') },
      'api/webhook-body',
    ],
    ['when it is a list', { body: '[]' }, 'api/webhook-body'],
    ['when it is null', { body: 'null' }, 'api/webhook-body'],
    ['when it has no id', { body: '{"eventType":"a","payload":{}}' }, 'api/webhook-body'],
    [
      'when it has no kind',
      { body: '{"eventId":"a","eventType":1,"payload":{}}' },
      'api/webhook-body',
    ],
    ['when it has no payload', { body: '{"eventId":"a","eventType":"b"}' }, 'api/webhook-body'],
  ])('%s', async (_, given, code) => expect(await codeOf(given)).toBe(code));

  // biome-ignore lint/suspicious/noExplicitAny: what callers without types pass.
  it.each<[string, any]>([
    ['secret', { secret: '' }],
    ['secret', { secret: undefined }],
    ['body', { body: event }],
    ['body', { body: 5 }],
    ['body', { body: null }],
    ['headers', { headers: null }],
    ['now', { now: Number.NaN }],
    ['now', { now: new Date('never') }],
    ['toleranceSeconds', { toleranceSeconds: -1 }],
    ['toleranceSeconds', { toleranceSeconds: Number.POSITIVE_INFINITY }],
    ['toleranceSeconds', { toleranceSeconds: Number.NaN }],
    ['vendorPrefix', { vendorPrefix: '' }],
    ['vendorPrefix', { vendorPrefix: 'a b' }],
  ])('by its argument %s', async (argument, given) => {
    expect(await codeOf(given)).toBe(`api/invalid-argument ${argument}`);
  });

  it('wherever one bit of body, time or signature differs', async () => {
    const bits = fc.tuple(fc.constantFrom('body', 'time', 'signature'), fc.nat(), fc.nat(7));
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), bits, async (noise, [part, at, bit]) => {
        const whole = Buffer.concat([
          Buffer.from(text.slice(0, -1)),
          Buffer.from(noise),
          Buffer.from('}'),
        ]);
        const parts = {
          body: whole,
          time: Buffer.from(`${sentAt}`),
          signature: Buffer.from(sign(whole)),
        };
        const bytes = parts[part as keyof typeof parts];
        const place = at % bytes.length;
        bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
        // The case of a hex digit says nothing.
        fc.pre(part !== 'signature' || bytes.toString('latin1').toLowerCase() !== sign(whole));
        const headers = headersOf(
          parts.signature.toString('latin1'),
          parts.time.toString('latin1'),
        );
        expect(await codeOf({ body: whole, headers })).toMatch(/webhook-(signature|timestamp)$/);
      }),
      { numRuns: 200 },
    );
  });
});

describe('events', () => {
  it('of unknown kinds pass through as they are', async () => {
    const unknown = { eventId: 'event_2', eventType: 'extractor.created', payload: null, more: 1 };
    expect(await verifyWebhook(delivery({ body: JSON.stringify(unknown) }))).toEqual(unknown);
  });

  it('say whether their payload has to be fetched', () => {
    const signed = { object: 'signed_data_url', data: 'https://files.example/1', id: 'exr_1' };
    expect(isSignedPayload(signed)).toBe(true);
    for (const other of [
      null,
      undefined,
      'signed_data_url',
      {},
      { ...signed, data: 1 },
      { ...signed, id: null },
      { ...signed, object: 'extract_run' },
    ]) {
      expect(isSignedPayload(other)).toBe(false);
    }
  });

  it('are told apart by their kind, for the compiler too', () => {
    const payloadOf = (it: WebhookEvent): unknown => {
      if (!isKnownWebhookEvent(it)) {
        expectTypeOf(it.payload).toBeUnknown();
        return it.payload;
      }
      switch (it.eventType) {
        case 'extract_run.processed':
          expectTypeOf(it.payload).toEqualTypeOf<ExtractRun | SignedPayload>();
          if (!isSignedPayload(it.payload)) expectTypeOf(it.payload).toExtend<ExtractRun>();
          return it.payload.id;
        case 'workflow_run.needs_review':
          expectTypeOf(it.payload).toEqualTypeOf<WorkflowRun | SignedPayload>();
          return it.payload.id;
        // @ts-expect-error: no such kind.
        case 'extract_run.procesed':
          return null;
        default:
          return it.payload;
      }
    };
    expect(payloadOf(event)).toBe('exr_1');
    expect(payloadOf({ eventId: 'e', eventType: 'other', payload: 7 })).toBe(7);
  });

  const table: Readonly<Record<WebhookEventType, true>> = {
    'extract_run.processed': true,
    'extract_run.failed': true,
    'classify_run.processed': true,
    'classify_run.failed': true,
    'split_run.processed': true,
    'split_run.failed': true,
    'parse_run.processed': true,
    'parse_run.failed': true,
    'edit_run.processed': true,
    'edit_run.failed': true,
    'workflow_run.completed': true,
    'workflow_run.failed': true,
    'workflow_run.needs_review': true,
    'workflow_run.step_run.processed': true,
  };
  it.each(Object.keys(table))('of the kind %s are known', (eventType) => {
    expect(isKnownWebhookEvent({ eventId: 'e', eventType, payload: {} })).toBe(true);
    expect(isKnownWebhookEvent({ eventId: 'e', eventType: `${eventType}.x`, payload: {} })).toBe(
      false,
    );
    expect(isKnownWebhookEvent({ eventId: 'e', eventType: ` ${eventType}`, payload: {} })).toBe(
      false,
    );
  });
  it.each(['', 'workflow_run.processed', 'extract_run.completed', 'extractor.created', 'toString'])(
    'of the kind %j are not',
    (eventType) =>
      expect(isKnownWebhookEvent({ eventId: 'e', eventType, payload: {} })).toBe(false),
  );
});

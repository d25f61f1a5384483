/**
 * Verifies a webhook delivery: it must be an event that the service signed just now.
 *
 * In: the body exactly as it arrived, the headers, the secret of the endpoint. Out: the event, or
 * an ApiError (`api/webhook-…`). The body is parsed only after verification. The signature is the
 * HMAC-SHA256 of `v0:{timestamp}:{body}` in 64 hex digits; Web Crypto compares it in constant time.
 * Old deliveries are refused, because anyone who saw one could send it again.
 *
 * Events of unknown kinds pass with an unknown payload, so that new ones break nothing.
 * `isKnownWebhookEvent` tells them apart; after it, a `switch` over `eventType` narrows the payload.
 */
import { invalidArgument } from '../http/error.js';
import { encode } from '../http/request.js';
import { parseJson } from '../http/response.js';
import { vendorHeaderPrefix } from './operations.js';
import type * as Types from './types.js';

/** Headers of fetch, or of Node's http and frameworks built on it; names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request as it arrived, and how to check it. */
export interface WebhookDelivery {
  /** The raw body; a string is taken as UTF-8. Parsed and rewritten JSON would not match. */
  readonly body: Uint8Array | string;
  readonly headers: WebhookHeaders;
  /** The signing secret of the endpoint. */
  readonly secret: string;
  /** The time, in milliseconds since 1970. Default: now. */
  readonly now?: number;
  /** Greatest age. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Part of header names: `x-{vendorPrefix}-request-signature`. Default: `service`. */
  readonly vendorPrefix?: string;
}

/** How far the service's clock may be ahead. */
const aheadSeconds = 60;

/** Rejects with an ApiError if the delivery cannot be trusted. */
export async function verifyWebhook(delivery: WebhookDelivery): Promise<WebhookEvent> {
  const { secret, body, headers, now = Date.now(), toleranceSeconds = 300 } = delivery;
  const vendor = vendorHeaderPrefix(delivery.vendorPrefix);
  const refuse = (reason: string) => invalidArgument('verifyWebhook', reason);
  const trust = (isRight: boolean, why: string) => {
    if (!isRight) throw invalidArgument('verifyWebhook', '', `api/webhook-${why}`);
  };
  // An empty secret would let anyone sign.
  if (typeof secret !== 'string' || secret === '') throw refuse('secret');
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) throw refuse('body');
  if (vendor === undefined) throw refuse('vendorPrefix');
  const timestamp = headerOf(headers, `${vendor}request-timestamp`);
  const signature = headerOf(headers, `${vendor}request-signature`);
  trust(/^\d{1,12}$/.test(timestamp), 'timestamp');
  trust(/^[0-9a-f]{64}$/i.test(signature), 'signature');
  const prefix = encode(`v0:${timestamp}:`);
  const bytes = typeof body === 'string' ? encode(body) : body;
  // A copy, so that changes to the caller's body cannot affect what was verified.
  const message = new Uint8Array(prefix.length + bytes.length);
  message.set(prefix);
  message.set(bytes, prefix.length);
  trust(await isSigned(message, signature, secret), 'signature');
  const age = now / 1000 - Number(timestamp);
  // NaN fails both comparisons.
  trust(age <= toleranceSeconds, 'too-old');
  trust(age >= -aheadSeconds, 'from-future');
  const event = parseEvent(message.subarray(prefix.length));
  trust(event !== undefined, 'body');
  return event as WebhookEvent;
}

/** Repeated headers are joined by a comma, so that they match no format and are refused. */
function headerOf(headers: WebhookHeaders, name: string): string {
  if (typeof headers.get === 'function') return `${headers.get(name)}`;
  const fields = Object.entries(headers).filter(([key]) => key.toLowerCase() === name);
  return fields.map(([, value]) => value).join();
}

async function isSigned(message: Uint8Array, signature: string, secret: string): Promise<boolean> {
  const { subtle } = crypto;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await subtle.importKey('raw', encode(secret), algorithm, false, ['verify']);
  const digits = signature.match(/../g) ?? [];
  const bytes = Uint8Array.from(digits, (pair) => Number.parseInt(pair, 16));
  return subtle.verify('HMAC', key, bytes, message as Uint8Array<ArrayBuffer>);
}

type End = 'processed' | 'failed';

/** The payload of each kind of event, if sent in full. */
export type WebhookPayloads = Readonly<
  Record<`extract_run.${End}`, Types.ExtractRun> &
    Record<`classify_run.${End}`, Types.ClassifyRun> &
    Record<`split_run.${End}`, Types.SplitRun> &
    Record<`parse_run.${End}`, Types.ParseRun> &
    Record<`edit_run.${End}`, Types.EditRun> &
    Record<`workflow_run.${'completed' | 'failed' | 'needs_review'}`, Types.WorkflowRun> &
    Record<'workflow_run.step_run.processed', Types.StepRun>
>;

/** The kinds of events whose payloads are typed. */
export type WebhookEventType = keyof WebhookPayloads;

/** Replaces a payload that is too large to deliver; the address expires. */
export interface SignedPayload {
  readonly object: 'signed_data_url';
  /** An address that needs no credential; keep it secret like one. */
  readonly data: string;
  /** Id of the run that the event is about. */
  readonly id: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** An event of a kind that is unknown here. */
export interface UnknownWebhookEvent {
  /** The same if a delivery is repeated. */
  readonly eventId: string;
  readonly eventType: string;
  readonly payload: unknown;
}

/** An event of a known kind, with a typed payload. */
export type KnownWebhookEvent<Type extends WebhookEventType = WebhookEventType> = {
  [Each in Type]: UnknownWebhookEvent & {
    readonly eventType: Each;
    readonly payload: WebhookPayloads[Each] | SignedPayload;
  };
}[Type];

/** The event of a verified delivery. */
export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent;

const knownType =
  /^(?:(?:extract|classify|split|parse|edit)_run\.(?:processed|failed)|workflow_run\.(?:completed|failed|needs_review|step_run\.processed))$/;

/** Whether the event's kind is known, and its payload therefore typed. */
export function isKnownWebhookEvent(event: WebhookEvent): event is KnownWebhookEvent {
  return knownType.test(event.eventType);
}

/**
 * Whether the payload has to be fetched from an address first. The address is a credential: send
 * no other one with it, follow no redirect, and do not log it.
 *
 *     const { payload } = event;
 *     if (!isSignedPayload(payload)) return payload;
 *     const answer = await fetch(payload.data, { redirect: 'error', credentials: 'omit' });
 *     return answer.json();
 */
export function isSignedPayload(payload: unknown): payload is SignedPayload {
  const { object, data, id } = Object(payload) as Record<string, unknown>;
  return object === 'signed_data_url' && typeof data === 'string' && typeof id === 'string';
}

/** Parses an event from JSON; undefined if it is not one. */
function parseEvent(bytes: Uint8Array): WebhookEvent | undefined {
  const event = parseJson([bytes]);
  const { eventId, eventType, payload } = Object(event);
  const isNamed = [eventId, eventType].every((name) => typeof name === 'string' && name !== '');
  return isNamed && payload !== undefined ? (event as WebhookEvent) : undefined;
}

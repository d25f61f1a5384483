/**
 * Verifies a webhook delivery: it must be an event that the service signed just now.
 *
 * In: the body exactly as it arrived, the headers, the secret of the endpoint. Out: the event, or
 * an ApiError (`api/webhook-…`). The body is parsed only after verification. The signature is the
 * HMAC-SHA256 of `v0:{timestamp}:{body}` in 64 hex digits. Web Crypto computes and compares it: it
 * exists on Node and in workers, and promises a comparison in constant time.
 * Old deliveries are refused, because anyone who saw one could send it again.
 *
 * Events of known kinds are typed. All others pass with an unknown payload, so that new kinds of
 * events break nothing. `isKnownWebhookEvent` tells them apart; after it, a `switch` over
 * `eventType` narrows the payload.
 */
import { type ApiError, invalidArgument } from '../http/error.js';
import { vendorHeaderPrefix } from './operations.js';
import type {
  ClassifyRun,
  EditRun,
  ExtractRun,
  ParseRun,
  SplitRun,
  StepRun,
  WorkflowRun,
} from './types.js';

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

const encoder = new TextEncoder();

/** Rejects with an ApiError if the delivery cannot be trusted. */
export async function verifyWebhook(delivery: WebhookDelivery): Promise<WebhookEvent> {
  const { secret, body, headers, now = Date.now(), toleranceSeconds = 300 } = delivery;
  const vendor = vendorHeaderPrefix(delivery.vendorPrefix);
  // An empty secret would be everybody's.
  if (typeof secret !== 'string' || secret === '') throw invalid('secret');
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) throw invalid('body');
  if (vendor === undefined) throw invalid('vendorPrefix');
  const timestamp = headerOf(headers, `${vendor}request-timestamp`);
  const signature = headerOf(headers, `${vendor}request-signature`);
  if (!/^\d{1,12}$/.test(timestamp)) throw untrusted('timestamp');
  if (!/^[0-9a-f]{64}$/i.test(signature)) throw untrusted('signature');
  const prefix = encoder.encode(`v0:${timestamp}:`);
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  // A copy, so that changes to the caller's body cannot affect what was verified.
  const message = new Uint8Array(prefix.length + bytes.length);
  message.set(prefix);
  message.set(bytes, prefix.length);
  if (!(await isSigned(message, signature, secret))) throw untrusted('signature');
  const age = now / 1000 - Number(timestamp);
  // No number is neither old nor new, and is refused.
  if (!(age <= toleranceSeconds)) throw untrusted('too-old');
  if (age < -aheadSeconds) throw untrusted('from-future');
  const event = parseEvent(message.subarray(prefix.length));
  if (event === undefined) throw untrusted('body');
  return event;
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
  const key = await subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify']);
  const digits = signature.match(/../g) ?? [];
  const bytes = Uint8Array.from(digits, (pair) => Number.parseInt(pair, 16));
  return subtle.verify('HMAC', key, bytes, message);
}

function invalid(argument: string): ApiError {
  return invalidArgument('verifyWebhook', argument);
}

function untrusted(why: 'timestamp' | 'signature' | 'too-old' | 'from-future' | 'body'): ApiError {
  return invalidArgument('verifyWebhook', '', `api/webhook-${why}`);
}

type End = 'processed' | 'failed';

/** The payload of each kind of event, if sent in full. */
export type WebhookPayloads = Readonly<
  Record<`extract_run.${End}`, ExtractRun> &
    Record<`classify_run.${End}`, ClassifyRun> &
    Record<`split_run.${End}`, SplitRun> &
    Record<`parse_run.${End}`, ParseRun> &
    Record<`edit_run.${End}`, EditRun> &
    Record<`workflow_run.${'completed' | 'failed' | 'needs_review'}`, WorkflowRun> &
    Record<'workflow_run.step_run.processed', StepRun>
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

/** An event of a known kind, with a typed payload. */
export type KnownWebhookEvent<Type extends WebhookEventType = WebhookEventType> = {
  [Each in Type]: {
    /** The same if a delivery is repeated. */
    readonly eventId: string;
    readonly eventType: Each;
    readonly payload: WebhookPayloads[Each] | SignedPayload;
  };
}[Type];

/** An event of a kind that is unknown here. */
export interface UnknownWebhookEvent {
  readonly eventId: string;
  readonly eventType: string;
  readonly payload: unknown;
}

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
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const { eventId, eventType, payload } = event;
    const isText = (value: unknown) => typeof value === 'string' && value !== '';
    return isText(eventId) && isText(eventType) && payload !== undefined ? event : undefined;
  } catch {
    // Not UTF-8, not JSON, or null.
    return undefined;
  }
}

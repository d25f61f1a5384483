/**
 * Takes a delivery of a webhook for what it is: an event, if the service has signed it just now.
 *
 * In: the body exactly as it arrived, the headers, the secret of the endpoint. Out: the event; or an
 * ApiError (`api/webhook-…`), and then nothing of the body was read. The signature is the
 * HMAC-SHA256 of `v0:{timestamp}:{body}` in 64 hex digits. Web Crypto computes and compares it: it
 * is there on Node and in workers alike, and promises a comparison in constant time.
 * Old deliveries are refused because whoever has seen one could send it again.
 */
import { type ApiError, invalidArgument } from '../http/api-error.js';
import { never } from '../http/clock.js';
import { vendorHeaderPrefix } from './vendor-prefix.js';
import { parseEvent, type WebhookEvent } from './webhook-events.js';

/** Of fetch, or of Node's http and what is built on it; names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request as it arrived, and what it is checked against. */
export interface WebhookDelivery {
  /** The raw body. A text is taken as UTF-8; what was parsed and written anew is another body. */
  readonly body: Uint8Array | ArrayBuffer | string;
  readonly headers: WebhookHeaders;
  /** The signing secret of the endpoint. */
  readonly secret: string;
  /** The time, in milliseconds since 1970. Default: that of the machine. */
  readonly now?: number | Date | (() => number);
  /** Greatest age. Default: 300. */
  readonly toleranceSeconds?: number;
  /** In the names of the headers: `x-{vendorPrefix}-request-signature`. Default: `service`. */
  readonly vendorPrefix?: string;
}

/** How far the clock of the service may be ahead. */
const aheadSeconds = 60;

const encoder = new TextEncoder();

/** Rejects with an ApiError when the delivery is not to be trusted. */
export async function verifyWebhook(delivery: WebhookDelivery): Promise<WebhookEvent> {
  const { secret, now = Date.now, toleranceSeconds = 300 } = delivery;
  const seconds = Number(typeof now === 'function' ? now() : now) / 1000;
  if (typeof secret !== 'string' || secret === '') throw invalid('secret');
  if (!Number.isFinite(seconds)) throw invalid('now');
  if (!(toleranceSeconds >= 0 && toleranceSeconds < never)) throw invalid('toleranceSeconds');
  const body = bytesOf(delivery.body);
  const { timestamp, signature } = readHeaders(delivery);
  const prefix = encoder.encode(`v0:${timestamp}:`);
  // A copy: what is read later is what was signed, whoever else writes into the body meanwhile.
  const message = new Uint8Array(prefix.length + body.length);
  message.set(prefix);
  message.set(body, prefix.length);
  if (!(await isSigned(message, signature, secret))) throw untrusted('signature');
  const age = seconds - Number(timestamp);
  if (age > toleranceSeconds) throw untrusted('too-old');
  if (age < -aheadSeconds) throw untrusted('from-future');
  const event = parseEvent(message.subarray(prefix.length));
  if (event === undefined) throw untrusted('body');
  return event;
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (!ArrayBuffer.isView(body)) throw invalid('body');
  return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
}

function readHeaders({ headers, vendorPrefix }: WebhookDelivery) {
  const prefix = vendorHeaderPrefix(vendorPrefix);
  if (prefix === undefined) throw invalid('vendorPrefix');
  if (typeof headers !== 'object' || headers === null) throw invalid('headers');
  const timestamp = headerOf(headers, `${prefix}request-timestamp`);
  const signature = headerOf(headers, `${prefix}request-signature`);
  if (!/^\d{1,12}$/.test(timestamp)) throw untrusted('timestamp');
  if (!/^[0-9a-f]{64}$/i.test(signature)) throw untrusted('signature');
  return { timestamp, signature };
}

/** One that is repeated may mean either: with a comma between them, both are none. */
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

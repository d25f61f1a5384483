/**
 * Webhooks: every event that was asked for is signed and sent to the configured address, once.
 *
 * The signature is over the bytes that are sent, with the time that the sandbox's clock shows. A
 * large payload can go as an address to fetch it from (`payload: 'signed-url'`). The sandbox sends
 * to loopback addresses only: nothing it does leaves the machine.
 */
import { createHmac } from 'node:crypto';
import type { Downloads } from './downloads.js';
import type { Workspace } from './workspace.js';

export interface WebhookOptions {
  readonly url: string;
  readonly secret: string;
  /** Kinds of events to send; all of them if it is not said. */
  readonly events?: readonly string[];
  /** Whether the payload stands in the event (the default), or an address to fetch it from. */
  readonly payload?: 'inline' | 'signed-url';
}

export interface Delivery {
  readonly eventId: string;
  readonly eventType: string;
  /** What was answered; null where there was no answer. */
  readonly status: number | null;
}

export interface Webhooks {
  readonly deliveries: readonly Delivery[];
  emit(eventType: string, payload: object): void;
  /** Ends when all that was sent so far has been answered, or has not been within its time. */
  settled(): Promise<void>;
  /** Waits for no answer any longer. */
  stop(): void;
}

const patienceMs = 5000;

export function createWebhooks(
  options: WebhookOptions | undefined,
  vendorPrefix: string,
  workspace: Workspace,
  downloads: Downloads,
): Webhooks {
  const deliveries: Delivery[] = [];
  const underway = new Set<Promise<void>>();
  const stopped = new AbortController();
  if (options !== undefined) assertLoopback(options.url);
  const send = async (to: WebhookOptions, eventType: string, payload: object): Promise<void> => {
    const { id: eventId } = workspace.born('event_');
    const body = JSON.stringify({ eventId, eventType, payload });
    const time = String(Math.floor(workspace.clock.now() / 1000));
    const headers = {
      'content-type': 'application/json',
      [`x-${vendorPrefix}-request-timestamp`]: time,
      [`x-${vendorPrefix}-request-signature`]: sign(to.secret, time, body),
    };
    deliveries.push({
      eventId,
      eventType,
      status: await post(to.url, headers, body, stopped.signal),
    });
  };
  const signedUrl = (payload: object): object => {
    const { id } = workspace.born('payload_');
    const content = Buffer.from(JSON.stringify(payload));
    downloads.publish(id, { name: `${id}.json`, contentType: 'application/json', content });
    return { object: 'signed_data_url', data: downloads.addressOf(id), id };
  };
  return {
    deliveries,
    emit(eventType, payload) {
      if (options === undefined || options.events?.includes(eventType) === false) return;
      const sent = options.payload === 'signed-url' ? signedUrl(payload) : payload;
      const delivery = send(options, eventType, sent).finally(() => underway.delete(delivery));
      underway.add(delivery);
    },
    async settled() {
      while (underway.size > 0) await Promise.all(underway);
    },
    stop: () => stopped.abort(),
  };
}

/** Hex HMAC-SHA256 of `v0:{time}:{body}`. */
function sign(secret: string, time: string, body: string): string {
  return createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex');
}

async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  stopped: AbortSignal,
): Promise<number | null> {
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(patienceMs)]);
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return null;
  }
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

function assertLoopback(url: string): void {
  if (URL.canParse(url) && loopback.has(new URL(url).hostname)) return;
  throw new RangeError('Webhooks of the sandbox go to a loopback address');
}

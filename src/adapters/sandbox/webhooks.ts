/**
 * Webhooks: every event that was asked for is signed and sent to the configured address, once.
 *
 * The signature is over the bytes that are sent, with the time that the sandbox's clock shows. A
 * large payload can go as an address to fetch it from (`payload: 'signed-url'`). The sandbox sends
 * to loopback addresses only: nothing it does leaves the machine.
 */
import { createHmac } from 'node:crypto';
import type { Downloads } from './resources.js';

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

export type Webhooks = ReturnType<typeof createWebhooks>;

const patienceMs = 5000;

export function createWebhooks(
  options: WebhookOptions | undefined,
  vendorPrefix: string,
  downloads: Downloads,
) {
  const { world } = downloads;
  const deliveries: Delivery[] = [];
  const underway = new Set<Promise<unknown>>();
  const stopped = new AbortController();
  if (options !== undefined) assertLoopback(options.url);

  const send = async ({ url, secret }: WebhookOptions, eventType: string, payload: object) => {
    const eventId = world.newId('event_');
    const body = JSON.stringify({ eventId, eventType, payload });
    const time = String(Math.floor(world.clock.now() / 1000));
    const signature = createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex');
    const headers = {
      'content-type': 'application/json',
      [`x-${vendorPrefix}-request-timestamp`]: time,
      [`x-${vendorPrefix}-request-signature`]: signature,
    };
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(patienceMs)]);
    const sent = { method: 'POST', headers, body, signal, redirect: 'manual' } as const;
    const status = await fetch(url, sent).then(
      async (answer) => {
        await answer.body?.cancel();
        return answer.status;
      },
      () => null,
    );
    deliveries.push({ eventId, eventType, status });
  };
  const byAddress = (payload: object): object => {
    const id = world.newId('payload_');
    const content = Buffer.from(JSON.stringify(payload));
    downloads.publish(id, { name: `${id}.json`, type: 'application/json', content });
    return { object: 'signed_data_url', data: downloads.addressOf(id), id };
  };
  return {
    deliveries,
    emit(eventType: string, payload: object): void {
      if (options === undefined || options.events?.includes(eventType) === false) return;
      const sent = options.payload === 'signed-url' ? byAddress(payload) : payload;
      const delivery = send(options, eventType, sent).finally(() => underway.delete(delivery));
      underway.add(delivery);
    },
    /** Ends when all that was sent so far has been answered, or has not been within its time. */
    async settled(): Promise<void> {
      while (underway.size > 0) await Promise.all(underway);
    },
    /** Waits for no answer any longer. */
    stop: () => stopped.abort(),
  };
}

function assertLoopback(url: string): void {
  const hosts = ['localhost', '127.0.0.1', '[::1]'];
  if (URL.canParse(url) && hosts.includes(new URL(url).hostname)) return;
  throw new RangeError('Webhooks of the sandbox go to a loopback address');
}

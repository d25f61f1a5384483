/**
 * Webhooks: each event is signed and sent once, to the configured address.
 *
 * The signature covers the bytes sent and the time on the sandbox's clock. With
 * `payload: 'signed-url'`, the event has an address to fetch the payload from, as for a large
 * payload. Only loopback addresses are allowed: nothing leaves this machine.
 */
import { createHmac } from 'node:crypto';
import type { Resource, Store } from './documents-state.js';

export interface WebhookOptions {
  readonly url: string;
  readonly secret: string;
  /** Whether an event contains its payload (default) or an address to fetch it from. */
  readonly payload?: 'inline' | 'signed-url';
}

export interface Delivery {
  readonly eventId: string;
  readonly eventType: string;
  /** The status of the answer; null if there was none. */
  readonly status: number | null;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

const timeoutMs = 5000;

export function createWebhooks(
  options: WebhookOptions | undefined,
  headerPrefix: string,
  store: Store,
) {
  const hosts = ['localhost', '127.0.0.1', '[::1]'];
  if (options && !(URL.canParse(options.url) && hosts.includes(new URL(options.url).hostname))) {
    throw new RangeError('Webhooks of the sandbox go to a loopback address');
  }
  const deliveries: Delivery[] = [];
  const pending = new Set<Promise<unknown>>();
  const stopped = new AbortController();

  async function send({ url, secret, payload }: WebhookOptions, eventType: string, run: Resource) {
    const eventId = store.newId('event_');
    const isInline = payload !== 'signed-url';
    const body = JSON.stringify({ eventId, eventType, payload: isInline ? run : byAddress(run) });
    const time = `${Math.floor(store.clock.now() / 1000)}`;
    const headers = {
      'content-type': 'application/json',
      [`${headerPrefix}request-timestamp`]: time,
      [`${headerPrefix}request-signature`]: createHmac('sha256', secret)
        .update(`v0:${time}:${body}`)
        .digest('hex'),
    };
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(timeoutMs)]);
    const sent = { method: 'POST', headers, body, signal, redirect: 'manual' } as const;
    const answer = await fetch(url, sent).catch(() => null);
    await answer?.body?.cancel();
    deliveries.push({ eventId, eventType, status: answer?.status ?? null });
  }

  function byAddress(payload: Resource): object {
    const content = Buffer.from(JSON.stringify(payload));
    const file = { name: 'payload.json', type: 'application/json', content };
    const data = store.publish(store.newId('payload_'), file);
    return { object: 'signed_data_url', data, id: payload.id };
  }

  return {
    deliveries,
    emit(eventType: string, payload: Resource): void {
      if (options === undefined) return;
      const sent = send(options, eventType, payload);
      pending.add(sent);
      void sent.finally(() => pending.delete(sent));
    },
    /** Resolves when everything sent so far has been answered, has failed or has timed out. */
    async settled(): Promise<void> {
      while (pending.size > 0) await Promise.all(pending);
    },
    /** Stops waiting for answers. */
    stop: () => stopped.abort(),
  };
}

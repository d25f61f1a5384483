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

const patienceMs = 5000;

export class Webhooks {
  readonly deliveries: Delivery[] = [];
  readonly #underway = new Set<Promise<unknown>>();
  readonly #stopped = new AbortController();

  constructor(
    readonly options: WebhookOptions | undefined,
    readonly headerPrefix: string,
    readonly store: Store,
  ) {
    if (options === undefined) return;
    const hosts = ['localhost', '127.0.0.1', '[::1]'];
    if (URL.canParse(options.url) && hosts.includes(new URL(options.url).hostname)) return;
    throw new RangeError('Webhooks of the sandbox go to a loopback address');
  }

  emit(eventType: string, payload: Resource): void {
    if (this.options === undefined) return;
    const sent = this.#send(this.options, eventType, payload);
    this.#underway.add(sent);
    void sent.finally(() => this.#underway.delete(sent));
  }

  /** Resolves when everything sent so far has been answered, has failed or has timed out. */
  async settled(): Promise<void> {
    while (this.#underway.size > 0) await Promise.all(this.#underway);
  }

  /** Stops waiting for answers. */
  stop(): void {
    this.#stopped.abort();
  }

  async #send(options: WebhookOptions, eventType: string, whole: Resource): Promise<void> {
    const { store, headerPrefix } = this;
    const eventId = store.newId('event_');
    const payload = options.payload === 'signed-url' ? this.#byAddress(whole) : whole;
    const body = JSON.stringify({ eventId, eventType, payload });
    const time = String(Math.floor(store.clock.now() / 1000));
    const hmac = createHmac('sha256', options.secret).update(`v0:${time}:${body}`);
    const headers = {
      'content-type': 'application/json',
      [`${headerPrefix}request-timestamp`]: time,
      [`${headerPrefix}request-signature`]: hmac.digest('hex'),
    };
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(patienceMs)]);
    const sent = { method: 'POST', headers, body, signal, redirect: 'manual' } as const;
    let status: number | null = null;
    try {
      const answer = await fetch(options.url, sent);
      status = answer.status;
      await answer.body?.cancel();
    } catch {
      // No answer came.
    }
    this.deliveries.push({ eventId, eventType, status });
  }

  #byAddress(payload: Resource): object {
    const content = Buffer.from(JSON.stringify(payload));
    const file = { name: 'payload.json', type: 'application/json', content };
    const data = this.store.publish(this.store.newId('payload_'), file);
    return { object: 'signed_data_url', data, id: payload.id };
  }
}

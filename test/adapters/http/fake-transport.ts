/** An exchange that answers from a list and notes what it was asked. */
import type { Ending, ExchangeRequest } from '../../../src/adapters/http/exchange.js';

export interface FakeTransport {
  readonly requests: ExchangeRequest[];
  exchange(request: ExchangeRequest): Promise<Ending>;
}

/** What each attempt meets, in order; a function may look at the request, or take its time. */
export type Step = Ending | ((request: ExchangeRequest) => Ending | Promise<Ending>);

export function createFakeTransport(steps: readonly Step[]): FakeTransport {
  const requests: ExchangeRequest[] = [];
  return {
    requests,
    async exchange(request) {
      const step = steps[requests.length];
      requests.push(request);
      if (step === undefined) throw new Error('one attempt too many');
      return typeof step === 'function' ? step(request) : step;
    },
  };
}

const json = { 'content-type': 'application/json' };
const bytes = new Uint8Array(0);

export function answer(
  status: number,
  body: unknown = {},
  headers: Readonly<Record<string, string>> = {},
): Ending {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const encoded = new TextEncoder().encode(text);
  return { status, sent: true, headers: { ...json, ...headers }, bytes: encoded };
}

function failure(fault: Ending['fault'], sent: boolean, reason?: string): Ending {
  return { status: 0, sent, headers: {}, bytes, fault, reason };
}

export const unreachable = failure('unreachable', false, 'ECONNREFUSED');
export const reset = failure('connection-lost', true, 'ECONNRESET');
export const timeout = failure('timeout', true);
export const aborted = failure('aborted', true);

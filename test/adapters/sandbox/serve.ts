/**
 * A sandbox for one test, closed after it, and plain requests to it.
 *
 * The requests are made with `fetch` alone, so that what is tried is the sandbox and no client. Every
 * answer has to fit the schema of its operation.
 */
import { expect, onTestFinished } from 'vitest';
import {
  createSandbox,
  type Sandbox,
  type SandboxOptions,
} from '../../../src/adapters/sandbox/sandbox.js';
import { ApiError, type CallOutcome } from '../../../src/bills.js';
import { billsValidators } from '../../../src/bills-schemas.js';
import { documentsValidators } from '../../../src/documents-schemas.js';

export interface Sent {
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
  readonly signal?: AbortSignal;
}

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** The body as JSON; `any`, as every test knows what it asked for. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it asked for
  readonly json: any;
}

export type Send = (method: string, path: string, sent?: Sent) => Promise<Received>;

export interface Served {
  readonly sandbox: Sandbox;
  readonly bills: Send;
  readonly documents: Send;
}

const validators = { ...billsValidators, ...documentsValidators };

/** With a clock that stands, unless the test wants another. */
export async function serve(options: SandboxOptions = {}): Promise<Served> {
  const sandbox = await createSandbox({ clock: { mode: 'manual' }, ...options });
  onTestFinished(() => sandbox.close());
  const sender =
    (baseUrl: string, always: Readonly<Record<string, string>>): Send =>
    async (method, path, { json, headers, body, signal = null } = {}) => {
      const typed = json === undefined ? {} : { 'content-type': 'application/json' };
      const content = json === undefined ? body : JSON.stringify(json);
      const all = { ...always, ...typed, ...headers };
      const sent = { method, headers: all, redirect: 'manual', signal } as const;
      const url = `${baseUrl}${path}`;
      const answer = await receive(await fetch(url, { ...sent, body: content ?? null }));
      const { operation, fault, status } = sandbox.requests.at(-1) ?? {};
      if (status === 200 && fault === 'none' && answer.json !== undefined) {
        expect(validators[operation ?? '']?.response?.(answer.json) ?? []).toEqual([]);
      }
      return answer;
    };
  return {
    sandbox,
    bills: sender(sandbox.billsUrl, { requestToken: 'sandbox-key' }),
    documents: sender(sandbox.documentsUrl, {
      authorization: 'Bearer sandbox-key',
      'x-service-api-version': '2026-02-09',
    }),
  };
}

export async function receive(answer: Response): Promise<Received> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  const json = isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined;
  return { status: answer.status, headers: answer.headers, bytes, json };
}

/** What became of a client's call: its answer, or the outcome of its error. */
export async function endingOf<Value>(call: Promise<Value>): Promise<Value | CallOutcome> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ApiError) return error.outcome;
    throw error;
  }
}

/** One of them, by a number of any size. */
export function pick<Id, Value>(
  all: ReadonlyMap<Id, Value>,
  index: number,
): [Id, Value] | undefined {
  return [...all][index % all.size];
}

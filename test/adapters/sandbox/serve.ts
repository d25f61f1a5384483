/**
 * A sandbox for one test, closed after it, and plain requests to it.
 *
 * The requests are made with `fetch` alone, so that what is tried is the sandbox and no client. Every
 * answer has to fit the schema of its operation.
 */
import { expect, onTestFinished } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../../src/sandbox/sandbox.js';
import { ApiError, type CallOutcome } from '../../../src/bills.js';
import { billsValidators } from '../../../src/bills-schemas.js';
import { documentsValidators } from '../../../src/documents-schemas.js';

interface Sent {
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
}

export type Served = Awaited<ReturnType<typeof serve>>;
export type Send = Served['bills'];

const validators = { ...billsValidators, ...documentsValidators };

/** With a clock that stands, unless the test wants another. */
export async function serve(options: SandboxOptions = {}) {
  const sandbox = await createSandbox({ clock: { mode: 'manual' }, ...options });
  onTestFinished(() => sandbox.close());
  const sender =
    (baseUrl: string, always: Readonly<Record<string, string>>) =>
    async (method: string, path: string, { json, headers, body }: Sent = {}) => {
      const typed = json === undefined ? {} : { 'content-type': 'application/json' };
      const content = json === undefined ? body : JSON.stringify(json);
      const all = { ...always, ...typed, ...headers };
      const sent = { method, headers: all, redirect: 'manual', body: content ?? null } as const;
      const answer = await receive(await fetch(`${baseUrl}${path}`, sent));
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

/**
 * Plays a transcript, whose lines are `METHOD path body => answer`, with a header before them if need be
 * (`name=value`). An answer is a status and the beginning of its message, or what there has to be in the
 * body (of a bill, in its data). `wait 500` moves the clock. `$name` is a value that is given, or that
 * stood in the first place of the name.
 */
export async function play(
  { sandbox, ...sends }: Served,
  service: 'bills' | 'documents',
  transcript: string,
  given: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const known = new Map(Object.entries(given));
  const read = (text: string) => {
    const named = text.replaceAll(/\$(\w+)/g, (it, name) => JSON.stringify(known.get(name) ?? it));
    return JSON.parse(named.replaceAll(/(?<=[{,] ?)\w+(?=:)/g, '"$&"'));
  };
  const keep = (expected: unknown, found: unknown): unknown => {
    if (Array.isArray(expected)) return expected.map((each, at) => keep(each, Object(found)[at]));
    if (expected instanceof Object) {
      const entries = Object.entries(expected);
      return Object.fromEntries(entries.map(([key, it]) => [key, keep(it, Object(found)[key])]));
    }
    if (typeof expected !== 'string' || !/^\$\w+$/.test(expected)) return expected;
    known.set(expected.slice(1), found);
    return found;
  };
  for (const line of transcript.trim().split(/\n */)) {
    const form = /^(?:([\w-]+)=(\S+) )?([A-Z]+) (\S+)(?: (.+))? => (.+)$/;
    const [, header, value = '', method, path = '', body, expected = ''] = form.exec(line) ?? [];
    if (method === undefined) {
      sandbox.clock.advance(Number(/^wait (\d+)$/.exec(line)?.[1]));
      continue;
    }
    const address = path.replaceAll(/\$(\w+)/g, (_, name) => `${known.get(name)}`);
    const headers = header === undefined ? {} : { [header]: value };
    const { status, json } = await sends[service](method, address, {
      json: body && read(body),
      headers,
    });
    const data = json?.responseData ?? json;
    const isStatus = /^\d{3}(?: |$)/.test(expected);
    const reason = `${status} ${json?.message ?? data?.explanation}`.slice(0, expected.length);
    const [told, right] = isStatus ? [reason, expected] : [data, keep(read(expected), data)];
    expect({ line, told }).toMatchObject({ line, told: right });
  }
}

/** An answer with its body as JSON: `any`, as every test knows what it asked for. */
export async function receive(answer: Response) {
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

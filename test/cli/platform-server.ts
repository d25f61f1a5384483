/** A server that stands for the platform, calls that hardly wait, and a folder to work in. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { CallOptions } from '../../src/adapters/http/request.js';
import { run } from '../../src/cli/run.js';
import { fakeIo } from './fake-io.js';

/** What every test's key is; it must stand in no output, no error and no journal. */
export const secret = 'k-5f0c1e9a7b3d4c2f';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

export type Answer = (seen: Seen, response: ServerResponse, nth: number) => void;

/** An answer of JSON with a status. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };
}

/** The answers one after the other; the last one stays. */
export function inTurn(...answers: readonly Answer[]): Answer {
  let turn = 0;
  return (seen, response, nth) => {
    const answer = answers[Math.min(turn, answers.length - 1)];
    turn += 1;
    answer?.(seen, response, nth);
  };
}

/** Something on the platform, with an id. */
export type Held = Record<string, unknown>;

/**
 * An account that keeps what it is sent, by `<path>/<id>`: it adds what it knows of a thing, orders
 * keys in its own way and leaves out what is null, as databases do.
 */
export function account(held: Map<string, Held> = new Map()) {
  let made = 0;
  const shown = (thing: Held) => {
    const entries = Object.entries(thing).filter(([, value]) => value !== null);
    made += 1;
    return {
      updatedAt: `${made}`,
      backgroundSound: 'off',
      ...Object.fromEntries(entries.sort()),
    };
  };
  const answer: Answer = ({ method, url, body }, response, nth) => {
    const [, , path = '', id] = (url.split('?')[0] ?? '').split('/');
    const key = `${path}/${id}`;
    const reply = (status: number, value: unknown) =>
      json(status, value)({} as never, response, nth);
    if (method === 'GET' && id === undefined) {
      const all = [...held].filter(([each]) => each.startsWith(`${path}/`)).map(([, each]) => each);
      return reply(200, path === 'campaign' ? { results: all, metadata: {} } : all);
    }
    if (method === 'POST') {
      const created = `${path}-${[...held.keys()].filter((each) => each.startsWith(path)).length + 1}`;
      held.set(`${path}/${created}`, { id: created, orgId: 'org', ...JSON.parse(body) });
      return reply(201, shown(held.get(`${path}/${created}`)!));
    }
    const thing = held.get(key);
    if (thing === undefined) return reply(404, { message: 'not found' });
    if (method === 'PATCH') held.set(key, { ...thing, ...JSON.parse(body) });
    if (method === 'DELETE') held.delete(key);
    return reply(200, shown(held.get(key) ?? {}));
  };
  return { held, answer };
}

/** How a command ended, and the requests that it sent: `POST /v1/squad`. */
export interface Ran {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
  readonly sent: readonly string[];
}

/** A platform, a folder and a key for each test of a file. */
export function platform(network: CallOptions) {
  const seen: Seen[] = [];
  let folder = '';
  let written = '';
  let current: Answer = json(404, {});
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const { method = '', url = '', headers } = request;
      const each = { method, url, authorization: headers.authorization, body };
      seen.push(each);
      current(each, response, seen.length);
    });
  });
  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'squadc-platform-')));
    [seen.length, written] = [0, ''];
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
    rmSync(folder, { recursive: true, force: true });
  });
  const baseUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    folder: () => folder,
    baseUrl,
    /** The flags that name the platform and the key. */
    there: () => `--base-url ${baseUrl()} --key-env API_KEY`,
    seen,
    answer(answer: Answer) {
      current = answer;
    },
    put(name: string, value: unknown): string {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
      return name;
    },
    text: (name: string) => readFileSync(join(folder, name), 'utf8'),
    /** Everything that commands wrote in this test. */
    written: () => written,
    async squadc(line: string | readonly string[]): Promise<Ran> {
      const before = seen.length;
      const io = fakeIo({ cwd: folder, env: { API_KEY: secret } });
      const argv = typeof line === 'string' ? line.split(' ').filter((word) => word !== '') : line;
      const retry = { baseMs: 1, capMs: 2 };
      const exitCode = await run(argv, { ...io, network: { retry, ...network } });
      written += io.out() + io.err();
      const sent = seen.slice(before).map(({ method, url }) => `${method} ${url}`);
      return { exitCode, out: io.out(), err: io.err(), sent };
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** It answers nobody without this key, which must stand in no output. */
export const journeySecret = 'k-3b8e51d7c2a94f60';

export interface JourneyPlatform {
  readonly baseUrl: string;
  /** What it holds, by `<path>/<id>`. */
  readonly held: ReadonlyMap<string, Held>;
  close(): Promise<void>;
}

export async function startJourneyPlatform(): Promise<JourneyPlatform> {
  const { held, answer } = account(
    new Map(Array.from(workflows, ([id, each]) => [`workflow/${id}`, { id, ...each }])),
  );
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const { authorization } = headers;
    const isKnown = authorization === `Bearer ${journeySecret}`;
    const reply = isKnown ? answer : json(401, { message: 'who are you?' });
    reply({ method, url: `/v1${url}`, authorization, body: await textOf(request) }, response, 0);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    held,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const workflows = new Map([
  ['wf-clinic', workflow('Clinic desk', 'Find a day that suits {{customer_name}}.')],
  // The name is misspelt: somebody has to say so.
  ['wf-garage', workflow('Garage desk', 'Tell {{costumer_nam}} when the car is ready.')],
]);

/** As the platform's API gives it. */
function workflow(name: string, prompt: string) {
  return {
    orgId: 'org-1',
    name,
    model: { provider: 'openai', model: 'gpt-4o' },
    nodes: [
      {
        name: 'greet',
        type: 'conversation',
        isStart: true,
        prompt: 'Ask who is calling, and what for.',
        messagePlan: { firstMessage: 'Good morning.' },
        variableExtractionPlan: {
          output: [{ title: 'customer_name', type: 'string', description: "the caller's name" }],
        },
      },
      { name: 'date', type: 'conversation', prompt },
      {
        name: 'operator',
        type: 'tool',
        tool: {
          type: 'transferCall',
          destinations: [{ type: 'number', number: '+14155550123' }],
        },
      },
      {
        name: 'bye',
        type: 'tool',
        tool: { type: 'endCall', messages: [{ type: 'request-start', content: 'Goodbye.' }] },
      },
    ],
    edges: [
      { from: 'greet', to: 'date', condition: { type: 'ai', prompt: 'it is about a date' } },
      { from: 'greet', to: 'operator', condition: { type: 'ai', prompt: 'it is something else' } },
      { from: 'date', to: 'bye' },
    ],
  };
}

/** A server that stands for the platform, and commands against it in a folder of their own. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { type Ran, type Surroundings, somewhere, squadc, temporaryFolder } from './fake-io.js';

/** What every test's key is; it must stand in no output, no error and no journal. */
export const secret = 'k-5f0c1e9a7b3d4c2f';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** How the platform answers a request, the first of a test being number 1. */
export type Answer = (seen: Seen, response: ServerResponse, nth: number) => void;

export const raw =
  (status: number, body: string | Uint8Array, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

export const json = (
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): Answer => raw(status, JSON.stringify(value), { 'content-type': 'application/json', ...headers });

/** Does what it was asked, and breaks the connection before it has said so. */
export const lost =
  (answer: Answer): Answer =>
  (seen, response, nth) => {
    answer(seen, { writeHead() {}, end() {} } as never, nth);
    response.destroy();
  };

/** Answers requests of this method, or to addresses that hold this text, in another way. */
export const except =
  (what: string, other: Answer, usual: Answer): Answer =>
  (seen, response, nth) => {
    const isMeant = seen.method === what || seen.url.includes(what);
    (isMeant ? other : usual)(seen, response, nth);
  };

/** Something on the platform, with an id. */
export type Held = Record<string, unknown>;

/**
 * An account that keeps what it is sent, by `<path>/<id>`: it adds what it knows of a thing, orders
 * keys in its own way and leaves out what is null, as databases do.
 */
export function account(held: Map<string, Held> = new Map()) {
  const answer: Answer = ({ method, url, body }, response, nth) => {
    const [, , path = '', id] = (url.split('?')[0] ?? '').split('/');
    const reply = (status: number, value: unknown) =>
      json(status, value)({} as never, response, nth);
    const shown = (thing: Held) => {
      const entries = Object.entries(thing).filter(([, value]) => value !== null);
      return { updatedAt: `${nth}`, backgroundSound: 'off', ...Object.fromEntries(entries.sort()) };
    };
    const same = [...held].filter(([key]) => key.startsWith(`${path}/`)).map(([, each]) => each);
    if (method === 'GET' && id === undefined) {
      return reply(200, path === 'campaign' ? { results: same, metadata: {} } : same);
    }
    if (method === 'POST') {
      const made = { id: `${path}-${same.length + 1}`, orgId: 'org', ...JSON.parse(body) };
      held.set(`${path}/${made.id}`, made);
      return reply(201, shown(made));
    }
    const key = `${path}/${id}`;
    const thing = held.get(key);
    if (thing === undefined) return reply(404, { message: 'not found' });
    if (method === 'PATCH') held.set(key, { ...thing, ...JSON.parse(body) });
    if (method === 'DELETE') held.delete(key);
    return reply(200, shown(held.get(key) ?? {}));
  };
  return { held, answer };
}

/** A platform, a folder and a key for each test of a file. */
export function platform() {
  const root = temporaryFolder();
  const seen: Seen[] = [];
  let tests = 0;
  let written = '';
  let current: Answer = json(404, {});
  const stops = new Set<() => void>();
  const onInterrupt = (stop: () => void) => {
    stops.add(stop);
    return () => stops.delete(stop);
  };
  const server = createServer(async (request, response) => {
    const each = await seenOf(request);
    seen.push(each);
    current(each, response, seen.length);
  });
  beforeEach(async () => {
    tests += 1;
    [seen.length, written] = [0, ''];
    root.put(`${tests}/here`, '');
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const folder = () => join(root.folder, `${tests}`);
  const there = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const run = async (line: string | readonly string[], more: Surroundings = {}): Promise<Ran> => {
    const network = { retry: { baseMs: 1, capMs: 2 } };
    const surroundings = { cwd: folder(), env: { API_KEY: secret }, network, onInterrupt };
    const ran = await squadc(line, { ...surroundings, ...more });
    written += ran.out + ran.err;
    return ran;
  };
  const usual = {
    pull: () => `-o out --base-url ${there()} --key-env API_KEY`,
    push: () => `--journal j --base-url ${there()} --key-env API_KEY`,
    rollback: () => '--journal j --key-env API_KEY',
  };
  return {
    folder,
    there,
    seen,
    answer: (answer: Answer) => {
      current = answer;
    },
    put: (name: string, value: string | Uint8Array | object) => root.put(`${tests}/${name}`, value),
    text: (name: string) => root.read(`${tests}/${name}`),
    /** Everything that commands wrote in this test. */
    written: () => written,
    squadc: run,
    /** Presses Ctrl-C. */
    interrupt: () => {
      for (const stop of [...stops]) stop();
    },
    /**
     * Runs `pull`, `push` and `rollback` as a transcript tells, with the usual platform, key, journal
     * and folder. A line such as `push s.json --yes => 1 [POST squad] push/unknown` has the exit
     * code, the requests, if they are told, and a text that is said; each line after it that begins
     * with `|` another. `{there}` is the address of the platform, and `…` stands for anything. A push
     * that succeeds changes exactly what its dry run says.
     */
    async play(transcript: string, more: Surroundings = {}) {
      let said = '';
      for (const line of transcript.trim().split(/\n */)) {
        const [, command, code, asked, says = line.replace(/^\| ?/, '')] =
          /^((?:pull|push|rollback) .*)=> (\d+)(?: \[([^\]]*)\])? ?(.*)$/.exec(line) ?? [];
        if (command !== undefined) {
          const words = command.trim().split(/ +/);
          const named = [...words, ...usual[words[0] as keyof typeof usual]().split(' ')];
          const isPush = words[0] === 'push' && words.includes('--yes') && code === '0';
          const dry = isPush
            ? await run(
                named.filter((word) => word !== '--yes'),
                more,
              )
            : null;
          const before = seen.length;
          const ran = await run(named, more);
          said = ran.out + ran.err;
          expect([command, ran.exitCode], said).toEqual([command, Number(code)]);
          const sent = seen.slice(before).map((each) => `${each.method} ${each.url}`);
          if (dry !== null) {
            const promised =
              dry.out.replaceAll(there(), '/v1').match(/(?:POST|PATCH|DELETE) [^,:\s]+/g) ?? [];
            expect(promised).toEqual(sent.filter((each) => !each.startsWith('GET')));
          }
          if (asked !== undefined) expect(sent.join(', ').replaceAll('/v1/', '')).toBe(asked);
        }
        expect(said).toMatch(somewhere(says.replaceAll('{there}', there())));
      }
    },
  };
}

async function seenOf(request: IncomingMessage): Promise<Seen> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method = '', url = '', headers } = request;
  const { authorization } = headers;
  return { method, url, authorization, body: Buffer.concat(chunks).toString('utf8') };
}

export interface JourneyPlatform {
  readonly baseUrl: string;
  /** What an organization holds, by `<path>/<id>`. */
  readonly held: ReadonlyMap<string, Held>;
  readonly prod: ReadonlyMap<string, Held>;
  close(): Promise<void>;
}

/** The key of the second organization. */
export const prodKey = 'k-9d3b6f1e8a2c7054';

/** Two organizations at one address; the first has two workflows, the second the numbers of both. */
export async function startJourneyPlatform(): Promise<JourneyPlatform> {
  const number = (id: string, workflowId: string): readonly [string, Held] => [
    `phone-number/${id}`,
    { id, number: `+1202555010${id.slice(-1)}`, workflowId },
  ];
  const prod = account(new Map([number('pn-1', 'wf-clinic'), number('pn-2', 'wf-garage')]));
  const { held, answer } = account(
    new Map([
      workflow('wf-clinic', 'Clinic desk', 'Find a day that suits {{customer_name}}.'),
      // The name is misspelt: somebody has to say so.
      workflow('wf-garage', 'Garage desk', 'Tell {{costumer_nam}} when the car is ready.'),
    ]),
  );
  const server = createServer(async (request, response) => {
    const seen = await seenOf(request);
    const answers: Record<string, Answer> = { [secret]: answer, [prodKey]: prod.answer };
    const key = seen.authorization?.replace('Bearer ', '') ?? '';
    const reply = answers[key] ?? json(401, { message: 'who are you?' });
    reply({ ...seen, url: `/v1${seen.url}` }, response, 0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held,
    prod: prod.held,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** As the platform's API gives it. */
function workflow(id: string, name: string, prompt: string): readonly [string, Held] {
  const output = [{ title: 'customer_name', type: 'string', description: "the caller's name" }];
  const talk = (name: string, prompt: string) => ({ name, type: 'conversation', prompt });
  const tool = (name: string, tool: object) => ({ name, type: 'tool', tool });
  const when = (text: string) => ({ type: 'ai', prompt: text });
  const greet = {
    ...talk('greet', 'Ask who is calling, and what for.'),
    isStart: true,
    messagePlan: { firstMessage: 'Good morning.' },
    variableExtractionPlan: { output },
  };
  const destinations = [{ type: 'number', number: '+14155550123' }];
  const messages = [{ type: 'request-start', content: 'Goodbye.' }];
  const nodes = [
    greet,
    talk('date', prompt),
    tool('operator', { type: 'transferCall', destinations }),
    tool('bye', { type: 'endCall', messages }),
  ];
  const edges = [
    { from: 'greet', to: 'date', condition: when('it is about a date') },
    { from: 'greet', to: 'operator', condition: when('it is something else') },
    { from: 'date', to: 'bye' },
  ];
  const model = { provider: 'openai', model: 'gpt-4o' };
  return [`workflow/${id}`, { id, orgId: 'org-1', name, model, nodes, edges }];
}

/** squadc serve and sandbox. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../src/adapters/sandbox/sandbox.js';
import { toolDefinitions } from '../../src/tools.js';
import { addressOf, type Surroundings, sendCalls, serving, temporaryFolder } from './fake-io.js';

describe('serving', () => {
  const { folder, put } = temporaryFolder();

  async function start(argv: readonly string[], surroundings: Surroundings = {}) {
    const command = serving([...argv, '--port', '0'], { cwd: folder, ...surroundings });
    onTestFinished(async () => {
      command.interrupt();
      await command.ended;
    });
    return { ...command, url: await addressOf(command) };
  }

  const config = (value: object) => put('serve.json', JSON.stringify(value));
  const lines = (text: string) => text.trimEnd().split('\n');

  describe('squadc serve --sandbox', () => {
    it('serves every operation', async () => {
      const { url } = await start(['--sandbox']);
      const given = { idBill: 1, approved: true, filename: 'x.pdf', id: 'exr_none' };
      const bill = { netAmount: 5, billDate: '2026-01-31', vendorNumber: 'V-1' };
      const document = { fileUrl: 'https://files.example.com/a.pdf' };
      const { 'bills.delete': last, ...others } = toolDefinitions;
      for (const { name, operation, parameters } of [
        ...Object.values(others),
        last ?? expect.fail(),
      ]) {
        const known = Object.entries({ ...given, ...bill, ...document });
        const asked = parameters.filter(({ from }) => from === 'caller').map((each) => each.name);
        const args = Object.fromEntries(known.filter(([key]) => asked.includes(key)));
        const [answer] = await sendCalls(url, [{ id: name, name, arguments: args }]);
        // There is no such file and no such run; everything else is done.
        const text = answer?.result ?? answer?.error;
        if (/attachment|Runs\.get$/i.test(operation)) expect(text, name).toMatch(/could not find/);
        else expect(answer, name).toHaveProperty('result');
      }
    }, 30_000);

    it('says what to try, in lines that fit a terminal and that work', async () => {
      const { io, url } = await start(['--sandbox']);
      const said = io.err();
      expect(Math.max(...lines(said).map(({ length }) => length))).toBeLessThanOrEqual(80);
      expect(said).toContain('every program on this machine may call');
      const [, address = '', body = ''] = /^curl (\S+) -d '([^']+)'$/m.exec(said) ?? [];
      expect(address).toBe(url);
      const answer = await (await fetch(address, { method: 'POST', body })).text();
      expect(answer).toContain('TRIAL-1');
      expect(io.out()).not.toContain('TRIAL-1');
    });

    it('takes the tools of a migrated squad, and what is bound of them', async () => {
      const file = config({
        tools: { look_up: { operation: 'bills.list', bind: { entry: 'clinic' } } },
        allow: ['bills.list'],
      });
      const { url, io } = await start(['--sandbox', '--config', file]);
      expect(io.err()).toMatch(/^operations +bills\.list$/m);
      const calls = ['look_up', 'get_bill'].map((name) => ({ id: name, name, arguments: {} }));
      const [listed, refused] = await sendCalls(url, calls);
      expect(listed?.result).toContain('Bills 1');
      expect(refused?.error).toBe('I am not able to do that here.');
    });

    it('keeps browsers of this machine out', async () => {
      const { url } = await start(['--sandbox']);
      for (const headers of [
        { origin: 'http://localhost:1' },
        { 'sec-fetch-site': 'cross-site' },
      ]) {
        const init = { method: 'POST', headers: headers as Record<string, string>, body: '{}' };
        expect((await fetch(url, init)).status).toBe(401);
      }
    });
  });

  describe('the log', () => {
    it('has a line for each call, and nothing that anybody said', async () => {
      const { url, io } = await start(['--sandbox']);
      const calls = [
        { id: 'a', name: 'get_bill', arguments: { idBill: 1 } },
        { id: 'b', name: 'create_bill', arguments: { billNumber: 'Jane Doe' } },
        { id: 'c', name: 'Jane Doe', arguments: {} },
      ];
      await sendCalls(url, calls, { callId: 'Jane Doe', headers: { 'x-request-id': 'req-12345' } });
      const common = { event: 'call', request: 'req-12345', ms: expect.any(Number) };
      const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      await expect.poll(() => lines(io.out()).length).toBe(3);
      const logged = lines(io.out()).map((line) => JSON.parse(line));
      expect(logged).toEqual(
        expect.arrayContaining([
          {
            ...common,
            time,
            toolCallId: 'a',
            tool: 'get_bill',
            operation: 'bills.get',
            outcome: 'done',
          },
          {
            ...common,
            time,
            toolCallId: 'b',
            tool: 'create_bill',
            operation: 'bills.create',
            outcome: 'bad-arguments',
          },
          { ...common, time, toolCallId: 'c', outcome: 'unknown-tool' },
        ]),
      );
      expect(io.out() + io.err()).not.toContain('Jane');
    });

    it('has a line for a request that is refused', async () => {
      const { url, io } = await start(['--sandbox']);
      const headers = { 'x-request-id': 'req-12345' };
      await fetch(`${url}/?token=abc`, { method: 'POST', headers, body: 'no JSON' });
      const ms = expect.any(Number);
      await expect.poll(() => io.out()).not.toBe('');
      const [line = '', ...more] = lines(io.out());
      expect(JSON.parse(line)).toMatchObject({
        event: 'refused',
        request: 'req-12345',
        status: 400,
        ms,
      });
      expect([more, io.out().includes('abc')]).toEqual([[], false]);
    });
  });

  describe('the log of what went wrong', () => {
    it('has no words of the service', async () => {
      const services = await createSandbox();
      onTestFinished(() => services.close());
      const file = config({
        bills: { baseUrl: services.billsUrl, apiKeyEnv: 'KEY' },
        allow: ['bills.get'],
        bind: { entry: 'shop' },
      });
      const { url, io } = await start(['--config', file], { env: { KEY: 'wrong-key' } });
      await sendCalls(url, [{ id: 'a', name: 'get_bill', arguments: { idBill: 1 } }]);
      await expect.poll(() => lines(io.out()).length).toBe(2);
      const logged = lines(io.out()).map((line) => JSON.parse(line));
      const { error, ...about } = logged.find(({ event }) => event === 'error');
      expect(about).toMatchObject({ toolCallId: 'a', operation: 'bills.get' });
      expect(error).toMatchObject({ code: 'api/unauthorized', status: 401, outcome: 'refused' });
      expect(Object.keys(error)).not.toContain('serviceMessage');
      expect(Object.keys(error)).not.toContain('message');
    });
  });

  describe('a secret', () => {
    const env = { TOOLS: 'correct-horse-1', NEXT: 'correct-horse-2' };

    it('is needed of whoever calls, and is never shown', async () => {
      const file = config({ secret: { env: ['TOOLS', 'NEXT'] } });
      const { url, io } = await start(['--sandbox', '--config', file], { env });
      expect(io.err()).toContain('in the header authorization');
      expect(io.err()).toContain(`curl ${url} -H "authorization: Bearer $TOOLS" \\\n`);
      const call = [{ id: '1', name: 'get_bill', arguments: { idBill: 1 } }];
      await expect(sendCalls(url, call)).rejects.toThrow('401');
      for (const value of Object.values(env)) {
        const headers = { authorization: `Bearer ${value}` };
        expect((await sendCalls(url, call, { headers }))[0]).toHaveProperty('result');
      }
      expect(io.out() + io.err()).not.toContain('correct-horse');
    });

    it('comes in a header of its own', async () => {
      const file = config({ secret: { env: 'TOOLS', header: 'x-tools' } });
      const { url, io } = await start(['--sandbox', '--config', file], { env });
      expect(io.err()).toContain('-H "x-tools: $TOOLS"');
      const headers = { 'x-tools': env.TOOLS };
      expect(await sendCalls(url, [], { headers })).toEqual([]);
    });

    it('lets others reach the server', async () => {
      const file = config({ secret: { env: 'TOOLS' } });
      const { url } = await start(['--sandbox', '--config', file, '--host', '0.0.0.0'], { env });
      expect(url).toMatch(/^http:\/\/0\.0\.0\.0:\d+$/);
    });

    it.each(['0.0.0.0', '::', '192.168.0.1', 'example.com', '127.0.0.1.example.com', ''])(
      'is missed before %j is listened on',
      async (host) => {
        const { io, ended } = serving(['--sandbox', '--host', host]);
        expect(await ended).toBe(64);
        expect(io.err()).toMatch(
          /^squadc: a server that others can reach needs a secret\n {2}help: /,
        );
        expect(io.out()).toBe('');
      },
    );
  });

  describe('the end', () => {
    it.each(['Ctrl-C', 'SIGTERM'])('comes with %s', async (how) => {
      const command = await start(['--sandbox']);
      if (how === 'SIGTERM') process.emit('SIGTERM');
      else command.interrupt();
      expect(await command.ended).toBe(0);
      await expect(fetch(`${command.url}/health`)).rejects.toThrow();
      expect([command.listening(), process.listenerCount('SIGTERM')]).toEqual([false, 0]);
    });
  });

  describe('what it refuses', () => {
    it('is a port that is taken', async () => {
      const { port } = new URL((await start(['--sandbox'])).url);
      const { io, ended } = serving(['--sandbox', '--port', port]);
      expect(await ended).toBe(1);
      expect(io.err()).toBe(`squadc: cannot listen on 127.0.0.1, port ${port}: it is in use\n`);
    });

    it.each([[[]], [['--port', '70000', '--sandbox']], [['--secret', 'x']]])(
      'is wrong usage: %j',
      async (argv) => {
        const { io, ended } = serving(argv);
        expect([await ended, io.out()]).toEqual([64, '']);
      },
    );
  });
});

describe('the configuration', () => {
  const { folder, put } = temporaryFolder();
  const env = { BILLS: 'sandbox-key', DOCUMENTS: 'sandbox-key', TOOLS: 'a-secret', BAD: 'a b\nc' };

  /** What is said of a configuration that is refused. */
  async function faultsOf(config: unknown, more: readonly string[] = []): Promise<string[]> {
    const file = put('serve.json', typeof config === 'string' ? config : JSON.stringify(config));
    const { io, ended } = serving(['--config', file, '--port', '0', ...more], { env, cwd: folder });
    expect([await ended, io.out()]).toEqual([1, '']);
    const [head, ...lines] = io.err().trimEnd().split('\n');
    expect(head).toMatch(/^squadc: serve\.json has (?:a fault|\d+ faults):$/);
    return lines.map((line) => line.trim());
  }

  const bills = { baseUrl: 'http://127.0.0.1:1/api', apiKeyEnv: 'BILLS' };
  const documents = { baseUrl: 'http://127.0.0.1:1', apiKeyEnv: 'DOCUMENTS' };

  describe('a configuration', () => {
    it('leads calls to the services that it names', async () => {
      const sandbox = await createSandbox();
      onTestFinished(() => sandbox.close());
      const file = put(
        'serve.json',
        JSON.stringify({
          secret: { env: 'TOOLS' },
          bills: {
            baseUrl: sandbox.billsUrl,
            clientIdEnv: 'ID',
            clientSecretEnv: 'WORD',
          },
          documents: { ...documents, baseUrl: sandbox.documentsUrl },
          allow: ['bills.create', 'documents.parseRuns.get'],
          bind: { entry: 'shop' },
          fileHosts: ['files.example.com'],
          limits: { deadlineMs: 10_000 },
          server: { requests: 8 },
        }),
      );
      const variables = { ...env, ID: 'sandbox-client', WORD: 'sandbox-secret' };
      const argv = ['--config', file, '--port', '0'];
      const command = serving(argv, { env: variables, cwd: folder });
      const url = await addressOf(command);
      const bill = { netAmount: 5, billDate: '2026-01-31', vendorNumber: 'V-1' };
      const results = await sendCalls(
        url,
        [
          { id: '1', name: 'create_bill', arguments: bill },
          { id: '2', name: 'get_parse_status', arguments: { id: 'pr_none' } },
        ],
        { headers: { authorization: 'Bearer a-secret' } },
      );
      expect(results[0]).toHaveProperty('result');
      expect(results[1]?.error).toMatch(/^I could not find that/);
      const asked = sandbox.requests.map(({ operation, status }) => `${operation} ${status}`);
      expect(new Set(asked)).toEqual(
        new Set(['token.create 200', 'bills.create 200', 'parseRuns.get 404']),
      );
      expect(sandbox.bills.all()[0]).toMatchObject({ PaypointEntryname: 'shop', NetAmount: 5 });
      command.interrupt();
      expect(await command.ended).toBe(0);
      for (const word of ['sandbox-secret', 'sandbox-key', 'a-secret']) {
        expect(command.io.out() + command.io.err()).not.toContain(word);
      }
    });
  });

  describe('what is wrong with a configuration', () => {
    it('is said all at once where it is one of form', async () => {
      const faults = await faultsOf({
        secret: {},
        bills: { apiKeyEnv: 'a-b' },
        documents: [],
        tools: { a: 5, b: {} },
        limits: { deadlineMs: 60_000, call: 1 },
        server: { headerBytes: 10 },
        binds: {},
      });
      expect(faults).toEqual([
        'must not have “binds”',
        '/secret must have “env”',
        '/bills must have “baseUrl”',
        expect.stringMatching(/^\/bills\/apiKeyEnv must be /),
        '/documents must be an object',
        '/tools/a must be an object',
        '/tools/b must have “operation”',
        '/limits must not have “call”',
        '/limits/deadlineMs must be at most 20000',
        '/server/headerBytes must be at least 1024',
      ]);
    });

    it('is each variable that is not set, and each service that cannot be', async () => {
      const faults = await faultsOf({
        secret: { env: 'UNSET' },
        bills: { baseUrl: 'http://example.com', apiKeyEnv: 'BILLS' },
        documents: { baseUrl: 'https://example.com', apiKeyEnv: 'BAD' },
        allow: ['bills.gt'],
      });
      expect(faults).toEqual([
        '/secret/env names an environment variable that is not set',
        expect.stringMatching(/^\/bills\/baseUrl is neither https/),
        '/documents/apiKey cannot be sent',
      ]);
    });

    it.each([
      [{ allow: ['bills.get'], bind: { entry: 'shop' } }, /^\/allow names an operation /],
      [{ bills, allow: ['bills.gt'] }, /^\/allow names an operation that there is not/],
      [{ bills, allow: ['bills.get'] }, /^\/bind\/entry has to be bound/],
      [{ documents, allow: ['documents.extract'] }, /^\/bind\/extractorId has to be bound/],
      [{ bind: { enrty: 'shop' } }, /^\/bind\/enrty has to be bound, .* not otherwise$/],
      [{ tools: { look: { operation: 'bills.gets' } } }, /^\/tools\/look names an operation /],
      [{ fileHosts: ['https://a.example'] }, /^\/fileHosts has to hold hosts/],
      [{ say: { 'bills.nothing': [] } }, /^\/say\/bills\/nothing cannot be said$/],
      [{ bills: { baseUrl: bills.baseUrl } }, /^\/bills\/auth cannot be sent: it takes apiKeyEnv/],
      [
        { documents: { ...documents, wire: 'old' } },
        /^\/documents\/wire must be “spec” or “current”$/,
      ],
      [{ secret: { env: 'BAD' } }, /^\/secret\/value cannot be sent in a header/],
      [{ secret: { env: 'TOOLS', header: 'a b' } }, /^\/secret\/header cannot be sent in a header/],
      ['{"allow":[],"allow":["bills.get"]}', /^line 1, column 13: /],
      ['{"allow":[1 2]}', /^line 1, column 13: /],
      ['[]', /^must be an object$/],
      ['{"__proto__":{"allow":[]}}', /^must not have “__proto__”$/],
    ])('%j', async (config, fault) => {
      expect(await faultsOf(config)).toEqual([expect.stringMatching(fault)]);
    });

    it('never repeats a secret that was written into the wrong place', async () => {
      const word = 'hunter2-hunter2';
      const everywhere = [
        { secret: { value: word } },
        { secret: { env: word } },
        { secret: word },
        { bills: { baseUrl: `https://${word}@example.com`, apiKeyEnv: 'BILLS' } },
        { bills: { baseUrl: bills.baseUrl, apiKey: word } },
        { bills: { baseUrl: bills.baseUrl, apiKeyEnv: 'hunter2hunter2' } },
        { documents: { ...documents, apiKey: word, apiVersion: word } },
        { allow: [word], fileHosts: [`${word}/`], tools: { a: word } },
        `{"secret": ${word}}`,
      ];
      for (const config of everywhere) {
        expect((await faultsOf(config)).join()).not.toContain('hunter2');
      }
      expect(await faultsOf({ bills: { ...bills, apiKey: word } })).toEqual([
        '/bills/apiKey is not written into a file: name an environment variable in apiKeyEnv',
      ]);
    });
  });
});

describe('the sandbox', () => {
  const start = (argv: readonly string[], env: Surroundings['env'] = {}) =>
    serving(argv, { env }, 'sandbox');

  async function addressesOf({ io }: ReturnType<typeof start>) {
    await expect.poll(() => io.out(), { timeout: 10_000 }).toContain('documents');
    const addressOf = (name: string) =>
      new RegExp(`^${name} +(http:\\S+)`, 'm').exec(io.out())?.[1];
    return { bills: addressOf('bills') ?? '', documents: addressOf('documents') ?? '' };
  }

  describe('squadc sandbox', () => {
    it('serves both services until it is interrupted', async () => {
      const command = start([]);
      const { bills, documents } = await addressesOf(command);
      expect(bills).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
      const headers = { requestToken: 'sandbox-key' };
      expect((await fetch(`${bills}/Query/bills/shop`, { headers })).status).toBe(200);
      const keys = { authorization: 'Bearer sandbox-key', 'x-service-api-version': '2026-02-09' };
      expect((await fetch(`${documents}/files`, { headers: keys })).status).toBe(200);
      command.interrupt();
      expect(await command.ended).toBe(0);
      expect(command.listening()).toBe(false);
      await expect(fetch(`${bills}/Bill/1`)).rejects.toThrow();
      expect(command.io.err()).toBe('');
    });

    it('says what to send, in lines that fit a terminal', async () => {
      const options = ['--fault-share', '0.25', '--faults', 'reset,status=503'];
      const command = start([...options, '--vendor-prefix', 'acme']);
      await addressesOf(command);
      const lines = command.io.out().split('\n');
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
      const said = lines.map((line) => line.trim()).join(' ');
      expect(said).toContain('requestToken: sandbox-key');
      expect(said).toContain('issued at /v2/Token/serverside to clientId sandbox-client,');
      expect(said).toContain('Authorization: Bearer sandbox-key');
      expect(said).toContain('x-acme-api-version: 2026-02-09');
      expect(said).toContain('25 % of requests: reset, status=503');
      expect(said).toContain('Ctrl-C');
      command.interrupt();
      await command.ended;
    });

    it('takes what a trial needs', async () => {
      const options = ['--fault-share', '1', '--faults', 'status=418', '--vendor-prefix', 'acme'];
      const command = start([...options, '--repeated-key', 'conflict', '--seed', '7']);
      const { bills, documents } = await addressesOf(command);
      expect((await fetch(`${bills}/Bill/1`)).status).toBe(418);
      const headers = { authorization: 'Bearer sandbox-key', 'x-sandbox-fault': 'none' };
      const answer = await fetch(`${documents}/files`, { headers });
      expect(await answer.json()).toMatchObject({
        message: 'The header x-acme-api-version is missing, or names no version',
      });
      command.interrupt();
      expect(await command.ended).toBe(0);
    });

    it('sends webhooks, with a secret from the environment', async () => {
      const signatures: unknown[] = [];
      const server = createServer(({ headers }, response) => {
        signatures.push(headers['x-service-request-signature']);
        response.end();
      }).listen(0, '127.0.0.1');
      onTestFinished(() => void server.close());
      await expect.poll(() => server.listening).toBe(true);
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const options = ['--webhook-url', url, '--webhook-secret-env', 'SECRET'];
      const command = start(options, { SECRET: 'hidden-word' });
      const { documents } = await addressesOf(command);
      await fetch(`${documents}/parse`, {
        method: 'POST',
        headers: {
          authorization: 'Bearer sandbox-key',
          'x-service-api-version': '2026-02-09',
          'content-type': 'application/json',
        },
        body: '{"file":{"text":"x"}}',
      });
      await expect.poll(() => signatures).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
      command.interrupt();
      await command.ended;
      expect(command.io.out()).not.toContain('hidden-word');
    });

    it.each([
      [['--faults', 'reset,explode'], "unknown fault 'explode'"],
      [['--fault-share', '2'], 'Expected a number from 0 to 1.'],
      [['--port', '70000'], 'Expected a whole number from 0 to 65535.'],
      [['--vendor-prefix', 'a b'], 'The vendor prefix may only contain letters'],
      [['--webhook-url', 'http://localhost:1'], 'webhooks need'],
      [['--webhook-url', 'http://localhost:1', '--webhook-secret-env', 'UNSET'], 'webhooks need'],
      [['--webhook-secret-env', 'SECRET'], 'webhooks need'],
      [
        ['--webhook-url', 'https://example.com', '--webhook-secret-env', 'SECRET'],
        'go to a loopback address',
      ],
    ])('refuses %j', async (argv, message) => {
      const { io, ended } = start(argv, { SECRET: 's' });
      expect(await ended).toBe(64);
      expect(io.err()).toContain(message);
      expect(io.out()).toBe('');
    });

    it('says that a port is taken', async () => {
      const first = start([]);
      const { port } = new URL((await addressesOf(first)).bills);
      const second = start(['--port', port]);
      expect(await second.ended).toBe(1);
      expect(second.io.err()).toBe(`squadc: cannot listen on port ${port}: it is in use\n`);
      first.interrupt();
      await first.ended;
    });
  });
});

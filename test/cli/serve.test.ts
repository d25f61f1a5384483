import { describe, expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../src/adapters/sandbox/sandbox.js';
import { toolDefinitions } from '../../src/tools.js';
import type { Surroundings } from './fake-io.js';
import { addressOf, sendCalls, serving } from './serving.js';
import { temporaryFolder } from './temporary-folder.js';

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
    expect(said).toContain('every program of this machine may call');
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
    for (const headers of [{ origin: 'http://localhost:1' }, { 'sec-fetch-site': 'cross-site' }]) {
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

  it('is written to its end where the server ends', async () => {
    const { url, io, interrupt, ended } = await start(['--sandbox']);
    const calls = Array.from({ length: 20 }, (_, index) => ({ id: `n${index}`, name: 'none' }));
    await sendCalls(url, calls);
    interrupt();
    await ended;
    const logged = lines(io.out()).map((line) => JSON.parse(line).toolCallId);
    expect(logged.toSorted()).toEqual(calls.map(({ id }) => id).toSorted());
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

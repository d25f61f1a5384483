import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../../src/cli/run.js';
import { fakeIo, type Surroundings } from './fake-io.js';

/** The command, under way until it is interrupted. */
function start(argv: readonly string[], env: Surroundings['env'] = {}) {
  let interrupt = () => {};
  let listening = 0;
  const io = fakeIo({
    env,
    onInterrupt: (stop) => {
      interrupt = stop;
      listening += 1;
      return () => {
        listening -= 1;
      };
    },
  });
  const ended = run(['sandbox', ...argv], io);
  return { io, ended, interrupt: () => interrupt(), listening: () => listening };
}

async function addressesOf({ io }: ReturnType<typeof start>) {
  await expect.poll(() => io.out(), { timeout: 10_000 }).toContain('documents');
  const addressOf = (name: string) => new RegExp(`^${name} +(http:\\S+)`, 'm').exec(io.out())?.[1];
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
    expect(command.listening()).toBe(0);
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

  it('names the usual faults as they are written', async () => {
    const { io, ended } = start(['--help']);
    expect(await ended).toBe(0);
    expect(io.out().replaceAll(/\s+/g, ' ')).toContain(
      'The usual ones: reset,reset-after,status=500,',
    );
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
    [['--faults', 'reset,explode'], "'explode' is no fault"],
    [['--fault-share', '2'], 'Expected a number from 0 to 1.'],
    [['--port', '70000'], 'Expected a whole number from 0 to 65535.'],
    [['--vendor-prefix', 'a b'], 'The vendor prefix has other than letters'],
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

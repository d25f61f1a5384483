/** `squadc serve` as a process, bundled as the build does it: its end, and what it writes. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildBinary } from './built-binary.js';
import { sendCalls } from './serving.js';
import { temporaryFolder } from './temporary-folder.js';

// Inside node_modules, so that the packages are found.
const built = join('node_modules', '.cache', `squadc-serve-test-${process.pid}`);
const binary = join(process.cwd(), built, 'dist', 'cli.js');
const { folder, put } = temporaryFolder();

beforeAll(async () => {
  await buildBinary(join(built, 'dist'));
  copyFileSync('package.json', join(built, 'package.json'));
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly url: string;
  readonly out: () => string;
  readonly exitCode: Promise<number | null>;
}

async function squadc(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Running> {
  const options = { cwd: folder, env: { PATH: process.env.PATH, ...env } };
  const child = spawn(process.execPath, [binary, 'serve', '--port', '0', ...argv], options);
  onTestFinished(() => void child.kill('SIGKILL'));
  const texts = { out: '', err: '' };
  child.stdout.on('data', (piece) => {
    texts.out += piece;
  });
  child.stderr.on('data', (piece) => {
    texts.err += piece;
  });
  const exitCode = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  await expect.poll(() => texts.err, { timeout: 20_000 }).toContain('Ctrl-C ends it.');
  const url = /^tools +(http:\S+)$/m.exec(texts.err)?.[1] ?? '';
  return { child, url, out: () => texts.out, exitCode };
}

/** A bills service that answers when it is told to. */
async function slowService() {
  const waiting: ServerResponse[] = [];
  const server = createServer((_, response) => void waiting.push(response));
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await expect.poll(() => server.listening).toBe(true);
  const bill = { responseData: { PaypointEntryname: 'shop', BillNumber: 'B-1' }, isSuccess: true };
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting,
    answer: () => {
      for (const each of waiting) {
        each.setHeader('content-type', 'application/json').end(JSON.stringify(bill));
      }
    },
  };
}

describe('the process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'finishes what was begun at a %s',
    async (signal) => {
      const { baseUrl, waiting, answer } = await slowService();
      const config = {
        bills: { baseUrl, apiKeyEnv: 'KEY' },
        allow: ['bills.get'],
        bind: { entry: 'shop' },
      };
      const file = put('serve.json', JSON.stringify(config));
      const { child, url, out, exitCode } = await squadc(['--config', file], {
        KEY: 'hidden-word',
      });
      const call = sendCalls(url, [{ id: '1', name: 'get_bill', arguments: { idBill: 1 } }]);
      await expect.poll(() => waiting.length).toBe(1);
      child.kill(signal);
      const refused = () => fetch(`${url}/health`).then(String, () => 'refused');
      await expect.poll(refused, { timeout: 5000 }).toBe('refused');
      answer();
      expect((await call)[0]?.result).toContain('Bill number B-1');
      expect(await exitCode).toBe(0);
      const logged = JSON.parse(out());
      expect(logged).toMatchObject({ event: 'call', tool: 'get_bill', outcome: 'done' });
      expect(out()).not.toContain('hidden-word');
    },
    30_000,
  );

  it('ends where nothing was begun, sandbox and all', async () => {
    const { child, url, exitCode } = await squadc(['--sandbox']);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    const start = performance.now();
    child.kill('SIGTERM');
    expect(await exitCode).toBe(0);
    expect(performance.now() - start).toBeLessThan(5000);
  }, 30_000);
});

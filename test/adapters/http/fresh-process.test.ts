/** A program of its own: what importing a client loads, and whether a client keeps it from ending. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const undici = pathToFileURL(createRequire(import.meta.url).resolve('undici')).href;

let folder: string;
let server: Server;
let origin: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clients-'));
  await build({
    entryPoints: ['src/bills.ts', 'src/documents.ts'],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    plugins: [
      {
        name: 'undici at its place',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^undici$/ }, () => ({ path: undici, external: true })),
      },
    ],
  });
  server = createServer(({ url }, response) => {
    if (url?.includes('silent')) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"isSuccess":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

/** What the program prints, how it ends, and how long it lives on after its last line. */
async function run(...lines: string[]) {
  const file = join(folder, `program-${lines.join('').length}.mjs`);
  const head = `
    import { createRequire } from 'node:module';
    import { createBillsClient } from './bills.mjs';
    import { createDocumentsClient } from './documents.mjs';
    const loaded = () => Object.keys(createRequire(import.meta.url).cache).some((path) => /[/\\\\]undici[/\\\\]/.test(path));
    const at = { baseUrl: ${JSON.stringify(origin)}, retry: { maxAttempts: 1 } };
    const bills = createBillsClient({ ...at, auth: { apiKey: 'k' } });
    const documents = createDocumentsClient({ ...at, apiKey: 'k' });
    const codeOf = (call) => call.then(() => 'well', ({ code }) => code);`;
  await writeFile(file, [head, ...lines].join('\n'));
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'pipe'] });
  const printed: string[] = [];
  let last = performance.now();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed.push(text.trim());
      last = performance.now();
    });
  }
  const status = await new Promise((resolve) => child.on('close', resolve));
  return { status, printed: printed.join('\n').split('\n'), lingeredMs: performance.now() - last };
}

describe('a program', () => {
  it('loads undici with the first request, not before, and ends without being told to', async () => {
    const { status, printed, lingeredMs } = await run(
      'console.log(loaded());',
      "console.log(await codeOf(bills.get(0)), await codeOf(documents.files.get('..')));",
      'console.log(loaded());',
      "console.log(await codeOf(bills.get(1)), await codeOf(documents.files.get('a')));",
      'console.log(loaded());',
    );
    const refused = 'api/invalid-argument api/invalid-argument';
    expect(printed).toEqual(['false', refused, 'false', 'well well', 'true']);
    expect(status).toBe(0);
    expect(lingeredMs).toBeLessThan(2000);
  });

  it('never loads it where it brings a fetch', async () => {
    const { printed } = await run(
      'console.log(await codeOf(bills.get(1, { fetch })));',
      'console.log(loaded());',
    );
    expect(printed).toEqual(['well', 'false']);
  });

  it('ends after calls that were given up, long before their time is over', async () => {
    const { status, printed, lingeredMs } = await run(
      'const control = new AbortController();',
      "const call = codeOf(documents.files.get('silent', {}, { signal: control.signal }));",
      'setTimeout(() => control.abort(), 50);',
      "console.log(await call, await codeOf(bills.list('silent', {}, { deadlineMs: 100 })));",
    );
    expect(printed).toEqual(['api/aborted api/deadline']);
    expect(status).toBe(0);
    expect(lingeredMs).toBeLessThan(2000);
  });
});

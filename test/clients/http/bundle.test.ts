/** The size of the clients and the handler in a bundle, what they load, and that a program can end. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { useServer } from '../harness.js';

const unwanted = /schema|texts|validators/;
const late = ['undici', 'node:fs'];
it.each([
  ['* from "./src/bills.ts"', 12_000, ['undici'], unwanted],
  ['* from "./src/documents.ts"', 18_000, late, unwanted],
  ['{ createDocumentsClient } from "./src/documents.ts"', 16_000, late, unwanted],
  [
    '{ createToolHandler } from "./src/tools.ts"',
    100_000,
    [],
    /node_modules\/|[cC]lient\.ts|schemas\/(?!tools)/,
  ],
])('%s is small, has nothing it does not need, and loads its packages late', async (...row) => {
  const [exported, most, late, foreign] = row;
  const { metafile } = await build({
    stdin: { contents: `export ${exported}`, resolveDir: '.' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    conditions: ['browser'],
    mainFields: ['module', 'main'],
    external: ['undici', 'node:*'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const [output] = Object.values(metafile.outputs);
  // What is not used falls away.
  const inputs = Object.entries(output?.inputs ?? {}).filter(([, it]) => it.bytesInOutput > 0);
  expect(inputs.map(([path]) => path).filter((path) => foreign.test(path))).toEqual([]);
  expect(output?.bytes).toBeLessThanOrEqual(most);
  expect(output?.bytes).toBeGreaterThan(9000);
  expect(output?.imports.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual(
    late.map((path) => `dynamic-import ${path}`).sort(),
  );
});

const server = useServer(() => undefined);

it('a program can end soon after its calls were aborted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clients-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const outfile = join(folder, 'program.cjs');
  const contents = `
    import { createBillsClient } from './src/bills.ts';
    import { createDocumentsClient } from './src/documents.ts';
    const at = { baseUrl: ${JSON.stringify(server.url)}, retry: { maxAttempts: 1 } };
    const codeOf = (call) => call.catch(({ code }) => code);
    const control = new AbortController();
    const documents = createDocumentsClient({ ...at, apiKey: 'k' });
    const stopped = documents.files.get('silent', {}, { signal: control.signal });
    const late = createBillsClient({ ...at, auth: { apiKey: 'k' } }).list('e', {}, { deadlineMs: 100 });
    setTimeout(() => control.abort(), 50);
    Promise.all([stopped, late].map(codeOf)).then((codes) => console.log(...codes));`;
  const stdin = { contents, resolveDir: '.' };
  await build({ stdin, outfile, bundle: true, format: 'cjs', platform: 'node' });
  const { stdout } = await promisify(execFile)(process.execPath, [outfile], { timeout: 20_000 });
  expect(stdout.trim()).toBe('api/aborted api/deadline');
});

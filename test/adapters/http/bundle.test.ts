/** What programs carry and load that use the clients, and whether a client keeps them from ending. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { useServer } from '../harness.js';

const bundle = async (contents: string) => {
  const { metafile, outputFiles } = await build({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    external: ['undici'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const [output] = Object.values(metafile.outputs);
  return { inputs: Object.keys(metafile.inputs), output, text: outputFiles[0]?.text ?? '' };
};

it.each([
  ['all of bills', 'export * from "./src/bills.ts"', 14_300],
  ['all of documents', 'export * from "./src/documents.ts"', 20_000],
  ['the client of documents', 'export { createDocumentsClient } from "./src/documents.ts"', 17_800],
])('%s is small, without schemas and texts, and loads nothing at once', async (...row) => {
  const [, program, most] = row;
  const { inputs, output, text } = await bundle(program);
  expect(inputs.filter((path) => /schema|texts|validators/.test(path))).toEqual([]);
  expect(output?.bytes).toBeLessThanOrEqual(most);
  expect(output?.bytes).toBeGreaterThan(9000);
  expect(text).not.toMatch(/^import\b(?!\()|\bfrom\s*["']/m);
  const late = program.includes('documents') ? ['undici', 'node:fs'] : ['undici'];
  expect(output?.imports.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual(
    late.map((path) => `dynamic-import ${path}`).sort(),
  );
});

const server = useServer(() => undefined);

it('a program ends after calls that were given up, long before their time is over', async () => {
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
  await build({
    stdin,
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    logLevel: 'silent',
  });
  const { stdout } = await promisify(execFile)(process.execPath, [outfile], { timeout: 20_000 });
  expect(stdout.trim()).toBe('api/aborted api/deadline');
});

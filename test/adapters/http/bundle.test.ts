/** What programs carry and load that use the clients, and whether a client keeps them from ending. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe('a program', () => {
  const server = useServer(({ url }) => (url.includes('silent') ? undefined : { body: {} }));
  const undici = pathToFileURL(createRequire(import.meta.url).resolve('undici')).href;
  let folder: string;

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
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    [
      'loads undici with the first request, not before',
      [
        'loaded();',
        "print(await codeOf(bills.get(0)), await codeOf(documents.files.get('..')));",
        'loaded();',
        "print(await codeOf(bills.get(1)), await codeOf(documents.files.get('a')));",
        'loaded();',
      ],
      'false\napi/invalid-argument api/invalid-argument\nfalse\nwell well\ntrue',
    ],
    [
      'ends after calls that were given up, long before their time is over',
      [
        'const control = new AbortController();',
        "const call = codeOf(documents.files.get('silent', {}, { signal: control.signal }));",
        'setTimeout(() => control.abort(), 50);',
        "print(await call, await codeOf(bills.list('silent', {}, { deadlineMs: 100 })));",
      ],
      'api/aborted api/deadline',
    ],
  ])('%s, and ends without being told to', async (name, lines, expected) => {
    const file = join(folder, `program-${name.length}.mjs`);
    const head = `
      import { createRequire } from 'node:module';
      import { createBillsClient } from './bills.mjs';
      import { createDocumentsClient } from './documents.mjs';
      const print = (...texts) => console.log(...texts);
      const loaded = () => print(Object.keys(createRequire(import.meta.url).cache).some((path) => /[/\\\\]undici[/\\\\]/.test(path)));
      const at = { baseUrl: ${JSON.stringify(server.url)}, retry: { maxAttempts: 1 } };
      const bills = createBillsClient({ ...at, auth: { apiKey: 'k' } });
      const documents = createDocumentsClient({ ...at, apiKey: 'k' });
      const codeOf = (call) => call.then(() => 'well', ({ code }) => code);`;
    await writeFile(file, [head, ...lines].join('\n'));
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [printed, last] = ['', performance.now()];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        last = performance.now();
      });
    }
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
    expect(printed.trim()).toBe(expected);
    expect(performance.now() - last).toBeLessThan(2000);
  });
});

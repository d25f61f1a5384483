/** What a program carries along when it takes all of `squadc/documents`: no schemas, no texts. */
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const bundle = (contents: string) =>
  build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    external: ['undici'],
    write: false,
    metafile: true,
  });
const bundled = bundle("import * as documents from './src/documents.ts'; export { documents };");

describe('the client in a bundle', () => {
  it('has nothing of schemas and texts', async () => {
    const inputs = Object.keys((await bundled).metafile.inputs);
    expect(inputs).toContain('src/adapters/documents/client.ts');
    expect(inputs.filter((path) => /schema|texts|validators/.test(path))).toEqual([]);
  });

  it('adds at most 10,200 bytes to the request core, and has at most 20,340', async () => {
    const [output] = Object.values((await bundled).metafile.outputs);
    expect(output?.bytes).toBeLessThanOrEqual(20_340);
    const own = Object.entries(output?.inputs ?? {}).filter(([path]) => /documents/.test(path));
    expect(own.length).toBeGreaterThan(5);
    const bytes = own.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
    expect(bytes).toBeLessThanOrEqual(10_200);
  });

  it('is at most 18,000 bytes alone, without what receives webhooks', async () => {
    const { metafile } = await bundle("export { createDocumentsClient } from './src/documents.ts'");
    const [output] = Object.values(metafile.outputs);
    expect(output?.bytes).toBeLessThanOrEqual(18_000);
  });

  it('loads nothing at once: undici and the file system only when they are needed', async () => {
    const text = (await bundled).outputFiles[0]?.text ?? '';
    expect(text).not.toMatch(/^import\b(?!\()|\bfrom\s*["']/m);
    expect(text).toMatch(/import\("undici"\)/);
    expect(text).toMatch(/import\("node:fs"\)/);
  });
});

/** What a program carries that imports all of the bills client. */
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

async function bundled() {
  const { metafile } = await build({
    stdin: {
      contents: "import * as bills from './src/bills.ts'; console.log(bills);",
      resolveDir: '.',
    },
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
  return {
    bytes: output?.bytes ?? 0,
    inputs: Object.keys(metafile.inputs),
    imports: (output?.imports ?? []).map(({ path, kind }) => `${kind} ${path}`),
  };
}

describe('the bundle', () => {
  it('holds no texts and no schemas', async () => {
    const { inputs } = await bundled();
    expect(inputs).toContain('src/adapters/bills/operations.ts');
    expect(inputs.filter((path) => /texts|schema|validators/.test(path))).toEqual([]);
  });

  it('has at most 15,000 bytes', async () => {
    expect((await bundled()).bytes).toBeLessThanOrEqual(15_000);
  });

  it('imports undici late, and nothing else but what Node has', async () => {
    const { imports } = await bundled();
    const others = imports.filter((each) => !/^[a-z-]+ node:/.test(each));
    expect(new Set(others)).toEqual(new Set(['dynamic-import undici']));
  });
});

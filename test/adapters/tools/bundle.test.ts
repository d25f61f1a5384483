/** The handler runs wherever there are Request and Response: what it imports is its own. */
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('the handler imports nothing of Node, no client, and no compiler of schemas', async () => {
  const { metafile } = await build({
    stdin: {
      contents:
        "import { createToolHandler } from './src/tools.ts'; console.log(createToolHandler);",
      resolveDir: '.',
    },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const [output] = Object.values(metafile.outputs);
  expect(output?.imports).toEqual([]);
  // What stands beside the handler and is not used falls away.
  const used = Object.entries(output?.inputs ?? {}).filter(
    ([, { bytesInOutput }]) => bytesInOutput > 0,
  );
  const inputs = used.map(([path]) => path);
  expect(inputs).toContain('src/adapters/tools/handler.ts');
  expect(inputs.filter((path) => /node_modules|client|schemas\/(?!tools)/.test(path))).toEqual([]);
});

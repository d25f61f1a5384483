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
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const [output] = Object.values(metafile.outputs);
  expect(output?.imports).toEqual([]);
  const inputs = Object.keys(metafile.inputs);
  expect(inputs).toContain('src/adapters/tools/handler/handler.ts');
  expect(inputs.filter((path) => /node_modules|client|schemas\//.test(path))).toEqual([]);
});

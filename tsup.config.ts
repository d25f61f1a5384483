/**
 * Three builds into dist/: the entries that programs import, as ES modules and in the CommonJS form,
 * and the command with its worker threads.
 *
 * What the compiler uses is drawn in, so a page can import `dist/index.js` as it is; what only the
 * command and the clients use (undici, prompts, …) is imported from its package.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, type Options } from 'tsup';

/**
 * Packages that are drawn in, and the file of each that runs in Node and in browsers alike: without
 * Node's modules, and in a form that a bundler can follow.
 */
const drawnIn: Readonly<Record<string, string>> = {
  events: 'events/events.js',
  'fastest-levenshtein': 'fastest-levenshtein/esm/mod.js',
  graphology: 'graphology/dist/graphology.mjs',
  'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
  liquidjs: 'liquidjs/dist/liquid.browser.mjs',
};

const licences = [
  'ajv/LICENSE',
  'events/LICENSE',
  'fast-deep-equal/LICENSE',
  'fastest-levenshtein/LICENSE.md',
  'graphology/LICENSE.txt',
  'jsonc-parser/LICENSE.md',
  'liquidjs/LICENSE',
];

const names = Object.keys(drawnIn);
const drawIn: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'draw-in',
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^(?:${names.join('|')})$`) }, ({ path }) => ({
      path: resolve('node_modules', drawnIn[path] ?? path),
    }));
  },
};

/** The page that needs no Node, the script of the others, and the licences of what is drawn in. */
function writeOthers(): Promise<void> {
  copyFileSync('src/report/playground.generated.html', 'dist/playground.html');
  copyFileSync('src/report/squadc.generated.js', 'dist/squadc.js');
  const texts = licences.map(
    (file) => `${file}\n\n${readFileSync(`node_modules/${file}`, 'utf8')}`,
  );
  writeFileSync('dist/THIRD-PARTY-LICENSES.txt', texts.join(`\n${'-'.repeat(80)}\n\n`));
  return Promise.resolve();
}

const entries = {
  index: 'src/index.ts',
  testing: 'src/testing.ts',
  bills: 'src/bills.ts',
  'bills-schemas': 'src/bills-schemas.ts',
  documents: 'src/documents.ts',
  'documents-schemas': 'src/documents-schemas.ts',
  tools: 'src/tools.ts',
};

const shared: Options = {
  target: 'node20',
  platform: 'node',
  removeNodeProtocol: false,
  treeshake: true,
  noExternal: [new RegExp(`^(?:${names.join('|')}|ajv/.*)$`)],
  esbuildPlugins: [drawIn],
};

/** All builds run at the same time, so each clears only files of its own kind. */
export default defineConfig([
  {
    ...shared,
    entry: entries,
    dts: true,
    format: 'esm',
    splitting: true,
    clean: ['!**/*.cjs', '!**/*.d.cts', '!cli*.js', '!*-worker.js', '!squadc.js'],
    onSuccess: writeOthers,
  },
  {
    ...shared,
    entry: entries,
    dts: true,
    format: 'cjs',
    clean: ['!**/*.js', '!**/*.d.ts'],
  },
  {
    ...shared,
    entry: {
      cli: 'src/cli/main.ts',

      'migrate-worker': 'src/batch/thread.ts',
    },
    format: 'esm',
    splitting: true,
    esbuildOptions: (options) => {
      options.chunkNames = 'cli-[name]-[hash]';
    },
    clean: ['!**/!(cli*.js|*-worker.js)'],
  },
]);

/**
 * Two builds into dist/: ES modules (library, testing sub-path, binary) that share their chunks,
 * and the CommonJS form of the entries that programs import.
 *
 * `compile` is synchronous, so what it needs cannot be imported late. Packages that are slow to
 * evaluate are drawn into dist/ in a form that is evaluated at first use.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, type Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** Evaluated at first use; liquidjs in its build without Node's modules, of which it needs none. */
const lazy: Readonly<Record<string, string>> = {
  liquidjs: 'liquidjs/dist/liquid.browser.mjs',
  graphology: 'graphology/dist/graphology.mjs',
};

/** Drawn in as they are; jsonc-parser's main file (UMD) is one that no bundler can follow. */
const inlined: Readonly<Record<string, string>> = {
  'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
};

const bundledPackages: Plugin = {
  name: 'bundled-packages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: exactly(lazy) }, ({ path }) => ({ path, namespace: 'lazy' }));
    onLoad({ filter: /./, namespace: 'lazy' }, async ({ path }) => ({
      contents: await lazyModule(path),
      resolveDir: resolve('.'),
    }));
    onResolve({ filter: exactly(inlined) }, ({ path }) => ({
      path: resolve('node_modules', inlined[path] ?? path),
    }));
  },
};

function exactly(packages: Readonly<Record<string, string>>): RegExp {
  return new RegExp(`^(?:${Object.keys(packages).join('|')})$`);
}

/** A module with the package's exports, each a getter; the first that is read evaluates it. */
async function lazyModule(name: string): Promise<string> {
  const names = Object.keys(await import(name)).filter((each) =>
    /^(?!default$)[a-z]\w*$/i.test(each),
  );
  const getters = names.map(
    (each) => `${each}: { enumerable: true, get: () => load().${each} },\n`,
  );
  return `let loaded;
const load = () => (loaded ??= require('./node_modules/${lazy[name]}'));
Object.defineProperties(exports, { __esModule: { value: true },\n${getters.join('')}});`;
}

/** The licences of what stands in dist/ (the last three by way of validators and graphology). */
async function writeLicences(): Promise<void> {
  const files = [
    '@babel/parser/LICENSE',
    'liquidjs/LICENSE',
    'graphology/LICENSE.txt',
    'jsonc-parser/LICENSE.md',
    'ajv/LICENSE',
    'fast-deep-equal/LICENSE',
  ];
  const texts = files.map((file) => `${file}\n\n${readFileSync(`node_modules/${file}`, 'utf8')}`);
  writeFileSync('dist/THIRD-PARTY-LICENSES.txt', texts.join(`\n${'-'.repeat(80)}\n\n`));
}

const importable = {
  index: 'src/index.ts',
  testing: 'src/testing/index.ts',
  bills: 'src/bills.ts',
  'bills-schemas': 'src/bills-schemas.ts',
  documents: 'src/documents.ts',
  'documents-schemas': 'src/documents-schemas.ts',
  tools: 'src/tools.ts',
};

const shared: Options = {
  target: 'node20',
  platform: 'node',
  sourcemap: false,
  treeshake: true,
  dts: { entry: importable },
  noExternal: [exactly(lazy), exactly(inlined)],
  esbuildPlugins: [bundledPackages],
};

/** Each build clears only files of its own kind, because both run at the same time. */
export default defineConfig([
  {
    ...shared,
    entry: {
      ...importable,
      cli: 'src/cli/main.ts',
      'fuzz-worker': 'src/cli/fuzz-worker.ts',
      'migrate-worker': 'src/batch/thread.ts',
    },
    format: 'esm',
    splitting: true,
    clean: ['!**/*.cjs', '!**/*.d.cts'],
    onSuccess: writeLicences,
  },
  {
    ...shared,
    entry: importable,
    format: 'cjs',
    clean: ['!**/*.js', '!**/*.d.ts'],
  },
]);

/**
 * Two builds into dist/: ES modules (library, testing sub-path, binary) that share their chunks,
 * and the CommonJS form of the entries that programs import.
 *
 * `compile` is synchronous, so what it needs cannot be imported late by `import()`. What is long and
 * not always needed stands in files of its own, which `dist/late.cjs` requires at first use: a form
 * that Node and bundlers follow from both builds.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { defineConfig, type Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];
type EsbuildOptions = Parameters<NonNullable<Options['esbuildOptions']>>[0];

/**
 * What is loaded at first use, by the name of the package or the file; liquidjs in its build without
 * Node's modules, of which it needs none. A workflow without a fault needs no sentence of the
 * catalogue, one without a question none of the questions'.
 */
const late: Readonly<Record<string, string>> = {
  liquidjs: 'node_modules/liquidjs/dist/liquid.browser.mjs',
  graphology: 'node_modules/graphology/dist/graphology.mjs',
  // The main file (UMD) is one that no bundler can follow.
  'jsonc-parser': 'node_modules/jsonc-parser/lib/esm/main.js',
  'validators.generated': 'src/schemas/validators.generated.js',
  'documents.generated': 'src/schemas/documents.generated.js',
  catalogue: 'src/diagnostics/catalogue.ts',
  entries: 'src/diagnostics/questions/entries.ts',
};

/** Drawn in as they are. */
const inlined: Readonly<Record<string, string>> = {
  commander: 'commander/index.js',
  'fastest-levenshtein': 'fastest-levenshtein/esm/mod.js',
};

/** What commander asks Node for. It starts other programs by the second; this one has none. */
const builtins: Readonly<Record<string, string>> = {
  'node:process': 'module.exports = process;',
  'node:child_process': 'module.exports = {};',
  'node:events': `export { EventEmitter } from 'node:events';`,
  'node:path': `export * from 'node:path';`,
  'node:fs': `export { existsSync, realpathSync } from 'node:fs';`,
};

const bundledPackages: Plugin = {
  name: 'bundled-packages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: lateImport }, ({ path, kind, resolveDir }) => {
      // A dynamic import is late as it is.
      const name = kind === 'dynamic-import' ? null : lateName(path, resolveDir);
      return name === null ? undefined : { path: name, namespace: 'late' };
    });
    onLoad({ filter: /./, namespace: 'late' }, async ({ path }) => ({
      contents: await lateModule(path),
    }));
    onResolve({ filter: /^late:files$/ }, ({ path }) => ({ path, namespace: 'late-files' }));
    onLoad({ filter: /./, namespace: 'late-files' }, () => ({
      contents: `export { default } from './late.cjs';`,
    }));
    onResolve({ filter: /^\.\/late\.cjs$/ }, ({ path }) => ({ path, external: true }));
    onResolve({ filter: exactly(builtins) }, ({ path, importer }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path, namespace: 'builtin' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: builtins[path] ?? '',
    }));
    onResolve({ filter: exactly(inlined) }, ({ path }) => ({
      path: resolve('node_modules', inlined[path] ?? path),
    }));
  },
};

/** The end of a path that one of them may have. */
const lateImport = new RegExp(`(?:^|/)(?:${Object.keys(late).join('|')})(?:\\.js)?$`);

/** A package by its name; a file by its path. */
function lateName(path: string, from: string): string | null {
  if (!path.startsWith('.')) return path in late ? path : null;
  const file = relative('.', resolve(from, path));
  const names = Object.keys(late);
  return names.find((name) => late[name]?.replace(/\.ts$/, '.js') === file) ?? null;
}

function exactly(packages: Readonly<Record<string, string>>): RegExp {
  return new RegExp(`^(?:${Object.keys(packages).join('|')})$`);
}

/** A module with the exports of the late one, each a getter; the first that is read loads it. */
async function lateModule(name: string): Promise<string> {
  const names = (await exportsOf(late[name] ?? '')).filter((each) => each !== 'default');
  const getters = names.map(
    (each) => `${each}: { enumerable: true, get: () => load().${each} },\n`,
  );
  return `const files = require('late:files').default;
let loaded;
const load = () => (loaded ??= files['${name}']());
Object.defineProperties(exports, { __esModule: { value: true },\n${getters.join('')}});`;
}

/** The command that is a file of its own; the binary imports it by name. */
const compileCommand = 'compile-command';

const loneCommand: Plugin = {
  name: 'lone-command',
  setup({ onResolve }) {
    onResolve({ filter: /\/start-compile\.js$/ }, () => ({
      path: `./${compileCommand}.js`,
      external: true,
    }));
  },
};

async function exportsOf(file: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [file],
    bundle: true,
    format: 'esm',
    platform: 'node',
    plugins: [withoutRequire],
    metafile: true,
    write: false,
  });
  return Object.values(metafile.outputs)[0]?.exports ?? [];
}

/** What is bundled once more, as an ES module, has no `require` for Node's modules. */
const withoutRequire: Plugin = {
  name: 'without-require',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^events$/ }, ({ path }) => ({ path, namespace: 'node' }));
    onLoad({ filter: /./, namespace: 'node' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}');`,
    }));
  },
};

/** `dist/late.cjs`, and beside it the files that it requires. */
async function writeLate(): Promise<void> {
  mkdirSync('dist/late', { recursive: true });
  const entries = Object.entries(late);
  await build({
    entryPoints: Object.fromEntries(entries),
    outdir: 'dist/late',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    legalComments: 'none',
    plugins: [withoutRequire],
  });
  const requires = entries.map(([name]) => `  '${name}': () => require('./late/${name}.cjs'),\n`);
  writeFileSync('dist/late.cjs', `module.exports = {\n${requires.join('')}};\n`);
}

/** The licences of what stands in dist/ (the last two by way of validators and graphology). */
async function writeLicences(): Promise<void> {
  const files = [
    '@babel/parser/LICENSE',
    'liquidjs/LICENSE',
    'graphology/LICENSE.txt',
    'jsonc-parser/LICENSE.md',
    'commander/LICENSE',
    'fastest-levenshtein/LICENSE.md',
    'ajv/LICENSE',
    'fast-deep-equal/LICENSE',
  ];
  const texts = files.map((file) => `${file}\n\n${readFileSync(`node_modules/${file}`, 'utf8')}`);
  writeFileSync('dist/THIRD-PARTY-LICENSES.txt', texts.join(`\n${'-'.repeat(80)}\n\n`));
}

const compiling = { index: 'src/index.ts', testing: 'src/testing/index.ts' };

const calling = {
  bills: 'src/bills.ts',
  'bills-schemas': 'src/bills-schemas.ts',
  documents: 'src/documents.ts',
  'documents-schemas': 'src/documents-schemas.ts',
  tools: 'src/tools.ts',
};

const importable = { ...compiling, ...calling };

const plugins = [bundledPackages];

const shared: Options = {
  target: 'node20',
  platform: 'node',
  sourcemap: false,
  esbuildOptions: shorten,
  removeNodeProtocol: false,
  treeshake: true,
  noExternal: [exactly(late), exactly(inlined)],
  esbuildPlugins: plugins,
};

/**
 * The shorter a text is, the sooner it is read. Names stay, so that a stack says where it has been;
 * only what other programs import, each time that they start, has short ones.
 */
function shorten(options: EsbuildOptions): void {
  options.minifyWhitespace = true;
  options.minifySyntax = true;
}

/**
 * Neither the binary nor the clients of the services share chunks with the compiler: each of their
 * entries would cut it into more of them, and to load one more costs as much as twenty kilobytes.
 *
 * Each build clears only files of its own kind, because all run at the same time.
 */
export default defineConfig([
  {
    ...shared,
    entry: compiling,
    dts: { entry: importable },
    minify: true,
    format: 'esm',
    splitting: true,
    clean: [
      '!**/*.cjs',
      '!**/*.d.cts',
      '!cli*.js',
      '!*-{worker,command}.js',
      '!{bills,documents,tools,client}*.js',
    ],
    onSuccess: writeLicences,
  },
  {
    ...shared,
    entry: calling,
    minify: true,
    format: 'esm',
    splitting: true,
    esbuildOptions: (options) => {
      shorten(options);
      options.chunkNames = 'client-[hash]';
    },
    clean: ['!**/!({bills,documents,tools,client}*.js)'],
  },
  {
    ...shared,
    entry: {
      cli: 'src/cli/main.ts',
      'fuzz-worker': 'src/cli/fuzz-worker.ts',
      'migrate-worker': 'src/batch/thread.ts',
      'files-worker': 'src/batch/unchanged/files-thread.ts',
    },
    format: 'esm',
    splitting: true,
    esbuildPlugins: [...plugins, loneCommand],
    esbuildOptions: (options) => {
      shorten(options);
      options.chunkNames = 'cli-[name]-[hash]';
    },
    clean: ['!**/!(cli*.js|*-worker.js)'],
  },
  {
    ...shared,
    entry: { [compileCommand]: 'src/cli/start-compile.ts' },
    format: 'esm',
    splitting: false,
    minify: true,
    clean: false,
  },
  {
    ...shared,
    entry: importable,
    dts: { entry: importable },
    minify: true,
    format: 'cjs',
    clean: ['!**/*.js', '!**/*.d.ts'],
    onSuccess: writeLate,
  },
]);

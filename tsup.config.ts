/**
 * One build into dist/: the entries that programs import, the command, and its worker threads, as ES
 * modules that share their chunks; then their declarations.
 *
 * Packages stay imports, but for two that are drawn in because a page could not import them as they
 * are. Each package is either installed with squadc or drawn in, never both.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { defineConfig } from 'tsup';
import ts from 'typescript';

/** Packages that are drawn in, and the file of each that runs in Node and in browsers alike. */
const drawnIn: Readonly<Record<string, string>> = {
  'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
  liquidjs: 'liquidjs/dist/liquid.browser.mjs',
};

/** Parts of ajv are in the validators that are generated from the schemas. */
const licences = [
  'ajv/LICENSE',
  'fast-deep-equal/LICENSE',
  'jsonc-parser/LICENSE.md',
  'liquidjs/LICENSE',
];

const entries = {
  index: 'src/index.ts',
  testing: 'src/testing.ts',
  bills: 'src/bills.ts',
  'bills-schemas': 'src/bills-schemas.ts',
  documents: 'src/documents.ts',
  'documents-schemas': 'src/documents-schemas.ts',
  tools: 'src/tools.ts',
};

/** The declarations of the entries, and of all that these name, into dist/types/. */
function writeDeclarations(): void {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const outDir = resolve('dist/types');
  const program = ts.createProgram(Object.values(entries), {
    ...ts.parseJsonConfigFileContent(config, ts.sys, '.').options,
    // `npm run typecheck` checks.
    ...{ noCheck: true, noEmit: false, declaration: true, emitDeclarationOnly: true },
    ...{ rootDir: resolve('src'), outDir },
  });
  const texts = new Map<string, string>();
  program.emit(undefined, (path, text) => texts.set(relative(outDir, path), text));
  // What is a declaration already is not emitted.
  for (const { fileName, text } of program.getSourceFiles()) {
    if (fileName.endsWith('.generated.d.ts')) texts.set(relative('src', fileName), text);
  }
  const write = (path: string) => {
    const text = texts.get(path);
    if (text === undefined) return;
    texts.delete(path);
    mkdirSync(dirname(join(outDir, path)), { recursive: true });
    writeFileSync(join(outDir, path), text);
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      if (fileName.startsWith('.')) {
        write(join(dirname(path), fileName.replace(/\.js$/, '.d.ts')));
      }
    }
  };
  for (const name of Object.keys(entries)) write(`${name}.d.ts`);
}

const filter = new RegExp(`^(?:${Object.keys(drawnIn).join('|')})$`);

export default defineConfig({
  entry: { ...entries, cli: 'src/cli/main.ts', 'migrate-worker': 'src/batch/thread.ts' },
  format: 'esm',
  target: 'node20',
  platform: 'node',
  splitting: true,
  removeNodeProtocol: false,
  // `npm run pages` has made it, so that tests of single files need no build.
  clean: ['!playground.html'],
  noExternal: [filter],
  esbuildPlugins: [
    {
      name: 'draw-in',
      setup({ onResolve }) {
        onResolve({ filter }, ({ path }) => ({
          path: resolve('node_modules', drawnIn[path] ?? path),
        }));
      },
    },
  ],
  onSuccess() {
    const texts = licences.map(
      (file) => `${file}\n\n${readFileSync(`node_modules/${file}`, 'utf8')}`,
    );
    writeFileSync('dist/THIRD-PARTY-LICENSES.txt', texts.join(`\n${'-'.repeat(80)}\n\n`));
    writeDeclarations();
    return Promise.resolve();
  },
});

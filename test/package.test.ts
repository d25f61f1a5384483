/**
 * The package as users get it: packed, installed into an empty project, and imported in every way that
 * its `exports` promise.
 */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildOnce } from './build-once.js';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const project = realpathSync(mkdtempSync(join(tmpdir(), 'squadc-package-')));
const installed = join(project, 'node_modules', 'squadc');

/** Sub-paths that are modules, as an import names them. */
const modules = Object.keys(exports)
  .filter((path) => !/json$|\*$/.test(path))
  .map((path) => posix.join('squadc', path));

/** The paths of the packed files. */
let files: string[] = [];

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: project, encoding: 'utf8', stdio: 'pipe' });
}

function put(name: string, text: string): void {
  mkdirSync(join(project, 'src'), { recursive: true });
  writeFileSync(join(project, name), text);
}

describe('the package', () => {
  beforeAll(async () => {
    await buildOnce();
    const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', project];
    const [packed] = JSON.parse(execFileSync('npm', packing, { encoding: 'utf8', stdio: 'pipe' }));
    files = packed.files.map(({ path }: { path: string }) => path);
    put('package.json', '{ "name": "empty", "private": true }');
    // Both are in npm's cache: the dependencies are downloaded before the tests run.
    const packages = [`./${packed.filename}`, `fast-check@${versionOf('fast-check')}`];
    run('npm', 'install', '--prefer-offline', '--ignore-scripts', '--no-audit', ...packages);
  }, 600_000);
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it('has the command', () => {
    expect(run('npx', 'squadc', '--version').trim()).toBe(versionOf('.'));
    const workflow = resolve('golden/worked-pattern/input.json');
    expect(JSON.parse(run('npx', 'squadc', 'compile', workflow)).squad.members).toHaveLength(3);
  });

  it('exports the same names by import and require', () => {
    const script = `import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      for (const name of ${JSON.stringify(modules)}) {
        const [esm, cjs] = [await import(name), require(name)].map((all) => Object.keys(all).sort());
        console.log(JSON.stringify([name, esm.length > 0, esm.filter((it) => !cjs.includes(it))]));
      }`;
    const rows = run('node', '--input-type=module', '--eval', script).trim().split('\n');
    expect(rows.map((row) => JSON.parse(row))).toEqual(modules.map((name) => [name, true, []]));
  });

  it('says what to install where fast-check is missing', () => {
    const [there, away] = ['fast-check', 'away'].map((name) => join(project, 'node_modules', name));
    renameSync(there!, away!);
    const script = "import('squadc/testing').catch((error) => console.log(error.message))";
    const said = run('node', '--eval', script);
    renameSync(away!, there!);
    expect(said).toBe(
      'squadc/testing needs fast-check, which is not installed: npm install --save-dev fast-check@4\n',
    );
  });

  it.each([
    ['nodenext', ['use.mts', 'use.cts']],
    ['bundler', ['use.ts']],
  ])('has types for moduleResolution %s in %j', (moduleResolution, names) => {
    const lines = modules.map((name, at) => `import * as m${at} from '${name}';`);
    const uses = modules.map((_, at) => `m${at}`);
    const typed =
      "import { compile } from 'squadc';\nexport const status: 'complete' | 'needs-answers' | 'invalid' = compile({}).status;";
    rmSync(join(project, 'src'), { recursive: true });
    for (const name of names) {
      put(`src/${name}`, [...lines, typed, `export const all = [${uses}];`].join('\n'));
    }
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      target: 'es2022',
      module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext',
      moduleResolution,
      types: ['node'],
      typeRoots: [resolve('node_modules/@types')],
    };
    put('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }));
    expect(run('node', resolve('node_modules/typescript/bin/tsc'), '-p', '.')).toBe('');
  });

  it('contains its schemas', () => {
    const names = files.filter((path) => path.startsWith('schemas/'));
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) {
      const script = `console.log(require('squadc/${name}').$schema)`;
      expect(run('node', '--eval', script)).toContain('json-schema.org');
    }
  });

  it('contains no unnecessary file', () => {
    const needed = new Set(['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE']);
    for (const file of ['THIRD-PARTY-LICENSES.txt', 'playground.html']) {
      needed.add(`dist/${file}`);
    }
    for (const path of entriesOf(exports)) follow(path, needed);
    for (const path of ['cli.js', 'migrate-worker.js']) {
      follow(`dist/${path}`, needed);
    }
    const others = files.filter((path) => !/^schemas\/[\w-]+\.schema\.json$/.test(path));
    expect(others.filter((path) => !needed.has(path))).toEqual([]);
  });
});

function versionOf(name: string): string {
  const file = name === '.' ? 'package.json' : `node_modules/${name}/package.json`;
  return JSON.parse(readFileSync(file, 'utf8')).version;
}

/** All files that the `exports` of a package name. */
function entriesOf(value: unknown): string[] {
  if (typeof value === 'string') return /\*|json$/.test(value) ? [] : [value.slice(2)];
  return Object.values(value as object).flatMap(entriesOf);
}

/** The file and all files of the package that it imports. */
function follow(path: string, met: Set<string>): void {
  // A text that looks like an import does not name a file of the package.
  if (met.has(path) || !files.includes(path)) return;
  met.add(path);
  const text = readFileSync(join(installed, path), 'utf8');
  for (const [, name = ''] of text.matchAll(
    /(?:from|import\(|import|require\()\s*['"](\.[^'"]+)['"]/g,
  )) {
    const target = posix.join(posix.dirname(path), name);
    follow(path.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target, met);
  }
}

/**
 * The package as users get it: packed, installed into an empty project, and imported in every way that
 * its `exports` promise.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
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
  }, 240_000);
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it('has the command', () => {
    expect(run('npx', 'squadc', '--version').trim()).toBe(versionOf('.'));
    const workflow = resolve('golden/worked-pattern/input.json');
    expect(JSON.parse(run('npx', 'squadc', 'compile', workflow)).squad.members).toHaveLength(3);
  });

  it.each(modules)('%s exports the same names by import and require', (name) => {
    const script = `import * as esm from '${name}';
      import { createRequire } from 'node:module';
      const cjs = createRequire(import.meta.url)('${name}');
      console.log(JSON.stringify([Object.keys(esm), Object.keys(cjs)]));`;
    const [esm, cjs] = JSON.parse(run('node', '--input-type=module', '--eval', script));
    expect(esm.length).toBeGreaterThan(0);
    // Node itself determines the names that a CommonJS module exports.
    expect(esm.filter((each: string) => !cjs.includes(each))).toEqual([]);
  });

  it.each([
    ['node16', ['use.mts', 'use.cts']],
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
      module: moduleResolution === 'bundler' ? 'esnext' : 'node16',
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
    for (const file of ['THIRD-PARTY-LICENSES.txt', 'playground.html', 'squadc.js']) {
      needed.add(`dist/${file}`);
    }
    for (const path of entriesOf(exports)) follow(path, needed);
    for (const path of ['cli.js', 'files-worker.js', 'migrate-worker.js']) {
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
    const isTypes = /\.d\.c?ts$/.test(path);
    follow(isTypes ? target.replace(/\.(c?)js$/, '.d.$1ts') : target, met);
  }
}

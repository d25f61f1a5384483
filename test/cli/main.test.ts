/** The binary as a process, bundled as the build does it. */
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildBinary } from './built-binary.js';
import { temporaryFolder } from './temporary-folder.js';

// Inside node_modules, so that the packages are found.
const built = join('node_modules', '.cache', `squadc-cli-test-${process.pid}`);
const binary = join(process.cwd(), built, 'dist', 'cli.js');
const { folder, put } = temporaryFolder();

beforeAll(async () => {
  await buildBinary(join(built, 'dist'));
  copyFileSync('package.json', join(built, 'package.json'));
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

function squadc(argv: string[], input = '', stdout: 'pipe' | number = 'pipe') {
  const run: SpawnSyncReturns<string> = spawnSync(process.execPath, [binary, ...argv], {
    input,
    encoding: 'utf8',
    cwd: folder,
    stdio: ['pipe', stdout, 'pipe'],
    env: { PATH: process.env.PATH },
  });
  return { exitCode: run.status, out: run.stdout, err: run.stderr };
}

const workflow = JSON.stringify({
  name: 'Front desk',
  nodes: [
    { id: 'greeting', type: 'conversation', firstMessage: 'Hello.', systemPrompt: 'Greet.' },
    { id: 'bye', type: 'endCall' },
  ],
  edges: [{ from: 'greeting', to: 'bye' }],
});

describe('the binary', () => {
  it('has the same command in the file of its own as among all', () => {
    for (const argument of ['--help', put('alike.json', workflow)]) {
      const alone = squadc(['compile', argument]);
      expect(squadc(['compile', argument, '--debug'])).toEqual(alone);
    }
  });

  it('compiles standard input', () => {
    const { exitCode, out, err } = squadc(['compile', '-'], workflow);
    expect(err).toMatch(/^complete: 2 nodes → 1 assistant, 0 handoffs, 0 extractions\n$/);
    expect(exitCode).toBe(0);
    expect(JSON.parse(out).squad.members).toHaveLength(1);
  });

  it('compiles a file into a file', () => {
    const file = put('workflow.json', workflow);
    expect(squadc(['compile', file, '-o', 'squad.json'])).toMatchObject({ exitCode: 0, out: '' });
    expect(JSON.parse(readFileSync(join(folder, 'squad.json'), 'utf8'))).toHaveProperty('squad');
  });

  it('exits 1 for what is not a workflow, at its line', () => {
    const { exitCode, out, err } = squadc(['compile', '-'], '{\n  "nodes": [,]\n}');
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toContain('error[shape/not-json]');
    expect(err).toContain('--> standard input:2:13\n');
  });

  it('exits 64 for wrong usage', () => {
    expect(squadc(['compile'])).toMatchObject({ exitCode: 64, out: '' });
  });

  it('ends quietly where nobody reads on', async () => {
    const child = spawn(process.execPath, [binary, 'schema', 'squad']);
    child.stdout.destroy();
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    const exitCode = await new Promise((resolve) => child.on('close', resolve));
    expect([exitCode, err]).toEqual([0, '']);
  });

  it.skipIf(!existsSync('/dev/full'))('exits 1 where the output is full', () => {
    const full = openSync('/dev/full', 'w');
    const { exitCode, err } = squadc(['schema', 'squad'], '', full);
    expect(exitCode).toBe(1);
    expect(err).toMatch(/^squadc: cannot write: ENOSPC/);
  });

  it('starts with the line that makes it a program', () => {
    expect(readFileSync(binary, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });
});

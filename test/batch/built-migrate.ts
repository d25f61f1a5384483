/** `squadc migrate` as users have it: the bundled binary, threads and all, run as a process. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { buildBinary } from '../cli/answering.js';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Built {
  /** The path of the command. */
  readonly binary: string;
  /** The folder of the test that runs, or a path below it; the working folder of its processes. */
  at(...names: readonly string[]): string;
  squadc(...args: readonly string[]): Promise<Ended>;
  /** The same in a shell that has first done something, such as setting a limit. */
  squadcAfter(command: string, ...args: readonly string[]): Promise<Ended>;
}

/** Built once for a test file. */
export function builtMigrate(): Built {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'squadc-migrate-')));
  const binary = join(root, 'dist', 'cli.js');
  let tests = 0;
  beforeAll(async () => {
    symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
    writeFileSync(
      join(root, 'package.json'),
      '{"name":"squadc","version":"1.2.3","type":"module"}',
    );
    symlinkSync(resolve('schemas'), join(root, 'schemas'));
    await buildBinary(join(root, 'dist'));
    symlinkSync(resolve('dist/playground.html'), join(root, 'dist', 'playground.html'));
  }, 120_000);
  beforeEach(() => {
    tests += 1;
    mkdirSync(at());
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const at = (...names: readonly string[]) => join(root, `${tests}`, ...names);
  return {
    at,
    binary,
    squadc: (...args) => run(process.execPath, [binary, ...args], at()),
    squadcAfter: (command, ...args) => {
      const script = `${command} && exec "$0" "$@"`;
      return run('bash', ['--norc', '-c', script, process.execPath, binary, ...args], at());
    },
  };
}

function run(program: string, args: readonly string[], cwd: string): Promise<Ended> {
  const child = spawn(program, args, { cwd, env: { PATH: process.env['PATH'] } });
  let [out, err] = ['', ''];
  child.stdout.on('data', (piece) => {
    out += piece;
  });
  child.stderr.on('data', (piece) => {
    err += piece;
  });
  child.stdin.end();
  return new Promise((ended, reject) => {
    child.once('error', reject);
    child.once('close', (code) => ended({ code, out, err }));
  });
}

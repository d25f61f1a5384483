/** The built binary, killed at moments that nobody chose, and run again until it gets to its end. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildBinary, migrateThreads } from '../cli/answering.js';
import { lines, put, tree, workflow } from './migrating.js';

const root = mkdtempSync(join(tmpdir(), 'squadc-kill-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const size = 150;
const kinds = ['complete', 'complete', 'open', 'broken'] as const;

beforeAll(async () => {
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  put(root, 'package.json', '{"name":"squadc","version":"1.2.3"}');
  await buildBinary(join(root, 'dist'), migrateThreads);
  const all = Array.from({ length: size }, (_, at) => workflow(`W${at}`, kinds[at % 4]));
  // Each a block of its own.
  for (let at = 10; at < size; at += 10) {
    put(root, `in/lines-${at}.jsonl`, lines(...all.slice(at, at + 10)));
  }
  all.slice(0, 10).forEach((each, at) => {
    put(root, `in/${at}.json`, JSON.stringify(each));
  });
}, 60_000);

const args = (out: string) => {
  return [join(root, 'dist/cli.js'), 'migrate', 'in', '-o', out, '--jobs', '2', '--no-report'];
};

/** Runs to the end; the result is the exit code. */
function run(out: string): number | null {
  return spawnSync(process.execPath, args(out), { cwd: root }).status;
}

/** Kills a run at a moment; how the process ended. */
async function killedWhen(out: string, moment: () => boolean): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, args(out), { cwd: root, stdio: 'ignore' });
  const ended = once(child, 'exit');
  while (child.exitCode === null && !moment()) await sleep(1);
  child.kill('SIGKILL');
  await ended;
  return child.signalCode;
}

/** How many folders of workflows are there. */
function folders(out: string): number {
  try {
    return readdirSync(join(root, out)).filter((name) => /-[0-9a-f]{8}$/.test(name)).length;
  } catch {
    return 0;
  }
}

describe('a run that is killed', () => {
  it('and run again leaves what an undisturbed run leaves', async () => {
    expect(run('calm')).toBe(1);
    const moments = [
      () => readdirSync(join(root)).includes('killed'),
      ...[1, 20, 45, 70, 95, 120].map((most) => () => folders('killed') >= most),
      () => readdirSync(join(root, 'killed')).includes('summary.csv'),
    ];
    const signals = [];
    for (const moment of moments) signals.push(await killedWhen('killed', moment));
    expect(signals.slice(0, -1)).toEqual(Array(moments.length - 1).fill('SIGKILL'));
    expect(folders('killed')).toBeGreaterThan(100);
    expect(run('killed')).toBe(1);
    expect(tree(join(root, 'killed'))).toEqual(tree(join(root, 'calm')));
    expect(readdirSync(join(root, 'killed/.squadc/tmp'))).toEqual([]);
    expect(readdirSync(join(root, 'killed/.squadc')).sort()).toEqual([
      'options.json',
      'summaries.json',
      'tmp',
    ]);
  }, 180_000);

  it('is not run twice at once', async () => {
    const child = spawn(process.execPath, args('twice'), { cwd: root, stdio: 'ignore' });
    const ended = once(child, 'exit');
    await waitFor(() => readdirSync(join(root, 'twice/.squadc')).includes('lock.all.1'));
    const { status, stderr } = spawnSync(process.execPath, args('twice'), { cwd: root });
    expect(String(stderr)).toContain(`twice is in use: process ${child.pid}`);
    expect(status).toBe(64);
    await ended;
    expect(run('twice')).toBe(1);
  }, 120_000);

  it('by Ctrl-C says how to go on, and goes on', async () => {
    const child = spawn(process.execPath, args('stopped'), { cwd: root });
    const ended = once(child, 'exit');
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    await waitFor(() => readdirSync(join(root, 'stopped')).length > 5);
    child.kill('SIGINT');
    await ended;
    // What was begun may have been all there was.
    if (child.exitCode !== 1) {
      expect(child.exitCode).toBe(130);
      expect(err).toContain('stopped: what is done is kept; run the same command again to go on');
    }
    expect(run('stopped')).toBe(1);
    expect(tree(join(root, 'stopped'))).toEqual(tree(join(root, 'calm')));
  }, 120_000);
});

async function waitFor(holds: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 2000; attempt += 1) {
    try {
      if (holds()) return;
    } catch {
      // Not there yet.
    }
    await sleep(5);
  }
  throw new Error('it did not come to that');
}

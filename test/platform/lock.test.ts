import { fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { takeLock, thisMachine } from '../../src/platform/lock.js';

const folder = mkdtempSync(join(tmpdir(), 'squadc-lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'lock');
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
});

const leave = (holder: object) => writeFileSync(`${path}.1`, JSON.stringify(holder));
const unlockOf = (taken: ReturnType<typeof takeLock>) => {
  if (typeof taken !== 'function') throw new Error(`held by ${JSON.stringify(taken)}`);
  return taken;
};

describe('a lock', () => {
  it('is held once, until it is released', () => {
    const unlock = unlockOf(takeLock(path));
    expect(takeLock(path)).toMatchObject({ pid: process.pid });
    unlock();
    unlockOf(takeLock(path))();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is taken over from a process that is gone', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    leave({ pid, machine: thisMachine(), since: null });
    const unlock = unlockOf(takeLock(path));
    expect(JSON.parse(readFileSync(`${path}.2`, 'utf8')).pid).toBe(process.pid);
    unlock();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is taken over where its number is now that of another process', () => {
    leave({ pid: process.pid, machine: thisMachine(), since: 'before' });
    unlockOf(takeLock(path))();
  });

  it('is taken over where it is no lock at all', () => {
    for (const text of ['', '{', '{"pid":-1,"machine":"x"}', 'null']) {
      writeFileSync(`${path}.1`, text);
      unlockOf(takeLock(path))();
    }
  });

  it('is taken over from a zombie: a process that has ended and was not reaped', async () => {
    // Before its child ends, the shell becomes a program that never asks what became of it.
    const parent = spawn('sh', ['-c', 'sleep 1 & echo $!; exec sleep 30']);
    try {
      const pid = await new Promise<number>((resolve) => {
        parent.stdout.once('data', (text) => resolve(Number(text)));
      });
      const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8');
      while (!/\) Z /.test(stat())) await new Promise((resolve) => setTimeout(resolve, 10));
      leave({ pid, machine: thisMachine(), since: null });
      unlockOf(takeLock(path))();
    } finally {
      parent.kill();
    }
  });

  it('leaves nothing of those that were killed while they took it', () => {
    writeFileSync(`${path}.999999999.new`, '{}');
    const unlock = unlockOf(takeLock(path));
    unlock();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('of another machine counts as long as it is fresh', () => {
    const holder = { pid: 1, machine: 'another', since: null };
    leave(holder);
    expect(takeLock(path)).toEqual({ ...holder, file: `${path}.1` });
    const before = new Date(Date.now() - 120_000);
    utimesSync(`${path}.1`, before, before);
    unlockOf(takeLock(path))();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('goes to one of two processes that come at once after a crash, 200 times', async () => {
    const program = mkdtempSync(join(tmpdir(), 'squadc-lock-'));
    const source = readFileSync(new URL('../../src/platform/lock.ts', import.meta.url), 'utf8');
    const { code } = transformSync(source, { loader: 'ts', format: 'esm' });
    writeFileSync(join(program, 'lock.mjs'), code);
    writeFileSync(
      join(program, 'taker.mjs'),
      `import { takeLock } from './lock.mjs';
       let taken;
       process.on('message', (path) => {
         if (path === 'release') taken();
         else taken = takeLock(path);
         process.send(typeof taken === 'function');
       });`,
    );
    const takers = [1, 2].map(() => fork(join(program, 'taker.mjs')));
    const tell = async (taker: (typeof takers)[number], message: string) => {
      const answer = once(taker, 'message');
      taker.send(message);
      return (await answer)[0] as boolean;
    };
    try {
      for (let round = 0; round < 200; round += 1) {
        leave({ pid: 999_999_999, machine: thisMachine(), since: null });
        const got = await Promise.all(takers.map((taker) => tell(taker, path)));
        expect([round, got.filter(Boolean).length]).toEqual([round, 1]);
        await tell(takers[got.indexOf(true)]!, 'release');
        expect(readdirSync(folder)).toEqual([]);
      }
    } finally {
      for (const taker of takers) taker.kill();
      rmSync(program, { recursive: true });
    }
  }, 20_000);
});

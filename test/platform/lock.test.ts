import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { takeLock, thisMachine } from '../../src/io/lock.js';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'squadc-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Beyond any process id that a system gives. */
const gone = 999_999_999;
const leave = (holder: object | string, name = 'lock.1') =>
  writeFileSync(
    join(folder, name),
    typeof holder === 'string' ? holder : JSON.stringify({ machine: thisMachine(), ...holder }),
  );

/** Takes the lock as one that is free, and leaves nothing of it. */
function expectFree() {
  const taken = takeLock(path);
  if (typeof taken !== 'function') throw new Error(`held by ${JSON.stringify(taken)}`);
  expect(takeLock(path)).toMatchObject({ pid: process.pid });
  taken();
  expect(readdirSync(folder)).toEqual([]);
}

describe('a lock', () => {
  it('is held once, until it is released', () => {
    expectFree();
    expectFree();
  });

  it.each<[what: string, () => void]>([
    ['a process that is gone', () => leave({ pid: gone, since: null })],
    [
      'a process whose id another process has now',
      () => leave({ pid: process.pid, since: 'before' }),
    ],
    ['a process that was killed while it took the lock', () => leave('{}', `lock.${gone}.new`)],
    ['an empty file', () => leave('')],
    ['the beginning of a file', () => leave('{')],
    ['a file without a process', () => leave({ pid: -1 })],
  ])('is taken over from %s', (_, left) => {
    left();
    expectFree();
  });

  it('is taken over from a zombie, which has ended but was not reaped', async () => {
    // Before its child ends, the shell becomes a program that never asks what became of it.
    const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 30']);
    try {
      const [text] = await once(parent.stdout, 'data');
      const pid = Number(text);
      await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /);
      leave({ pid, since: null });
      expectFree();
    } finally {
      parent.kill();
    }
  });

  it('of another machine counts while its file is fresh', () => {
    const holder = { pid: 1, machine: 'another', since: null };
    leave(holder);
    expect(takeLock(path)).toEqual({ ...holder, file: `${path}.1` });
    const before = new Date(Date.now() - 120_000);
    utimesSync(`${path}.1`, before, before);
    expectFree();
  });

  it.each([
    ['removed', () => rmSync(`${path}.1`)],
    ['replaced', () => leave({ pid: process.ppid, since: null })],
    ['removed with its folder', () => rmSync(folder, { recursive: true })],
  ])('is lost when its file is %s, without an error and without harm', (_, act) => {
    vi.useFakeTimers();
    try {
      const taken = takeLock(path);
      if (typeof taken !== 'function') return expect.fail();
      vi.advanceTimersByTime(6_000);
      expect(taken.isHeld()).toBe(true);
      act();
      const left = existsSync(folder) && readdirSync(folder);
      vi.advanceTimersByTime(6_000);
      expect(taken.isHeld()).toBe(false);
      taken();
      expect(existsSync(folder) && readdirSync(folder)).toEqual(left);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is given up if another process took it in the meantime', () => {
    const holder = { pid: process.ppid, since: null };
    const { linkSync } = fs;
    const spy = vi.spyOn(fs, 'linkSync').mockImplementation((...files) => {
      leave(holder, 'lock.2');
      linkSync(...files);
    });
    syncBuiltinESMExports();
    try {
      expect(takeLock(path)).toMatchObject(holder);
    } finally {
      spy.mockRestore();
      syncBuiltinESMExports();
    }
    expect(readdirSync(folder)).toEqual(['lock.2']);
  });

  it('goes to one of two processes that start together after a crash, 200 times', async () => {
    const source = readFileSync(new URL('../../src/platform/lock.ts', import.meta.url), 'utf8');
    const { code } = transformSync(source, { loader: 'ts', format: 'esm' });
    const taker = `${code}
      let taken;
      process.on('message', (path) => {
        if (path === 'release') taken();
        else taken = takeLock(path);
        process.send(typeof taken === 'function');
      });`;
    const locks = join(folder, 'locks');
    const program = join(folder, 'taker.mjs');
    writeFileSync(program, taker);
    const takers = [1, 2].map(() => fork(program));
    const tell = async (each: (typeof takers)[number], message: string) => {
      const answer = once(each, 'message');
      each.send(message);
      return (await answer)[0] as boolean;
    };
    try {
      for (let round = 0; round < 200; round += 1) {
        leave({ pid: gone, since: null }, 'locks.1');
        const got = await Promise.all(takers.map((each) => tell(each, locks)));
        expect([round, got.filter(Boolean).length]).toEqual([round, 1]);
        await tell(takers[got.indexOf(true)]!, 'release');
        expect(readdirSync(folder)).toEqual(['taker.mjs']);
      }
    } finally {
      for (const each of takers) each.kill();
    }
  }, 20_000);
});

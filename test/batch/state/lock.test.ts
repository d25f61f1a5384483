import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { takeLock, thisMachine } from '../../../src/batch/state/lock.js';

const folder = mkdtempSync(join(tmpdir(), 'squadc-lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'lock');
beforeEach(() => rmSync(path, { force: true }));

const leave = (holder: object) => writeFileSync(path, JSON.stringify(holder));
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
    expect(JSON.parse(readFileSync(path, 'utf8')).pid).toBe(process.pid);
    unlock();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is taken over where its number is now that of another process', () => {
    leave({ pid: process.pid, machine: thisMachine(), since: 'before' });
    unlockOf(takeLock(path))();
  });

  it('is taken over where it is no lock at all', () => {
    for (const text of ['', '{', '{"pid":-1,"machine":"x"}', 'null']) {
      writeFileSync(path, text);
      unlockOf(takeLock(path))();
    }
  });

  it('leaves nothing of those that were killed while they took it', () => {
    writeFileSync(`${path}.12345`, '{}');
    writeFileSync(`${path}.12345.old`, '{}');
    const unlock = unlockOf(takeLock(path));
    expect(readdirSync(folder)).toEqual(['lock']);
    unlock();
  });

  it('of another machine counts as long as it is fresh', () => {
    const holder = { pid: 1, machine: 'another', since: null };
    leave(holder);
    expect(takeLock(path)).toEqual(holder);
    const before = new Date(Date.now() - 120_000);
    utimesSync(path, before, before);
    unlockOf(takeLock(path))();
    expect(readdirSync(folder)).toEqual([]);
  });
});

/** Where a folder cannot be written, it is named, and the other workflows are done. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, tree, workflow } from '../migrating.js';
import { faulty } from './faulty.js';

const { at, different, ends, folderOf, makeReadOnly, migrate, read, rows, three, undoAll } =
  faulty();

describe('a folder that cannot be written', () => {
  it('as a whole, is refused with its name', async (context) => {
    await three();
    mkdirSync(at('out'));
    makeReadOnly(at('out'), context);
    const { code, err } = await migrate('in', '-o', 'out');
    expect([code, err]).toEqual([74, expect.stringMatching(/^squadc: cannot write to out: /m)]);
  });

  it('is refused where it is a file', async () => {
    await three();
    put(at(), 'out', 'mine');
    const { code, err } = await migrate('in', '-o', 'out');
    expect([code, err]).toEqual([74, expect.stringMatching(/^squadc: cannot write to out: /m)]);
    expect(read('out')).toBe('mine');
  });

  it('is a failure of the workflow whose it is, and no longer once it can be', async (context) => {
    await three();
    await migrate('in', '-o', 'out');
    const before = tree(at('out'));
    const alpha = folderOf('Alpha');
    makeReadOnly(at(alpha), context);
    put(at(), 'in/a.json', JSON.stringify({ ...workflow('Alpha'), globalPrompt: 'Be kind.' }));
    put(at(), 'in/c.json', JSON.stringify({ ...workflow('Gamma'), globalPrompt: 'Be kind.' }));
    const { code } = await migrate('in', '-o', 'out');
    expect(code).toBe(74);
    expect(ends()).toEqual([
      ['Alpha', 'batch/write-failed'],
      ['Beta', 'needs-answers'],
      ['Gamma', 'complete'],
    ]);
    expect(rows()[0]?.failure?.message).toContain('cannot write alpha-');
    expect(read(folderOf('Gamma'), 'squad.json')).toContain('Be kind.');
    for (const name of ['squad.json', 'result.json']) {
      const path = join(rows()[0]?.folder ?? '', name);
      expect(tree(at('out')).get(path)).toBe(before.get(path));
    }
    undoAll();
    expect(await migrate('in', '-o', 'out')).toMatchObject({ code: 2 });
    await migrate('in', '-o', 'changed');
    expect(different('out', 'changed')).toEqual([]);
  });

  it('as a file is in its place, leaves the file alone', async () => {
    await three();
    await migrate('in', '-o', 'out');
    const alpha = folderOf('Alpha');
    rmSync(at('out'), { recursive: true });
    put(at(), alpha, 'mine');
    const { code } = await migrate('in', '-o', 'out');
    expect(code).toBe(74);
    expect(ends().map(([, end]) => end)).toEqual([
      'batch/foreign-file',
      'needs-answers',
      'complete',
    ]);
    expect(read(alpha)).toBe('mine');
    rmSync(at(alpha));
    await migrate('in', '-o', 'out');
    expect(different('out', 'calm')).toEqual([]);
  });
});

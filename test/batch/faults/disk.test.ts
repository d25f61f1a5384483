/** Where there is no room: it is said, the rest is done, and made up for when there is. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeLines } from '../../../bench/fleet/workflows.mjs';
import { lines, put, tree, workflow } from '../migrating.js';
import { faulty } from './faulty.js';

const { at, different, ends, migrate, orSkip, read, rows, squadcAfter, undo } = faulty();

describe('a full disk', () => {
  it('is said of each workflow, and filled up later', async (context) => {
    mkdirSync(at('out'));
    orSkip(context, 'mount', '-t', 'tmpfs', '-o', 'size=200k', 'tmpfs', at('out'));
    undo(() => execFileSync('umount', [at('out')]));
    writeLines(at('in.jsonl'), 20);
    const { code, err } = await migrate('in.jsonl', '-o', 'out', '--verbose');
    expect([code, err]).toEqual([74, expect.stringContaining('no space left on device')]);
    expect(err).not.toContain('internal error');
    const written = new Set([...tree(at('out')).keys()].map(dirname));
    expect(written.size).toBeGreaterThan(1);
    const named = err.split('\n').filter((line) => /\bin\.jsonl:\d+/.test(line));
    expect(named.length).toBeGreaterThanOrEqual(20 - written.size);
    orSkip(context, 'mount', '-o', 'remount,size=50m', at('out'));
    await migrate('in.jsonl', '-o', 'out');
    await migrate('in.jsonl', '-o', 'calm');
    expect(different('out', 'calm')).toEqual([]);
  });

  it('or a file that may not grow further, is a failure of those alone that are too large', async () => {
    const long = { ...workflow('Long'), globalPrompt: 'Be brief. '.repeat(20_000) };
    put(at(), 'in.jsonl', lines(workflow('Alpha'), long, workflow('Gamma')));
    const limited = ['migrate', 'in.jsonl', '-o', 'out', '--no-report', '--jobs', '2'];
    const { code, err } = await squadcAfter('ulimit -f 150', ...limited);
    expect([code, err]).toEqual([74, expect.stringContaining('1 failed (1 batch/write-failed)')]);
    expect(ends()).toEqual([
      ['Alpha', 'complete'],
      ['Long', 'batch/write-failed'],
      ['Gamma', 'complete'],
    ]);
    expect(rows()[1]?.failure?.message).toContain('file too large');
    expect(read('out/summary.md')).toContain('failed: cannot write long-');
    await migrate('in.jsonl', '-o', 'out');
    await migrate('in.jsonl', '-o', 'calm');
    expect(different('out', 'calm')).toEqual([]);
  });
});

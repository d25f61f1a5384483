/** Summaries that cannot be written: the run ends as it should, and says what they would say. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../cli/fake-io.js';
import { here, lines, migrate, put, workflow } from './migrating.js';

/** Two that are complete, with 25 beside the second that are not: they have its id. */
const amount = 25;

function manySame(): { cwd: string; out: string; source: string } {
  const { folder: cwd } = temporaryFolder();
  const same = { ...workflow('Beta'), id: 'beta' };
  const all = [workflow('Alpha'), same, ...Array.from({ length: amount }, () => same)];
  put(cwd, 'in.jsonl', lines(...all));
  return { cwd, out: join(cwd, 'out'), source: 'in.jsonl' };
}

/** Once the last workflow is done, nothing can be written any more. */
function thenFull(out: string) {
  return here({
    after: () => {
      const temporary = join(out, '.squadc/tmp/all');
      rmSync(temporary, { recursive: true, force: true });
      writeFileSync(temporary, 'no folder');
    },
  });
}

describe('summaries that cannot be written', () => {
  it('are named, with each workflow that failed, and their totals are whole', async () => {
    const { cwd, out, source } = manySame();
    const args = [source, '-o', 'out', '--no-report'];
    const { exitCode, err } = await migrate(args, { cwd }, thenFull(out));
    expect(exitCode).toBe(74);
    for (const name of ['csv', 'md', 'sarif', 'json']) {
      expect(err).toContain(`batch/write-failed: cannot write summary.${name}: `);
    }
    const named = err.split('\n').filter((line) => line.startsWith('batch/same-key: beta-'));
    expect(named).toHaveLength(amount);
    expect(named[0]).toMatch(
      /^batch\/same-key: beta-[0-9a-f]{8} \(in\.jsonl:3\): in\.jsonl:2 has an /,
    );
    expect(err).toContain(`27 failed (2 batch/write-failed, ${amount} batch/same-key)`);
  });

  it('are shown whole all the same where that was asked for', async () => {
    const { cwd, out, source } = manySame();
    const args = [source, '-o', 'out', '--no-report', '--json'];
    const { exitCode, out: shown } = await migrate(args, { cwd }, thenFull(out));
    expect([exitCode, JSON.parse(shown).workflows.length]).toEqual([74, amount + 2]);
  });

  it('as a folder stands there, are refused before anything is done', async () => {
    const { cwd, out, source } = manySame();
    mkdirSync(join(out, 'summary.md'), { recursive: true });
    const { exitCode, err } = await migrate([source, '-o', 'out', '--no-report'], { cwd });
    expect([exitCode, err]).toEqual([
      64,
      expect.stringContaining('out: summary.md already exists'),
    ]);
  });
});

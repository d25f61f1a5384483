/**
 * The output is a function of the sources, the answers and the options: whatever happened before,
 * and however the work was shared out, all files but those in `.squadc` are the same, byte for byte.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { differences } from '../../bench/fleet/migrate.mjs';
import { workflowLine } from '../../bench/fleet/workflows.mjs';
import { builtMigrate } from './built-migrate.js';
import { put, rowsOf, tree } from './migrating.js';

const { at, squadc, squadcAfter } = builtMigrate();

/** Each file is a block of its own. */
const amount = 16;
const inFile = 4;
/** Of workflows among which two kinds of question are asked that a choice alone answers. */
const seed = 4;

/** Some complete, some with questions, some wrong; the first several times. */
beforeEach(() => {
  const all = Array.from({ length: amount }, (_, number) => workflowLine(seed, number));
  for (let from = 0; from < amount; from += inFile) {
    const file = [...all.slice(from, from + inFile), all[0]].join('\n');
    put(at(), `in/${from}.jsonl`, from === 0 ? `${file}\n{"nodes":` : `${file}\n`);
  }
  put(at(), 'in/more/one.json', workflowLine(seed, amount));
  put(at(), 'in/more/wrong.json', '{"nodes":');
});

const migrate = (...args: string[]) =>
  squadc('migrate', 'in', '--no-report', '--dynamic', 'desk_key', ...args);
const files = (out: string) => tree(at(out));
const different = (one: string, other: string) => differences(files(one), files(other));
const calm = async (...args: string[]) => {
  const { code } = await migrate('-o', 'calm', '--jobs', '1', ...args);
  expect(code).toBe(74);
  expect(new Set(rowsOf(at('calm')).map(({ status }) => status)).size).toBe(4);
};
/** Answers for all questions of two kinds. */
const answered = ['--policy', 'logical-condition=prose', '--policy', 'cyclic-stages=keep-split'];

describe('the output is the same', () => {
  it('by one thread, by three, and the second time', async () => {
    await calm();
    await migrate('-o', 'three', '--jobs', '3');
    expect(different('calm', 'three')).toEqual([]);
    await migrate('-o', 'three', '--jobs', '2');
    expect(different('calm', 'three')).toEqual([]);
  });

  it('after a run that ended early', async () => {
    await calm();
    const { code } = await migrate('-o', 'out', '--jobs', '1', '--fail-fast');
    expect(code).not.toBe(0);
    expect(different('calm', 'out')).not.toEqual([]);
    await migrate('-o', 'out');
    expect(different('calm', 'out')).toEqual([]);
  });

  it('after runs with other options, other answers and fewer sources', async () => {
    await calm();
    await migrate('-o', 'out', '--target', 'vapi', ...answered);
    put(at(), 'aside/0.jsonl', workflowLine(seed, 1));
    await squadc('migrate', 'aside', '--no-report', '-o', 'out');
    expect(different('calm', 'out')).not.toEqual([]);
    await migrate('-o', 'out', '--prune', '--defaults');
    expect(different('calm', 'out')).toEqual([]);
  });

  it('by three shards in one folder, and by a report of it', async () => {
    await calm();
    for (const shard of ['1/3', '2/3', '3/3']) {
      const { err } = await migrate('-o', 'out', '--shard', shard);
      expect(err).toContain('next: squadc report out');
    }
    expect(readdirSync(at('out')).filter((name) => name.startsWith('summary'))).toEqual([]);
    expect((await squadc('report', 'out', '--no-pages')).code).toBe(0);
    const isSummary = (path: string) => /^(?:summary\.|squadc\.js$)/.test(path);
    const folders = different('calm', 'out').filter((path) => !isSummary(path));
    expect(folders).toEqual([]);
    // What has failed has no folder, so it stands in the summary of no report.
    const done = rowsOf(at('calm')).filter(({ status }) => status !== 'failed');
    expect(rowsOf(at('out')).map(({ key }) => key)).toEqual(done.map(({ key }) => key));
  });

  it('when a workflow that was edited is forced, and one that is gone is pruned', async () => {
    await migrate('-o', 'out');
    const complete = rowsOf(at('out')).find(({ status }) => status === 'complete');
    put(at('out'), join(complete?.folder ?? '', 'squad.json'), '{}');
    rmSync(at('in/more'), { recursive: true });
    await migrate('-o', 'calm');
    expect((await migrate('-o', 'out')).err).toContain('batch/orphan');
    expect(different('calm', 'out').length).toBeGreaterThan(3);
    await migrate('-o', 'out', '--force', '--prune');
    expect(different('calm', 'out')).toEqual([]);
  });
});

describe('--only', () => {
  it('does those alone that ended so, and leaves the rows of the others', async () => {
    await migrate('-o', 'out');
    const before = rowsOf(at('out'));
    await migrate('-o', 'out', '--only', 'needs-answers', ...answered);
    const after = rowsOf(at('out'));
    expect(after.map(({ key }) => key)).toEqual(before.map(({ key }) => key));
    const changed = after.filter((row, index) => row.status !== before[index]?.status);
    expect(changed.length).toBeGreaterThan(0);
    for (const row of changed) {
      expect(before[row.index]?.status).toBe('needs-answers');
      expect(row.status).toBe('complete');
    }
    const others = (list: typeof before) =>
      list.filter(({ index }) => before[index]?.status !== 'needs-answers');
    expect(others(after)).toEqual(others(before));
    await migrate('-o', 'all', ...answered);
    await migrate('-o', 'out', ...answered);
    expect(different('all', 'out')).toEqual([]);
  });

  it('changes nothing where nothing has changed, whichever are done', async () => {
    await migrate('-o', 'out', ...answered);
    const before = files('out');
    for (const status of ['complete', 'needs-answers', 'invalid', 'failed']) {
      await migrate('-o', 'out', '--only', status, ...answered);
      expect([status, ...differences(before, files('out'))]).toEqual([status]);
    }
  });
});

/** Everything that would change if something were written: also what is in `.squadc`. */
function traces(folder: string): string[] {
  const paths = ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()];
  return paths.map((path) => {
    const { mtimeMs, ctimeMs, ino, size } = statSync(join(folder, path));
    return [path, mtimeMs, ctimeMs, ino, size].join(' ');
  });
}

describe.each(['--dry-run', '--diff'])('%s', (flag) => {
  const dry = (...args: string[]) =>
    squadcAfter('export TMPDIR=$PWD/../tmp', 'migrate', 'in', '--no-report', flag, ...args);

  it('writes nothing at all, be the output there or not', async () => {
    mkdirSync(at('../tmp'), { recursive: true });
    const empty = traces(at());
    const first = await dry('-o', 'out', '--dynamic', 'desk_key');
    expect(traces(at())).toEqual(empty);
    expect(first.err).toContain('nothing was written');
    await migrate('-o', 'out');
    const before = traces(at());
    const second = await dry('-o', 'out', '--target', 'vapi', '--prune', '--force');
    expect(second.code).toBe(first.code);
    expect(traces(at())).toEqual(before);
    expect(readdirSync(at('../tmp'))).toEqual([]);
  });
});

describe('what is shown', () => {
  it('by --dry-run is the summary that a run would write', async () => {
    const { out, code } = await migrate('-o', 'out', '--dry-run');
    expect((await migrate('-o', 'out')).code).toBe(code);
    expect(out).toBe(files('out').get('summary.md'));
    const { out: json } = await migrate('-o', 'other', '--dry-run', '--json');
    expect(json).toBe(files('out').get('summary.json'));
  });

  it('by --diff is how squads differ from those that are there, and nothing where they do not', async () => {
    await migrate('-o', 'out');
    const same = await migrate('-o', 'out', '--diff');
    expect(same.out).toBe('');
    const { out } = await migrate('-o', 'out', '--diff', '--model', 'anthropic/claude');
    const { folder } = rowsOf(at('out')).find(({ status }) => status === 'complete') ?? {};
    expect(out).toContain(`+++ b/${folder}/squad.json\n`);
    expect(out).toMatch(/^-.*"gpt-4o"/m);
    expect(out).toMatch(/^\+.*"claude"/m);
  });
});

/** The walk along the files of the last run, and the thread that does it where there are many. */
import { readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { countUntouched } from '../../../src/batch/unchanged/files-walk.js';
import { temporaryFolder } from '../../cli/temporary-folder.js';
import { builtMigrate } from '../built-migrate.js';
import { lines, migrate, put, rowsOf, workflow } from '../migrating.js';

describe('the walk along the files', () => {
  let out = '';
  beforeEach(async () => {
    const cwd = temporaryFolder().folder;
    out = join(cwd, 'out');
    put(cwd, 'in.jsonl', lines(workflow('One'), workflow('Two', 'open'), workflow('Three')));
    await migrate(['in.jsonl', '-o', out], { cwd });
  });

  const count = () => countUntouched({ out, journal: join(out, '.squadc/journal.jsonl') });
  const fileOf = (name: string, file: string) =>
    join(out, rowsOf(out).find((row) => row.name === name)?.folder ?? 'nowhere', file);

  it('counts the workflows, not what else the journal knows', () => {
    expect(count()).toBe(3);
  });

  it.each([
    ['a file that is gone', 1, () => rmSync(fileOf('Two', 'questions.md'))],
    ['a file that was touched', 2, () => utimesSync(fileOf('Three', 'squad.json'), 1, 1)],
    ['what cannot be looked at', 0, () => put(out, firstFolderAsFile(), 'a file')],
    ['a line that is none', 1, () => put(out, '.squadc/journal.jsonl', spoiltJournal())],
    ['a journal that is gone', 0, () => rmSync(join(out, '.squadc/journal.jsonl'))],
  ])('ends at %s', (_, expected, change) => {
    change();
    expect(count()).toBe(expected);
  });

  /** Its folder cannot be entered. */
  function firstFolderAsFile(): string {
    const folder = rowsOf(out)[0]?.folder ?? '';
    rmSync(join(out, folder), { recursive: true });
    return folder;
  }

  function spoiltJournal(): string {
    const [first, second, ...rest] = readFileSync(join(out, '.squadc/journal.jsonl'), 'utf8').split(
      '\n',
    );
    return [first, second?.slice(1), ...rest].join('\n');
  }
});

describe('squadc migrate of many workflows in which nothing has changed', () => {
  const { at, squadcAfter } = builtMigrate();
  /** As long as a journal has to be for a thread; so there need not be many. */
  const long = 'long '.repeat(2000);
  const names = Array.from({ length: 450 }, (_, number) => `${number} ${long}`);

  it('looks at the files in a thread, and says what the first run said', async () => {
    put(at(), 'in.jsonl', lines(...names.map((name) => workflow(name))));
    put(at(), 'watch.mjs', `process.on('worker', () => process.stderr.write('a thread\\n'));`);
    const run = () =>
      squadcAfter(
        `export NODE_OPTIONS='--import ${at('watch.mjs')}'`,
        ...['migrate', 'in.jsonl', '-o', 'out', '--jobs', '2', '--no-report'],
      );
    const first = await run();
    const journal = at('out/.squadc/journal.jsonl');
    const before = statSync(journal).mtimeMs;
    expect([first.code, threadsOf(first.err)]).toEqual([0, 2]);
    expect(await run()).toMatchObject({ code: 0, out: first.out });
    const again = await run();
    expect([again.code, threadsOf(again.err)]).toEqual([0, 1]);
    expect(statSync(journal).mtimeMs).toBe(before);

    rmSync(join(at('out'), rowsOf(at('out'))[400]?.folder ?? '', 'squad.json'));
    const mended = await run();
    expect([mended.code, threadsOf(mended.err)]).toEqual([0, 3]);
    expect(statSync(journal).mtimeMs).toBeGreaterThan(before);

    // A thread that fails has found nothing untouched: the run looks for itself.
    put(at('../dist'), 'files-worker.js', `throw new Error('broken');`);
    const alone = await run();
    expect([alone.code, threadsOf(alone.err), alone.out]).toEqual([0, 3, first.out]);
    expect(alone.err).not.toContain('broken');
  }, 120_000);
});

function threadsOf(said: string): number {
  return said.split('a thread\n').length - 1;
}

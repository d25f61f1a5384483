/**
 * A run in which nothing has changed opens no thread and writes nothing; whatever is not as it was,
 * it does what a run into a new folder would do.
 */
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { OpenBlockWorkers } from '../../../src/batch/run.js';
import { temporaryFolder } from '../../cli/temporary-folder.js';
import { here, lines, type Migrated, migrate, put, rowsOf, tree, workflow } from '../migrating.js';

let cwd = '';
let out = '';
beforeEach(() => {
  cwd = temporaryFolder().folder;
  out = join(cwd, 'out');
  put(cwd, 'in/a.jsonl', lines(...all));
  put(cwd, 'in/b.json', JSON.stringify(workflow('Beta', 'broken')));
});

const all = [workflow('One'), workflow('Two', 'open'), workflow('Three', 'broken')];

interface Watched extends Migrated {
  /** Whether threads were opened. */
  readonly worked: boolean;
}

async function run(...args: string[]): Promise<Watched> {
  return runInto('out', ...args);
}

async function runInto(folder: string, ...args: string[]): Promise<Watched> {
  const open: OpenBlockWorkers = vi.fn(here());
  const migrated = await migrate(['in', '-o', folder, ...args], { cwd }, open);
  return { ...migrated, worked: vi.mocked(open).mock.calls.length > 0 };
}

/** Everything that writing would change, in `.squadc` too. */
function traces(): string[] {
  const paths = readdirSync(out, { recursive: true, encoding: 'utf8' }).sort();
  return paths.flatMap((path) => {
    const { mtimeMs, ino, size } = statSync(join(out, path));
    // A lock is taken and given back, temporary files are looked for.
    return ['.squadc', '.squadc/tmp'].includes(path) ? [] : [[path, mtimeMs, ino, size].join(' ')];
  });
}

/** What is said at the end; how far it was before depends on the clock. */
const said = ({ err }: Migrated) => err.split('\n').filter((line) => !/^\d+%/.test(line));

/** The run works, and what is there then is what a run leaves that knows nothing. */
async function worksAsNew(...args: string[]): Promise<void> {
  const { worked, exitCode } = await run(...args);
  expect(worked).toBe(true);
  const other = await runInto('new', ...args);
  expect(exitCode).toBe(other.exitCode);
  expect(tree(out)).toEqual(tree(join(cwd, 'new')));
}

describe('a run in which nothing has changed', () => {
  it.each([[[]], [['--no-report']], [['--policy', 'undefined-variable=caller']]])(
    'opens no thread, writes nothing and says the same: %s',
    async (args) => {
      const first = await run(...args);
      const before = traces();
      const second = await run(...args);
      expect([first.worked, second.worked]).toEqual([true, false]);
      expect(traces()).toEqual(before);
      expect([second.exitCode, second.out]).toEqual([first.exitCode, first.out]);
      expect(said(second)).toEqual(said(first));
    },
  );

  it('has its options checked where they are others', async () => {
    await run();
    const { worked, exitCode, err } = await run('--target', 'squad', '--pass', 'arguments');
    expect([worked, exitCode]).toEqual([false, 1]);
    expect(err).toContain('api/option');
  });

  it('does not take shortcuts with what is shown', async () => {
    await run();
    for (const args of [['--json'], ['--dry-run'], ['--diff'], ['--dry-run', '--json']]) {
      const known = await run(...args);
      const other = await runInto(`new${args.join('')}`, ...args);
      expect([args, known.out === other.out || args.includes('--diff')]).toEqual([args, true]);
      expect(known.exitCode).toBe(other.exitCode);
    }
  });

  it('names answers that belong to no workflow, each time', async () => {
    await run();
    const { key } = rowsOf(out)[0] as { key: string };
    const given = { workflows: { [key]: { answers: {} }, 'nobody-00000000': { answers: {} } } };
    put(cwd, 'answers.json', JSON.stringify(given));
    await run('--answers', 'answers.json');
    const { worked, err } = await run('--answers', 'answers.json');
    expect(worked).toBe(false);
    expect(err).toContain('There are answers for “nobody-00000000”');
    expect(err).not.toContain(`There are answers for “${key}`);
  });

  it('stops all the same where it should at what is bad', async () => {
    await run();
    const { worked, exitCode } = await run('--fail-fast');
    expect([worked, exitCode]).toEqual([true, 1]);
  });

  it('names orphans each time, until they are removed', async () => {
    await run();
    rmSync(join(cwd, 'in/b.json'));
    const first = await run();
    const second = await run();
    expect(first.err).toContain('batch/orphan');
    expect([first.worked, second.worked]).toEqual([true, false]);
    expect(said(second)).toEqual(said(first));
    await worksAsNew('--prune');
    expect((await run('--prune')).worked).toBe(false);
  });
});

describe('a run works where', () => {
  beforeEach(async () => {
    await run();
  });

  it.each<[string, () => void]>([
    ['the lines are in another order', () => put(cwd, 'in/a.jsonl', lines(...all.toReversed()))],
    ['a line was added at the end', () => put(cwd, 'in/a.jsonl', lines(...all, workflow('Four')))],
    ['a line was added before', () => put(cwd, 'in/a.jsonl', lines(workflow('Zero'), ...all))],
    ['a blank line moved the others', () => put(cwd, 'in/a.jsonl', `\n${lines(...all)}`)],
    ['a workflow has changed', () => put(cwd, 'in/b.json', JSON.stringify(workflow('Beta')))],
    ['a file was added', () => put(cwd, 'in/c.json', JSON.stringify(workflow('Gamma')))],
    ['a file comes before', () => put(cwd, 'in/0.json', JSON.stringify(workflow('Zero')))],
    ['a summary is gone', () => rmSync(join(out, 'summary.csv'))],
    ['the fleet page is gone', () => rmSync(join(out, 'summary.html'))],
    ['a summary was touched', () => utimesSync(join(out, 'summary.md'), 1, 1)],
    ['a squad is gone', () => rmSync(join(out, folderOf('One'), 'squad.json'))],
    ['a result was touched', () => utimesSync(join(out, folderOf('Two'), 'result.json'), 1, 1)],
    ['a page is gone', () => rmSync(join(out, folderOf('Two'), 'report.html'))],
    ['a page was touched', () => utimesSync(join(out, folderOf('One'), 'report.html'), 1, 1)],
    ['the journal is gone', () => rmSync(join(out, '.squadc'), { recursive: true })],
  ])('%s', async (what, change) => {
    change();
    const isForeign = what === 'the journal is gone';
    await worksAsNew(...(isForeign ? ['--force'] : []));
    expect((await run()).worked).toBe(false);
  });

  it.each([
    [['--target', 'vapi']],
    [['--policy', 'undefined-variable=caller']],
    [['--accept-proposals']],
    [['--model', 'anthropic/claude']],
    [['--dynamic', 'unknown_code']],
  ])('other options are given: %s', async (args) => {
    await worksAsNew(...args);
    expect((await run(...args)).worked).toBe(false);
    await worksAsNew();
  });

  it('a workflow has other answers', async () => {
    const { key } = rowsOf(out).find(({ name }) => name === 'Two') as { key: string };
    const question = JSON.parse(tree(out).get(`${folderOf('Two')}/result.json`) as string)
      .questions[0];
    const answers = { [question.id]: { choice: 'caller' } };
    put(cwd, 'answers.json', JSON.stringify({ workflows: { [key]: { answers } } }));
    await worksAsNew('--answers', 'answers.json');
    expect((await run('--answers', 'answers.json')).worked).toBe(false);
  });

  it('a line is gone, which leaves an orphan', async () => {
    put(cwd, 'in/a.jsonl', lines(...all.slice(0, 2)));
    const folder = folderOf('Three');
    expect((await run()).err).toContain(`(--prune removes them): ${folder}`);
    await worksAsNew('--prune');
  });

  it('somebody else has written over a summary', async () => {
    put(out, 'summary.json', '{}');
    const { exitCode, err } = await run();
    expect([exitCode, err]).toEqual([64, expect.stringContaining('summary.json is there already')]);
    await worksAsNew('--force');
  });

  it('somebody else has written over a page', async () => {
    put(out, `${folderOf('One')}/report.html`, 'mine');
    for (const _ of [1, 2]) {
      expect(await run()).toMatchObject({ worked: true, exitCode: 74 });
    }
    await worksAsNew('--force');
  });

  it('no report was made before, or is wanted no longer', async () => {
    expect((await run('--no-report')).worked).toBe(true);
    expect((await run('--no-report')).worked).toBe(false);
    await worksAsNew();
  });

  it('a run has written since that did not end', async () => {
    const [line] = readFileSync(join(out, '.squadc/journal.jsonl'), 'utf8').split('\n');
    put(out, '.squadc/journal/1.jsonl', `${line}\n`);
    await worksAsNew();
  });

  it('only a part of the workflows is wanted', async () => {
    expect((await run('--only', 'complete')).worked).toBe(true);
    await run();
    expect((await run('--shard', '1/1')).worked).toBe(true);
    await worksAsNew();
  });

  it('a source cannot be read, each time', async () => {
    put(cwd, 'in/c.json', JSON.stringify({ ...workflow('Long'), notes: 'x'.repeat(3000) }));
    const limit = ['--max-bytes', '2000'];
    for (const _ of [1, 2])
      expect(await run(...limit)).toMatchObject({ worked: true, exitCode: 74 });
  });

  it('two workflows have one key, each time', async () => {
    put(cwd, 'in/a.jsonl', lines(...all, { ...workflow('One'), globalPrompt: 'Be kind.' }));
    for (const _ of [1, 2]) expect(await run()).toMatchObject({ worked: true, exitCode: 74 });
    await worksAsNew('--prune');
  });

  it('the end of the journal is cut off', async () => {
    appendFileSync(join(out, '.squadc/journal.jsonl'), '{"done":"');
    await worksAsNew();
  });
});

describe('of more than 1,000 workflows', () => {
  it('the fleet page is made again where somebody has put a page beside a workflow', async () => {
    const many = Array.from({ length: 1_001 }, (_, number) => workflow(`Flow ${number}`));
    put(cwd, 'in/a.jsonl', lines(...many));
    await run();
    expect((await run()).worked).toBe(false);
    put(out, `${folderOf('Flow 7')}/report.html`, 'mine');
    expect((await run()).worked).toBe(true);
    expect(tree(out).get('summary.html')).toContain(`${folderOf('Flow 7')}/report.html`);
    expect((await run()).worked).toBe(false);
  }, 60_000);
});

function folderOf(name: string): string {
  return rowsOf(out).find((row) => row.name === name)?.folder ?? `no folder of ${name}`;
}

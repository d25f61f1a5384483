/**
 * What can go wrong around a run of the built binary: each fault is named, the rest is done, and when
 * the fault is gone, the same command makes the output of an undisturbed run.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, type TestContext } from 'vitest';
import { differences } from '../../bench/migrate/files-in.mjs';
import { writeLines } from '../../bench/migrate/write-lines.mjs';
import { builtMigrate } from './built-migrate.js';
import { here, lines, migrate as migrateHere, put, rowsOf, tree, workflow } from './migrating.js';

const { at, squadc, squadcAfter } = builtMigrate();

/** Undoes what would keep the folder of the test from being removed. */
const undo: (() => void)[] = [];
afterEach(() => {
  for (const each of undo.splice(0)) each();
});

const migrate = (...args: string[]) => squadc('migrate', ...args, '--no-report', '--jobs', '2');
const rows = (out = 'out') => rowsOf(at(out));
/** Status, or why it failed, by name. */
const ends = (out = 'out') =>
  rows(out).map(({ name, status, failure }) => [name, failure?.code ?? status]);
const read = (...path: string[]) => readFileSync(at(...path), 'utf8');
const folderOf = (name: string, out = 'out') => {
  const row = rows(out).find((each) => each.name === name);
  if (row === undefined) throw new Error(`no row of ${name}`);
  return join(out, row.folder);
};
const different = (one: string, other: string) => differences(tree(at(one)), tree(at(other)));

/** Runs a command of the system; where it may not, the test is skipped. */
function orSkip({ skip }: TestContext, program: string, ...args: string[]): void {
  try {
    execFileSync(program, args, { stdio: 'pipe' });
  } catch {
    skip(`${program} ${args.join(' ')}: not possible here`);
  }
}

/** Alpha, Beta (open), Gamma; the result is what an undisturbed run makes of them. */
async function three(): Promise<void> {
  put(at(), 'in/a.json', JSON.stringify(workflow('Alpha')));
  put(at(), 'in/b.json', JSON.stringify(workflow('Beta', 'open')));
  put(at(), 'in/c.json', JSON.stringify(workflow('Gamma')));
  expect(await migrate('in', '-o', 'calm')).toMatchObject({ code: 2 });
}

describe('a full disk', () => {
  it('is said of each workflow, and filled up later', async (context) => {
    mkdirSync(at('out'));
    orSkip(context, 'mount', '-t', 'tmpfs', '-o', 'size=200k', 'tmpfs', at('out'));
    undo.push(() => execFileSync('umount', [at('out')]));
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
    for (const each of undo.splice(0)) each();
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

/** Not even the superuser writes there; for others, rights are enough. */
function makeReadOnly(path: string, context: TestContext): void {
  if (process.getuid?.() === 0) {
    orSkip(context, 'chattr', '+i', path);
    undo.push(() => execFileSync('chattr', ['-i', path]));
  } else {
    chmodSync(path, 0o555);
    undo.push(() => chmodSync(path, 0o755));
  }
}

describe('a source', () => {
  it('that leads nowhere is named, and the others are done', async () => {
    await three();
    symlinkSync(at('in/nowhere.json'), at('in/b-dangling.json'));
    const { code, err } = await migrate('in', 'missing.json', '-o', 'out');
    expect(code).toBe(74);
    expect(err).toMatch(/^batch\/\w+: .*\bb-dangling\.json/m);
    expect(err).toMatch(/^batch\/missing: .*\bmissing\.json/m);
    expect(ends().filter(([name]) => name !== null)).toEqual([
      ['Alpha', 'complete'],
      ['Beta', 'needs-answers'],
      ['Gamma', 'complete'],
    ]);
  });

  it('that goes between being found and being read fails, and the others are done', async () => {
    await three();
    put(at(), 'in/lines.jsonl', lines(workflow('First'), workflow('Second')));
    put(at(), 'in/shorter.jsonl', lines(workflow('Third'), workflow('Fourth')));
    const change = () => {
      for (const name of ['a.json', 'lines.jsonl']) rmSync(at('in', name), { force: true });
      put(at(), 'in/shorter.jsonl', lines(workflow('Third')));
    };
    const args = ['in', '-o', 'out', '--no-report'];
    const { exitCode } = await migrateHere(args, { cwd: at() }, here({ before: change }));
    expect(exitCode).toBe(74);
    expect(rows().map(({ source, failure }) => [source, failure?.code])).toEqual([
      ['in/a.json', 'batch/vanished'],
      ['in/b.json', undefined],
      ['in/c.json', undefined],
      ['in/lines.jsonl', 'batch/vanished'],
      ['in/shorter.jsonl', undefined],
      ['in/shorter.jsonl', 'batch/vanished'],
    ]);
  });

  it('that is a pipe into which nobody writes keeps nobody waiting', async (context) => {
    await three();
    orSkip(context, 'mkfifo', at('in/pipe.json'));
    const { code, err } = await migrate('in', at('in/pipe.json'), '-o', 'out');
    expect([code, err]).toEqual([74, expect.stringContaining('pipe.json')]);
    expect(ends().filter(([name]) => name !== null)).toHaveLength(3);
  });

  it('of 200 MB on one line is too large, and its neighbours are done', async () => {
    const file = openSync(at('in.jsonl'), 'w');
    writeSync(file, `${lines(workflow('Alpha'))}{"name":"`);
    const piece = Buffer.alloc(1_000_000, 'x');
    for (let written = 0; written < 200; written += 1) writeSync(file, piece);
    writeSync(file, `"}\n${lines(workflow('Gamma'))}`);
    closeSync(file);
    const { code, err } = await migrate('in.jsonl', '-o', 'out');
    expect([code, err]).toEqual([74, expect.stringContaining('1 failed (1 batch/too-large)')]);
    expect(rows().map(({ line, status }) => [line, status])).toEqual([
      [1, 'complete'],
      [2, 'failed'],
      [3, 'complete'],
    ]);
    expect(read('out/summary.csv')).toContain('"in.jsonl",2,');
  });

  it('of lines some of which are no workflows has a row for each', async () => {
    const notUtf8 = Buffer.from([0x7b, 0xff, 0x7d, 0x0a]);
    const text = `${lines(workflow('Alpha'))}not json\n\n[]\nnull\n"text"\n{"nodes":`;
    const rest = `\n{}\n${lines(workflow('Gamma'))}`;
    put(
      at(),
      'in.jsonl',
      Buffer.concat([Buffer.from(text), Buffer.from('\n'), notUtf8, Buffer.from(rest)]),
    );
    const { code } = await migrate('in.jsonl', '-o', 'out');
    expect(code).toBe(1);
    expect(rows().map(({ line, status }) => [line, status])).toEqual([
      [1, 'complete'],
      [2, 'invalid'],
      [4, 'invalid'],
      [5, 'invalid'],
      [6, 'invalid'],
      [7, 'invalid'],
      [8, 'invalid'],
      [10, 'invalid'],
      [11, 'complete'],
    ]);
    for (const { errors, folder, status } of rows()) {
      expect(errors > 0).toBe(status === 'invalid');
      expect(JSON.parse(read('out', folder, 'result.json')).status).toBe(status);
    }
    const { runs } = JSON.parse(read('out/summary.sarif'));
    const codes = runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId);
    expect(codes).toEqual(expect.arrayContaining(['shape/not-json', 'batch/not-utf8']));
  });

  it('that is empty is named, and the others are done', async () => {
    await three();
    put(at(), 'in/empty.json', '');
    put(at(), 'in/empty.jsonl', '');
    const { code, err } = await migrate('in', '-o', 'out');
    expect(code).toBe(74);
    expect(err).toMatch(/^batch\/empty: in\/empty\.jsonl: /m);
    expect(rows().find(({ source }) => source === 'in/empty.json')?.status).toBe('invalid');
    expect(ends().filter(([name]) => name !== null)).toHaveLength(3);
  });
});

describe('what stands in the way in the output', () => {
  it('is left alone, and the workflow fails: a folder, a file of somebody else', async () => {
    await three();
    const [alpha, gamma] = [folderOf('Alpha', 'calm'), folderOf('Gamma', 'calm')].map((path) =>
      path.replace('calm', 'out'),
    ) as [string, string];
    mkdirSync(at(alpha, 'squad.json'), { recursive: true });
    put(at(), join(gamma, 'result.json'), 'mine');
    const { code, err } = await migrate('in', '-o', 'out');
    expect([code, err]).toEqual([74, expect.stringContaining('2 failed (2 batch/foreign-file)')]);
    expect(ends().map(([, end]) => end)).toEqual([
      'batch/foreign-file',
      'needs-answers',
      'batch/foreign-file',
    ]);
    expect(rows()[2]?.failure?.message).toContain('result.json is there already');
    expect(read(gamma, 'result.json')).toBe('mine');
    expect([...tree(at('out')).keys()]).toContain(`${rows()[0]?.folder}/squad.json/`);
    expect((await migrate('in', '-o', 'out')).code).toBe(74);
    rmSync(at(alpha, 'squad.json'), { recursive: true });
    rmSync(at(gamma, 'result.json'));
    expect((await migrate('in', '-o', 'out')).code).toBe(2);
    expect(different('out', 'calm')).toEqual([]);
  });

  it('is an edited squad: kept, and overwritten with --force alone', async () => {
    await three();
    await migrate('in', '-o', 'out');
    const path = join(folderOf('Alpha'), 'squad.json');
    const edited = read(path).replace('Ask for Alpha', 'Ask for Omega');
    put(at(), path, edited);
    expect((await migrate('in', '-o', 'out')).code).toBe(74);
    expect(ends()[0]).toEqual(['Alpha', 'batch/foreign-file']);
    expect(read(path)).toBe(edited);
    expect((await migrate('in', '-o', 'out', '--force')).code).toBe(2);
    expect(different('out', 'calm')).toEqual([]);
  });
});

describe('two workflows with one id', () => {
  it('are one, the first, and one that fails and says which the first is', async () => {
    const same = (name: string) => ({ ...workflow(name), id: 'same' });
    put(at(), 'in.jsonl', lines(same('Alpha'), workflow('Beta'), same('Alpha')));
    const { code } = await migrate('in.jsonl', '-o', 'out');
    expect(code).toBe(74);
    expect(rows().map(({ line, failure }) => [line, failure?.code])).toEqual([
      [1, undefined],
      [2, undefined],
      [3, 'batch/same-key'],
    ]);
    expect(rows()[2]?.failure?.message).toContain('in.jsonl');
    expect(rows()[2]?.key).toBe(rows()[0]?.key);
    expect(JSON.parse(read(folderOf('Alpha'), 'result.json')).status).toBe('complete');
  });
});

describe('the exit code', () => {
  it('is that of the worst', async () => {
    const step = async (name: string, text: string) => {
      put(at(), `in/${name}`, text);
      return (await migrate('in', '-o', 'out')).code;
    };
    expect(await step('a.json', JSON.stringify(workflow('Alpha')))).toBe(0);
    expect(await step('b.json', JSON.stringify(workflow('Beta', 'open')))).toBe(2);
    expect(await step('c.json', JSON.stringify(workflow('Gamma', 'broken')))).toBe(1);
    expect(await step('d.jsonl', lines(workflow('Delta'), workflow('Delta')))).toBe(74);
    expect((await migrate('in', '-o', 'out', '--shard', '3/2')).code).toBe(64);
  });
});

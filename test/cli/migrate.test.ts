/** squadc migrate, assess and report, as far as the commands go; what a run does is in test/batch. */
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OpenThreads } from '../../src/batch/run.js';
import type { Outcome } from '../../src/batch/work.js';
import { openProgress } from '../../src/cli/output/progress.js';
import type { WorkflowRow } from '../../src/report/model.js';
import { renderSummaryCsv } from '../../src/report/summary-csv.js';
import { validateRunSummary } from '../../src/schemas/validators.generated.js';
import { here, lines, rowsOf, tree, workflow } from '../batch/migrating.js';
import { hostileTexts, rowWith } from '../report/example-run.js';
import { fakeIo, has, type Surroundings, temporaryFolder } from './fake-io.js';

const root = temporaryFolder();
let tests = 0;
beforeEach(() => {
  tests += 1;
});

/** A path in the folder of this test. */
const at = (path = '') => join(root.folder, `${tests}`, path);
const put = (path: string, content: string | object) => root.put(`${tests}/${path}`, content);
const read = (path: string) => root.read(`${tests}/${path}`);
const squadc = (line: string | readonly string[], given: Surroundings = {}) =>
  root.squadc(line, { cwd: at(), threads: here(), ...given });
const rowOf = (name: string) => rowsOf(at('out')).find((row) => row.name === name)!;

describe('squadc migrate', () => {
  it('fetches workflows with --pull, does the others where one cannot be had, and says so', async () => {
    const fetch = (async (input: unknown) => {
      const id = String(input).split('/').at(-1) ?? '';
      const isThere = id === 'one' || id === 'two';
      return Response.json(isThere ? workflow(id) : {}, { status: isThere ? 200 : 404 });
    }) as typeof globalThis.fetch;
    const secret = 'k-5f0c1e9a7b3d4c2f';
    put('given', '');
    const pull = (line: string) =>
      squadc(`migrate --no-report -o out ${line}`, {
        env: { API_KEY: secret },
        network: { fetch, retry: { baseMs: 1 } },
      });
    const there = '--base-url https://a.example/v1 --key-env API_KEY';
    for (const line of ['--pull one', '--pull one --base-url https://a.example']) {
      expect((await pull(line)).exitCode).toBe(64);
    }
    expect((await pull(`${there} --pull ..`)).exitCode).toBe(64);
    const dry = await pull(`${there} --dry-run --pull one`);
    expect(dry).toMatchObject({ exitCode: 0, out: has('# Summary of the migration') });
    expect(readdirSync(at())).toEqual(['given']);
    expect((await pull(`${there} --pull one two`)).exitCode).toBe(0);
    const sources = rowsOf(at('out')).map(({ source }) => source);
    expect(sources).toEqual(['pull/one.json', 'pull/two.json']);
    const { exitCode, err } = await pull(`${there} --pull one none`);
    expect([exitCode, err]).toEqual([74, has('none: platform/missing')]);
    expect(err).not.toContain(secret);
    expect(rowsOf(at('out'))).toHaveLength(1);
  });

  it('says at the end where the summary and the errors are, and what to do next', async () => {
    const end = async (...args: string[]) => {
      const { err } = await squadc(['migrate', 'in', ...args]);
      return err.split('\n').slice(0, -1);
    };
    put('in/One.json', workflow('One'));
    expect(await end('-o', 'out')).toEqual([
      '1 complete',
      '1 workflow in out, the summary in out/summary.html',
    ]);
    expect(await end('-o', "it's out", '--no-report')).toEqual([
      '1 complete',
      "1 workflow in it's out, the summary in it's out/summary.md",
      "next: squadc report 'it'\\''s out'",
    ]);
    put('in/Two.json', workflow('Two', 'open'));
    expect(await end('-o', 'out')).toEqual([
      '1 complete',
      '1 with open questions',
      '1 question: 1 undefined-variable',
      '2 workflows in out, the summary in out/summary.html',
      'next: squadc answer out',
    ]);
    expect(await end('-o', 'out', '--dry-run')).toContain('nothing was written');
    const part = await end('-o', 'part', '--shard', '1/2');
    expect(part.at(-1)).toBe(
      'next: squadc report part, once all shards are done, makes the summary',
    );
    put('in/Two.json', workflow('Two', 'broken'));
    expect((await end('-o', 'out')).slice(-3)).toEqual([
      '1 invalid',
      '2 workflows in out, the summary in out/summary.html',
      'errors: in out/summary.sarif, and on the pages that the summary leads to',
    ]);
    expect(await end('-o', 'out', '--no-report')).toContain('errors: in out/summary.sarif');
  });

  it('prints nothing but JSON to standard output with --json', async () => {
    put('in.jsonl', lines(workflow('One'), workflow('Two', 'open')));
    const { exitCode, out, err } = await squadc('migrate in.jsonl -o out --no-report --json');
    expect([exitCode, err]).toEqual([2, '']);
    expect(JSON.parse(out)).toEqual(JSON.parse(read('out/summary.json')));
  });

  it.each([
    ['a.json', 64, "required option '-o, --output <folder>' not specified"],
    ['-o out', 64, 'name the workflows to migrate: files, folders, globs, -, or --pull'],
    ['a.json -o out --shard 3/2', 64, 'invalid shard: 3/2 (expected i/n, with i from 1 to n)'],
    ['a.json -o out --jobs 0', 64, 'Expected a whole number from 1 to 256.'],
    ['a.json -o out --policy missing-auth=x', 1, '--> --policy missing-auth\n'],
    ['no\u001bne -o out', 74, 'batch/missing: no\\u001bne: '],
    ['in -o out', 1, '1 workflow in out'],
  ])('says what is wrong: %j', async (line, exitCode, message) => {
    put('a.json', workflow('A'));
    put('in/\u001b[31mred\u202e.json', '{');
    const { err, ...ran } = await squadc(`migrate ${line}`);
    expect(ran).toEqual({ exitCode, out: '' });
    expect(err).toContain(message);
    for (const sign of ['\u001b', '\u202e']) expect(err).not.toContain(sign);
  });

  it('names few of many lines, unless it is asked for all', async () => {
    const many = (kind: 'complete' | 'open') =>
      lines(...Array.from({ length: 30 }, (_, each) => workflow(`W${each}`, kind)));
    put('in.jsonl', many('complete'));
    const run = (more = '') => squadc(`migrate in.jsonl -o out --no-report${more}`);
    await run();
    put('in.jsonl', many('open'));
    const { err } = await run();
    expect(err.match(/^removed/gm)).toHaveLength(20);
    expect(err).toContain('… and 10 more (--verbose shows all)');
    put('in.jsonl', many('complete'));
    await run();
    put('in.jsonl', many('open'));
    const { err: all } = await run(' --verbose');
    expect(all.match(/^removed/gm)).toHaveLength(30);
  });

  it('names the pages that are outdated, and keeps those that somebody changed', async () => {
    const pages = ['One', 'Two'].map((name) => () => `${rowOf(name).folder}/report.html`);
    for (const name of ['One', 'Two']) put(`in/${name}.json`, workflow(name));
    await squadc('migrate in -o out');
    put(`out/${pages[0]!()}`, 'mine');
    for (const name of ['One', 'Two']) put(`in/${name}.json`, { ...workflow(name), warns: 'of' });
    const { err } = await squadc('migrate in -o out --no-report');
    const [kept, gone] = pages.map((page) => page());
    expect(
      err
        .split('\n')
        .filter((line) => line.includes('outdated'))
        .sort(),
    ).toEqual([
      `outdated, but kept because it was changed: ${kept}`,
      'removed because it is outdated: summary.html',
      `removed because it is outdated: ${gone}`,
    ]);
    expect(read(`out/${kept}`)).toBe('mine');
    for (const path of ['summary.html', gone]) expect(existsSync(at(`out/${path}`))).toBe(false);
  });

  it('shows with --diff what a run would change, and changes nothing', async () => {
    const give = (name: string, kind?: 'open', more: object = {}) =>
      put(`in/${name}.json`, { ...workflow(name, kind), ...more });
    for (const name of ['Alpha', 'Beta', 'Delta']) give(name);
    for (const flag of ['--dry-run', '--diff']) {
      expect((await squadc(`migrate in -o out ${flag}`)).exitCode).toBe(0);
      expect(existsSync(at('out'))).toBe(false);
    }
    await squadc('migrate in -o out');
    const before = tree(at('out'));
    const [alpha, beta, delta] = ['Alpha', 'Beta', 'Delta'].map((name) => rowOf(name).folder);
    give('Alpha', 'open');
    give('Beta', undefined, { globalPrompt: 'Be kind.' });
    give('Gamma');
    // Touched, it is looked at again.
    utimesSync(at(`out/${delta}/squad.json`), 1, 1);
    const { out, err } = await squadc('migrate in -o out --diff');
    expect(err).toContain(`would be removed because it is outdated: ${alpha}/squad.json\n`);
    expect(err).toMatch(/^new: gamma-[0-9a-f]{8}\/squad\.json$/m);
    expect(err).not.toContain(delta);
    expect(out.match(/^--- .*$/gm)).toEqual([`--- a/${beta}/squad.json`]);
    expect(out).toMatch(/^\+.*Be kind\./m);
    expect(tree(at('out'))).toEqual(before);
  });
});

describe('squadc report', () => {
  it('writes the pages, says where to look, and leaves files of others where they are', async () => {
    put('in.json', workflow('One'));
    await squadc('migrate in.json -o out --no-report');
    const { folder } = rowOf('One');
    const alone = 'out/summary.html: open it in a browser\n';
    expect(await squadc('report out --no-pages')).toEqual({ exitCode: 0, out: '', err: alone });
    expect(await squadc('report out')).toEqual({
      exitCode: 0,
      out: '',
      err: 'out/summary.html and 1 page of workflows: open it in a browser\n',
    });
    expect(read(`out/${folder}/report.html`)).toMatch(/^<!doctype html>/);
    put(`out/${folder}/report.html`, 'mine');
    const kept = has(
      `${folder}/report.html already exists and was not written by squadc (--force)`,
    );
    expect(await squadc('report out')).toMatchObject({ exitCode: 74, err: kept });
    expect(read(`out/${folder}/report.html`)).toBe('mine');
    expect((await squadc('report out --force')).exitCode).toBe(0);
    expect(read(`out/${folder}/report.html`)).not.toBe('mine');
    put(`out/${folder}/result.json`, '{');
    const err = has(`no page of ${folder}: result.json cannot be read`);
    expect(await squadc('report out')).toMatchObject({ exitCode: 74, err });
  });

  it('refuses a folder that is not of a run', async () => {
    expect(await squadc('report nowhere')).toMatchObject({
      exitCode: 1,
      err:
        'squadc: nowhere is no folder of squadc migrate: there is no summary.json\n' +
        '  help: Give the folder that squadc migrate has as --output.\n',
    });
    put('odd/summary.json', '[]');
    const err = has('odd is no folder of squadc migrate: ');
    expect(await squadc('report odd')).toMatchObject({ exitCode: 1, err });
  });
});

describe('squadc assess', () => {
  /** Runs over rows that nobody had to compile, each of a workflow of its own. */
  async function assess(given: readonly WorkflowRow[], flags = '') {
    const rows = given.map((row, index) => {
      const key = `k-${String(index).padStart(8, '0')}`;
      return { ...row, index, key, folder: key };
    });
    put('flows.jsonl', rows.map(() => '{}\n').join(''));
    const left = [...rows];
    const outcome = ({ index: _, ...row }: WorkflowRow): Outcome => ({ row, findings: [] });
    const threads: OpenThreads = async () => ({
      run: async (items) => items.map(() => outcome(left.shift()!)),
      close: async () => {},
    });
    return { rows, ...(await squadc(`assess flows.jsonl${flags}`, { threads })) };
  }

  const work = (index: number, minutes: number, given: Partial<WorkflowRow> = {}) =>
    rowWith({
      index,
      name: `w${index}`,
      status: 'needs-answers',
      assessment: { level: 'B', size: 2, minutes, automatic: 3, manual: 1 },
      questions: { 'missing-auth': 1 },
      ...given,
    });

  it('shows the totals, and the workflows with the most work first', async () => {
    const hard = { level: 'C', size: 3, minutes: 95, automatic: 0, manual: 11 } as const;
    const ran = await assess([
      rowWith({ name: 'Fine' }),
      work(1, 10),
      work(2, 95, { status: 'invalid', errors: 2, questions: {}, assessment: hard }),
      work(3, 10, { name: null, source: 'all.jsonl', line: 8 }),
    ]);
    expect(ran.out).toBe(
      [
        '4 workflows',
        '  24 nodes → 12 assistants',
        '  A 1 automatic, B 2 answers needed, C 1 work needed',
        '  1 invalid',
        '  open questions: 2 missing-auth',
        '  about 2 h of work for a person',
        '',
        'level    min  nodes  assistants  open  err  warn  workflow',
        '   C3     95      6           3     0    2     0  w2',
        '   B2     10      6           3     1    0     0  w1',
        '   B2     10      6           3     1    0     0  all.jsonl:8',
        '   A1      5      6           3     0    0     0  Fine',
        '',
      ].join('\n'),
    );
    expect(ran).toMatchObject({ exitCode: 1, err: '' });
  });

  it('lists at most 200, and shows names that could steer a terminal as what they are', async () => {
    const { out: evil } = await assess(hostileTexts.map((name, index) => work(index, 5, { name })));
    expect(evil.split('\n')).toHaveLength(7 + hostileTexts.length + 1);
    for (const line of evil.split('\n')) expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
    const rows = Array.from({ length: 450 }, (_, index) => work(index, 5 + (index % 3) * 5));
    const { out } = await assess(rows);
    expect(out).toContain('\n… and 250 more with less work (--csv lists all)\n');
    expect(out.match(/^ +B2 .*$/gm)).toHaveLength(200);
  });

  it('prints the summary as JSON, or as a table', async () => {
    const json = await assess([work(0, 5)], ' --json --target vapi');
    const summary = JSON.parse(json.out);
    expect(summary.workflows).toEqual(json.rows);
    expect(summary.options.target).toBe('vapi');
    expect(validateRunSummary(summary), JSON.stringify(validateRunSummary.errors)).toBe(true);
    const csv = await assess([work(0, 5)], ' --csv');
    expect(csv.out).toBe([...renderSummaryCsv(csv.rows)].join(''));
  });

  it('says what a migration would find, and writes nothing', async () => {
    put('flows/one.json', workflow('One'));
    put('flows/broken.json', workflow('Broken', 'broken'));
    put('more.jsonl', lines(workflow('Open', 'open'), workflow('Two')));
    const before = readdirSync(at(), { recursive: true });
    const { exitCode, out } = await squadc('assess flows more.jsonl');
    expect(exitCode).toBe(1);
    expect(out).toMatch(
      /^4 workflows\n[\s\S]*A 2 automatic, B 1 answers needed, C 1 work needed\n/,
    );
    expect(out).toContain('open questions: 1 undefined-variable');
    const listed = out.trimEnd().split('\n').slice(-4);
    expect(listed.map((line) => line.trim().split(/ {2,}/).at(-1))).toEqual([
      'Broken',
      'Open',
      'One',
      'Two',
    ]);
    const stdin = JSON.stringify(workflow('Open', 'open'));
    expect((await squadc('assess -', { stdin })).exitCode).toBe(2);
    expect(readdirSync(at(), { recursive: true })).toEqual(before);
    const onInterrupt = (stop: () => void) => {
      stop();
      return () => {};
    };
    const err = expect.stringMatching(/^stopped; nothing was kept\n$/m);
    expect(await squadc('assess flows', { onInterrupt })).toEqual({ exitCode: 130, out: '', err });
  });

  it.each([
    ['--json --csv', 64, '--json and --csv cannot be combined'],
    ['--target vapi --answers none.json', 1, 'cannot read none.json'],
    ['--policy missing-auth=nobody --accept-proposals', 1, 'nobody'],
    ['nowhere.json', 74, 'batch/missing: nowhere.json'],
  ])('refuses %s', async (flags, exitCode, message) => {
    put('flows.jsonl', lines(workflow('One')));
    const source = flags.startsWith('-') ? ' flows.jsonl' : '';
    const ran = await squadc(`assess${source} ${flags}`);
    expect(ran).toMatchObject({ exitCode, out: '', err: has(message) });
  });
});

describe('progress', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** What is said of 100 pages, by how far they are at which time. */
  async function told(
    states: readonly (readonly [ms: number, done: number])[],
    surroundings: Surroundings = {},
  ): Promise<string> {
    const io = fakeIo(surroundings);
    const progress = openProgress(100, 'pages', io);
    for (const [ms, done] of states) {
      vi.advanceTimersByTime(ms);
      progress.update(done, 1);
    }
    progress.stop();
    return io.err();
  }

  it('repaints one line in a terminal, and removes it', async () => {
    const states = [
      [4000, 8],
      [50, 9],
      [100, 10],
    ] as const;
    const clear = '\r\u001b[K';
    expect(await told(states, { isTTY: true, columns: 30 })).toBe(
      `${clear}8% of the pages: 8 done, 2.0/${clear}10% of the pages: 10 done, 2.${clear}`,
    );
  });

  it('says a line every five seconds where there is no terminal', async () => {
    expect(await told([[4000, 100]])).toBe('');
    expect(await told([[4000, 100]], { isTTY: true, env: { TERM: 'dumb' } })).toBe('');
    const states = [
      [4000, 8],
      [1000, 10],
      [1000, 20],
    ] as const;
    expect(await told(states)).toBe(
      '10% of the pages: 10 done, 2.0/s, 1 failed, 45s left\n' +
        '20% of the pages: 20 done, 3.3/s, 1 failed, 24s left\n',
    );
    expect(await told([[6000, 0]])).toContain('? left');
    expect(await told([[100_000, 50]])).toContain('1m 40s left');
    expect(await told([[3_600_000, 25]])).toContain('3h 0m left');
  });
});

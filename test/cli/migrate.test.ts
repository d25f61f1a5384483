/** squadc migrate, assess and report, as far as the commands go; what a run does is in test/batch. */
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OpenThreads } from '../../src/batch/run.js';
import { openProgress } from '../../src/cli/output/progress.js';
import type { WorkflowRow } from '../../src/report/model.js';
import { renderSummaryCsv } from '../../src/report/summary-csv.js';
import { validateRunSummary } from '../../src/schemas/validators.generated.js';
import { here, lines, rowsOf, tree, workflow } from '../batch/migrating.js';
import { hostileTexts, rowWith } from '../report/example-run.js';
import { ends, exact, fakeIo, has, plain, type Surroundings, temporaryFolder } from './fake-io.js';

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
const folderOf = (name: string) => rowsOf(at('out')).find((row) => row.name === name)!.folder;
const threads = here();

describe('squadc migrate', () => {
  it('fetches workflows with --pull, does the others where one cannot be had, and says so', async () => {
    const fetch = (async (input: unknown) => {
      const id = String(input).split('/').at(-1) ?? '';
      const isThere = id === 'one' || id === 'two';
      return Response.json(isThere ? workflow(id) : {}, { status: isThere ? 200 : 404 });
    }) as typeof globalThis.fetch;
    const env = { API_KEY: 'k-5f0c1e9a7b3d4c2f' };
    const network = { fetch, retry: { baseMs: 1 } };
    put('given', '');
    const pull = (line: string) =>
      squadc(`migrate --no-report -o out --pull ${line}`, { env, network });
    const there = '--base-url https://a.example/v1 --key-env API_KEY';
    for (const line of ['one', 'one --base-url https://a.example', `.. ${there}`]) {
      expect((await pull(line)).exitCode).toBe(64);
    }
    const dry = await pull(`one --dry-run ${there}`);
    expect(dry).toMatchObject({ exitCode: 0, out: has('# Summary of the migration') });
    expect(readdirSync(at())).toEqual(['given']);
    expect((await pull(`one two ${there}`)).exitCode).toBe(0);
    const sources = rowsOf(at('out')).map(({ source }) => source);
    expect(sources).toEqual(['pull/one.json', 'pull/two.json']);
    const { exitCode, err } = await pull(`one none ${there}`);
    expect([exitCode, err]).toEqual([74, has('none: platform/missing')]);
    expect(err).not.toContain(env.API_KEY);
    expect(rowsOf(at('out'))).toHaveLength(1);
  });

  it('says at the end where the summary and the errors are, and what to do next', async () => {
    const end = async (...args: string[]) => (await squadc(['migrate', 'in', ...args])).err;
    put('in/One.json', workflow('One'));
    const done = '1 complete\n1 workflow in out, the summary in out/summary.html\n';
    expect(await end('-o', 'out')).toBe(done);
    expect(await end('-o', "it's out", '--no-report')).toBe(
      "1 complete\n1 workflow in it's out, the summary in it's out/summary.md\n" +
        "next: squadc report 'it'\\''s out'\n",
    );
    put('in/Two.json', workflow('Two', 'open'));
    expect(await end('-o', 'out')).toBe(
      '1 complete\n1 with open questions\n1 question: 1 undefined-variable\n' +
        '2 workflows in out, the summary in out/summary.html\nnext: squadc answer out\n',
    );
    expect(await end('-o', 'out', '--dry-run')).toContain('\nnothing was written\n');
    expect(await end('-o', 'part', '--shard', '1/2')).toContain(
      '\nnext: squadc report part, once all shards are done, writes the summary\n',
    );
    put('in/Two.json', workflow('Two', 'broken'));
    expect(await end('-o', 'out')).toContain(
      '\n1 invalid\n2 workflows in out, the summary in out/summary.html\n' +
        'errors: in out/summary.sarif, and on the pages that the summary links to\n',
    );
    expect(await end('-o', 'out', '--no-report')).toContain('\nerrors: in out/summary.sarif\n');
    const { exitCode, out, err } = await squadc('migrate in -o out --no-report --json');
    expect([exitCode, err]).toEqual([1, '']);
    expect(JSON.parse(out)).toEqual(JSON.parse(read('out/summary.json')));
  });

  root.put('a.json', workflow('A'));
  root.put('in/\u001b[31mred\u202e.json', '{');
  ends(root, [
    ['migrate a.json', 64, "required option '-o, --output <folder>' not specified"],
    ['migrate -o out', 64, 'name the workflows to migrate: files, folders, globs, -, or --pull'],
    ['migrate a.json -o out --shard 3/2', 64, 'Expected i/n, with i from 1 to n.'],
    ['migrate a.json -o out --jobs 0', 64, 'Expected a whole number from 1 to 256.'],
    [
      'migrate a.json -o out --policy missing-auth=x',
      1,
      '--> --policy missing-auth\n',
      { threads },
    ],
    ['migrate no\u001bne -o out', 74, 'batch/missing: no\\u001bne: ', { threads }],
    ['migrate in -o out', 1, '1 workflow in out', { threads }],
  ]);

  it('names few of many lines, unless it is asked for all', async () => {
    const run = (kind: 'complete' | 'open', more = '') => {
      put(
        'in.jsonl',
        lines(...Array.from({ length: 30 }, (_, each) => workflow(`W${each}`, kind))),
      );
      return squadc(`migrate in.jsonl -o out --no-report${more}`);
    };
    await run('complete');
    const { err } = await run('open');
    expect(err.match(/^removed/gm)).toHaveLength(20);
    expect(err).toContain('… and 10 more (--verbose shows all)');
    await run('complete');
    const { err: all } = await run('open', ' --verbose');
    expect(all.match(/^removed/gm)).toHaveLength(30);
  });

  it('names the pages that are outdated, and keeps those that somebody changed', async () => {
    for (const name of ['One', 'Two']) put(`in/${name}.json`, workflow(name));
    await squadc('migrate in -o out');
    const [kept, gone] = ['One', 'Two'].map((name) => `${folderOf(name)}/report.html`);
    put(`out/${kept}`, 'mine');
    for (const name of ['One', 'Two']) put(`in/${name}.json`, { ...workflow(name), warns: 'of' });
    const { err } = await squadc('migrate in -o out --no-report');
    expect(err.match(/^.*outdated.*$/gm)?.sort()).toEqual([
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
    const [alpha, beta, delta] = ['Alpha', 'Beta', 'Delta'].map(folderOf);
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

it('squadc report writes the pages, and leaves those of others where they are', async () => {
  put('in.json', workflow('One'));
  await squadc('migrate in.json -o out --no-report');
  const page = `out/${folderOf('One')}/report.html`;
  const alone = 'out/summary.html: open it in a browser\n';
  expect(await squadc('report out --no-pages')).toEqual({ exitCode: 0, out: '', err: alone });
  const both = 'out/summary.html and 1 page of workflows: open it in a browser\n';
  expect(await squadc('report out')).toEqual({ exitCode: 0, out: '', err: both });
  expect(read(page)).toMatch(/^<!doctype html>/);
  put(page, 'mine');
  const err = has('/report.html already exists and was not written by squadc (--force)');
  expect(await squadc('report out')).toMatchObject({ exitCode: 74, err });
  expect(read(page)).toBe('mine');
  expect((await squadc('report out --force')).exitCode).toBe(0);
  expect(read(page)).toMatch(/^<!doctype html>/);
  put(`out/${folderOf('One')}/result.json`, '{');
  const none = has(`no page of ${folderOf('One')}: result.json cannot be read`);
  expect(await squadc('report out')).toMatchObject({ exitCode: 74, err: none });
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
    const open: OpenThreads = async () => ({
      run: async (items) =>
        items.map(() => {
          const { index: _, ...row } = left.shift()!;
          return { row, findings: [] };
        }),
      close: async () => {},
    });
    return { rows, ...(await squadc(`assess flows.jsonl${flags}`, { threads: open })) };
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
      `4 workflows
  24 nodes → 12 assistants
  A 1 automatic, B 2 answers needed, C 1 work needed
  1 invalid
  open questions: 2 missing-auth
  about 2 h of manual work

level    min  nodes  assistants  open  err  warn  workflow
   C3     95      6           3     0    2     0  w2
   B2     10      6           3     1    0     0  w1
   B2     10      6           3     1    0     0  all.jsonl:8
   A1      5      6           3     0    0     0  Fine
`,
    );
    expect(ran).toMatchObject({ exitCode: 1, err: '' });
  });

  it('lists at most 200, on a line each, or all as JSON or a table', async () => {
    const evil = await assess(hostileTexts.map((name, index) => work(index, 5, { name })));
    expect(evil.out.split('\n')).toHaveLength(7 + hostileTexts.length + 1);
    expect(evil.out).toMatch(plain);
    const many = Array.from({ length: 450 }, (_, index) => work(index, 5 + (index % 3) * 5));
    const { out } = await assess(many);
    expect(out).toContain('\n… and 250 more with less work (--csv lists all)\n');
    expect(out.match(/^ +B2 .*$/gm)).toHaveLength(200);
    const json = await assess(many, ' --json --target vapi');
    const summary = JSON.parse(json.out);
    expect([summary.workflows, summary.options.target]).toEqual([json.rows, 'vapi']);
    expect(validateRunSummary(summary), JSON.stringify(validateRunSummary.errors)).toBe(true);
    const csv = await assess(many, ' --csv');
    expect(csv.out).toBe([...renderSummaryCsv(csv.rows)].join(''));
  });

  it('says what a migration would find, and writes nothing', async () => {
    put('flows/one.json', workflow('One'));
    put('flows/broken.json', workflow('Broken', 'broken'));
    put('more.jsonl', lines(workflow('Open', 'open'), workflow('Two')));
    const before = readdirSync(at(), { recursive: true });
    const { exitCode, out } = await squadc('assess flows more.jsonl');
    expect(exitCode).toBe(1);
    expect(out).toContain('A 2 automatic, B 1 answers needed, C 1 work needed\n');
    const names = Array.from(out.matchAll(/^ +[ABC]\d .* (\w+)$/gm), ([, name]) => name);
    expect(names).toEqual(['Broken', 'Open', 'One', 'Two']);
    const onInterrupt = (stop: () => void) => {
      stop();
      return () => {};
    };
    const err = expect.stringMatching(/^stopped; nothing was written\n$/m);
    expect(await squadc('assess flows', { onInterrupt })).toEqual({ exitCode: 130, out: '', err });
    expect(readdirSync(at(), { recursive: true })).toEqual(before);
  });

  ends(root, [
    ['assess -', 2, '', { stdin: JSON.stringify(workflow('Open', 'open')), threads, out: 'B 1 ' }],
    ['assess --json --csv a.json', 64, "option '--csv' cannot be used with"],
    ['assess a.json --target vapi --answers none.json', 1, 'cannot read none.json'],
    ['assess a.json --policy missing-auth=nobody --accept-proposals', 1, 'nobody', { threads }],
    ['assess nowhere.json', 74, 'batch/missing: nowhere.json', { threads }],
    [
      'report no',
      1,
      exact(
        'squadc: no is not an output folder: there is no summary.json\n  help: Pass the output folder of squadc migrate.\n',
      ),
    ],
    ['report odd', 1, 'odd is not an output folder: ', { files: { 'odd/summary.json': '[]' } }],
  ]);
});

describe('progress', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** What is said of 100 pages, by how far they are after how many milliseconds more. */
  function told(states: readonly (readonly [ms: number, done: number])[], given?: Surroundings) {
    const io = fakeIo(given);
    const progress = openProgress(100, 'pages', io);
    for (const [ms, done] of states) {
      vi.advanceTimersByTime(ms);
      progress.update(done, 1);
    }
    progress.stop();
    return io.err();
  }

  it('repaints one line in a terminal, and removes it', () => {
    const states = [
      [4000, 8],
      [50, 9],
      [100, 10],
    ] as const;
    const clear = '\r\u001b[K';
    expect(told(states, { isTTY: true, columns: 30 })).toBe(
      `${clear}8% of the pages: 8 done, 2.0/${clear}10% of the pages: 10 done, 2.${clear}`,
    );
  });

  it('says a line every five seconds where there is no terminal', () => {
    expect(told([[4000, 100]])).toBe('');
    expect(told([[4000, 100]], { isTTY: true, env: { TERM: 'dumb' } })).toBe('');
    expect(
      told([
        [4000, 8],
        [1000, 10],
        [1000, 20],
      ]),
    ).toBe(
      '10% of the pages: 10 done, 2.0/s, 1 failed, 45s left\n' +
        '20% of the pages: 20 done, 3.3/s, 1 failed, 24s left\n',
    );
    expect(told([[6000, 0]])).toContain('? left');
    expect(told([[100_000, 50]])).toContain('1m 40s left');
    expect(told([[3_600_000, 25]])).toContain('3h 0m left');
  });
});

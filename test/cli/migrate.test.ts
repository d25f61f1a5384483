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
import { fakeIo, has, plain, type Surroundings, temporaryFolder, transcript } from './fake-io.js';

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

  const one = { 'One.json': workflow('One') };
  for (const [folder, files] of Object.entries({
    one,
    open: { ...one, 'Two.json': workflow('Two', 'open') },
    broken: { ...one, 'Two.json': workflow('Two', 'broken') },
    evil: { '\u001b[31mred\u202e.json': '{' },
  })) {
    for (const [name, content] of Object.entries(files)) root.put(`${folder}/${name}`, content);
  }
  root.put('a.json', workflow('A'));
  root.put('odd/summary.json', '[]');
  transcript(
    root,
    `
    migrate one -o out => 0 1 complete…1 workflow in out, the summary in out/summary.html
    migrate one -o it's --no-report => 0 the summary in it's/summary.md…squadc report 'it'\\''s'
    migrate open -o out => 2 1 complete…1 with open questions…1 question: 1 undefined-variable
      | 2 workflows in out, the summary in out/summary.html…next: squadc answer out
    migrate open -o out --dry-run => 2 nothing was written
      > # Summary of the migration
    migrate open -o part --shard 1/2 => 2 next: squadc report part, once all shards are done, writes
    migrate broken -o out => 1 1 invalid…2 workflows in out, the summary in out/summary.html
      | errors: in out/summary.sarif, and on the pages that the summary links to
    migrate broken -o out --no-report => 1 errors: in out/summary.sarif
    migrate broken -o out --no-report --json => 1 > "workflows":[
    migrate evil -o out => 1 1 workflow in out
    migrate a.json => 64 required option '-o, --output <folder>' not specified
    migrate -o out => 64 name the workflows to migrate: files, folders, globs, -, or --pull
    migrate a.json -o out --shard 3/2 => 64 Expected i/n, with i from 1 to n.
    migrate a.json -o out --jobs 0 => 64 Expected a whole number from 1 to 256.
    migrate a.json -o out --policy missing-auth=x => 1 --> --policy missing-auth
    migrate no\u001bne -o out => 74 batch/missing: no\\u001bne:
    assess open => 2 > B 1
    assess --json --csv a.json => 64 option '--csv' cannot be used with
    assess a.json --target vapi --answers gone.json => 1 cannot read gone.json
    assess a.json --policy missing-auth=nobody --accept-proposals => 1 nobody
    assess nowhere.json => 74 batch/missing: nowhere.json
    report no => 1 squadc: no is not an output folder: there is no summary.json
      | help: Pass the output folder of squadc migrate.
    report odd => 1 odd is not an output folder:`,
    { threads },
  );

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
    expect((await squadc('migrate in -o out --diff')).exitCode).toBe(0);
    expect(existsSync(at('out'))).toBe(false);
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
  for (const [line, exitCode, text] of [
    ['report out --no-pages', 0, /^out\/summary\.html: open it in a browser\n$/],
    ['report out', 0, /^out\/summary\.html and 1 page of workflows: open it in a browser\n$/],
  ] as const) {
    expect(await squadc(line)).toEqual({ exitCode, out: '', err: expect.stringMatching(text) });
  }
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

  const fiveThenSix = [
    [5000, 8],
    [1000, 20],
  ] as const;
  it.each<[said: RegExp, states: Parameters<typeof told>[0], given?: Surroundings]>([
    [/^$/, [[4000, 100]]],
    [/^$/, [[4000, 100]], { isTTY: true, env: { TERM: 'dumb' } }],
    [/^10% of the pages: 10 done, 2\.0\/s, 1 failed, 45s left\n$/, [[5000, 10]]],
    [/^8% .*\n20% .*, 24s left\n$/, fiveThenSix],
    [/\? left/, [[6000, 0]]],
    [/1m 40s left/, [[100_000, 50]]],
    [/3h 0m left/, [[3_600_000, 25]]],
  ])('is said every five seconds where there is no terminal: %s', (said, states, given) => {
    expect(told(states, given)).toMatch(said);
  });
});

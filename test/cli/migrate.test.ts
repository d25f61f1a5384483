/** squadc migrate, assess and report, as far as the commands go; what a run does is in test/batch. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OpenThreads } from '../../src/batch/run.js';
import type { Outcome } from '../../src/batch/work.js';
import type { Io } from '../../src/cli/io.js';
import { openProgress } from '../../src/cli/output/progress.js';
import { run } from '../../src/cli/run.js';
import type { WorkflowRow } from '../../src/report/model.js';
import { renderSummaryCsv } from '../../src/report/summary-csv.js';
import { validateRunSummary } from '../../src/schemas/validators.generated.js';
import { here, lines, migrate, put, rowsOf, tree, workflow } from '../batch/migrating.js';
import { hostileTexts, rowWith } from '../report/example-run.js';
import { type FakeIo, fakeIo, type Surroundings, temporaryFolder } from './fake-io.js';

describe('migrate and report', () => {
  describe('migrating', () => {
    const root = mkdtempSync(join(tmpdir(), 'squadc-migrate-'));
    afterAll(() => rmSync(root, { recursive: true, force: true }));

    const secret = 'k-5f0c1e9a7b3d4c2f';
    let cwd = '';
    beforeEach(() => {
      cwd = mkdtempSync(join(root, 'run-'));
    });

    /** A platform that has a workflow for each of these ids. */
    function platformWith(...known: readonly string[]) {
      const fetch = async (input: unknown) => {
        const id = String(input).split('/').at(-1) ?? '';
        const body = known.includes(id)
          ? workflow(`Name of ${id}`)
          : { message: 'no such workflow' };
        return new Response(JSON.stringify(body), { status: known.includes(id) ? 200 : 404 });
      };
      return { fetch: fetch as typeof globalThis.fetch, retry: { baseMs: 1 } };
    }

    const pullingFrom = (known: readonly string[], ids: readonly string[], ...more: string[]) => {
      const where = ['--base-url', 'https://a.example/v1', '--key-env', 'API_KEY'];
      const args = ['-o', 'out', '--no-report', ...where, ...more, '--pull', ...ids];
      return migrate(args, { cwd, env: { API_KEY: secret }, network: platformWith(...known) });
    };
    const pulling = (ids: readonly string[], ...more: string[]) =>
      pullingFrom(['one', 'two'], ids, ...more);

    describe('squadc migrate --pull', () => {
      it('fetches workflows and migrates them', async () => {
        const { exitCode } = await pulling(['one', 'two']);
        expect(exitCode).toBe(0);
        expect(rowsOf(join(cwd, 'out')).map(({ source, name }) => [source, name])).toEqual([
          ['pull/one.json', 'Name of one'],
          ['pull/two.json', 'Name of two'],
        ]);
        expect(readdirSync(join(cwd, 'out/.squadc/pulled'))).toEqual(['one.json', 'two.json']);
      });

      it('does the others where one cannot be had, and says so', async () => {
        const { exitCode, err } = await pulling(['one', 'none']);
        expect(exitCode).toBe(74);
        expect(err).toContain('none');
        expect(err).not.toContain(secret);
        expect(rowsOf(join(cwd, 'out'))).toHaveLength(1);
      });

      it('writes nothing with --dry-run', async () => {
        const { exitCode, out } = await pulling(['one'], '--dry-run');
        expect(exitCode).toBe(0);
        expect(out).toContain('# Summary of the migration');
        expect(existsSync(join(cwd, 'out'))).toBe(false);
      });

      it('is refused without an address, a key, or an id that is one', async () => {
        const args = ['-o', 'out', '--pull', 'one'];
        expect((await migrate(args, { cwd })).exitCode).toBe(64);
        const { exitCode } = await migrate([...args, '--base-url', 'https://a.example'], { cwd });
        expect(exitCode).toBe(64);
        expect((await pulling(['not an id'])).exitCode).toBe(64);
        expect(existsSync(join(cwd, 'out'))).toBe(false);
      });
    });

    describe('what squadc migrate says', () => {
      it('prints nothing but JSON to standard output with --json', async () => {
        put(cwd, 'in.jsonl', lines(workflow('One'), workflow('Two', 'open')));
        const { out, err } = await migrate(['in.jsonl', '-o', 'out', '--no-report', '--json'], {
          cwd,
        });
        expect(JSON.parse(out)).toEqual(
          JSON.parse(JSON.stringify({ ...JSON.parse(out), workflows: rowsOf(join(cwd, 'out')) })),
        );
        expect(err).not.toContain('next:');
      });

      describe('at the end', () => {
        const end = async (...args: string[]) => {
          const { err } = await migrate(['in', ...args], { cwd });
          return err.split('\n').slice(0, -1);
        };

        it('is the summary to look at, and what to do next', async () => {
          put(cwd, 'in/One.json', lines(workflow('One')));
          expect(await end('-o', 'out')).toEqual([
            '1 complete',
            '1 workflow in out, the summary in out/summary.html',
          ]);
          expect(await end('-o', "it's out", '--no-report')).toEqual([
            '1 complete',
            "1 workflow in it's out, the summary in it's out/summary.md",
            "next: squadc report 'it'\\''s out'",
          ]);
          put(cwd, 'in/Two.json', lines(workflow('Two', 'open')));
          expect(await end('-o', 'out')).toEqual([
            '1 complete',
            '1 with open questions',
            '1 question: 1 undefined-variable',
            '2 workflows in out, the summary in out/summary.html',
            'next: squadc answer out',
          ]);
          expect(await end('-o', 'out', '--dry-run')).toContain('nothing was written');
        });

        it('is where errors stand', async () => {
          put(cwd, 'in/One.json', lines(workflow('One', 'broken')));
          expect(await end('-o', 'out')).toEqual([
            '1 invalid',
            '1 workflow in out, the summary in out/summary.html',
            'errors: in out/summary.sarif, and on the pages that the summary leads to',
          ]);
          expect(await end('-o', 'out', '--no-report')).toContain('errors: in out/summary.sarif');
        });
      });

      it('makes names from anybody printable', async () => {
        put(cwd, 'in/\u001b[31mred\u202e.json', '{');
        const { err } = await migrate(['in', 'no\u001bne', '-o', 'out'], { cwd });
        for (const sign of ['\u001b', '\u202e']) expect(err).not.toContain(sign);
        expect(err).toContain('no\\u001bne');
      });

      it('names few of many lines, unless it is asked for all', async () => {
        const many = (name: string) => {
          return Array.from({ length: 30 }, (_, at) => workflow(`${name}${at}`));
        };
        put(cwd, 'in.jsonl', lines(...many('a')));
        const run = (...more: string[]) => {
          return migrate(['in.jsonl', '-o', 'out', '--no-report', ...more], { cwd });
        };
        await run();
        put(cwd, 'in.jsonl', lines(...many('b')));
        const { err } = await run();
        expect(err.match(/batch\/orphan/g)).toHaveLength(20);
        expect(err).toContain('… and 10 more (--verbose shows all)');
        const { err: all } = await run('--verbose');
        expect(all.match(/batch\/orphan/g)).toHaveLength(30);
      });
    });

    describe('squadc migrate --no-report, where there are pages', () => {
      const run = (...more: string[]) => migrate(['in', '-o', 'out', ...more], { cwd });
      const pageOf = (name: string) => {
        const row = rowsOf(join(cwd, 'out')).find((each) => each.name === name);
        return `${row?.folder}/report.html`;
      };

      it('names each page that it removes as outdated, and leaves the others', async () => {
        for (const name of ['One', 'Two']) put(cwd, `in/${name}.json`, lines(workflow(name)));
        await run();
        put(cwd, 'in/Two.json', lines({ ...workflow('Two'), warns: 'of this' }));
        expect((await run()).err).not.toContain('removed');
        put(cwd, 'in/Two.json', lines(workflow('Two')));
        const { err } = await run('--no-report');
        const removed = err.split('\n').filter((line) => line.startsWith('removed because'));
        expect(removed.sort()).toEqual([
          'removed because it is outdated: summary.html',
          `removed because it is outdated: ${pageOf('Two')}`,
        ]);
        for (const path of ['summary.html', pageOf('Two')]) {
          expect([path, existsSync(join(cwd, 'out', path))]).toEqual([path, false]);
        }
        expect(existsSync(join(cwd, 'out', pageOf('One')))).toBe(true);
      });

      it('names the pages that stay though they are outdated, as somebody changed them', async () => {
        put(cwd, 'in/One.json', lines(workflow('One')));
        await run();
        for (const path of ['summary.html', pageOf('One')]) put(cwd, `out/${path}`, 'mine');
        put(cwd, 'in/One.json', lines({ ...workflow('One'), warnsOf: 'this' }));
        const { err } = await run('--no-report');
        const kept = err.split('\n').filter((line) => line.startsWith('outdated, but kept'));
        expect(kept.sort()).toEqual([
          `outdated, but kept because it was changed: ${pageOf('One')}`,
          'outdated, but kept because it was changed: summary.html',
        ]);
        for (const path of ['summary.html', pageOf('One')]) {
          expect(readFileSync(join(cwd, 'out', path), 'utf8')).toBe('mine');
        }
      });
    });

    it('names the flag that gives a wrong policy or option', async () => {
      put(cwd, 'a.json', lines(workflow('A')));
      const { exitCode, err } = await migrate(
        ['a.json', '-o', 'out', '--policy', 'missing-auth=x', '--dynamic', ' '],
        { cwd },
      );
      expect(exitCode).toBe(1);
      const places = [...err.matchAll(/--> (.*)/g)].map(([, place]) => place);
      expect(places).toEqual(['--policy missing-auth=x', '--dynamic " "']);
    });
  });

  describe('without writing', () => {
    let cwd = '';
    let out = '';
    beforeEach(() => {
      cwd = temporaryFolder().folder;
      out = join(cwd, 'out');
      give('Alpha');
      give('Beta');
    });

    const give = (name: string, kind?: 'open', more: object = {}) =>
      put(cwd, `in/${name}.json`, JSON.stringify({ ...workflow(name, kind), ...more }));
    const run = (...args: string[]) => migrate(['in', '-o', 'out', ...args], { cwd });
    const squadOf = (name: string) => {
      const row = rowsOf(out).find((each) => each.name === name);
      return `${row?.folder}/squad.json`;
    };

    describe.each(['--dry-run', '--diff'])('%s', (flag) => {
      it('makes no pages, where a run would', async () => {
        expect((await run(flag)).exitCode).toBe(0);
        expect(existsSync(out)).toBe(false);
        await run();
        const before = tree(out);
        give('Alpha', undefined, { globalPrompt: 'Be kind.' });
        await run(flag);
        expect(tree(out)).toEqual(before);
      });
    });

    describe('--diff', () => {
      it('names a squad that comes and one that would go, and shows one that changes', async () => {
        await run();
        const [alpha, beta] = [squadOf('Alpha'), squadOf('Beta')];
        give('Alpha', 'open');
        give('Beta', undefined, { globalPrompt: 'Be kind.' });
        give('Gamma');
        const { out: shown, err } = await run('--diff');
        expect(err).toContain(`would be removed because it is outdated: ${alpha}\n`);
        expect(err).toMatch(/^new: gamma-[0-9a-f]{8}\/squad\.json$/m);
        expect(shown.match(/^--- .*$/gm)).toEqual([`--- a/${beta}`]);
        expect(shown).toMatch(/^\+.*Be kind\./m);
      });

      it('shows nothing of a squad that comes out the same', async () => {
        await run();
        // Touched, it is looked at again.
        utimesSync(join(out, squadOf('Alpha')), 1, 1);
        const { out: shown, err } = await run('--diff');
        expect(shown).toBe('');
        expect(err).not.toContain(squadOf('Alpha'));
      });
    });
  });

  describe('reporting', () => {
    async function report(cwd: string, ...argv: string[]) {
      const io = fakeIo({ cwd });
      const exitCode = await run(['report', ...argv], io);
      return { exitCode, out: io.out(), err: io.err() };
    }

    async function putExample(out: string): Promise<string> {
      const path = resolve('golden/worked-pattern/input.json');
      await migrate([path, '-o', '.', '--no-report'], { cwd: out });
      return rowsOf(out)[0]!.key;
    }

    describe('squadc report', () => {
      it('writes the pages, and says where to look', async () => {
        const { folder } = temporaryFolder();
        const key = await putExample(folder);
        const { exitCode, out, err } = await report(folder, '.');
        expect(exitCode).toBe(0);
        expect(out).toBe('');
        expect(err).toContain('summary.html and 1 page of workflows: open it in a browser\n');
        expect(readFileSync(join(folder, key, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/);
      });

      it('writes the page of the run alone', async () => {
        const { folder } = temporaryFolder();
        await putExample(folder);
        const { exitCode, err } = await report(folder, '.', '--no-pages');
        expect(exitCode).toBe(0);
        expect(err).toBe('summary.html: open it in a browser\n');
      });

      it('leaves files of others where they are, unless it is told not to', async () => {
        const { folder } = temporaryFolder();
        const key = await putExample(folder);
        const page = join(folder, key, 'report.html');
        writeFileSync(page, 'mine');
        const { exitCode, err } = await report(folder, '.');
        expect(exitCode).toBe(74);
        expect(err).toContain(`${key}/report.html already exists`);
        expect(readFileSync(page, 'utf8')).toBe('mine');
        expect((await report(folder, '.', '--force')).exitCode).toBe(0);
        expect(readFileSync(page, 'utf8')).not.toBe('mine');
      });

      it('names what it cannot read', async () => {
        const { folder } = temporaryFolder();
        const key = await putExample(folder);
        writeFileSync(join(folder, key, 'result.json'), '{');
        const { exitCode, err } = await report(folder, '.');
        expect(exitCode).toBe(74);
        expect(err).toContain(`no page of ${key}: result.json cannot be read`);
      });

      it('refuses a folder that is not of a run', async () => {
        const { folder, put } = temporaryFolder();
        const { exitCode, err } = await report(folder, 'nowhere');
        expect(exitCode).toBe(1);
        expect(err).toBe(
          'squadc: nowhere is no folder of squadc migrate: there is no summary.json\n' +
            '  help: Give the folder that squadc migrate has as --output.\n',
        );
        put('summary.json', '[]');
        expect((await report(folder, '.')).exitCode).toBe(1);
      });
    });
  });
});

describe('assess', () => {
  describe('the table', () => {
    const folder = temporaryFolder();

    /** Runs the command over rows that nobody had to compile, each of a workflow of its own. */
    async function assess(
      given: readonly WorkflowRow[],
      argv: readonly string[] = [],
      surroundings: Surroundings = {},
    ) {
      const rows = given.map((row, index) => ({
        ...row,
        index,
        key: `k${index}`,
        folder: `k${index}`,
      }));
      folder.put('flows.jsonl', rows.map(() => '{}\n').join(''));
      const left = [...rows];
      const threads: OpenThreads = async () => ({
        run: async (items) => items.map(() => outcomeOf(left.shift()!)),
        close: async () => {},
      });
      const io = { ...fakeIo({ cwd: folder.folder, ...surroundings }), threads };
      return { io, rows, exitCode: await run(['assess', 'flows.jsonl', ...argv], io) };
    }

    function outcomeOf({ index: _, line, ...row }: WorkflowRow): Outcome {
      return { row, findings: [], ...(line !== undefined && { line }) };
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

    describe('squadc assess', () => {
      it('shows the totals, and the workflows with the most work first', async () => {
        const { io, exitCode } = await assess([
          rowWith({ name: 'Fine' }),
          work(1, 10),
          work(2, 95, {
            status: 'invalid',
            errors: 2,
            questions: {},
            assessment: { level: 'C', size: 3, minutes: 95, automatic: 0, manual: 11 },
          }),
          work(3, 10, { name: null, source: 'all.jsonl', line: 8 }),
        ]);
        expect(io.out()).toBe(
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
        expect(io.err()).toBe('');
        expect(exitCode).toBe(1);
      });

      it('shows names that could steer a terminal as what they are', async () => {
        const rows = hostileTexts.map((name, index) => work(index, 5, { name }));
        const { io } = await assess(rows);
        const lines = io.out().split('\n');
        expect(lines.length).toBe(5 + 1 + 1 + rows.length + 1);
        for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
      });

      it('lists at most 200', async () => {
        const rows = Array.from({ length: 450 }, (_, index) => work(index, 5 + (index % 3) * 5));
        const { io } = await assess(rows);
        expect(io.out()).toContain('\n… and 250 more with less work (--csv lists all)\n');
        expect(io.out().match(/^ +B2 .*$/gm)).toHaveLength(200);
      });

      it('prints the summary as JSON, or as a table', async () => {
        const json = await assess([work(0, 5)], ['--json']);
        expect(JSON.parse(json.io.out()).workflows).toEqual(json.rows);
        const csv = await assess([work(0, 5)], ['--csv']);
        expect(csv.io.out()).toBe([...renderSummaryCsv(csv.rows)].join(''));
        const both = await assess([work(0, 5)], ['--json', '--csv']);
        expect(both.exitCode).toBe(64);
        expect(both.io.err()).toContain('cannot be combined');
      });

      it('takes the options of a migration', async () => {
        const { io, exitCode } = await assess([], ['--target', 'vapi', '--answers', 'none.json']);
        expect(exitCode).toBe(1);
        expect(io.err()).toContain('none.json');
        const wrong = await assess([], ['--policy', 'missing-auth=nobody', '--accept-proposals']);
        expect(wrong.exitCode).toBe(1);
        expect(wrong.io.err()).toContain('nobody');
      });
    });
  });

  describe('the run', () => {
    const talk = (id: string) => ({ id, type: 'conversation', systemPrompt: `Talk of ${id}.` });
    const complete = { name: 'Greeting', nodes: [talk('hello')], edges: [] };
    const open = {
      name: 'Transfer',
      nodes: [talk('hello'), { id: 'out', type: 'transferCall' }],
      edges: [{ from: 'hello', to: 'out', condition: 'a person is wanted' }],
    };

    const folder = mkdtempSync(join(tmpdir(), 'squadc-assess-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(join(folder, 'flows'));
    writeFileSync(join(folder, 'flows', 'greeting.json'), JSON.stringify(complete));
    writeFileSync(join(folder, 'flows', 'broken.json'), '{"name": "Broken", "nodes": []}');
    writeFileSync(
      join(folder, 'more.jsonl'),
      `${JSON.stringify(open)}\n\n${JSON.stringify(complete)}\n`,
    );

    async function assess(argv: readonly string[], given: Surroundings = {}) {
      const io: FakeIo & Io = { ...fakeIo({ cwd: folder, ...given }), threads: here() };
      return { io, exitCode: await run(['assess', ...argv], io) };
    }

    describe('squadc assess over sources', () => {
      it('says what a migration would find, and writes nothing', async () => {
        const before = readdirSync(folder, { recursive: true });
        const { io, exitCode } = await assess(['flows', 'more.jsonl']);
        expect(exitCode).toBe(1);
        const [totals, table] = io.out().split('\n\n');
        expect(totals).toMatch(/^4 workflows\n/);
        expect(totals).toContain('A 2 automatic, B 1 answers needed, C 1 work needed');
        expect(totals).toContain('1 invalid');
        expect(totals).toContain('open questions: 1 missing-destination');
        const lines = table
          ?.trimEnd()
          .split('\n')
          .slice(1)
          .map((line) => line.trim().split(/ {2,}/));
        expect(lines?.map(([level, minutes, ...rest]) => [level, minutes, rest.at(-1)])).toEqual([
          ['C1', '20', 'Broken'],
          ['B1', '10', 'Transfer'],
          ['A1', '5', 'Greeting'],
          ['A1', '5', 'Greeting'],
        ]);
        expect(readdirSync(folder, { recursive: true })).toEqual(before);
      });

      it('takes policies, and prints a summary that is valid', async () => {
        const line = JSON.stringify({ ...open, nodes: [...open.nodes, talk('other')] });
        const { io, exitCode } = await assess(['--json', '--target', 'vapi', '-'], { stdin: line });
        const summary = JSON.parse(io.out());
        expect(validateRunSummary(summary), JSON.stringify(validateRunSummary.errors)).toBe(true);
        expect(summary.options.target).toBe('vapi');
        expect(summary.workflows).toHaveLength(1);
        expect(summary.workflows[0]).toMatchObject({ source: 'stdin', name: 'Transfer' });
        expect(exitCode).toBe(2);
      });

      it('names sources that are not there', async () => {
        const { io, exitCode } = await assess(['nowhere.json']);
        expect(io.err()).toContain('batch/missing: nowhere.json');
        expect(io.out()).toBe('');
        expect(exitCode).toBe(74);
      });

      it('shows nothing where it is stopped, and promises nothing', async () => {
        const onInterrupt = (stop: () => void) => {
          stop();
          return () => {};
        };
        const { io, exitCode } = await assess(['flows'], { onInterrupt });
        expect(io.out()).toBe('');
        expect(io.err()).toMatch(/^stopped; nothing was kept\n$/m);
        expect(exitCode).toBe(130);
      });
    });
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

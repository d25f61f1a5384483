import { describe, expect, it } from 'vitest';
import type { OpenThreads } from '../../src/batch/run.js';
import type { Outcome } from '../../src/batch/work.js';
import { run } from '../../src/cli/run.js';
import { textWidth } from '../../src/diagnostics/quote.js';
import type { WorkflowRow } from '../../src/report/model.js';
import { renderSummaryCsv } from '../../src/report/summary-csv.js';
import { hostileTexts, rowWith, stats } from '../report/rows.js';
import { fakeIo, type Surroundings } from './fake-io.js';
import { temporaryFolder } from './temporary-folder.js';

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
        'level  min  nodes  assistants  open  err  warn  workflow',
        '   C3   95      6           3     0    2     0  w2',
        '   B2   10      6           3     1    0     0  w1',
        '   B2   10      6           3     1    0     0  all.jsonl:8',
        '   A1    5      6           3     0    0     0  Fine',
        '',
      ].join('\n'),
    );
    expect(io.err()).toBe('');
    expect(exitCode).toBe(1);
  });

  it.each([80, 60])('fits %i columns, whatever the names are', async (columns) => {
    const rows = [...hostileTexts, '診療所'.repeat(30), '🏥'.repeat(60), 'long '.repeat(40)].map(
      (name, index) => work(index, 5, { name }),
    );
    const { io } = await assess(rows, [], { columns });
    const lines = io.out().split('\n');
    expect(lines.length).toBe(5 + 1 + 1 + rows.length + 1);
    for (const line of lines) {
      expect(textWidth(line)).toBeLessThanOrEqual(columns);
      expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
    }
  });

  it('cuts a name in the middle', async () => {
    const name = `Intake of the clinic in the north, second floor, after ${'x'.repeat(40)} end`;
    const { io } = await assess([work(0, 5, { name })]);
    expect(io.out()).toMatch(/ {2}Intake of the.*….*x end\n$/);
  });

  it('lists at most 200, and all with --verbose', async () => {
    const rows = Array.from({ length: 450 }, (_, index) => work(index, 5 + (index % 3) * 5));
    const { io } = await assess(rows);
    expect(io.out()).toContain('\n… and 250 more with less work (--verbose lists all)\n');
    expect(io.out().match(/^ +B2 .*$/gm)).toHaveLength(200);
    const verbose = await assess(rows, ['--verbose']);
    expect(verbose.io.out().match(/^ +B2 .*$/gm)).toHaveLength(450);
    expect(verbose.io.out()).not.toContain('more with less work');
  });

  it('widens its columns with the numbers', async () => {
    const big = work(0, 123_455, { stats: { ...stats, nodes: 1_234_567 } });
    const { io } = await assess([big, work(1, 5)]);
    const [head, first, second] = io.out().trimEnd().split('\n').slice(-3);
    expect(first?.indexOf('w0')).toBe(head?.indexOf('workflow'));
    expect(second?.indexOf('w1')).toBe(head?.indexOf('workflow'));
  });

  it('prints the summary as JSON, or as a table', async () => {
    const json = await assess([work(0, 5)], ['--json']);
    expect(JSON.parse(json.io.out()).workflows).toEqual(json.rows);
    const csv = await assess([work(0, 5)], ['--csv']);
    expect(csv.io.out()).toBe([...renderSummaryCsv(csv.rows)].join(''));
    const both = await assess([work(0, 5)], ['--json', '--csv']);
    expect(both.exitCode).toBe(64);
    expect(both.io.err()).toContain('exclude each other');
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

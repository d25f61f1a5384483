import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { type AssessFlags, type AssessRun, addAssessCommand } from '../../src/cli/assess.js';
import type { ExitCode } from '../../src/cli/exit.js';
import { textWidth } from '../../src/diagnostics/quote.js';
import type { WorkflowRow } from '../../src/report/model.js';
import { wholeRowText } from '../../src/report/model.js';
import { renderSummaryCsv } from '../../src/report/summary-csv.js';
import { totalsOf } from '../../src/report/totals.js';
import { renderSummaryJson } from '../../src/report/write-summaries.js';
import { hostileTexts, rowWith, stats } from '../report/rows.js';
import { type FakeIo, fakeIo, type Surroundings } from './fake-io.js';

interface Assessed {
  readonly io: FakeIo;
  readonly exitCode: ExitCode;
  readonly sources: readonly string[];
  readonly flags: AssessFlags;
}

/** Runs the command over rows that nobody had to compile. */
async function assess(
  rows: readonly WorkflowRow[],
  argv: readonly string[] = [],
  surroundings: Surroundings = {},
): Promise<Assessed> {
  const io = fakeIo(surroundings);
  const loadApi = () => Promise.reject(new Error('not needed'));
  const invocation = { io, loadApi, exitCode: 0 as ExitCode };
  const given: Pick<Assessed, 'sources' | 'flags'>[] = [];
  const assessRun: AssessRun = async (sources, flags, _, { name, show }) => {
    given.push({ sources, flags });
    const head = { squadc: '1.2.3', options: {} };
    const pieces =
      name === 'summary.csv'
        ? renderSummaryCsv(rows)
        : renderSummaryJson(head, totalsOf(rows), rows.map(wholeRowText));
    // Pieces may end anywhere.
    for (const piece of pieces) {
      show(piece.slice(0, 7));
      show(piece.slice(7));
    }
    return 2;
  };
  const program = new Command('squadc').exitOverride().configureOutput({ writeErr: () => {} });
  addAssessCommand(program, invocation, assessRun);
  await program.parseAsync(['assess', 'flows/', ...argv], { from: 'user' });
  const [{ sources, flags }] = given as [Assessed];
  return { io, exitCode: invocation.exitCode, sources, flags };
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
    const { io, exitCode, sources } = await assess([
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
    expect(exitCode).toBe(2);
    expect(sources).toEqual(['flows/']);
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
    const rows = [work(0, 5)];
    const json = await assess(rows, ['--json']);
    expect(JSON.parse(json.io.out()).workflows).toEqual(rows);
    const csv = await assess(rows, ['--csv']);
    expect(csv.io.out()).toBe([...renderSummaryCsv(rows)].join(''));
    await expect(assess(rows, ['--json', '--csv'])).rejects.toThrow('exclude each other');
  });

  it('takes the options of a migration', async () => {
    const { flags } = await assess(
      [],
      [
        ...['--target', 'vapi', '--answers', 'a.json', '--answers', 'b.json'],
        ...['--policy', 'missing-auth=none', '--accept-proposals'],
      ],
    );
    expect(flags).toMatchObject({
      target: 'vapi',
      answers: ['a.json', 'b.json'],
      policy: [['missing-auth', 'none']],
      acceptProposals: true,
    });
  });

  it('has something to say of nothing', async () => {
    const { io } = await assess([]);
    expect(io.out()).toMatch(/^0 workflows\n/);
    expect(io.out()).not.toContain('level');
  });
});

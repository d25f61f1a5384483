/** `squadc assess`: what a migration would leave to people, without writing anything. */
import { Option } from 'commander';
import { stateName } from '../../batch/output.js';
import type { FinishedRun } from '../../batch/run.js';
import { escapeControls } from '../../diagnostics/quote.js';
import type { WorkflowRow } from '../../report/model.js';
import { byWork } from '../../report/rows.js';
import { duration } from '../../report/words.js';
import type { CommandData } from '../command.js';
import { exitCodes, Refusal } from '../exit.js';
import type { Io } from '../io.js';
import { columnsOf, count, cutMiddle, hanging, styleFor } from '../output/terminal.js';
import { jobsOption, type RunFlags, runOptions, runOver } from '../runs/run.js';

interface AssessFlags extends RunFlags {
  readonly json?: true;
  readonly csv?: true;
}

export const assessCommand: CommandData<[string[]], AssessFlags> = {
  name: 'assess',
  summary: 'estimate the work of a migration',
  description:
    'Estimates the manual work of a migration, per workflow and in total: what is automatic, ' +
    'which questions are open, and how long they take. Nothing is written.',
  arguments: [
    [
      '<sources...>',
      'workflows: files, folders, globs, JSONL (one a line); - reads standard input',
    ],
  ],
  options: [
    ...runOptions,
    jobsOption,
    new Option('--json', 'print the summary as JSON'),
    new Option('--csv', 'print one line per workflow, for spreadsheets'),
    new Option('--verbose', 'list every workflow'),
  ],
  notes: `Levels:
  A   automatic; only review and test
  B   open questions need answers
  C   the workflow or something around it needs work
  the number after the level is the size, 1 to 5`,
  exitCodes: [
    [0, 'all workflows would be complete'],
    [1, 'one is invalid'],
    [2, 'questions are open'],
    [64, 'wrong usage'],
    [70, "a bug of squadc's own"],
    [74, 'a workflow could not be read'],
    [130, 'stopped'],
  ],
  examples: ['squadc assess workflows/'],
  async action([sources], flags, context) {
    const { json, csv, verbose } = flags;
    if (json && csv) {
      throw new Refusal('--json and --csv cannot be combined', exitCodes.wrongUsage);
    }
    const { finished, exitCode, stopped } = await runOver(
      {
        sources,
        // A folder that holds no sources, and that nothing is written to.
        output: stateName,
        parts: { dry: true, diff: false, shard: null },
        pages: () => false,
        force: false,
        hasPages: false,
        lacksSources: false,
        shows: csv ? 'summary.csv' : json ? 'summary.json' : null,
      },
      flags,
      context,
    );
    if (stopped) context.io.stderr.write('stopped; nothing was kept\n');
    if (finished !== null && !json && !csv) report(finished, verbose === true, context.io);
    return exitCode;
  },
};

/** How many workflows are listed unless all are asked for. */
const mostListed = 200;

/** Below this a name says nothing, and the lines may be wider than the terminal. */
const leastName = 10;

/** The numbers of a workflow, by the heads of their columns. */
function numbersOf({ assessment, stats, questions, errors, warnings }: WorkflowRow) {
  return {
    level: `${assessment.level}${assessment.size}`,
    min: assessment.minutes,
    nodes: stats.nodes,
    assistants: stats.assistants,
    open: Object.values(questions).reduce((sum, each) => sum + each, 0),
    err: errors,
    warn: warnings,
  };
}

/** The totals, and a line for each workflow, those with the most work first. */
function report({ totals, rows }: FinishedRun, isWhole: boolean, { stdout, env }: Io): void {
  const style = styleFor(stdout, env);
  const columns = columnsOf(stdout);
  const { workflows, byLevel, byStatus, questions, nodes, assistants, minutes } = totals;
  const broken = (['invalid', 'failed'] as const).filter((status) => byStatus[status] > 0);
  const kinds = Object.entries(questions).map(([kind, open]) => `${open} ${kind}`);
  const facts = [
    `${count(nodes, 'node')} → ${count(assistants, 'assistant')}`,
    `A ${byLevel.A} automatic, B ${byLevel.B} answers needed, C ${byLevel.C} work needed`,
    ...(broken.length > 0 ? [broken.map((each) => `${byStatus[each]} ${each}`).join(', ')] : []),
    ...(kinds.length > 0 ? [`open questions: ${kinds.join(', ')}`] : []),
    `about ${duration(minutes)} of work for a person`,
  ];
  const lines = [
    style.bold(count(workflows, 'workflow')),
    ...facts.flatMap((fact) => hanging('  ', fact, columns)),
  ];
  const sorted = Array.from(rows, (row): WorkflowRow => JSON.parse(row)).sort(byWork);
  const listed = isWhole ? sorted : sorted.slice(0, mostListed);
  const cells = listed.map((row) => Object.values(numbersOf(row)).map(String));
  const heads = listed.slice(0, 1).map((row) => Object.keys(numbersOf(row)));
  const widths = heads[0]?.map((head, at) =>
    cells.reduce((width, row) => Math.max(width, row[at]!.length), head.length),
  );
  const before = (row: readonly string[]) =>
    row.map((cell, at) => `${cell.padStart(widths?.[at] ?? 0)}  `).join('');
  for (const head of heads) lines.push('', style.dim(`${before(head)}workflow`));
  for (const [at, { name, source, line, assessment }] of listed.entries()) {
    const numbers = before(cells[at]!);
    // A workflow without a name is known by where it stands.
    const place = line === undefined ? source : `${source}:${line}`;
    const words = escapeControls(name === null || name.trim() === '' ? place : name);
    const text = cutMiddle(words, Math.max(leastName, columns - numbers.length));
    const paint = { A: (it: string) => it, B: style.yellow, C: style.red }[assessment.level];
    lines.push(`${numbers}${paint(text)}`);
  }
  const left = workflows - listed.length;
  if (left > 0) lines.push(`… and ${left} more with less work (--verbose lists all)`);
  stdout.write(lines.map((line) => `${line}\n`).join(''));
}

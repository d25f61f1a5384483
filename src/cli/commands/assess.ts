/** `squadc assess`: estimates the manual work of a migration, without writing anything. */
import { stateName } from '../../batch/output.js';
import type { FinishedRun } from '../../batch/run.js';
import { shorten } from '../../diagnostics/quote.js';
import { duration } from '../../report/assess.js';
import { hanging } from '../../report/check-text.js';
import { byWork, openIn } from '../../report/rows.js';
import { counted } from '../../text/counted.js';
import { escapeControls } from '../../text/escape.js';
import type { CommandData } from '../command.js';
import type { Io } from '../io.js';
import { columnsOf, styleFor } from '../output/terminal.js';
import { jobsOption, type RunFlags, runOptions, runOver } from '../running.js';

interface AssessFlags extends RunFlags {
  readonly json?: true;
  readonly csv?: true;
}

export const command: CommandData<[string[]], AssessFlags> = {
  description:
    'Estimates the manual work of a migration, per workflow and in total: what is automatic, ' +
    'which questions are open, and how long they take. Nothing is written.',
  arguments: { '<sources...>': 'files, folders, globs, JSONL; - is standard input' },
  hasConfig: true,
  options: {
    ...runOptions,
    'Output:': {
      '--json': 'print the summary as JSON',
      '--csv': ['print one line per workflow, for spreadsheets', (it) => it.conflicts('json')],
      ...jobsOption,
    },
  },
  notes: {
    'Levels:': {
      A: 'automatic; only review and test',
      B: 'open questions need answers',
      C: 'the workflow or something around it needs work',
      '1–5': 'the size, after the level',
    },
  },
  exits: [2, 74, 130],
  examples: ['squadc assess workflows/'],
  async action([sources], flags, context) {
    const { json, csv } = flags;
    const shows = csv ? 'summary.csv' : json ? 'summary.json' : null;
    // Nothing is written here. The name only has to be one that no source can be in.
    const input = { sources, output: stateName, dry: true, hasPages: false, shows } as const;
    return runOver(input, flags, context, (finished) => {
      if (shows === null) report(finished, context.io);
    });
  },
};

function report({ totals, rows }: FinishedRun, { stdout, env }: Io): void {
  const style = styleFor(stdout, env);
  const { workflows, byLevel, byStatus, questions, nodes, assistants, minutes } = totals;
  const broken = (['invalid', 'failed'] as const).filter((status) => byStatus[status] > 0);
  const kinds = Object.entries(questions).map(([kind, open]) => `${open} ${kind}`);
  const facts = [
    `${counted(nodes, 'node')} → ${counted(assistants, 'assistant')}`,
    `A ${byLevel.A} automatic, B ${byLevel.B} answers needed, C ${byLevel.C} work needed`,
    broken.map((each) => `${byStatus[each]} ${each}`).join(', '),
    kinds.length > 0 ? `open questions: ${kinds.join(', ')}` : '',
    `about ${duration(minutes)} of manual work`,
  ];
  const lines = facts.flatMap((fact) => (fact ? hanging('  ', fact, columnsOf(stdout)) : []));
  const sorted = [...rows].sort(byWork);
  const paints = { A: (text: string) => text, B: style.yellow, C: style.red };
  const listed = sorted.slice(0, mostListed).map((each) => {
    const { name, source, line, stats, errors, warnings } = each;
    const { level, size, minutes: own } = each.assessment;
    const work = [`${level}${size}`, own, stats.nodes, stats.assistants, openIn(each)];
    // A workflow without a name is listed by its place.
    const place = line === undefined ? source : `${source}:${line}`;
    const words = escapeControls(name === null || name.trim() === '' ? place : name);
    return `${row(...work, errors, warnings)}${paints[level](shorten(words, 100))}`;
  });
  const head = row('level', 'min', 'nodes', 'assistants', 'open', 'err', 'warn');
  const left = workflows - listed.length;
  const all = [style.bold(counted(workflows, 'workflow')), ...lines];
  if (listed.length > 0) all.push('', style.dim(`${head}workflow`), ...listed);
  if (left > 0) all.push(`… and ${left} more with less work (--csv lists all)`);
  stdout.write(all.map((line) => `${line}\n`).join(''));
}

const mostListed = 200;

function row(...cells: readonly (string | number)[]): string {
  const widths = [5, 5, 5, 10, 4, 3, 4];
  return cells.map((cell, at) => `${String(cell).padStart(widths[at]!)}  `).join('');
}

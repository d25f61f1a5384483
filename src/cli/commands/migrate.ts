/** `squadc migrate`: compiles many workflows into a folder. Safe to stop and to repeat. */
import { parseShard } from '../../batch/key.js';
import type { FinishedRun } from '../../batch/run.js';
import type { WorkflowStatus } from '../../report/model.js';
import { counted, grouped } from '../../text/counted.js';
import type { CommandData } from '../command.js';
import { costOfPlans } from '../compiling.js';
import type { Io } from '../io.js';
import { parser } from '../options.js';
import { printable, styleFor } from '../output/terminal.js';
import {
  jobsOption,
  type RunFlags,
  type RunInput,
  runOptions,
  runOver,
  sayMany,
} from '../running.js';

interface MigrateFlags extends RunFlags {
  readonly output: string;
  readonly diff?: true;
  readonly force?: true;
  readonly shard?: RunInput['shard'];
  /** False with --no-report. */
  readonly report: boolean;
  readonly json?: true;
}

export const command: CommandData<[string[]], MigrateFlags> = {
  description:
    'Compiles many workflows into a folder. Skips what has not changed, and continues a run that ' +
    'was stopped or killed. A workflow that fails does not affect the others. Without --answers, ' +
    'uses answers.json of the folder.',
  arguments: { '<sources...>': 'files, folders, globs, JSONL; - is standard input' },
  hasConfig: true,
  options: {
    ...runOptions,
    'Output:': {
      '-o, --output <folder>': [
        'output folder; created if it does not exist',
        (it) => it.makeOptionMandatory(),
      ],
      '--diff': 'write nothing; show how the squads would change',
      '--force': 'overwrite files that squadc did not write',
      '--no-report': 'write no pages (default: up to 1,000 workflows)',
      '--json': 'print summary.json to standard output',
      '--verbose': 'list everything instead of a few examples',
      ...jobsOption,
      '--shard <i/n>': [
        'only part i of n; squadc report joins them',
        (it) => it.argParser(parser('i/n, with i from 1 to n', parseShard)),
      ],
    },
  },
  notes: {
    'Written:':
      'for each workflow result.json, squad.json, questions.md and report.html; for all ' +
      'summary.json, .csv, .md, .sarif and .html',
  },
  exits: [2, 74, 130],
  examples: [
    'squadc migrate workflows/ -o out',
    "squadc migrate 'exports/**/*.jsonl' -o out --target squad --jobs 8",
  ],
  action([sources], flags, context) {
    const { output, diff = false, force = false, shard = null, report: hasPages, json } = flags;
    const shows = json ? 'summary.json' : null;
    const input = { sources, output, dry: diff, diff, shard, hasPages, force, shows } as const;
    return runOver(input, flags, context, (finished, pages) => {
      reportRun(finished, pages, flags, context.io);
    });
  },
};

const words = {
  complete: ['complete', 'green'],
  'needs-answers': ['with open questions', 'yellow'],
  invalid: ['invalid', 'red'],
  failed: ['failed', 'red'],
} as const satisfies Record<WorkflowStatus, readonly [string, string]>;

function reportRun(run: FinishedRun, pages: boolean, flags: MigrateFlags, io: Io): void {
  const { totals, faults } = run;
  const { byStatus, workflows } = totals;
  const verbose = flags.verbose === true;
  const style = styleFor(io.stderr, io.env);
  const reasons = run.reasons.map(({ place, code, severity, message }) => {
    return `${place}: ${code}: ${severity === 'error' ? '' : 'warning: '}${message}`;
  });
  // If the summaries could not be written, only this list names all.
  sayMany(reasons, verbose || faults.length > 0, io);
  for (const { code, message } of faults) {
    io.stderr.write(`${style.red(printable(`${code}: ${message}`))}\n`);
  }
  const lines: string[] = [];
  const statuses = (Object.keys(words) as WorkflowStatus[]).filter((each) => byStatus[each] > 0);
  const width = Math.max(...statuses.map((status) => grouped(byStatus[status]).length));
  for (const status of statuses) {
    const [ended, colour] = words[status];
    lines.push(style[colour](`${grouped(byStatus[status]).padStart(width)} ${ended}`));
  }
  const kinds = Object.entries(totals.questions).sort(([, a], [, b]) => b - a);
  const open = kinds.reduce((sum, [, times]) => sum + times, 0);
  const each = kinds.map(([kind, times]) => `${grouped(times)} ${kind}`).join(', ');
  if (open > 0) lines.push(`${counted(open, 'question')}: ${each}`);
  const plans = run.rows.reduce((sum, { stats }) => sum + (stats.plans ?? 0), 0);
  if (plans > 0) lines.push(costOfPlans(plans, flags.pass));
  const out = printable(flags.output);
  const next = (command: string) => `next: ${style.bold(`squadc ${command} ${shellWord(out)}`)}`;
  if (flags.diff) lines.push('nothing was written');
  else {
    const folder = `${counted(workflows, 'workflow')} in ${out}`;
    const isPart = flags.shard !== undefined;
    const summary = flags.report === false ? 'summary.md' : 'summary.html';
    // The faults above already say what could not be written.
    const hasSummary = !isPart && faults.length === 0;
    lines.push(hasSummary ? `${folder}, the summary in ${out}/${summary}` : folder);
    const isBad = byStatus.invalid + byStatus.failed > 0;
    if (hasSummary && isBad) {
      const beside = pages ? ', and on the pages that the summary links to' : '';
      lines.push(`all errors: in ${out}/summary.sarif${beside}`);
    }
    if (isPart) lines.push(`${next('report')}, once all shards are done, writes the summary`);
    else if (byStatus['needs-answers'] > 0) lines.push(next('answer'));
    else if (isBad) lines.push('next: correct what is listed above, and run the command again');
    else if (!pages) lines.push(next('report'));
    else lines.push('next: squadc check, scenarios and push take each squad.json');
  }
  io.stderr.write(`${lines.join('\n')}\n`);
}

/** Quotes the text for a shell, if needed. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** What `squadc migrate` says on standard error when it has ended. */
import type { FinishedRun } from '../batch/ending/finish-run.js';
import type { Plan } from '../batch/plan.js';
import type { WorkflowStatus } from '../report/model.js';
import { grouped } from '../report/words.js';
import type { Io } from './io.js';
import { type MigrateFlags, statuses } from './migrate-flags.js';
import { count } from './summary.js';
import { printable, type Style, styleFor } from './terminal.js';

/** Lines of a kind that are shown without `--verbose`. */
const mostLines = 20;

/** The lines, or the first of them. */
export function sayMany(lines: readonly string[], verbose: boolean, { stderr }: Io): void {
  const shown = verbose ? lines : lines.slice(0, mostLines);
  for (const line of shown) stderr.write(printable(`${line}\n`));
  const left = lines.length - shown.length;
  if (left > 0) stderr.write(`… and ${grouped(left)} more (--verbose shows all)\n`);
}

/** Sources in which there is no workflow. */
export function sayFaults({ faults }: Plan, { stderr }: Io): void {
  for (const { name, code, message } of faults) {
    stderr.write(printable(`${code}: ${name}: ${message}\n`));
  }
}

export function reportStopped({ stderr }: Io): void {
  stderr.write('stopped: what is done is kept; run the same command again to go on\n');
}

export function reportRun(run: FinishedRun, flags: MigrateFlags, io: Io): void {
  const style = styleFor(io.stderr, io.env);
  sayOrphans(run, flags, io);
  // All of them: nothing else says which they are.
  sayMany(run.unnamed, true, io);
  for (const { code, message } of run.faults) {
    io.stderr.write(`${style.red(printable(`${code}: ${message}`))}\n`);
  }
  if (flags.json) return;
  const lines = [
    ...statusLines(run, style),
    ...questionLines(run),
    ...nextLines(run, flags, style),
  ];
  io.stderr.write(`${lines.join('\n')}\n`);
}

function sayOrphans({ orphans, pruned }: FinishedRun, flags: MigrateFlags, io: Io): void {
  const what = pruned
    ? 'removed, as it is gone from the sources'
    : 'batch/orphan: gone from the sources, its files stay (--prune removes them)';
  const lines = orphans.map(({ folder }) => `${what}: ${folder}`);
  sayMany(lines, flags.verbose === true, io);
}

const words: Readonly<Record<WorkflowStatus, string>> = {
  complete: 'complete',
  'needs-answers': 'with open questions',
  invalid: 'invalid',
  failed: 'failed',
};

function statusLines({ totals, failures }: FinishedRun, style: Style): string[] {
  const paint = {
    complete: style.green,
    'needs-answers': style.yellow,
    invalid: style.red,
    failed: style.red,
  };
  const amounts = statuses.map((status) => grouped(totals.byStatus[status]));
  const width = Math.max(...amounts.map(({ length }) => length));
  const why = [...failures].map(([code, times]) => `${grouped(times)} ${code}`).join(', ');
  return statuses.flatMap((status, index) => {
    if (totals.byStatus[status] === 0) return [];
    const reason = status === 'failed' && why !== '' ? ` (${why})` : '';
    return [paint[status](`${amounts[index]?.padStart(width)} ${words[status]}${reason}`)];
  });
}

function questionLines({ totals }: FinishedRun): string[] {
  const kinds = Object.entries(totals.questions).sort(([, a], [, b]) => b - a);
  const all = kinds.reduce((sum, [, times]) => sum + times, 0);
  if (all === 0) return [];
  const each = kinds.map(([kind, times]) => `${grouped(times)} ${kind}`).join(', ');
  return [`${count(all, 'question')}: ${each}`];
}

function nextLines({ totals }: FinishedRun, flags: MigrateFlags, style: Style): string[] {
  if (flags.dryRun || flags.diff) return ['nothing was written'];
  const folder = printable(/^[\w./-]+$/.test(flags.output) ? flags.output : quoted(flags.output));
  const next = totals.byStatus['needs-answers'] > 0 ? 'answer' : 'report';
  return [
    `${count(totals.workflows, 'workflow')} in ${printable(flags.output)}, the summary in ` +
      `${printable(flags.output)}/summary.md`,
    `next: ${style.bold(`squadc ${next} ${folder}`)}`,
  ];
}

/** As a shell takes it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

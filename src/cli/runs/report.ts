/** What `squadc migrate` says on standard error when it has ended. */
import type { FinishedRun } from '../../batch/run.js';
import type { Plan } from '../../batch/sources.js';
import type { Totals, WorkflowStatus } from '../../report/model.js';
import { grouped } from '../../report/words.js';
import type { Api } from '../command.js';
import type { Io } from '../io.js';
import { count, printable, type Style, styleFor } from '../output/terminal.js';
import { isDryRun, type MigrateFlags, statuses } from './flags.js';

/** Lines of a kind that are shown without `--verbose`. */
const mostLines = 20;

/** The lines, or the first of them. */
export function sayMany(lines: readonly string[], verbose: boolean, { stderr }: Io): void {
  const shown = verbose ? lines : lines.slice(0, mostLines);
  for (const line of shown) stderr.write(printable(`${line}\n`));
  const left = lines.length - shown.length;
  if (left > 0) stderr.write(`… and ${grouped(left)} more (--verbose shows all)\n`);
}

/** Sources in which there is no workflow, and what to do about them. */
export function sayFaults({ faults }: Plan, { explain }: Api, io: Io): void {
  for (const { name, code, message } of faults) {
    const help = explain(code)?.help;
    const todo = help === undefined ? '' : `  help: ${help}\n`;
    io.stderr.write(printable(`${code}: ${name}: ${message}\n${todo}`));
  }
}

export function reportStopped({ stderr }: Io): void {
  stderr.write('stopped: what is done is kept; run the same command again to go on\n');
}

/** Of a run, the pages that it made: of each workflow, of the run alone, or none. */
export type MadePages = 'all' | 'none' | null;

export function reportRun(run: FinishedRun, pages: MadePages, flags: MigrateFlags, io: Io): void {
  const style = styleFor(io.stderr, io.env);
  sayOrphans(run, flags, io);
  // Without the summaries, nothing else says which they are.
  sayMany(run.failed, flags.verbose === true || run.faults.length > 0, io);
  for (const { code, message } of run.faults) {
    io.stderr.write(`${style.red(printable(`${code}: ${message}`))}\n`);
  }
  if (flags.json) return;
  const lines = [
    ...statusLines(run, style),
    ...questionLines(run),
    ...emptyLines(run, flags),
    ...nextLines(run, pages, flags, style),
  ];
  io.stderr.write(`${lines.join('\n')}\n`);
}

function sayOrphans({ orphans, pruned }: FinishedRun, flags: MigrateFlags, io: Io): void {
  const what = orphanText(pruned, flags);
  const lines = orphans.map((key) => `${what}: ${key}`);
  sayMany(lines, flags.verbose === true, io);
}

/** What becomes of the files of a workflow that the sources no longer hold. */
function orphanText(pruned: boolean, flags: MigrateFlags): string {
  const stay = 'batch/orphan: gone from the sources, its files stay';
  if (!flags.prune) return `${stay} (--prune removes them)`;
  if (!pruned) return `${stay}, as not all sources could be read`;
  return `${isDryRun(flags) ? 'would be removed' : 'removed'}, as it is gone from the sources`;
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

/** A run that did nothing would look like one that went well. */
function emptyLines({ totals }: FinishedRun, { only }: MigrateFlags): string[] {
  if (totals.workflows > 0 || only === undefined) return [];
  return [`no workflow of the run before ended as ${only}`];
}

function nextLines(run: FinishedRun, pages: MadePages, flags: MigrateFlags, style: Style) {
  if (isDryRun(flags)) return ['nothing was written'];
  const out = printable(flags.output);
  const { totals, faults } = run;
  const folder = `${count(totals.workflows, 'workflow')} in ${out}`;
  if (flags.shard !== undefined) {
    const summary = 'once all shards are done, makes the summary';
    return [
      folder,
      `next: ${style.bold(`squadc report ${printable(shellWord(out))}`)}, ${summary}`,
    ];
  }
  const command = nextCommand(totals, pages);
  const next = style.bold(`squadc ${command} ${printable(shellWord(flags.output))}`);
  return [
    // What could not be written is named above, and without the summaries there are no pages.
    ...(faults.length > 0 ? [folder] : summaryLines(folder, out, totals, pages)),
    ...(command === null ? [] : [`next: ${next}`]),
  ];
}

function summaryLines(folder: string, out: string, { byStatus }: Totals, pages: MadePages) {
  const summary = pages === null ? 'summary.md' : 'summary.html';
  const beside = pages === 'all' ? ', and on the pages that the summary leads to' : '';
  const hasErrors = byStatus.invalid + byStatus.failed > 0;
  return [
    `${folder}, the summary in ${out}/${summary}`,
    ...(hasErrors ? [`errors: in ${out}/summary.sarif${beside}`] : []),
  ];
}

/** Null where there is nothing to answer, and nothing more to look at. */
function nextCommand({ byStatus }: Totals, pages: MadePages): 'answer' | 'report' | null {
  if (byStatus['needs-answers'] > 0) return 'answer';
  return pages === 'all' ? null : 'report';
}

/** As a shell takes it. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

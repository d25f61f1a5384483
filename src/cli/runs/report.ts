/** What `squadc migrate` says on standard error when it has ended. */
import type { FinishedRun } from '../../batch/run.js';
import type { WorkflowStatus } from '../../report/model.js';
import { grouped } from '../../report/words.js';
import type { MigrateFlags } from '../commands/migrate.js';
import type { Io } from '../io.js';
import { count, printable, styleFor } from '../output/terminal.js';
import { sayMany } from './run.js';

/** Of a run, the pages that it made: of each workflow, of the run alone, or none. */
export type MadePages = 'all' | 'none' | null;

/** How a workflow can end, in words and in colour. */
const words = {
  complete: ['complete', 'green'],
  'needs-answers': ['with open questions', 'yellow'],
  invalid: ['invalid', 'red'],
  failed: ['failed', 'red'],
} as const satisfies Record<WorkflowStatus, readonly [string, string]>;

const statuses = Object.keys(words) as readonly WorkflowStatus[];

export function reportRun(
  run: FinishedRun,
  pages: MadePages,
  flags: MigrateFlags & { readonly dry: boolean },
  io: Io,
): void {
  const { totals, faults, failures, orphans } = run;
  const { byStatus, workflows } = totals;
  const verbose = flags.verbose === true;
  const style = styleFor(io.stderr, io.env);
  const gone = orphans.map((key) => `batch/orphan: gone from the sources, its files stay: ${key}`);
  sayMany(gone, verbose, io);
  // Without the summaries, nothing else says which they are.
  sayMany(run.failed, verbose || faults.length > 0, io);
  for (const { code, message } of faults) {
    io.stderr.write(`${style.red(printable(`${code}: ${message}`))}\n`);
  }
  if (flags.json) return;
  const lines: string[] = [];
  const width = Math.max(...statuses.map((status) => grouped(byStatus[status]).length));
  const why = [...failures].map(([code, times]) => `${grouped(times)} ${code}`).join(', ');
  for (const status of statuses.filter((each) => byStatus[each] > 0)) {
    const [ended, colour] = words[status];
    const reason = status === 'failed' && why !== '' ? ` (${why})` : '';
    lines.push(style[colour](`${grouped(byStatus[status]).padStart(width)} ${ended}${reason}`));
  }
  const kinds = Object.entries(totals.questions).sort(([, a], [, b]) => b - a);
  const open = kinds.reduce((sum, [, times]) => sum + times, 0);
  const each = kinds.map(([kind, times]) => `${grouped(times)} ${kind}`).join(', ');
  if (open > 0) lines.push(`${count(open, 'question')}: ${each}`);
  const out = printable(flags.output);
  const next = (command: string) => `next: ${style.bold(`squadc ${command} ${shellWord(out)}`)}`;
  if (flags.dry) lines.push('nothing was written');
  else {
    const folder = `${count(workflows, 'workflow')} in ${out}`;
    const isPart = flags.shard !== undefined;
    const summary = pages === null ? 'summary.md' : 'summary.html';
    // What could not be written is named above.
    const hasSummary = !isPart && faults.length === 0;
    lines.push(hasSummary ? `${folder}, the summary in ${out}/${summary}` : folder);
    if (hasSummary && byStatus.invalid + byStatus.failed > 0) {
      const beside = pages === 'all' ? ', and on the pages that the summary leads to' : '';
      lines.push(`errors: in ${out}/summary.sarif${beside}`);
    }
    if (isPart) lines.push(`${next('report')}, once all shards are done, makes the summary`);
    else if (byStatus['needs-answers'] > 0) lines.push(next('answer'));
    else if (pages !== 'all') lines.push(next('report'));
  }
  io.stderr.write(`${lines.join('\n')}\n`);
}

/** As a shell takes it. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

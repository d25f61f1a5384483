/** What `squadc migrate` does: reads the flags, runs over the sources, says how it went. */
import { parseShard } from '../batch/key.js';
import { recall, type Said } from '../batch/options.js';
import type { OpenThreads, RunHooks } from '../batch/run.js';
import { holdMore, type Plan } from '../batch/sources.js';
import type { Shard } from '../report/model.js';
import { type ExitCode, exitCodes, Refusal } from './exit.js';
import type { Invocation } from './invocation.js';
import type { Io } from './io.js';
import { exitCodeOf } from './migrate-exit.js';
import { isDryRun, type MigrateFlags } from './migrate-flags.js';
import { pullFirst } from './migrate-pull.js';
import { type MadePages, reportRun, reportStopped, sayFaults, sayMany } from './migrate-report.js';
import { printable } from './output/terminal.js';
import { openByteProgress } from './progress.js';
import { readRequest, sayFindings } from './run-request.js';
import { inThreads, runSources, type SourcesRun } from './run-sources.js';

export async function migrateCommand(
  sources: readonly string[],
  given: MigrateFlags,
  said: Said,
  invocation: Invocation,
  open: OpenThreads = inThreads,
): Promise<ExitCode> {
  const { io, loadApi } = invocation;
  const { flags, lines, begun } = recall(given, said, io.cwd);
  io.stderr.write(printable(lines.map((line) => `${line}\n`).join('')));
  const shard = flags.shard === undefined ? null : parseShard(flags.shard);
  if (shard === undefined) {
    throw new Refusal(`no shard: ${flags.shard} (i/n, i from 1 to n)`, exitCodes.wrongUsage);
  }
  const { request: common, texts } = await readRequest(flags, invocation);
  const { pulled, missed, close } = await pullFirst(flags, io);
  const [dry, diff] = [isDryRun(flags), flags.diff === true];
  const only = flags.only ?? null;
  let pages: MadePages = null;
  const run: SourcesRun = {
    request: (plan) => {
      pages = pagesOf(flags, shard, plan);
      return { ...common, dry, diff, shard, only, pages: pages === 'all' };
    },
    sources,
    output: flags.output,
    ...(pulled && { pulled }),
    dry,
    shard,
    jobs: flags.jobs,
    durable: flags.durable === true,
    force: flags.force === true,
    failFast: flags.failFast === true,
    prune: flags.prune === true && missed === 0,
    hasPages: flags.report !== false,
    begun,
  };
  const ended = await runSources(run, (plan) => hooksOf(plan, flags, open, io), io).finally(close);
  const exitCode = exitCodeOf(ended, missed > 0);
  const { finished, plan } = ended;
  await sayFaults(plan, invocation);
  if (finished === null) {
    if (ended.stopped) reportStopped(io);
    return exitCode;
  }
  if (shard === null && only === null && texts.length > 0) {
    const { findUnknownWorkflows } = await import('../batch/answers.js');
    await sayFindings(findUnknownWorkflows(texts, finished.has), loadApi, io);
  }
  reportRun(finished, pages, flags, io);
  return exitCode;
}

/** Of more workflows than these, a page for each is made only where it was asked for. */
const fewWorkflows = 1000;

/** Null: not even a page of the whole. */
function pagesOf(flags: MigrateFlags, shard: Shard | null, { sources }: Plan): MadePages {
  if (isDryRun(flags) || flags.report === false) return null;
  if (flags.report === true) return 'all';
  return shard !== null || holdMore(sources, fewWorkflows) ? 'none' : 'all';
}

/** What the run tells on its way. */
async function hooksOf(
  plan: Plan,
  flags: MigrateFlags,
  open: OpenThreads,
  io: Io,
): Promise<RunHooks & { end(): void }> {
  const total = plan.sources.reduce((sum, { bytes }) => sum + bytes, 0);
  const progress = await openByteProgress(total, 'workflows', io);
  // Said at the end: a line between two states of a bar would be overwritten.
  const notes: string[] = [];
  const stop = new AbortController();
  const ignore = io.onInterrupt(() => stop.abort());
  const shownOf = flags.dryRun && !flags.diff ? 'summary.md' : null;
  return {
    open,
    stop: stop.signal,
    progress: progress.update,
    note: (text) => notes.push(text),
    shows: flags.json ? 'summary.json' : shownOf,
    show: (text) => io.stdout.write(text),
    diff: (path, { what, patch }) => {
      if (what === 'changed') io.stdout.write(printable(patch));
      else
        notes.push(
          what === 'new' ? `new: ${path}` : `would be removed, as it is outdated: ${path}`,
        );
    },
    end: () => {
      progress.stop();
      ignore();
      sayMany(notes, flags.verbose === true, io);
    },
  };
}

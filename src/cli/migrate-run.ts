/** What `squadc migrate` does: reads the flags, runs over the sources, says how it went. */
import { resolve } from 'node:path';
import type { AnswersFinding, AnswersText } from '../batch/answers/answers-findings.js';
import type { FinishedRun } from '../batch/ending/finish-run.js';
import type { Plan } from '../batch/plan.js';
import type { OpenBlockWorkers, RunHooks } from '../batch/run.js';
import type { RunRequest } from '../batch/setup.js';
import { parseShard } from '../batch/shard/shard.js';
import { hasEndedWith } from '../batch/unchanged/find-unchanged.js';
import type { Shard } from '../report/model.js';
import { type ExitCode, exitCodes, Refusal } from './exit.js';
import type { Invocation } from './invocation.js';
import type { Io } from './io.js';
import { exitCodeOf } from './migrate-exit.js';
import { isDryRun, type MigrateFlags } from './migrate-flags.js';
import { pullFirst } from './migrate-pull.js';
import { type MadePages, reportRun, reportStopped, sayFaults, sayMany } from './migrate-report.js';
import { openByteProgress } from './progress.js';
import { type CommonRequest, readRequest, sayFindings } from './run-request.js';
import { inThreads, runSources, type SourcesRun, walkFiles } from './run-sources.js';

export async function migrateCommand(
  sources: readonly string[],
  flags: MigrateFlags,
  invocation: Invocation,
  open: OpenBlockWorkers = inThreads,
): Promise<ExitCode> {
  const { io, loadApi } = invocation;
  const shard = shardOf(flags, io);
  const out = resolve(io.cwd, flags.output);
  const { request: common, texts } = await readRequest(flags, invocation, (request) =>
    hasEndedWith(out, request),
  );
  const request = requestOf(common, flags, shard);
  const { pulled, missed, close } = await pullFirst(flags, io);
  const run: SourcesRun = {
    request,
    sources,
    output: flags.output,
    ...(pulled && { pulled }),
    jobs: flags.jobs,
    prune: flags.prune === true && missed === 0,
  };
  const hooksFor = (plan: Plan) => hooksOf(plan, flags, open, io);
  const ended = await runSources(run, hooksFor, io).finally(close);
  const exitCode = exitCodeOf(ended, missed > 0);
  const { finished, plan } = ended;
  await sayFaults(plan, invocation);
  if (finished === null) {
    if (ended.stopped) reportStopped(io);
    return exitCode;
  }
  if (shard === null && flags.only === undefined) {
    await sayFindings(await unknownWorkflows(texts, request, finished), loadApi, io);
  }
  reportRun(finished, pagesOf(flags, plan), flags, io);
  return exitCode;
}

async function unknownWorkflows(
  texts: readonly AnswersText[],
  { answers }: RunRequest,
  { has }: FinishedRun,
): Promise<AnswersFinding[]> {
  if (texts.length === 0) return [];
  const { findUnknownWorkflows } = await import('../batch/answers/run-answers.js');
  return findUnknownWorkflows(texts, answers, has);
}

function requestOf(common: CommonRequest, flags: MigrateFlags, shard: Shard | null): RunRequest {
  const diff = flags.diff === true;
  return {
    ...common,
    durable: flags.durable === true,
    force: flags.force === true,
    failFast: flags.failFast === true,
    dry: isDryRun(flags),
    diff,
    shard,
    only: flags.only ?? null,
  };
}

function shardOf({ shard }: MigrateFlags, { env }: Io): Shard | null {
  if (shard === undefined) return null;
  const parsed = parseShard(shard, env);
  if (parsed.kind === 'shard') return parsed.shard;
  throw new Refusal(parsed.message, exitCodes.wrongUsage);
}

/** Of a large run, a page for each workflow only where it was asked for; null: not even for all. */
function pagesOf(flags: MigrateFlags, { spread }: Plan): MadePages {
  if (isDryRun(flags) || flags.report === false) return null;
  return flags.report === undefined && spread ? 'none' : 'all';
}

/** What the run tells on its way. */
async function hooksOf(
  plan: Plan,
  flags: MigrateFlags,
  open: OpenBlockWorkers,
  io: Io,
): Promise<RunHooks & { end(): void }> {
  const total = plan.sources.reduce((sum, { bytes }) => sum + bytes, 0);
  const progress = await openByteProgress(total, 'workflows', io);
  // Said at the end: a line between two states of a bar would be overwritten.
  const notes: string[] = [];
  const stop = new AbortController();
  const ignore = io.onInterrupt(() => stop.abort());
  // The search for callers, which it needs, is not loaded for nothing.
  const differ = flags.diff ? await import('./migrate-diff.js') : null;
  const shownOf = flags.dryRun && !flags.diff ? 'summary.md' : null;
  const shows = flags.json ? 'summary.json' : shownOf;
  const pages = pagesOf(flags, plan);
  return {
    open,
    walkFiles,
    stop: stop.signal,
    progress: progress.update,
    note: (text) => notes.push(text),
    shows,
    show: (text) => io.stdout.write(text),
    wantsDiffs: flags.diff === true,
    diff: (diff) => differ?.showDiff(diff, flags.output, notes, io),
    ...(pages !== null && {
      report: {
        pages,
        write: async (files) => {
          const { writeReport } = await import('../report/write-report.js');
          const written = await writeReport(resolve(io.cwd, flags.output), { pages, ...files });
          notes.push(...written.unread.map(({ key, reason }) => `no page of ${key}: ${reason}`));
          return written;
        },
      },
    }),
    end: () => {
      progress.stop();
      ignore();
      sayMany(notes, flags.verbose === true, io);
    },
  };
}

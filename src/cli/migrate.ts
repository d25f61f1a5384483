/** `squadc migrate`: many workflows into a folder, safe to stop and safe to repeat. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Plan } from '../batch/plan.js';
import type { OpenBlockWorkers, RunHooks } from '../batch/run.js';
import { findUnknownWorkflows } from '../batch/run-answers.js';
import type { RunRequest } from '../batch/setup.js';
import { parseShard, type Shard } from '../batch/shard.js';
import { type ExitCode, exitCodes, Refusal } from './exit.js';
import type { Invocation } from './invocation.js';
import type { Io } from './io.js';
import { showDiff } from './migrate-diff.js';
import { exitCodeOf } from './migrate-exit.js';
import { addMigrateOptions, type MigrateFlags } from './migrate-flags.js';
import { pullFirst } from './migrate-pull.js';
import { reportRun, reportStopped, sayFaults, sayMany } from './migrate-report.js';
import { openByteProgress } from './progress.js';
import { type CommonRequest, readRequest, sayFindings } from './run-request.js';
import { inThreads, runSources, type SourcesRun } from './run-sources.js';

const help = `
Written into the folder:
  <key>/squad.json     the squad, once it is complete
  <key>/result.json    diagnostics, questions, checklist, ledger, source map
  <key>/questions.md   open questions, where there are any
  summary.*            of the run: JSON, CSV, Markdown, SARIF, HTML
  .squadc/             what is needed to go on after a stop, or to skip what has not changed

Exit codes, by the worst:
  0    all workflows are complete
  2    questions are open
  1    a workflow, an answer or an option is invalid
  74   something could not be read or written
  70   a bug of squadc's own
  64   wrong usage
  130  stopped; the same command goes on

Examples:
  squadc migrate workflows/ -o out
  squadc migrate 'exports/**/*.jsonl' -o out --answers answers.json --jobs 8`;

/** Adds the command to the program. */
export function addMigrateCommand(
  program: Command,
  invocation: Invocation,
  open: OpenBlockWorkers = inThreads,
): void {
  const command = program
    .command('migrate')
    .summary('compile many workflows into a folder')
    .description(
      'Compiles many workflows into a folder. What has not changed since the last time is skipped; ' +
        'a run that was stopped or killed goes on where it was. One workflow that fails leaves the ' +
        'others alone. Files that squadc did not write are not touched.',
    )
    .argument(
      '[sources...]',
      'workflows: files, folders, globs, JSONL (one a line); - reads standard input',
    )
    .requiredOption('-o, --output <folder>', 'where everything is written; made where it is not')
    .addHelpText('after', help)
    .action(async (sources: string[], flags: MigrateFlags) => {
      if (sources.length === 0 && flags.pull === undefined) {
        command.error('error: name what to migrate: files, folders, globs, -, or --pull');
      }
      invocation.exitCode = await migrateCommand(sources, flags, invocation, open);
    });
  addMigrateOptions(command);
}

async function migrateCommand(
  sources: readonly string[],
  flags: MigrateFlags,
  invocation: Invocation,
  open: OpenBlockWorkers,
): Promise<ExitCode> {
  const { io, loadApi } = invocation;
  const shard = shardOf(flags, io);
  const { request: common, texts } = await readRequest(flags, invocation);
  const request = requestOf(common, flags, shard);
  const pulled = await pullFirst(flags, io);
  const run: SourcesRun = {
    request,
    sources,
    output: flags.output,
    ...(pulled && { pulled }),
    jobs: flags.jobs,
    prune: flags.prune === true,
  };
  const ended = await runSources(run, (plan) => hooksOf(plan, flags, open, io), io);
  const { finished, plan } = ended;
  sayFaults(plan, io);
  if (finished === null) {
    if (ended.stopped) reportStopped(io);
    return exitCodeOf(ended);
  }
  if (shard === null && flags.only === undefined) {
    sayFindings(findUnknownWorkflows(texts, request.answers, finished.has), await loadApi(), io);
  }
  reportRun(finished, flags, io);
  return exitCodeOf(ended);
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

function isDryRun({ dryRun, diff }: MigrateFlags): boolean {
  return dryRun === true || diff === true;
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
  const shownOf = flags.dryRun && !flags.diff ? 'summary.md' : null;
  const shows = flags.json ? 'summary.json' : shownOf;
  const wantsPages = !isDryRun(flags) && (flags.report ?? !plan.spread);
  return {
    open,
    stop: stop.signal,
    progress: progress.update,
    note: (text) => notes.push(text),
    shows,
    show: (text) => io.stdout.write(text),
    wantsDiffs: flags.diff === true,
    diff: (diff) => showDiff(diff, flags.output, notes, io),
    ...(wantsPages && {
      report: async (writeFile) => {
        const { writeReport } = await import('../report/write-report.js');
        const out = resolve(io.cwd, flags.output);
        const { foreign, unread } = await writeReport(out, { pages: 'all', writeFile });
        notes.push(...unread.map(({ key, reason }) => `no page of ${key}: ${reason}`));
        return foreign;
      },
    }),
    end: () => {
      progress.stop();
      ignore();
      sayMany(notes, flags.verbose === true, io);
    },
  };
}

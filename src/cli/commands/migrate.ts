/** `squadc migrate`: many workflows into a folder, safe to stop and safe to repeat. */
import { Option } from 'commander';
import { parseShard } from '../../batch/key.js';
import { recall } from '../../batch/options.js';
import type { RunHooks } from '../../batch/run.js';
import { holdMore, type Plan } from '../../batch/sources.js';
import type { Shard } from '../../report/model.js';
import type { CommandData, Context } from '../command.js';
import { type ExitCode, exitCodes, Refusal, WrongUsage } from '../exit.js';
import type { Io } from '../io.js';
import { keyOptions } from '../options/platform.js';
import { openProgress } from '../output/progress.js';
import { printable } from '../output/terminal.js';
import {
  isDryRun,
  type MigrateFlags,
  rememberedOf,
  runOptions,
  sizeOptions,
  statuses,
} from '../runs/flags.js';
import { pullFirst } from '../runs/pull.js';
import { type MadePages, reportRun, reportStopped, sayFaults, sayMany } from '../runs/report.js';
import { readRequest, sayFindings } from '../runs/request.js';
import { exitCodeOf, inThreads, runSources, type SourcesRun } from '../runs/sources.js';

export const migrateCommand: CommandData<[string[]], MigrateFlags> = {
  name: 'migrate',
  summary: 'compile many workflows into a folder',
  description:
    'Compiles many workflows into a folder. What has not changed since the last time is skipped; ' +
    'a run that was stopped or killed goes on where it was. One workflow that fails leaves the ' +
    'others alone. Files that squadc did not write are not touched. The folder remembers the ' +
    'options that decide what is made; without --answers, its answers.json is read.',
  arguments: [
    [
      '[sources...]',
      'workflows: files, folders, globs, JSONL (one a line); - reads standard input',
    ],
  ],
  options: [
    new Option(
      '-o, --output <folder>',
      'where everything is written; made where it is not',
    ).makeOptionMandatory(),
    ...runOptions,
    ...sizeOptions,
    new Option('--dry-run', 'write nothing; the summary goes to standard output'),
    new Option('--diff', 'write nothing; show how squads differ from those that are there'),
    new Option('--only <status>', 'only workflows that ended so the last time').choices(statuses),
    new Option('--fail-fast', 'begin nothing more once a workflow is invalid or failed'),
    new Option('--defaults', 'forget the options of the last run, which the folder remembers'),
    new Option('--durable', 'wait for the disk: nothing is lost where the power goes'),
    new Option('--force', 'overwrite files that squadc did not write'),
    new Option('--prune', 'remove the files of workflows that are gone from the sources'),
    new Option(
      '--shard <i/n>',
      'only the i-th of n parts, from 1 on; squadc report makes the summary of all',
    ),
    new Option('--report', 'write a page for each workflow (default: up to 1,000 workflows)'),
    new Option('--no-report', 'write no pages, summary.html among them'),
    new Option('--json', 'print summary.json to standard output'),
    new Option('--verbose', 'name all that is said to be many'),
    new Option('--pull <ids...>', 'fetch these workflows from the platform first'),
    new Option('--base-url <url>', "address of the platform's API, for --pull"),
    ...keyOptions,
  ],
  notes: `Written into the folder:
  <key>/squad.json     the squad, once it is complete
  <key>/result.json    diagnostics, questions, checklist, ledger, source map
  <key>/questions.md   open questions, where there are any
  summary.*            of the run: JSON, CSV, Markdown, SARIF, HTML
  .squadc/             what it takes to go on after a stop, and to skip what has
                       not changed`,
  exitCodes: [
    [0, 'all workflows are complete'],
    [2, 'questions are open'],
    [1, 'a workflow, an answer or an option is invalid'],
    [74, 'something could not be read or written'],
    [70, "a bug of squadc's own"],
    [64, 'wrong usage'],
    [130, 'stopped; the same command goes on'],
  ],
  examples: [
    'squadc migrate workflows/ -o out',
    "squadc migrate 'exports/**/*.jsonl' -o out --target squad --jobs 8",
    "squadc answer out && squadc migrate 'exports/**/*.jsonl' -o out",
  ],
  action([sources], flags, context, said) {
    if (sources.length === 0 && flags.pull === undefined) {
      throw new WrongUsage('name what to migrate: files, folders, globs, -, or --pull');
    }
    return migrate(sources, flags, context, said);
  },
};

async function migrate(
  sources: readonly string[],
  given: MigrateFlags,
  context: Context,
  said: ReadonlySet<string>,
): Promise<ExitCode> {
  const { io, api } = context;
  const { flags, lines, begun } = recall(given, rememberedOf(given, said), io.cwd);
  io.stderr.write(printable(lines.map((line) => `${line}\n`).join('')));
  const shard = flags.shard === undefined ? null : parseShard(flags.shard);
  if (shard === undefined) {
    throw new Refusal(`no shard: ${flags.shard} (i/n, i from 1 to n)`, exitCodes.wrongUsage);
  }
  const { request: common, texts } = await readRequest(flags, context);
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
  const ended = await runSources(run, (plan) => hooksOf(plan, flags, io), io).finally(close);
  const exitCode = exitCodeOf(ended, missed > 0);
  const { finished, plan } = ended;
  sayFaults(plan, api, io);
  if (finished === null) {
    if (ended.stopped) reportStopped(io);
    return exitCode;
  }
  if (shard === null && only === null && texts.length > 0) {
    const { findUnknownWorkflows } = await import('../../batch/answers.js');
    sayFindings(findUnknownWorkflows(texts, finished.has), api, io);
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
  io: Io,
): Promise<RunHooks & { end(): void }> {
  const total = plan.sources.reduce((sum, { bytes }) => sum + bytes, 0);
  const progress = await openProgress(total, 'workflows', io);
  // Said at the end: a line between two states of a bar would be overwritten.
  const notes: string[] = [];
  const stop = new AbortController();
  const ignore = io.onInterrupt(() => stop.abort());
  const shownOf = flags.dryRun && !flags.diff ? 'summary.md' : null;
  return {
    open: io.threads ?? inThreads,
    stop: stop.signal,
    progress: (done, bytes, bad) => progress.update(done, bad, bytes),
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

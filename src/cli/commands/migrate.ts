/** `squadc migrate`: many workflows into a folder, safe to stop and safe to repeat. */
import { Option } from 'commander';
import { parseShard } from '../../batch/key.js';
import { recall } from '../../batch/options.js';
import { holdMore, type Plan } from '../../batch/sources.js';
import type { CommandData, Context } from '../command.js';
import { type ExitCode, exitCodes, Refusal, WrongUsage } from '../exit.js';
import { printable } from '../output/terminal.js';
import { baseUrlOption, type KeyFlags, keyOptions } from '../platform/session.js';
import { pullFirst } from '../runs/pull.js';
import { type MadePages, reportRun } from '../runs/report.js';
import { jobsOption, type RunFlags, runOptions, runOver } from '../runs/run.js';

export interface MigrateFlags extends RunFlags, KeyFlags {
  readonly output: string;
  readonly dryRun?: true;
  readonly diff?: true;
  readonly defaults?: true;
  readonly force?: true;
  readonly shard?: string;
  readonly pull?: readonly string[];
  readonly baseUrl: string;
  /** True and false where it was asked for; else undefined. */
  readonly report?: boolean;
  readonly json?: true;
}

export const migrateCommand: CommandData<[string[]], MigrateFlags> = {
  name: 'migrate',
  summary: 'compile many workflows into a folder',
  description:
    'Compiles many workflows into a folder. Skips what has not changed since the last run, and ' +
    'continues a run that was stopped or killed. A workflow that fails does not affect the ' +
    'others. Files that squadc did not write are left alone. The folder remembers the options ' +
    'of the last run; without --answers, its answers.json is used.',
  arguments: [
    [
      '[sources...]',
      'workflows: files, folders, globs, JSONL (one a line); - reads standard input',
    ],
  ],
  options: [
    new Option(
      '-o, --output <folder>',
      'output folder; created if it does not exist',
    ).makeOptionMandatory(),
    ...runOptions,
    jobsOption,
    new Option('--dry-run', 'write nothing; print the summary'),
    new Option('--diff', 'write nothing; show how the squads would change'),
    new Option('--defaults', 'ignore the options that the folder remembers'),
    new Option('--force', 'overwrite files that squadc did not write'),
    new Option('--shard <i/n>', 'only part i of n; afterwards squadc report writes the summary'),
    new Option('--report', 'write a page for each workflow (default: up to 1,000 workflows)'),
    new Option('--no-report', 'write no pages, summary.html among them'),
    new Option('--json', 'print summary.json to standard output'),
    new Option('--verbose', 'list everything instead of a few examples'),
    new Option('--pull <ids...>', 'download these workflows from the platform first'),
    baseUrlOption,
    ...keyOptions,
  ],
  notes: `Written into the folder:
  <key>/squad.json     the squad, once it is complete
  <key>/result.json    diagnostics, questions, checklist, ledger, source map
  <key>/questions.md   open questions, where there are any
  summary.*            the summary: JSON, CSV, Markdown, SARIF, HTML
  squadc.js            the script of the pages
  .squadc/             state, to continue a run and to skip what has
                       not changed`,
  exitCodes: [
    [0, 'all workflows are complete'],
    [2, 'questions are open'],
    [1, 'a workflow, an answer or an option is invalid'],
    [74, 'a file could not be read or written'],
    [70, "a bug of squadc's own"],
    [64, 'wrong usage'],
    [130, 'stopped; the same command continues'],
  ],
  examples: [
    'squadc migrate workflows/ -o out',
    "squadc migrate 'exports/**/*.jsonl' -o out --target squad --jobs 8",
    "squadc answer out && squadc migrate 'exports/**/*.jsonl' -o out",
  ],
  action([sources], flags, context, said) {
    if (sources.length === 0 && flags.pull === undefined) {
      throw new WrongUsage('name the workflows to migrate: files, folders, globs, -, or --pull');
    }
    return migrate(sources, flags, context, said);
  },
};

/** Of more workflows than these, a page for each is made only where it was asked for. */
const fewWorkflows = 1000;

async function migrate(
  sources: readonly string[],
  given: MigrateFlags,
  context: Context,
  said: ReadonlySet<string>,
): Promise<ExitCode> {
  const { io } = context;
  const values = new Map<string, unknown>(Object.entries(given));
  const names = runOptions.map((option) => option.attributeName()).filter((it) => said.has(it));
  const remembered = names.map((name) => [name, values.get(name)]);
  const { flags, lines, begun } = recall(given, Object.fromEntries(remembered), io.cwd);
  io.stderr.write(printable(lines.map((line) => `${line}\n`).join('')));
  const shard = flags.shard === undefined ? null : parseShard(flags.shard);
  if (shard === undefined) {
    throw new Refusal(
      `invalid shard: ${flags.shard} (expected i/n, with i from 1 to n)`,
      exitCodes.wrongUsage,
    );
  }
  const { dryRun, diff = false, force = false, report } = flags;
  const dry = dryRun === true || diff;
  const { pulled, missed, close } = await pullFirst(flags, dry, io);
  let pages: MadePages = null;
  const shownOf = dryRun && !diff ? 'summary.md' : null;
  const { finished, exitCode, stopped } = await runOver(
    {
      sources,
      output: flags.output,
      ...(pulled && { pulled }),
      parts: { dry, diff, shard },
      pages: ({ sources: found }: Plan) => {
        const isAll = report ?? (shard === null && !holdMore(found, fewWorkflows));
        if (!dry && report !== false) pages = isAll ? 'all' : 'none';
        return pages === 'all';
      },
      force,
      hasPages: report !== false,
      lacksSources: missed > 0,
      shows: flags.json ? 'summary.json' : shownOf,
      begun,
    },
    flags,
    context,
  ).finally(close);
  if (stopped) {
    io.stderr.write('stopped: what is done is kept; run the same command again to go on\n');
  }
  if (finished !== null) reportRun(finished, pages, { ...flags, dry }, io);
  return exitCode;
}

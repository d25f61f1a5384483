/** `squadc migrate`: compiles many workflows into a folder. Safe to stop and to repeat. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { parseShard } from '../../batch/key.js';
import { recall } from '../../batch/options.js';
import { stateName } from '../../batch/output.js';
import { type FinishedRun, placeOf } from '../../batch/run.js';
import type { WorkflowStatus } from '../../report/model.js';
import { counted, grouped } from '../../text/counted.js';
import { type CommandData, type Context, namesOf } from '../command.js';
import { costOfPlans } from '../compiling.js';
import { type ExitCode, exitCodes, type Io, WrongUsage } from '../io.js';
import { printable, styleFor } from '../output/terminal.js';
import { baseUrlOf, type KeyFlags, platformOptions, sessionFor } from '../platform/session.js';
import {
  jobsOption,
  type RunFlags,
  type RunInput,
  runOptions,
  runOver,
  sayMany,
} from '../running.js';
import { pullInto } from './pull.js';

interface MigrateFlags extends RunFlags, KeyFlags {
  readonly output: string;
  readonly dryRun?: true;
  readonly diff?: true;
  readonly defaults?: true;
  readonly force?: true;
  readonly shard?: RunInput['shard'];
  readonly pull?: readonly string[];
  readonly baseUrl: string;
  /** Undefined without --report and --no-report. */
  readonly report?: boolean;
  readonly json?: true;
}

export const command: CommandData<[string[]], MigrateFlags> = {
  description:
    'Compiles many workflows into a folder. Skips what has not changed since the last run, and ' +
    'continues a run that was stopped or killed. A workflow that fails does not affect the ' +
    'others. Files that squadc did not write are left alone. The folder remembers the options ' +
    'of the last run; without --answers, its answers.json is used.',
  arguments: {
    '[sources...]': 'workflows: files, folders, globs, JSONL, or - for standard input',
  },
  options: {
    '-o, --output <folder>': [
      'output folder; created if it does not exist',
      (it) => it.makeOptionMandatory(),
    ],
    ...runOptions,
    ...jobsOption,
    '--dry-run': 'write nothing; print the summary',
    '--diff': 'write nothing; show how the squads would change',
    '--defaults': 'ignore the options that the folder remembers',
    '--force': 'overwrite files that squadc did not write',
    '--shard <i/n>': [
      'only part i of n; afterwards squadc report writes the summary',
      (it) => it.argParser(shardOf),
    ],
    '--report': 'write a page for each workflow (default: up to 1,000 workflows)',
    '--no-report': 'write no pages, not even summary.html',
    '--json': 'print summary.json to standard output',
    '--verbose': 'list everything instead of a few examples',
    '--pull <ids...>': 'download these workflows from the platform first',
    ...platformOptions,
  },
  notes: `Written into the folder:
  <key>/squad.json     the squad, once it is complete
  <key>/result.json    diagnostics, questions, checklist, ledger, source map
  <key>/questions.md   open questions, where there are any
  summary.*            the summary: JSON, CSV, Markdown, SARIF, HTML
  squadc.js            the script of the pages
  .squadc/             state, to continue a run and to skip what has
                       not changed`,
  exitCodes: {
    0: 'all workflows are complete',
    1: 'a workflow, an answer or an option is invalid',
    2: 'questions are open',
    74: 'a file could not be read or written',
    130: 'stopped; the same command continues',
  },
  examples: [
    'squadc migrate workflows/ -o out',
    "squadc migrate 'exports/**/*.jsonl' -o out --target squad --jobs 8",
    "squadc answer out && squadc migrate 'exports/**/*.jsonl' -o out",
  ],
  action([sources], flags, context) {
    if (sources.length === 0 && flags.pull === undefined) {
      throw new WrongUsage('name the workflows to migrate: files, folders, globs, -, or --pull');
    }
    return migrate(sources, flags, context);
  },
};

function shardOf(text: string): RunInput['shard'] {
  const shard = parseShard(text);
  if (shard !== undefined) return shard;
  throw new InvalidArgumentError('Expected i/n, with i from 1 to n.');
}

async function migrate(
  sources: readonly string[],
  given: MigrateFlags,
  context: Context,
): Promise<ExitCode> {
  const { io } = context;
  const names = new Set(namesOf(runOptions));
  const remembered = Object.entries(given).filter(([name]) => names.has(name));
  const { flags, lines, begun } = recall(given, Object.fromEntries(remembered), io.cwd);
  io.stderr.write(printable(lines.map((line) => `${line}\n`).join('')));
  const { output, diff = false, force = false, shard = null, report, json } = flags;
  const dry = flags.dryRun === true || diff;
  const { pulled, missed, close } = await pullFirst(flags, dry, io);
  const shows = json ? 'summary.json' : flags.dryRun && !diff ? 'summary.md' : null;
  const input: RunInput = {
    ...{ sources, output, dry, diff, shard, report, force, pulled, shows, begun },
    lacksSources: missed > 0,
  };
  const ended = await runOver(input, flags, context).finally(close);
  if (ended.exitCode === exitCodes.stopped) {
    io.stderr.write('stopped; finished work is kept, and the same command continues\n');
  }
  if (ended.finished !== null) reportRun(ended.finished, ended.pages, { ...flags, dry }, io);
  return ended.exitCode;
}

/**
 * Downloads the workflows of --pull and reports failures; files from earlier downloads stay. A dry
 * run uses a temporary folder, which `close` removes.
 */
async function pullFirst(flags: MigrateFlags, dry: boolean, io: Io) {
  const { pull: ids, output } = flags;
  if (ids === undefined) return { pulled: undefined, missed: 0, close: () => {} };
  const session = await sessionFor(baseUrlOf(flags.baseUrl), flags, io);
  const folder = dry
    ? mkdtempSync(join(tmpdir(), 'squadc-pull-'))
    : join(resolve(io.cwd, output), stateName, 'pulled');
  const close = () => dry && rmSync(folder, { recursive: true, force: true });
  try {
    return { ...(await pullInto(folder, ids, session)), close };
  } catch (error) {
    close();
    throw error;
  }
}

const words = {
  complete: ['complete', 'green'],
  'needs-answers': ['with open questions', 'yellow'],
  invalid: ['invalid', 'red'],
  failed: ['failed', 'red'],
} as const satisfies Record<WorkflowStatus, readonly [string, string]>;

const statuses = Object.keys(words) as readonly WorkflowStatus[];

function reportRun(
  run: FinishedRun,
  pages: boolean,
  flags: MigrateFlags & { readonly dry: boolean },
  io: Io,
): void {
  const { totals, faults } = run;
  const { byStatus, workflows } = totals;
  const verbose = flags.verbose === true;
  const style = styleFor(io.stderr, io.env);
  const failed = run.rows.flatMap(({ failure, ...row }) =>
    failure ? `${failure.code}: ${row.key} (${placeOf(row)}): ${failure.message}` : [],
  );
  // If the summaries could not be written, only this list names the failed workflows.
  sayMany(failed, verbose || faults.length > 0, io);
  for (const { code, message } of faults) {
    io.stderr.write(`${style.red(printable(`${code}: ${message}`))}\n`);
  }
  if (flags.json) return;
  const lines: string[] = [];
  const width = Math.max(...statuses.map((status) => grouped(byStatus[status]).length));
  for (const status of statuses.filter((each) => byStatus[each] > 0)) {
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
  if (flags.dry) lines.push('nothing was written');
  else {
    const folder = `${counted(workflows, 'workflow')} in ${out}`;
    const isPart = flags.shard !== undefined;
    const summary = flags.report === false ? 'summary.md' : 'summary.html';
    // The faults above already say what could not be written.
    const hasSummary = !isPart && faults.length === 0;
    lines.push(hasSummary ? `${folder}, the summary in ${out}/${summary}` : folder);
    if (hasSummary && byStatus.invalid + byStatus.failed > 0) {
      const beside = pages ? ', and on the pages that the summary links to' : '';
      lines.push(`errors: in ${out}/summary.sarif${beside}`);
    }
    if (isPart) lines.push(`${next('report')}, once all shards are done, writes the summary`);
    else if (byStatus['needs-answers'] > 0) lines.push(next('answer'));
    else if (!pages) lines.push(next('report'));
  }
  io.stderr.write(`${lines.join('\n')}\n`);
}

/** Quotes the text for a shell, if needed. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

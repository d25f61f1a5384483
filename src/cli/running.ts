/**
 * Runs over many workflows, for `squadc migrate` and `squadc assess`: reads the files that the
 * flags name, opens the folder and threads, shows progress, and returns the worst exit code.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { type AnswersText, findUnknownWorkflows, readRunAnswers } from '../batch/answers.js';
import { WriteFault } from '../batch/folder.js';
import { dryOutput, FolderInUse, type OpenOutput, openOutput } from '../batch/output.js';
import {
  doRun,
  type FinishedRun,
  type OpenThreads,
  openThreads,
  type RunHooks,
} from '../batch/run.js';
import { countItems, isBelow, type Plan, planSources } from '../batch/sources.js';
import type { RunRequest } from '../batch/work.js';
import { reasonOf } from '../io/files.js';
import { NotASummary } from '../report/summaries.js';
import { compileBound } from '../serve/compile-bound.js';
import { grouped } from '../text/counted.js';
import { borrowed, type Context, type OptionGroups, type Options } from './command.js';
import { inputName, readInput } from './files.js';
import { sayDiagnostics, sayFindings } from './input/places.js';
import { answersOfTeam } from './input/workflow.js';
import { type ExitCode, exitCodes, type Io, packageVersion, Refusal, stopped } from './io.js';
import {
  flagOf,
  policyOption,
  proposalsOption,
  repeated,
  type SquadFlags,
  squadOptions,
  squadOptionsOf,
  wholeNumber,
} from './options.js';
import { openProgress, printable, wrapped } from './output/terminal.js';

export interface RunFlags extends SquadFlags {
  readonly answers?: readonly string[];
  readonly acceptProposals?: true;
  readonly jobs?: number;
  readonly verbose?: true;
}

/** The options that affect the output. */
export const runOptions: OptionGroups = {
  'Answers:': {
    '--answers <file>': [
      'answers as JSON; later files win (repeatable)',
      (it) => it.argParser(repeated),
    ],
    ...policyOption,
    ...proposalsOption,
  },
  [borrowed]: squadOptions,
};

export const jobsOption: Options = {
  '--jobs <number>': [
    'number of threads (default: one per core)',
    (it) => it.argParser(wholeNumber(1, 256)),
  ],
};

/** What one command asks of a run, in addition to the shared flags. */
export interface RunInput {
  readonly sources: readonly string[];
  /** The output folder, as given. */
  readonly output: string;
  readonly dry: boolean;
  /** The summary to print. */
  readonly shows: RunHooks['shows'];
  readonly diff?: boolean;
  readonly shard?: RunRequest['shard'];
  /** Whether workflows get pages, unless there are too many. */
  readonly hasPages: boolean;
  readonly force?: boolean;
}

/** With more workflows than this, only squadc report writes a page for each. */
const fewWorkflows = 1000;

/** `report` is called unless the run was stopped or had no workflows; `pages`: each has a page. */
export async function runOver(
  input: RunInput,
  flags: RunFlags,
  context: Context,
  report: (finished: FinishedRun, pages: boolean) => void,
): Promise<ExitCode> {
  const { io } = context;
  const { dry, diff = false, shard = null, hasPages, force = false } = input;
  const out = resolve(io.cwd, input.output);
  const { texts, ...common } = await readRequest(
    flags,
    join(input.output, 'answers.json'),
    context,
  );
  let output: OpenOutput | null = null;
  try {
    output = dry ? dryOutput(out) : openOutput(out, force, shard);
    const plan = await planSources(input.sources, {
      cwd: io.cwd,
      out,
      spool: join(output.tmp, 'stdin.json'),
      stdin: io.stdin,
    });
    const inside = plan.sources.find(({ name, path }) => name !== 'stdin' && isBelow(path, out));
    if (inside) sayMany([`${input.output} also holds sources, such as ${inside.name}`], false, io);
    const hasWork = plan.sources.length > 0;
    const total = countItems(plan.sources);
    const pages = !dry && hasPages && shard === null && total <= fewWorkflows;
    const jobs = flags.jobs ?? availableParallelism();
    const request = { ...common, dry, diff, shard, pages };
    const { hooks, end } = hooksOf(total, input.shows, flags, io);
    const ended = hasWork
      ? await doRun({ request, plan, output, jobs, hasPages }, hooks).finally(end)
      : null;
    const faults = [...plan.faults, ...(ended?.sourceFaults ?? [])];
    sayFaults(faults, context);
    const isStopped = hasWork && ended === null;
    if (isStopped) io.stderr.write(`${dry ? 'stopped; nothing was written' : stopped}\n`);
    if (ended === null || (ended.totals.workflows === 0 && ended.sourceFaults.length > 0)) {
      return exitCodes[isStopped ? 'stopped' : 'failed'];
    }
    if (shard === null) sayFindings(findUnknownWorkflows(texts, ended.rows), context);
    report(ended, pages);
    return codeOf(ended, faults.length > 0);
  } catch (error) {
    throw refusalOf(error, input.output);
  } finally {
    output?.close();
  }
}

/**
 * Reads the answers: those of the flags, else those of the team, else `own` if that exists. Refuses
 * to start if they or the options have errors.
 */
async function readRequest(flags: RunFlags, own: string, context: Context) {
  const { io, config } = context;
  const team = answersOfTeam(context) ?? (existsSync(resolve(io.cwd, own)) ? own : undefined);
  const texts: AnswersText[] = [];
  for (const file of flags.answers ?? (team === undefined ? [] : [team])) {
    texts.push({ name: inputName(file), text: await readInput(file, io) });
  }
  const options = squadOptionsOf(flags, config);
  const { diagnostics: found, ...answers } = readRunAnswers(texts, flags.policy, options.target);
  // Compiles null to report errors in the options once instead of for each workflow.
  const ofOptions = compileBound(context.api.compile, null, options).diagnostics.filter(
    ({ in: part, severity }) => part === 'options' && severity === 'error',
  );
  sayDiagnostics(ofOptions, { texts: config.texts, flags }, context);
  const ofAnswers = found.map(({ diagnostic, place }) => {
    return { diagnostic, place: place ?? flagOf(diagnostic, flags) };
  });
  sayFindings(ofAnswers, context);
  const all = [...ofOptions, ...found.map(({ diagnostic }) => diagnostic)];
  if (all.some(({ severity }) => severity === 'error'))
    throw new Refusal('The run was not started.');
  const { acceptProposals = false } = flags;
  return { texts, squadc: packageVersion(), options, answers, acceptProposals };
}

/** What the run calls while it works. `end` prints the notes, after the progress bar. */
function hooksOf(total: number, shows: RunHooks['shows'], { verbose }: RunFlags, io: Io) {
  const progress = openProgress(total, 'workflows', io);
  const notes: string[] = [];
  const stop = new AbortController();
  const ignore = io.onInterrupt(() => stop.abort());
  const outdated = 'would be removed because it is outdated';
  const hooks: RunHooks = {
    open: io.threads ?? inThreads,
    stop: stop.signal,
    progress: progress.update,
    note: (text) => notes.push(text),
    shows,
    show: (text) => io.stdout.write(text),
    diff: (path, { what, patch }) => {
      if (what === 'changed') io.stdout.write(printable(patch));
      else notes.push(`${what === 'new' ? 'new' : outdated}: ${path}`);
    },
  };
  const end = () => {
    progress.stop();
    ignore();
    sayMany(notes, verbose === true, io);
  };
  return { hooks, end };
}

/** Opens threads of the built package; tests open their own. */
const inThreads: OpenThreads = (setup, jobs) => {
  const module = new URL('./migrate-worker.js', import.meta.url);
  return openThreads(module.href, setup, jobs);
};

const mostLines = 10;

/** Prints the lines; without `verbose`, only the first ones. */
export function sayMany(lines: readonly string[], verbose: boolean, { stderr }: Io): void {
  const shown = verbose ? lines : lines.slice(0, mostLines);
  for (const line of shown) stderr.write(`${wrapped(printable(line), stderr.columns)}\n`);
  const left = lines.length - shown.length;
  if (left > 0) stderr.write(`… and ${grouped(left)} more (--verbose lists all)\n`);
}

function sayFaults(faults: Plan['faults'], { api, io }: Context): void {
  for (const { name, code, message } of faults) {
    const help = api.explain(code)?.help;
    const todo = help === undefined ? '' : `  help: ${help}\n`;
    io.stderr.write(printable(`${code}: ${name}: ${message}\n${todo}`));
  }
}

/** Turns an error about the whole output folder into a refusal. Returns others unchanged. */
export function refusalOf(error: unknown, output: string): unknown {
  if (error instanceof FolderInUse) {
    return new Refusal(`${output} ${error.message}`, exitCodes.wrongUsage);
  }
  if (error instanceof NotASummary) {
    const help = '  help: Pass the output folder of squadc migrate.';
    return new Refusal(`${output} is not an output folder: ${error.message}\n${help}`);
  }
  const isSystem = error instanceof Error && 'syscall' in error;
  if (!isSystem && !(error instanceof WriteFault)) return error;
  return new Refusal(`cannot write to ${output}: ${reasonOf(error)}`, exitCodes.failed);
}

const bugs: ReadonlySet<unknown> = new Set(['batch/internal-error', 'batch/refuted']);

/** The exit code for the worst outcome. */
function codeOf({ totals, rows, faults }: FinishedRun, lacksSources: boolean): ExitCode {
  const { failed, invalid, 'needs-answers': open } = totals.byStatus;
  if (rows.some(({ failure }) => bugs.has(failure?.code))) return exitCodes.internalError;
  if (lacksSources || faults.length > 0 || failed > 0) return exitCodes.failed;
  if (invalid > 0) return exitCodes.invalid;
  return open > 0 ? exitCodes.questionsOpen : exitCodes.complete;
}

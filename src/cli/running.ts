/**
 * Runs over many workflows, for `squadc migrate` and `squadc assess`: reads the files that the
 * flags name, opens the folder and threads, shows progress, and returns the worst exit code.
 */
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { compileBound } from '../adapters/tools/compile-bound.js';
import { type AnswersText, findUnknownWorkflows, readRunAnswers } from '../batch/answers.js';
import { WriteFault } from '../batch/folder.js';
import { dryOutput, FolderInUse, type OpenOutput, openOutput } from '../batch/output.js';
import { openWorkers } from '../batch/pool.js';
import { doRun, type FinishedRun, type OpenThreads, type RunHooks } from '../batch/run.js';
import { type Plan, planSources, type SourceOptions } from '../batch/sources.js';
import { reasonOf } from '../batch/values.js';
import type { RunRequest } from '../batch/work.js';
import type { Diagnostic } from '../index.js';
import { grouped } from '../report/words.js';
import type { Context, Options } from './command.js';
import { type ExitCode, exitCodes, Refusal } from './exit.js';
import { inputName, readInput } from './files.js';
import { readOptions } from './input/workflow.js';
import { type Io, packageVersion } from './io.js';
import {
  answerOptions,
  flagOf,
  proposalsOption,
  type SquadFlags,
  squadOptions,
  wholeNumber,
} from './options.js';
import { openProgress } from './output/progress.js';
import { printable, styleFor } from './output/terminal.js';

/** The flags that affect the output, and how much runs at once. */
export interface RunFlags extends SquadFlags {
  readonly answers?: readonly string[];
  readonly acceptProposals?: true;
  readonly jobs?: number;
  readonly verbose?: true;
}

/** The options that affect the output. The folder remembers them. */
export const runOptions: Options = {
  ...answerOptions,
  '--answers <file>': [
    'answers of the run, as JSON; later files win (repeatable)',
    (it) => it.argParser((file, before: readonly string[] = []) => [...before, file]),
  ],
  ...proposalsOption,
  ...squadOptions,
};

export const jobsOption: Options = {
  '--jobs <number>': [
    'how many threads (default: one per core)',
    (it) => it.argParser(wholeNumber(1, 256)),
  ],
};

/** What one command asks of a run, in addition to the shared flags. */
export interface RunInput extends Pick<SourceOptions, 'pulled'> {
  readonly sources: readonly string[];
  /** The output folder, as given. */
  readonly output: string;
  readonly parts: Pick<RunRequest, 'dry' | 'diff' | 'shard'>;
  /** Whether each workflow gets a page; may depend on how many there are. */
  readonly pages: (plan: Plan) => boolean;
  readonly force: boolean;
  readonly hasPages: boolean;
  /** Whether some workflows could not be downloaded, so that they are not in `sources`. */
  readonly lacksSources: boolean;
  /** The summary to print. */
  readonly shows: RunHooks['shows'];
  /** Called after the folder is open for writing. */
  readonly begun?: () => void;
}

export interface EndedRun {
  /** Null if the run was stopped or had no workflows. */
  readonly finished: FinishedRun | null;
  readonly exitCode: ExitCode;
  readonly stopped: boolean;
}

export async function runOver(
  input: RunInput,
  flags: RunFlags,
  context: Context,
): Promise<EndedRun> {
  const { io } = context;
  const { parts, pulled, force, hasPages } = input;
  const { texts, ...common } = await readRequest(flags, context);
  const out = resolve(io.cwd, input.output);
  let output: OpenOutput | null = null;
  try {
    output = parts.dry ? dryOutput(out) : openOutput(out, force, parts.shard);
    if (!parts.dry) input.begun?.();
    const plan = await planSources(input.sources, {
      cwd: io.cwd,
      out,
      spool: join(output.tmp, 'stdin.json'),
      stdin: () => io.stdinPieces?.() ?? pieces(io.readStdin()),
      ...(pulled && { pulled }),
    });
    if (plan.sources.length === 0) {
      sayFaults(plan.faults, context);
      return { finished: null, exitCode: exitCodes.failed, stopped: false };
    }
    const jobs = flags.jobs ?? availableParallelism();
    const request = { ...common, ...parts, pages: input.pages(plan) };
    const { hooks, end } = await hooksOf(plan, input, flags, io);
    const ended = await doRun({ request, plan, output, jobs, hasPages }, hooks).finally(end);
    if (ended === null) {
      sayFaults(plan.faults, context);
      return { finished: null, exitCode: exitCodes.stopped, stopped: true };
    }
    const faults = [...plan.faults, ...ended.sourceFaults];
    sayFaults(faults, context);
    if (ended.sourceFaults.length > 0 && ended.totals.workflows === 0) {
      return { finished: null, exitCode: exitCodes.failed, stopped: false };
    }
    if (parts.shard === null) {
      sayFindings(findUnknownWorkflows(texts, ended.rows), context);
    }
    const exitCode = codeOf(ended, input.lacksSources || faults.length > 0);
    return { finished: ended, exitCode, stopped: false };
  } catch (error) {
    throw refusalOf(error, input.output);
  } finally {
    output?.close();
  }
}

async function* pieces(whole: Promise<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield await whole;
}

/** Reads the answers and option files. Refuses to start if they have errors. */
async function readRequest(flags: RunFlags, context: Context) {
  const texts: AnswersText[] = [];
  for (const file of flags.answers ?? []) {
    texts.push({ name: inputName(file), text: await readInput(file, context.io) });
  }
  const { options, diagnostics } = await readOptions(flags, context);
  const { diagnostics: found, ...answers } = readRunAnswers(texts, flags.policy, options.target);
  // Compiles null to report errors in the options once instead of for each workflow.
  const ofOptions = compileBound(context.api.compile, null, options).diagnostics.filter(
    ({ in: part, severity }) => part === 'options' && severity === 'error',
  );
  const others = [...diagnostics, ...ofOptions].map((diagnostic) => ({ diagnostic, place: null }));
  const findings = [...found, ...others].map(({ diagnostic, place }) => {
    return { diagnostic, place: place ?? flagOf(diagnostic, flags) };
  });
  sayFindings(findings, context);
  if (findings.some(({ diagnostic }) => diagnostic.severity === 'error')) {
    throw new Refusal('nothing was begun');
  }
  const { acceptProposals = false } = flags;
  return { texts, squadc: packageVersion(), options, answers, acceptProposals };
}

/** What the run calls while it works. `end` prints the notes, after the progress bar. */
async function hooksOf(plan: Plan, { shows }: RunInput, { verbose }: RunFlags, io: Io) {
  const total = plan.sources.reduce((sum, { bytes }) => sum + bytes, 0);
  const progress = openProgress(total, 'workflows', io);
  const notes: string[] = [];
  const stop = new AbortController();
  const ignore = io.onInterrupt(() => stop.abort());
  const outdated = 'would be removed because it is outdated';
  const hooks: RunHooks = {
    open: io.threads ?? inThreads,
    stop: stop.signal,
    progress: (done, bytes, bad) => progress.update(done, bad, bytes),
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

/** By default, V8 lets each thread's heap grow to a multiple of its live data. */
const smallHeaps = '--heap-growing-percent=40';

/** Opens threads of the built package; tests open their own. */
const inThreads: OpenThreads = (setup, jobs) => {
  const module = new URL('./migrate-worker.js', import.meta.url);
  setFlagsFromString(smallHeaps);
  return openWorkers(module.href, 'doItems', setup, jobs);
};

/** Limit without `--verbose`. */
const mostLines = 20;

/** Prints the lines; without `verbose`, only the first ones. */
export function sayMany(lines: readonly string[], verbose: boolean, { stderr }: Io): void {
  const shown = verbose ? lines : lines.slice(0, mostLines);
  for (const line of shown) stderr.write(printable(`${line}\n`));
  const left = lines.length - shown.length;
  if (left > 0) stderr.write(`… and ${grouped(left)} more (--verbose shows all)\n`);
}

/** Reports sources without a workflow, each with advice. */
function sayFaults(faults: Plan['faults'], { api, io }: Context): void {
  for (const { name, code, message } of faults) {
    const help = api.explain(code)?.help;
    const todo = help === undefined ? '' : `  help: ${help}\n`;
    io.stderr.write(printable(`${code}: ${name}: ${message}\n${todo}`));
  }
}

/** A diagnostic about answers or options; its place may be a flag. */
interface Finding {
  readonly diagnostic: Diagnostic;
  readonly place: Parameters<Context['api']['renderDiagnostic']>[1];
}

function sayFindings(findings: readonly Finding[], { api, io }: Context): void {
  const style = styleFor(io.stderr, io.env);
  for (const { diagnostic, place } of findings) {
    io.stderr.write(`${api.renderDiagnostic(diagnostic, place, style)}\n\n`);
  }
}

/** Turns an error about the whole output folder into a refusal. Returns others unchanged. */
export function refusalOf(error: unknown, output: string): unknown {
  if (error instanceof FolderInUse) {
    return new Refusal(`${output} ${error.message}`, exitCodes.wrongUsage);
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

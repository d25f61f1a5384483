/** Runs over sources: finds them, opens the folder and the threads, and closes all of it again. */
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { WriteFault } from '../../batch/folder.js';
import { openWorkers } from '../../batch/pool.js';
import {
  type Bad,
  doRun,
  type FinishedRun,
  ForeignSummary,
  type OpenThreads,
  type RunHooks,
  type StoppedRun,
} from '../../batch/run.js';
import { type Plan, planSources, type SourceOptions } from '../../batch/sources.js';
import { dryOutput, FolderInUse, type OpenOutput, openOutput } from '../../batch/state.js';
import { reasonOf } from '../../batch/system-error.js';
import type { RunRequest } from '../../batch/work.js';
import { type ExitCode, exitCodes, Refusal } from '../exit.js';
import type { Io } from '../io.js';

/** Left alone, V8 lets the heap of every thread grow to a multiple of what it holds. */
const smallHeaps = '--heap-growing-percent=40';

/** Threads of the built package; tests have their own. */
export const inThreads: OpenThreads = (setup, jobs) => {
  const module = new URL('./migrate-worker.js', import.meta.url);
  setFlagsFromString(smallHeaps);
  return openWorkers(module.href, 'doItems', setup, jobs);
};

export interface SourcesRun {
  /** What is asked for; whether each workflow gets a page may depend on how many there are. */
  readonly request: (plan: Plan) => RunRequest;
  readonly dry: boolean;
  readonly shard: RunRequest['shard'];
  readonly sources: readonly string[];
  /** The output folder, as it was given. */
  readonly output: string;
  readonly pulled?: SourceOptions['pulled'];
  readonly jobs: number | undefined;
  readonly durable: boolean;
  readonly force: boolean;
  readonly failFast: boolean;
  readonly prune: boolean;
  readonly hasPages: boolean;
  /** Called once the folder is open for writing. */
  readonly begun?: () => void;
}

export interface EndedRun {
  /** With what is wrong with sources, found before and while they were read. */
  readonly plan: Plan;
  /** Null where it was stopped before its end, or had nothing to do. */
  readonly finished: FinishedRun | null;
  readonly stopped: StoppedRun | null;
}

/** `hooksFor` is called when it is known how much there is to do. */
export async function runSources(
  run: SourcesRun,
  hooksFor: (plan: Plan) => Promise<RunHooks & { end(): void }>,
  io: Io,
): Promise<EndedRun> {
  const out = resolve(io.cwd, run.output);
  let output: OpenOutput | null = null;
  try {
    output = run.dry ? dryOutput(out) : openOutput(out, run);
    if (!run.dry) run.begun?.();
    const plan = await planOf(run, output, io);
    if (plan.sources.length === 0) return { plan, finished: null, stopped: null };
    const hooks = await hooksFor(plan);
    const jobs = run.jobs ?? availableParallelism();
    const input = { ...run, request: run.request(plan), plan, output, jobs };
    const ended = await doRun(input, hooks).finally(hooks.end);
    if (!('totals' in ended)) return { plan, finished: null, stopped: ended };
    const faults = [...plan.faults, ...ended.sourceFaults];
    const isEmpty = faults.length > plan.faults.length && ended.totals.workflows === 0;
    return { plan: { ...plan, faults }, finished: isEmpty ? null : ended, stopped: null };
  } catch (error) {
    throw refusalOf(error, run.output);
  } finally {
    output?.close();
  }
}

function planOf({ sources, pulled }: SourcesRun, { out, tmp }: OpenOutput, io: Io): Promise<Plan> {
  const stdin = () => io.stdinPieces?.() ?? pieces(io.readStdin());
  const spool = join(tmp, 'stdin.json');
  return planSources(sources, { cwd: io.cwd, out, spool, stdin, ...(pulled && { pulled }) });
}

async function* pieces(whole: Promise<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield await whole;
}

/** Faults of the output folder as a whole. */
export function refusalOf(error: unknown, output: string): unknown {
  if (error instanceof FolderInUse) {
    return new Refusal(`${output} ${error.message}`, exitCodes.wrongUsage);
  }
  if (error instanceof ForeignSummary) {
    const help = 'move it away, choose another folder, or use --force';
    return new Refusal(`${output}: ${error.message}\n(${help})`, exitCodes.wrongUsage);
  }
  const isSystem = error instanceof Error && 'syscall' in error;
  if (!isSystem && !(error instanceof WriteFault)) return error;
  return new Refusal(`cannot write to ${output}: ${reasonOf(error)}`, exitCodes.failed);
}

/** That of the worst that happened; `lacksSources`: some could not be fetched, beside those that the plan could not find. */
export function exitCodeOf({ plan, finished, stopped }: EndedRun, lacksSources = false): ExitCode {
  if (finished !== null) return worstOf(finished, lacksSources || plan.faults.length > 0);
  return stopped === null ? exitCodes.failed : exitCodeOfStop(stopped);
}

function worstOf({ totals, bad, faults }: FinishedRun, lacksSources: boolean): ExitCode {
  const worst = exitCodeOfBad(bad);
  if (worst === exitCodes.internalError) return worst;
  if (lacksSources || faults.length > 0) return exitCodes.failed;
  if (worst !== null) return worst;
  return totals.byStatus['needs-answers'] > 0 ? exitCodes.questionsOpen : exitCodes.complete;
}

function exitCodeOfStop({ bad, byUser }: StoppedRun): ExitCode {
  return (byUser ? null : exitCodeOfBad(bad)) ?? exitCodes.stopped;
}

function exitCodeOfBad({ invalid, failed, bugs }: Bad): ExitCode | null {
  if (bugs > 0) return exitCodes.internalError;
  if (failed > 0) return exitCodes.failed;
  return invalid > 0 ? exitCodes.invalid : null;
}

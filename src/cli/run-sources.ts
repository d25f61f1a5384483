/** Runs over sources: finds them, opens the folder and the threads, and closes all of it again. */
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { FinishedRun } from '../batch/ending/finish-run.js';
import { WriteFault } from '../batch/faults.js';
import type { Plan } from '../batch/plan.js';
import {
  ForeignSummary,
  type OpenBlockWorkers,
  type RunHooks,
  type RunInput,
  runAll,
  type StoppedRun,
} from '../batch/run.js';
import type { RunRequest } from '../batch/setup.js';
import { planSources, type SourceOptions } from '../batch/sources/plan-sources.js';
import {
  FolderInUse,
  openDryState,
  openState,
  type StateFolder,
} from '../batch/state/state-folder.js';
import { reasonOf } from '../batch/system-error.js';
import { countUntouched, type WalkFiles } from '../batch/unchanged/files-walk.js';
import { openWorkers } from '../batch/workers/worker-pool.js';
import { exitCodes, Refusal } from './exit.js';
import type { Io } from './io.js';
import type { CommonRequest } from './run-request.js';

/**
 * Left alone, V8 lets the heap of every thread grow to a multiple of what it holds before it collects.
 * Measured with 10,000 workflows and two threads: at most 330 MB instead of 500, for some 10 to 20 %
 * more processor time. Flags count for heaps that are made after they are set.
 */
const smallHeaps = '--heap-growing-percent=40';

/** Threads of the built package; tests have their own. */
export const inThreads: OpenBlockWorkers = (setup, jobs) => {
  const module = new URL('./migrate-worker.js', import.meta.url);
  setFlagsFromString(smallHeaps);
  return openWorkers({ module, name: 'doBlocks', workerData: setup }, jobs);
};

/** A journal of so many bytes is gone through sooner than a thread is there. */
const shortJournal = 4 * 1024 * 1024;

/** In a thread of its own, where that takes less time. */
export const walkFiles: WalkFiles = (task) => {
  if (statSync(task.journal).size < shortJournal) {
    return { untouched: Promise.resolve(countUntouched(task)), close: async () => {} };
  }
  const module = new URL('./files-worker.js', import.meta.url);
  const thread = new Worker(module, { workerData: task });
  const untouched = new Promise<number>((resolve) => {
    thread.once('message', resolve);
    // Then nothing is known of any file, and the run looks at each itself.
    thread.once('error', () => resolve(0));
  });
  return { untouched, close: async () => void (await thread.terminate()) };
};

export interface SourcesRun extends Pick<RunInput, 'request' | 'prune'> {
  readonly sources: readonly string[];
  /** The output folder, as it was given. */
  readonly output: string;
  readonly pulled?: SourceOptions['pulled'];
  readonly jobs: number | undefined;
}

export interface EndedRun {
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
  const state = stateOf(out, run);
  try {
    const plan = await planOf(run, out, io);
    try {
      if (plan.sources.length === 0) return { plan, finished: null, stopped: null };
      const hooks = await hooksFor(plan);
      const { request } = run;
      const jobs = run.jobs ?? availableParallelism();
      const prune = run.prune && plan.faults.length === 0;
      const input = { request, prune, out, plan, state, jobs };
      const ended = await runAll(input, hooks).finally(hooks.end);
      return 'totals' in ended
        ? { plan, finished: ended, stopped: null }
        : { plan, finished: null, stopped: ended };
    } finally {
      plan.close();
    }
  } catch (error) {
    throw refusalOf(error, run.output);
  } finally {
    state.close();
  }
}

function planOf(run: SourcesRun, out: string, io: Io) {
  const { request, sources, pulled } = run;
  const { maxBytes, dry: dryRun } = request;
  const stdin = () => io.stdinPieces?.() ?? pieces(io.readStdin());
  const options = { out, dryRun, maxBytes, ...(pulled && { pulled }) };
  return planSources(sources, options, { cwd: io.cwd, stdin });
}

async function* pieces(whole: Promise<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield await whole;
}

function stateOf(out: string, { request, output }: SourcesRun): StateFolder {
  try {
    return request.dry ? openDryState(out) : openState(out);
  } catch (error) {
    throw refusalOf(error, output);
  }
}

/** Faults of the output folder as a whole; anything else is no refusal. */
function refusalOf(error: unknown, output: string): unknown {
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

/** A request that writes nothing. */
export function dryRequest(common: CommonRequest): RunRequest {
  const off = { durable: false, force: false, failFast: false, diff: false } as const;
  return { ...common, ...off, dry: true, shard: null, only: null };
}

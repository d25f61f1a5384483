/** All runs of one `squadc fuzz`: cut into blocks, given to threads, counted together. */

import { forEachTask, type Workers } from '../batch/workers/worker-pool.js';
import type { Block, BlockOutcome, Counterexample, Failure, Trial } from './fuzz-runs.js';
import type { FuzzTask } from './fuzz-worker.js';
import type { Progress } from './progress.js';

export type FuzzWorkers = Workers<FuzzTask, BlockOutcome | Counterexample>;

export interface Campaign {
  readonly trial: Trial;
  readonly runs: number;
  readonly jobs: number;
  readonly stop: AbortSignal;
}

/** What came of the runs that were made. */
export interface Tally {
  readonly runs: number;
  /** The first failure of each law and how often it failed, in the order of the laws. */
  readonly failures: readonly Failure[];
  readonly milliseconds: ReadonlyMap<string, number>;
}

/** Runs that a thread makes before it reports. */
const blockSize = 10;

/** How many threads can have something to do. */
export function usefulJobs(wanted: number, runs: number): number {
  return Math.max(1, Math.min(wanted, Math.ceil(runs / blockSize)));
}

export async function makeRuns(
  { trial, runs, jobs, stop }: Campaign,
  workers: FuzzWorkers,
  progress: Progress,
): Promise<Tally> {
  const failures = new Map<string, Failure>();
  const milliseconds = new Map<string, number>();
  let made = 0;
  await forEachTask(blocksOf(trial, runs), workers, { jobs, stop }, (outcome) => {
    if (!('runs' in outcome)) return;
    made += outcome.runs;
    for (const failure of outcome.failures) failures.set(failure.law, merged(failure, failures));
    for (const [law, time] of Object.entries(outcome.milliseconds)) {
      milliseconds.set(law, (milliseconds.get(law) ?? 0) + time);
    }
    progress.update(made, timesOf(failures.values()));
  });
  const inOrder = trial.laws.flatMap((law) => failures.get(law) ?? []);
  return { runs: made, failures: inOrder, milliseconds };
}

function* blocksOf(trial: Trial, runs: number): Generator<FuzzTask> {
  for (let from = 0; from < runs; from += blockSize) {
    const block: Block = { ...trial, from, to: Math.min(from + blockSize, runs) };
    yield { kind: 'runs', block };
  }
}

/** The earlier of two failures of a law, whichever was reported first, with both counts. */
function merged(failure: Failure, failures: ReadonlyMap<string, Failure>): Failure {
  const known = failures.get(failure.law);
  if (known === undefined) return failure;
  const earlier = known.run <= failure.run ? known : failure;
  return { ...earlier, times: known.times + failure.times };
}

/** How often laws failed. */
function timesOf(failures: Iterable<Failure>): number {
  let sum = 0;
  for (const { times } of failures) sum += times;
  return sum;
}

/** Longest time in milliseconds for making a failure small, and after a stop. */
const patience = { usual: 60_000, stopped: 5000 };

/** Makes each of the failures small; after a stop with less patience, and a second one ends it. */
export async function shrinkAll(
  { trial, jobs, stop }: Campaign,
  { failures }: Tally,
  workers: FuzzWorkers,
): Promise<readonly Counterexample[]> {
  const given = stop.aborted ? patience.stopped : patience.usual;
  const tasks = failures.map(
    (failure): FuzzTask => ({ kind: 'shrink', trial, failure, patience: given }),
  );
  const found: Counterexample[] = [];
  const until = stop.aborted ? new AbortController().signal : stop;
  await forEachTask(tasks, workers, { jobs, stop: until }, (outcome) => {
    if ('law' in outcome) found.push(outcome);
  });
  return found;
}

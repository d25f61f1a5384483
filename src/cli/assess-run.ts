/** The run behind `squadc assess`: all that `squadc migrate` does, without writing anything. */
import type { OpenThreads, RunHooks } from '../batch/run.js';
import type { Plan } from '../batch/sources.js';
import { stateName } from '../batch/state.js';
import type { AssessFlags, ShownSummary } from './assess.js';
import type { ExitCode } from './exit.js';
import type { Invocation } from './invocation.js';
import type { Io } from './io.js';
import { exitCodeOf } from './migrate-exit.js';
import { sayFaults, sayMany } from './migrate-report.js';
import { openByteProgress } from './progress.js';
import { readRequest } from './run-request.js';
import { inThreads, runSources, type SourcesRun } from './run-sources.js';

export async function assessSources(
  sources: readonly string[],
  flags: AssessFlags,
  invocation: Invocation,
  shown: ShownSummary,
  open: OpenThreads = inThreads,
): Promise<ExitCode> {
  const { io } = invocation;
  const { request: common } = await readRequest(flags, invocation);
  const off = { durable: false, force: false, failFast: false, prune: false, hasPages: false };
  const run: SourcesRun = {
    request: () => ({ ...common, dry: true, diff: false, shard: null, only: null, pages: false }),
    ...off,
    dry: true,
    shard: null,
    sources,
    // A folder that holds no sources, and that nothing is written to.
    output: stateName,
    jobs: flags.jobs,
  };
  const ended = await runSources(run, (plan) => hooksOf(plan, flags, shown, open, io), io);
  await sayFaults(ended.plan, invocation);
  if (ended.stopped !== null) io.stderr.write('stopped: nothing of it is kept\n');
  return exitCodeOf(ended);
}

async function hooksOf(
  { sources }: Plan,
  { verbose }: AssessFlags,
  { name, show }: ShownSummary,
  open: OpenThreads,
  io: Io,
): Promise<RunHooks & { end(): void }> {
  const total = sources.reduce((sum, { bytes }) => sum + bytes, 0);
  const progress = await openByteProgress(total, 'workflows', io);
  const notes: string[] = [];
  const stop = new AbortController();
  const ignore = io.onInterrupt(() => stop.abort());
  return {
    open,
    stop: stop.signal,
    progress: progress.update,
    note: (text) => notes.push(text),
    shows: name,
    show,
    diff: () => {},
    end: () => {
      progress.stop();
      ignore();
      sayMany(notes, verbose === true, io);
    },
  };
}

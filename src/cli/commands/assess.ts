/** `squadc assess`: how much work a migration is, before anything is written. */
import { Option } from 'commander';
import type { RunHooks } from '../../batch/run.js';
import type { Plan } from '../../batch/sources.js';
import { stateName } from '../../batch/state.js';
import type { CommandData, Context } from '../command.js';
import { type ExitCode, exitCodes, Refusal } from '../exit.js';
import type { Io } from '../io.js';
import { openProgress } from '../output/progress.js';
import { reportAssessment } from '../runs/assessment.js';
import { type RunFlags, runOptions, sizeOptions } from '../runs/flags.js';
import { sayFaults, sayMany } from '../runs/report.js';
import { readRequest } from '../runs/request.js';
import { exitCodeOf, inThreads, runSources, type SourcesRun } from '../runs/sources.js';

interface AssessFlags extends RunFlags {
  readonly json?: true;
  readonly csv?: true;
  readonly verbose?: true;
}

export const assessCommand: CommandData<[string[]], AssessFlags> = {
  name: 'assess',
  summary: 'estimate the work of a migration',
  description:
    'Estimates what a migration leaves to a person: per workflow and together, what is ' +
    'automatic, which questions are open, and how long it takes. Nothing is written.',
  arguments: [
    [
      '<sources...>',
      'workflows: files, folders, globs, JSONL (one a line); - reads standard input',
    ],
  ],
  options: [
    ...runOptions,
    ...sizeOptions,
    new Option('--json', 'print the summary as JSON'),
    new Option('--csv', 'print a line a workflow, for spreadsheets'),
    new Option('--verbose', 'list every workflow'),
  ],
  notes: `Levels:
  A   automatic: nobody has to do anything
  B   answers to open questions are needed
  C   work is needed, in the workflow or beside it
  1 to 5 behind the level is the size, by nodes and edges`,
  exitCodes: [
    [0, 'all workflows would be complete'],
    [1, 'one is invalid'],
    [2, 'questions are open'],
    [64, 'wrong usage'],
    [70, "a bug of squadc's own"],
    [74, 'one could not be read'],
    [130, 'stopped'],
  ],
  examples: ['squadc assess workflows/'],
  action([sources], flags, context) {
    if (flags.json && flags.csv) {
      throw new Refusal('--json and --csv exclude each other', exitCodes.wrongUsage);
    }
    return assess(sources, flags, context);
  },
};

/** All that `squadc migrate` does, without writing anything. */
async function assess(
  sources: readonly string[],
  flags: AssessFlags,
  context: Context,
): Promise<ExitCode> {
  const { io, api } = context;
  const { request: common } = await readRequest(flags, context);
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
  const ended = await runSources(run, (plan) => hooksOf(plan, flags, io), io);
  const { plan, finished, stopped } = ended;
  sayFaults(plan, api, io);
  if (stopped !== null) io.stderr.write('stopped: nothing of it is kept\n');
  if (finished !== null && !flags.json && !flags.csv) {
    reportAssessment(finished, flags.verbose === true, io);
  }
  return exitCodeOf(ended);
}

async function hooksOf(
  { sources }: Plan,
  { json, csv, verbose }: AssessFlags,
  io: Io,
): Promise<RunHooks & { end(): void }> {
  const total = sources.reduce((sum, { bytes }) => sum + bytes, 0);
  const progress = await openProgress(total, 'workflows', io);
  const notes: string[] = [];
  const stop = new AbortController();
  const ignore = io.onInterrupt(() => stop.abort());
  return {
    open: io.threads ?? inThreads,
    stop: stop.signal,
    progress: (done, bytes, bad) => progress.update(done, bad, bytes),
    note: (text) => notes.push(text),
    shows: csv ? 'summary.csv' : json ? 'summary.json' : null,
    show: (text) => io.stdout.write(text),
    diff: () => {},
    end: () => {
      progress.stop();
      ignore();
      sayMany(notes, verbose === true, io);
    },
  };
}

/** `squadc fuzz`: tries the laws of the compiler on generated workflows. */
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import { openWorkers } from '../batch/workers/worker-pool.js';
import { type ExitCode, exitCodes, Refusal } from './exit.js';
import {
  type Campaign,
  type FuzzWorkers,
  makeRuns,
  shrinkAll,
  usefulJobs,
} from './fuzz-campaign.js';
import { readCounterexample, writeCounterexample } from './fuzz-file.js';
import { chooseLaws, type FuzzFlags, parseNames, wholeNumber } from './fuzz-options.js';
import { isWhole, reportFuzz } from './fuzz-report.js';
import type { LawName } from './fuzz-runs.js';
import type { Invocation } from './invocation.js';
import type { Io } from './io.js';
import { openProgress } from './progress.js';
import { printable } from './terminal.js';

const help = `
Exit codes:
  0   all laws hold
  1   a law fails, or not all runs were made
  64  wrong usage, or fast-check is not installed
  70  a bug of squadc's own

Example:
  squadc fuzz --runs 5000 --seed 7 --laws plansSound,plansMinimal`;

const maxSeed = 2 ** 31 - 1;

/** Opens the threads; tests have their own. */
export type OpenFuzzWorkers = (jobs: number) => Promise<FuzzWorkers>;

const inThreads: OpenFuzzWorkers = (jobs) =>
  openWorkers({ module: new URL('./fuzz-worker.js', import.meta.url), name: 'doFuzzTask' }, jobs);

/** Adds the command to the program. */
export function addFuzzCommand(program: Command, invocation: Invocation): void {
  program
    .command('fuzz')
    .summary('try the laws of the compiler on generated workflows')
    .description(
      'Generates workflows and tries on each the laws that squadc/testing exports. A failure is ' +
        'made small and written to a file that reproduces it. The same seed makes the same runs, ' +
        'on however many threads. Ctrl-C ends with what was done so far.',
    )
    .option('--runs <number>', 'how many workflows', wholeNumber(1, maxSeed), 1000)
    .option('--seed <number>', 'what they are made from (default: random)', wholeNumber(0, maxSeed))
    .option('--jobs <number>', 'how many threads (default: one per core)', wholeNumber(1, 256))
    .option('--size <number>', 'about how many nodes each has at most', wholeNumber(1, 1000), 9)
    .option(
      '--laws <names>',
      'only these laws, with commas between them (default: all)',
      parseNames,
    )
    .option('--out <folder>', 'where failures are written', '.')
    .addOption(
      new Option('--replay <file>', 'try only the failure in this file again').conflicts([
        ...['runs', 'seed', 'jobs', 'size', 'laws', 'out'],
      ]),
    )
    .addHelpText('after', help)
    .action(async (flags: FuzzFlags) => {
      invocation.exitCode = await fuzzCommand(flags, invocation.io);
    });
}

export async function fuzzCommand(
  flags: FuzzFlags,
  io: Io,
  open: OpenFuzzWorkers = inThreads,
): Promise<ExitCode> {
  const { laws } = await loadLaws();
  const all = Object.keys(laws) as LawName[];
  if (flags.replay !== undefined) return replay(flags.replay, all, io);
  const stop = new AbortController();
  const ignore = io.onInterrupt(() => stop.abort());
  const { runs, size, seed = randomInt(maxSeed) } = flags;
  const campaign: Campaign = {
    trial: { seed, size, laws: chooseLaws(flags.laws, all) },
    runs,
    jobs: usefulJobs(flags.jobs ?? availableParallelism(), runs),
    stop: stop.signal,
  };
  return runCampaign(campaign, flags.out, io, open).finally(ignore);
}

async function runCampaign(
  campaign: Campaign,
  folder: string,
  io: Io,
  open: OpenFuzzWorkers,
): Promise<ExitCode> {
  const start = performance.now();
  const workers = await open(campaign.jobs);
  try {
    const progress = await openProgress(campaign.runs, 'runs', io);
    const tally = await makeRuns(campaign, workers, progress).finally(progress.stop);
    const elapsed = performance.now() - start;
    const files = new Map<LawName, string>();
    for (const found of await shrinkAll(campaign, tally, workers)) {
      files.set(found.law, await writeCounterexample(found, folder, io));
    }
    reportFuzz(campaign, tally, files, elapsed, io);
    const holds = tally.failures.length === 0 && isWhole(campaign, tally);
    return holds ? exitCodes.complete : exitCodes.invalid;
  } finally {
    await workers.close();
  }
}

async function replay(path: string, laws: readonly LawName[], io: Io): Promise<ExitCode> {
  const { law, workflow, options } = await readCounterexample(path, laws, io);
  const { faultOf } = await import('./fuzz-runs.js');
  const fault = faultOf(law, workflow, options);
  io.stdout.write(printable(fault === null ? `${law} holds\n` : `${law} fails:\n${fault}\n`));
  return fault === null ? exitCodes.complete : exitCodes.invalid;
}

/** The laws need fast-check, which not everybody has who compiles. */
async function loadLaws(): Promise<typeof import('../testing.js')> {
  try {
    await import('fast-check');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Refusal(
      'fuzz needs fast-check, which is not installed\n(npm install --save-dev fast-check@4)',
      exitCodes.wrongUsage,
    );
  }
  return import('../testing.js');
}

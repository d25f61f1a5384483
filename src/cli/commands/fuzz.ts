/**
 * `squadc fuzz`: tries the laws of the compiler on generated workflows.
 *
 * Every run has a seed of its own, derived from the seed of the command and its number, so that it
 * can be made again alone. To use more than one core, start it more than once with other seeds.
 */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { Option } from 'commander';
import { escapeControls, shorten } from '../../diagnostics/quote.js';
import type { LawOptions, laws, SpecWorkflow } from '../../testing.js';
import type { CommandData, Context } from '../command.js';
import { type ExitCode, exitCodes, Refusal } from '../exit.js';
import { inputName, readInput } from '../input/read.js';
import { parseNames, wholeNumber } from '../options.js';
import { openProgress } from '../output/progress.js';
import { count, didYouMean, printable, styleFor } from '../output/terminal.js';
import { jsonText, writeOutput } from '../output/write.js';
import { packageVersion } from '../version.js';

interface Flags {
  readonly runs: number;
  readonly seed?: number;
  readonly laws?: readonly string[];
  readonly out: string;
  readonly replay?: string;
}

type LawName = keyof typeof laws;

/** What laws are tried on; with the name of one, the file of a failure. */
interface Example {
  readonly workflow: SpecWorkflow;
  readonly options: LawOptions;
}

const maxSeed = 2 ** 31 - 1;

/** About how many nodes a workflow has at most. */
const size = 9;

/** Longest time for making a failure small. */
const patienceMs = 60_000;

export const fuzzCommand: CommandData<[], Flags> = {
  name: 'fuzz',
  summary: 'try the laws of the compiler on generated workflows',
  description:
    'Generates workflows and tries the laws of squadc/testing on each. A failure is reduced ' +
    'and written to a file that reproduces it. The same seed gives the same runs. ' +
    'Ctrl-C stops and reports the runs so far.',
  options: [
    new Option('--runs <number>', 'how many workflows')
      .argParser(wholeNumber(1, maxSeed))
      .default(1000),
    new Option('--seed <number>', 'seed of the generator (default: random)').argParser(
      wholeNumber(0, maxSeed),
    ),
    new Option('--laws <names>', 'only these laws, separated by commas (default: all)').argParser(
      parseNames,
    ),
    new Option('--out <folder>', 'folder for failures').default('.'),
    new Option('--replay <file>', 'repeat the failure in this file').conflicts([
      ...['runs', 'seed', 'laws', 'out'],
    ]),
  ],
  exitCodes: [
    [0, 'all laws hold'],
    [1, 'a law failed, or the runs were stopped'],
    [64, 'wrong usage, or fast-check is not installed'],
    [70, "a bug of squadc's own"],
  ],
  examples: ['squadc fuzz --runs 5000 --seed 7 --laws plansSound,plansMinimal'],
  async action(_, flags, context) {
    const { laws } = await loadTesting();
    const names = Object.keys(laws) as LawName[];
    const faultOf: FaultOf = (law, { workflow, options }) => {
      try {
        laws[law](workflow, options);
        return null;
      } catch (error) {
        return shorten(error instanceof Error ? error.message : String(error), 4000);
      }
    };
    if (flags.replay !== undefined) return replay(flags.replay, names, faultOf, context);
    const unknown = flags.laws?.find((name) => !names.some((each) => each === name));
    if (unknown !== undefined) {
      const message = `unknown law '${unknown}'${didYouMean(unknown, names)}`;
      throw new Refusal(`${message}\nLaws: ${names.join(', ')}`, exitCodes.wrongUsage);
    }
    const chosen = names.filter((name) => flags.laws?.includes(name) ?? true);
    return fuzz(flags, chosen, faultOf, context);
  },
};

/** The laws need fast-check, which not everybody has who compiles. */
async function loadTesting(): Promise<typeof import('../../testing.js')> {
  try {
    return await import('../../testing.js');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Refusal(
      'fuzz needs fast-check, which is not installed\n(npm install --save-dev fast-check@4)',
      exitCodes.wrongUsage,
    );
  }
}

/** What a law says against an example; null where it holds. */
type FaultOf = (law: LawName, example: Example) => string | null;

/** Makes the workflow of a run and tries it; one that throws is made small. */
type Check = (run: number, attempt: (example: Example) => void) => void;

async function fuzz(
  { runs, seed = randomInt(maxSeed), out }: Flags,
  names: readonly LawName[],
  faultOf: FaultOf,
  { io }: Context,
): Promise<ExitCode> {
  const check = await checkWith(seed);
  const stop = new AbortController();
  const ignore = io.onInterrupt(() => stop.abort());
  const progress = await openProgress(runs, 'runs', io);
  const failures = new Map<LawName, { run: number; times: number; message: string }>();
  let run = 0;
  for (; run < runs && !stop.signal.aborted; run += 1) {
    check(run, (example) => {
      for (const law of names) {
        const message = faultOf(law, example);
        if (message === null) continue;
        const known = failures.get(law) ?? { run, times: 0, message };
        failures.set(law, { ...known, times: known.times + 1 });
      }
    });
    progress.update(run + 1, failures.size);
    // Ctrl-C is heard between two runs.
    await new Promise(setImmediate);
  }
  progress.stop();
  ignore();
  for (const [law, { run: first, times, message }] of failures) {
    const small = shrink(first, check, (example) => faultOf(law, example));
    const file = join(out, `squadc-fuzz-${law}-${seedOf(seed, first)}.json`);
    const text = jsonText({ squadc: packageVersion(), law, ...small });
    if (small !== null) await writeOutput(file, text, io);
    // The file has all of it.
    const lines = message.split('\n').slice(0, 6);
    io.stdout.write(
      `${law} failed ${count(times, 'time')}, first in run ${first}:\n` +
        lines.map((line) => `    ${escapeControls(shorten(line, 400))}\n`).join('') +
        `  ${small === null ? 'not reduced' : `squadc fuzz --replay ${printable(file)}`}\n\n`,
    );
  }
  const isWhole = run === runs;
  const all = isWhole ? count(runs, 'run') : `stopped after ${run} of ${count(runs, 'run')}`;
  const outcome = failures.size === 0 ? 'no law failed' : `${count(failures.size, 'law')} failed`;
  const { green, yellow, red } = styleFor(io.stdout, io.env);
  const paint = failures.size > 0 ? red : isWhole ? green : yellow;
  const summary = `${all} of ${count(names.length, 'law')}, seed ${seed}: ${outcome}`;
  io.stdout.write(`${paint(summary)}\n`);
  return failures.size === 0 && isWhole ? exitCodes.complete : exitCodes.invalid;
}

/**
 * Every fourth workflow has texts that imitate prompts; every other is compiled for the platform,
 * half of these with arguments in the place of plans.
 */
async function checkWith(seed: number): Promise<Check> {
  const { default: fc } = await import('fast-check');
  const { workflowArbitrary } = await import('../../testing.js');
  const numbersArbitrary = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });
  return (run, attempt) => {
    const workflows = workflowArbitrary({ size, hostile: run % 4 === 3 });
    const compile: LawOptions['compile'] =
      run % 2 === 0
        ? { target: 'squad' }
        : { target: 'vapi', pass: run % 8 < 4 ? 'plan' : 'arguments' };
    const property = fc.property(workflows, numbersArbitrary, (workflow, numbers) =>
      attempt({ workflow, options: { numbers, compile } }),
    );
    fc.check(property, {
      numRuns: 1,
      // The first runs of a series are biased to small values, so a third of ours are.
      unbiased: run % 3 !== 0,
      seed: seedOf(seed, run),
      interruptAfterTimeLimit: patienceMs,
    });
  };
}

/** The smallest example of a run that is found; null where the law fails only after others. */
function shrink(run: number, check: Check, faultOf: (example: Example) => string | null) {
  let small: (Example & { readonly message: string }) | null = null;
  check(run, (example) => {
    const message = faultOf(example);
    if (message === null) return;
    small = { ...example, message };
    throw new Error(message);
  });
  return small as (Example & { readonly message: string }) | null;
}

/** The seed of a run: the finishing steps of MurmurHash3, which no two runs share. */
function seedOf(seed: number, run: number): number {
  let hash = seed + Math.imul(run + 1, 0x9e3779b9);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Tries the failure in a file again. */
async function replay(
  path: string,
  names: readonly LawName[],
  faultOf: FaultOf,
  { io, api }: Context,
): Promise<ExitCode> {
  const { workflow: value } = api.readWorkflow(await readInput(path, io));
  const { law, workflow, options } = (value ?? {}) as Partial<Example> & { law?: LawName };
  if (typeof law !== 'string' || !workflow || typeof options !== 'object') {
    throw new Refusal(
      `${inputName(path)} was not written by squadc fuzz\n` +
        '  help: Pass a file that squadc fuzz wrote for a failed law.',
      exitCodes.invalid,
    );
  }
  if (!names.includes(law)) {
    throw new Refusal(`the law '${law}' no longer exists`, exitCodes.invalid);
  }
  const fault = faultOf(law, { workflow, options });
  const words = fault === null ? 'holds\n' : `fails:\n${fault}\n`;
  io.stdout.write(printable(`${law} ${words}`));
  return fault === null ? exitCodes.complete : exitCodes.invalid;
}

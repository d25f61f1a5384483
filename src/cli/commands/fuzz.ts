/**
 * `squadc fuzz`: tries the laws of the compiler on generated workflows.
 *
 * Each run has its own seed, computed from the command's seed and the run's number, so a single run
 * can be repeated. To use several cores, start the command several times with different seeds.
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

/** The input of a law. The file of a failure holds an example and the name of the law. */
interface Example {
  readonly workflow: SpecWorkflow;
  readonly options: LawOptions;
}

const maxSeed = 2 ** 31 - 1;

/** Approximate maximum number of nodes in a workflow. */
const size = 9;

/** Time limit for shrinking a failure, in milliseconds. */
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

/** Refuses if fast-check is missing: the laws need it, but compiling does not. */
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

/** Tries a law on an example: the error message, or null if the law holds. */
type FaultOf = (law: LawName, example: Example) => string | null;

/** Generates the workflow of a run and passes it to `attempt`; shrinks it if that throws. */
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
    // Lets the process notice Ctrl-C.
    await new Promise(setImmediate);
  }
  progress.stop();
  ignore();
  for (const [law, { run: first, times, message }] of failures) {
    const small = shrink(first, check, (example) => faultOf(law, example));
    const file = join(out, `squadc-fuzz-${law}-${seedOf(seed, first)}.json`);
    const text = jsonText({ squadc: packageVersion(), law, ...small });
    if (small !== null) await writeOutput(file, text, io);
    // The file has the whole message.
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
 * Every fourth workflow contains text that imitates prompts. Every second one is compiled for the
 * platform, and half of those with arguments instead of extraction plans.
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
      // fast-check biases first runs to small values, and every run here is one: a third keep it.
      unbiased: run % 3 !== 0,
      seed: seedOf(seed, run),
      interruptAfterTimeLimit: patienceMs,
    });
  };
}

/** The smallest failing example found; null if this run alone does not break the law. */
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

/** The seed of a run, mixed with the finalizer of MurmurHash3: no two runs share a seed. */
function seedOf(seed: number, run: number): number {
  let hash = seed + Math.imul(run + 1, 0x9e3779b9);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Tries the law again on the example in the file. */
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

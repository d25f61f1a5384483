/**
 * `squadc fuzz`: tries the laws of the compiler on generated workflows.
 *
 * Every run has a seed of its own, derived from the seed of the command and its number, so that it
 * can be made again alone. To use more than one core, start it more than once with other seeds.
 */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { Option } from 'commander';
import { isJsonObject, type Json } from '../../compiler/ir/json.js';
import { escapeControls, shorten } from '../../diagnostics/quote.js';
import type { LawOptions, laws, SpecWorkflow } from '../../testing.js';
import type { CommandData } from '../command.js';
import { type ExitCode, exitCodes, Refusal } from '../exit.js';
import { inputName, readInput } from '../input/read.js';
import type { Io } from '../io.js';
import { parseNames, wholeNumber } from '../options/values.js';
import { openProgress } from '../output/progress.js';
import { count, didYouMean, printable, styleFor } from '../output/terminal.js';
import { jsonText, writeOutput } from '../output/write.js';
import { packageVersion } from '../version.js';

interface Flags {
  readonly runs: number;
  readonly seed?: number;
  readonly size: number;
  readonly laws?: readonly string[];
  readonly out: string;
  readonly replay?: string;
}

type LawName = keyof typeof laws;

/** What a law is tried on; what the file of a failure holds, too. */
interface Example {
  readonly law: LawName;
  readonly workflow: SpecWorkflow;
  readonly options: LawOptions;
}

const maxSeed = 2 ** 31 - 1;

/** Longest time for making a failure small. */
const patienceMs = 60_000;

export const fuzzCommand: CommandData<[], Flags> = {
  name: 'fuzz',
  summary: 'try the laws of the compiler on generated workflows',
  description:
    'Generates workflows and tries on each the laws that squadc/testing exports. A failure is ' +
    'made small and written to a file that reproduces it. The same seed makes the same runs. ' +
    'Ctrl-C ends with what was done so far.',
  options: [
    new Option('--runs <number>', 'how many workflows')
      .argParser(wholeNumber(1, maxSeed))
      .default(1000),
    new Option('--seed <number>', 'what they are made from (default: random)').argParser(
      wholeNumber(0, maxSeed),
    ),
    new Option('--size <number>', 'about how many nodes each has at most')
      .argParser(wholeNumber(1, 1000))
      .default(9),
    new Option(
      '--laws <names>',
      'only these laws, with commas between them (default: all)',
    ).argParser(parseNames),
    new Option('--out <folder>', 'where failures are written').default('.'),
    new Option('--replay <file>', 'try only the failure in this file again').conflicts([
      ...['runs', 'seed', 'size', 'laws', 'out'],
    ]),
  ],
  exitCodes: [
    [0, 'all laws hold'],
    [1, 'a law fails, or not all runs were made'],
    [64, 'wrong usage, or fast-check is not installed'],
    [70, "a bug of squadc's own"],
  ],
  examples: ['squadc fuzz --runs 5000 --seed 7 --laws plansSound,plansMinimal'],
  async action(_, flags, { io }) {
    const testing = await loadLaws();
    const names = Object.keys(testing.laws) as LawName[];
    const faultOf = (example: Example) => faultFrom(testing.laws[example.law], example);
    if (flags.replay === undefined) return fuzz(flags, namesFrom(names, flags), faultOf, io);
    const example = await readExample(flags.replay, names, io);
    const fault = faultOf(example);
    const words = fault === null ? 'holds\n' : `fails:\n${fault}\n`;
    io.stdout.write(printable(`${example.law} ${words}`));
    return fault === null ? exitCodes.complete : exitCodes.invalid;
  },
};

/** The laws need fast-check, which not everybody has who compiles. */
async function loadLaws(): Promise<typeof import('../../testing.js')> {
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
  return import('../../testing.js');
}

/** The laws of these names, in the order in which all laws stand; all of them without names. */
function namesFrom(all: readonly LawName[], { laws: names }: Flags): readonly LawName[] {
  const unknown = names?.find((name) => !all.some((each) => each === name));
  if (unknown === undefined) return names ? all.filter((each) => names.includes(each)) : all;
  throw new Refusal(
    `unknown law '${unknown}'${didYouMean(unknown, all)}\nLaws: ${all.join(', ')}`,
    exitCodes.wrongUsage,
  );
}

/** What the law says against the workflow; null where it holds. */
function faultFrom(law: (typeof laws)[LawName], { workflow, options }: Example): string | null {
  try {
    law(workflow, options);
    return null;
  } catch (error) {
    return shorten(error instanceof Error ? error.message : String(error), 4000);
  }
}

interface Failure {
  readonly run: number;
  readonly times: number;
  readonly message: string;
}

type FaultOf = (example: Example) => string | null;

/** Makes the workflow of a run and tries it; one that throws is made small. */
type Check = (run: number, attempt: (example: Omit<Example, 'law'>) => void) => void;

async function fuzz(
  flags: Flags,
  names: readonly LawName[],
  faultOf: FaultOf,
  io: Io,
): Promise<ExitCode> {
  const { runs, size, seed = randomInt(maxSeed) } = flags;
  const check = await checkWith(seed, size);
  const stop = new AbortController();
  const ignore = io.onInterrupt(() => stop.abort());
  const progress = await openProgress(runs, 'runs', io);
  const told = (done: number, failed: number) => progress.update(done, failed);
  const { made, failures } = await makeRuns(runs, names, check, faultOf, stop.signal, told);
  progress.stop();
  ignore();
  for (const [law, failure] of failures) {
    const small = shrink(law, failure.run, check, faultOf);
    const file = join(flags.out, `squadc-fuzz-${law}-${seedOf(seed, failure.run)}.json`);
    if (small !== null)
      await writeOutput(file, jsonText({ squadc: packageVersion(), ...small }), io);
    io.stdout.write(failureText(law, failure, small === null ? null : file));
  }
  const isWhole = made === runs;
  const all = isWhole ? count(runs, 'run') : `stopped after ${made} of ${count(runs, 'run')}`;
  const outcome = failures.size === 0 ? 'no law failed' : `${count(failures.size, 'law')} failed`;
  const { green, yellow, red } = styleFor(io.stdout, io.env);
  const paint = failures.size > 0 ? red : isWhole ? green : yellow;
  const summary = `${all} of ${count(names.length, 'law')}, seed ${seed}: ${outcome}`;
  io.stdout.write(`${paint(summary)}\n`);
  return failures.size === 0 && isWhole ? exitCodes.complete : exitCodes.invalid;
}

/** Every fourth workflow has texts that imitate prompts. */
async function checkWith(seed: number, size: number): Promise<Check> {
  const { default: fc } = await import('fast-check');
  const { workflowArbitrary } = await import('../../testing.js');
  const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });
  return (run, attempt) => {
    const workflows = workflowArbitrary({ size, hostile: run % 4 === 3 });
    const property = fc.property(workflows, numbers, (workflow, choices) =>
      attempt({ workflow, options: optionsOf(run, choices) }),
    );
    // The first runs of a series are biased to small values, so a third of ours are.
    const bias = { numRuns: 1, unbiased: run % 3 !== 0 };
    fc.check(property, {
      ...bias,
      seed: seedOf(seed, run),
      interruptAfterTimeLimit: patienceMs,
    });
  };
}

async function makeRuns(
  runs: number,
  names: readonly LawName[],
  check: Check,
  faultOf: FaultOf,
  stop: AbortSignal,
  tell: (done: number, failed: number) => void,
) {
  const failures = new Map<LawName, Failure>();
  let made = 0;
  for (; made < runs && !stop.aborted; made += 1) {
    const run = made;
    check(run, (example) => {
      for (const law of names) {
        const message = faultOf({ ...example, law });
        if (message === null) continue;
        const known = failures.get(law) ?? { run, times: 0, message };
        failures.set(law, { ...known, times: known.times + 1 });
      }
    });
    tell(made + 1, failures.size);
    // Ctrl-C is heard between two runs.
    await new Promise(setImmediate);
  }
  return { made, failures };
}

/** The smallest example of a run that is found; null where the law fails only after others. */
function shrink(law: LawName, run: number, check: Check, faultOf: FaultOf) {
  let small: (Example & { readonly message: string }) | null = null;
  check(run, (each) => {
    const example = { law, ...each };
    const message = faultOf(example);
    if (message === null) return;
    small = { ...example, message };
    throw new Error(message);
  });
  return small as (Example & { readonly message: string }) | null;
}

/** A few lines of what a law says; the file has all of it. */
function failureText(law: LawName, { run, times, message }: Failure, file: string | null): string {
  const lines = message.split('\n').slice(0, 6);
  const words = lines.map((line) => `    ${escapeControls(shorten(line, 400))}\n`).join('');
  const replay = file === null ? 'not made small' : `squadc fuzz --replay ${printable(file)}`;
  const head = `${law} failed ${count(times, 'time')}, first in run ${run}:`;
  return `${head}\n${words}  ${replay}\n\n`;
}

/** Every other workflow is compiled for the platform, half of these with arguments for plans. */
function optionsOf(run: number, numbers: readonly number[]): LawOptions {
  if (run % 2 === 0) return { numbers, compile: { target: 'squad' } };
  return { numbers, compile: { target: 'vapi', pass: run % 8 < 4 ? 'plan' : 'arguments' } };
}

/** The seed of a run: the finishing steps of MurmurHash3, which no two runs share. */
function seedOf(seed: number, run: number): number {
  let hash = seed + Math.imul(run + 1, 0x9e3779b9);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Reads the file of a failure; any other is refused. */
async function readExample(path: string, names: readonly LawName[], io: Io): Promise<Example> {
  const text = await readInput(path, io);
  const example = parsed(text);
  const { law, workflow, options } = isJsonObject(example) ? example : {};
  if (typeof law !== 'string' || !isJsonObject(workflow) || !isJsonObject(options)) {
    throw new Refusal(
      `${inputName(path)} is no file of squadc fuzz\n` +
        '  help: Give one that squadc fuzz wrote of a law that does not hold.',
      exitCodes.invalid,
    );
  }
  if (!names.some((each) => each === law)) {
    throw new Refusal(`there is no law '${law}' any more`, exitCodes.invalid);
  }
  return { law, workflow, options } as unknown as Example;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

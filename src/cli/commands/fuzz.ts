/**
 * `squadc fuzz`: tries the laws of the compiler on generated workflows. fast-check generates and
 * reduces; the same seed gives the same workflows. To use several cores, start the command several
 * times with different seeds.
 */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { shorten } from '../../diagnostics/quote.js';
import type { LawOptions, SpecWorkflow } from '../../testing.js';
import type { CommandData, Context } from '../command.js';
import { inputName, jsonText, readInput, writeOutput } from '../files.js';
import { type ExitCode, exitCodes, type Io, packageVersion, Refusal } from '../io.js';
import { parseNames, wholeNumber } from '../options.js';
import { openProgress } from '../output/progress.js';
import { printable, styleFor, unknownName } from '../output/terminal.js';
import { counted } from '../../text/counted.js';

interface Flags {
  readonly runs: number;
  readonly seed?: number;
  readonly laws?: readonly string[];
  readonly out: string;
  readonly replay?: string;
}

type Testing = typeof import('../../testing.js');
type LawName = keyof Testing['laws'];

/** The input of a law. The file of a failure holds an example and the name of the law. */
interface Example {
  readonly workflow: SpecWorkflow;
  readonly options: LawOptions;
}

const maxSeed = 2 ** 31 - 1;

/** Approximate maximum number of nodes in a workflow. */
const size = 9;

export const command: CommandData<[], Flags> = {
  description:
    'Generates workflows and tests the laws of squadc/testing on each. A failure is reduced ' +
    'and written to a file that reproduces it. The same seed gives the same runs. ' +
    'Ctrl-C stops and reports the runs so far.',
  options: {
    '--runs <number>': [
      'how many workflows for each law',
      (it) => it.argParser(wholeNumber(1, maxSeed)).default(1000),
    ],
    '--seed <number>': [
      'seed of the generator (default: random)',
      (it) => it.argParser(wholeNumber(0, maxSeed)),
    ],
    '--laws <names>': [
      'only these laws, separated by commas (default: all)',
      (it) => it.argParser(parseNames),
    ],
    '--out <folder>': ['folder for failures', (it) => it.default('.')],
    '--replay <file>': [
      'repeat the failure in this file',
      (it) => it.conflicts([...['runs', 'seed', 'laws', 'out']]),
    ],
  },
  exitCodes: {
    0: 'all laws hold',
    1: 'a law failed, or the runs were stopped',
    64: 'wrong usage, or fast-check is not installed',
  },
  examples: ['squadc fuzz --runs 5000 --seed 7 --laws plansSound,plansMinimal'],
  async action(_, flags, context) {
    const testing = await loadTesting();
    const { laws } = testing;
    const names = Object.keys(laws) as LawName[];
    if (flags.replay !== undefined) return replay(flags.replay, laws, context);
    const unknown = flags.laws?.find((name) => !names.some((each) => each === name));
    if (unknown !== undefined) {
      throw unknownName('law', unknown, names, `laws: ${names.join(', ')}`);
    }
    const chosen = names.filter((name) => flags.laws?.includes(name) ?? true);
    return fuzz(flags, chosen, testing, context.io);
  },
};

/** Refuses if fast-check is missing: the laws need it, but compiling does not. */
async function loadTesting(): Promise<Testing> {
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

async function fuzz(
  { runs, seed = randomInt(maxSeed), out }: Flags,
  names: readonly LawName[],
  testing: Testing,
  io: Io,
): Promise<ExitCode> {
  const { default: fc } = await import('fast-check');
  const examples = examplesOf(fc, testing);
  const stop = new AbortController();
  const ignore = io.onInterrupt(() => stop.abort());
  const progress = openProgress(runs * names.length, 'runs', io);
  let [done, failed] = [0, 0];
  for (const law of names) {
    const property = fc.asyncProperty(examples, async ({ workflow, options }) => {
      // Lets the process notice Ctrl-C.
      await new Promise(setImmediate);
      if (stop.signal.aborted) throw new fc.PreconditionFailure(true);
      testing.laws[law](workflow, options);
      progress.update(++done, failed);
    });
    const details = await fc.check(property, { numRuns: runs, seed });
    const [example] = details.counterexample ?? [];
    if (example === undefined) continue;
    failed += 1;
    const message = messageOf(details.errorInstance);
    const file = join(out, `squadc-fuzz-${law}-${seed}.json`);
    await writeOutput(file, jsonText({ squadc: packageVersion(), law, ...example, message }), io);
    // The file has the whole message.
    const lines = message.split('\n').slice(0, 6);
    const shown = lines.map((line) => `    ${shorten(line, 400)}\n`).join('');
    const failure = `${law} failed in run ${details.numRuns}:\n${shown}`;
    io.stdout.write(printable(`${failure}  squadc fuzz --replay ${file}\n\n`));
  }
  progress.stop();
  ignore();
  const tried = stop.signal.aborted
    ? `stopped after ${counted(done, 'run')}`
    : `${counted(runs, 'run')} of ${counted(names.length, 'law')}`;
  const outcome = failed === 0 ? 'no law failed' : `${counted(failed, 'law')} failed`;
  const isGood = failed === 0 && !stop.signal.aborted;
  const paint = styleFor(io.stdout, io.env)[isGood ? 'green' : 'red'];
  io.stdout.write(`${paint(`${tried}, seed ${seed}: ${outcome}`)}\n`);
  return isGood ? exitCodes.complete : exitCodes.invalid;
}

/**
 * One workflow in four contains text that imitates prompts. Every second one is compiled for the
 * platform, and half of those with arguments instead of extraction plans.
 */
function examplesOf(fc: typeof import('fast-check').default, { workflowArbitrary }: Testing) {
  const compile = fc.constantFrom<NonNullable<LawOptions['compile']>[]>(
    { target: 'squad' },
    { target: 'squad' },
    { target: 'vapi', pass: 'plan' },
    { target: 'vapi', pass: 'arguments' },
  );
  return fc.record({
    workflow: fc.oneof(
      { arbitrary: workflowArbitrary({ size }), weight: 3 },
      { arbitrary: workflowArbitrary({ size, hostile: true }), weight: 1 },
    ),
    options: fc.record({
      numbers: fc.array(fc.nat(99), { minLength: 1, maxLength: 8 }),
      compile,
    }),
  });
}

async function replay(path: string, all: Testing['laws'], { io, api }: Context): Promise<ExitCode> {
  const { workflow: value } = api.readWorkflow(await readInput(path, io));
  const { law, workflow, options } = (value ?? {}) as Partial<Example> & { law?: LawName };
  const isLaw = law !== undefined && Object.hasOwn(all, law);
  if (!isLaw || !workflow || typeof options !== 'object') {
    throw new Refusal(
      `${inputName(path)} was not written by this version of squadc fuzz\n` +
        '  help: Pass a file that squadc fuzz wrote for a failed law.',
    );
  }
  try {
    all[law](workflow, options);
  } catch (error) {
    io.stdout.write(printable(`${law} fails:\n${messageOf(error)}\n`));
    return exitCodes.invalid;
  }
  io.stdout.write(`${law} holds\n`);
  return exitCodes.complete;
}

function messageOf(error: unknown): string {
  return shorten(error instanceof Error ? error.message : String(error), 4000);
}

/** What `squadc compile` does where the check refutes the squad that it made: a bug, reported. */
import { dirname, join } from 'node:path';
import { isJsonObject } from '../compiler/ir/json.js';
import { redact } from '../compiler/ir/secrets.js';
import type { Answers, CompileOptions, Verification } from '../index.js';
import type { CompileFlags } from './compile-flags.js';
import type { CompileInput } from './compile-input.js';
import { exitCodes, Refusal } from './exit.js';
import type { Io } from './io.js';
import { standardInput } from './read-input.js';
import { packageVersion } from './version.js';
import { jsonText, writeOutput } from './write-output.js';

/** What the compiler throws then. */
interface Refuted {
  readonly name: 'VerificationRefuted';
  readonly workflow: unknown;
  readonly options: CompileOptions;
  readonly verification: Verification;
}

/** Runs the compiler; a refutation becomes a report in a file and the message that names it. */
export async function reportingRefutation<T>(
  compile: () => T,
  input: CompileInput,
  flags: CompileFlags,
  io: Io,
): Promise<T> {
  try {
    return compile();
  } catch (error) {
    if (!isRefuted(error)) throw error;
    throw await refusal(error, input, flags, io);
  }
}

/** By its name: a class that was bundled twice is two classes. */
function isRefuted(error: unknown): error is Refuted {
  return error instanceof Error && error.name === 'VerificationRefuted';
}

async function refusal(
  refuted: Refuted,
  { source }: CompileInput,
  { output }: CompileFlags,
  io: Io,
): Promise<Refusal> {
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256').update(source.text).digest('hex').slice(0, 8);
  const folder = output === undefined || output === standardInput ? '' : dirname(output);
  const file = join(folder, `squadc-bug-${hash}.json`);
  const written = await writeOutput(file, jsonText(reportOf(refuted)), io).then(
    () =>
      `The report is ${file}. It holds the workflow, the answers and the options; read it before you share it.`,
    (error: Error) => `The report could not be written: ${error.message}.`,
  );
  const message =
    `refused its own output: the squad that it made of ${source.name} does not hold against it.\n` +
    `${firstFault(refuted.verification)}` +
    `This is a bug of squadc ${packageVersion()}. No squad was put out.\n${written}`;
  return new Refusal(message, exitCodes.internalError);
}

/** Everything that is needed to see the refutation again, without literal secrets. */
function reportOf({ workflow, options, verification }: Refuted): unknown {
  const { answers = {}, ...others } = options;
  const report = {
    squadc: packageVersion(),
    source: workflow,
    answers,
    options: others,
    refutation: {
      holds: verification.holds,
      checklist: verification.checklist,
      counterexamples: verification.counterexamples,
      diagnostics: verification.diagnostics,
    },
  };
  return redact(report, new Set([...namesIn(answers), others.names]));
}

/** Ids of questions, and `{ header, secret }`, which names where a secret lives: no secrets. */
function namesIn({ answers, policies }: Answers): unknown[] {
  const values = Object.values(answers ?? {}).map(({ value }) => value);
  const headers = values.filter((each) => isJsonObject(each) && typeof each.header === 'string');
  return [answers, policies, ...headers];
}

function firstFault({ checklist, counterexamples }: Verification): string {
  const item = checklist.find(({ holds }) => !holds);
  const fact = item?.evidence.find(({ holds }) => !holds);
  if (item !== undefined && fact !== undefined) return `Item ${item.item}: ${fact.text}\n`;
  const [walk] = counterexamples;
  return walk === undefined ? '' : `${walk.text}\n`;
}

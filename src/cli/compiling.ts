/**
 * How every command that compiles begins: a workflow is read, compiled, reported on. Where the check
 * refutes the squad that the compiler made, that is a bug: it is reported, and nothing put out.
 */
import { dirname, join } from 'node:path';
import {
  type BoundOptions,
  type BoundResult,
  compileBound,
} from '../adapters/tools/compile-bound.js';
import { settleAnswers } from '../batch/settle.js';
import { isJsonObject } from '../compiler/ir/json.js';
import { emptyResult } from '../compiler/ir/result.js';
import { redact } from '../compiler/ir/secrets.js';
import type { Answers, CompileOptions, Diagnostic, Question, Verification } from '../index.js';
import type { Context } from './command.js';
import { type ExitCode, exitCodes, Refusal } from './exit.js';
import { refuseTwoStandardInputs, standardInput } from './input/read.js';
import { type Input, readWorkflowInput } from './input/workflow.js';
import type { Io } from './io.js';
import { type CompileFlags, filesOf } from './options.js';
import { reportOn } from './output/compiled.js';
import { jsonText, refuseOverwriting, writeOutput } from './output/write.js';
import { packageVersion } from './version.js';

export interface Compiled {
  readonly input: Input;
  readonly result: BoundResult;
  /** The reader's findings and the compiler's; the reader's are about the text and come first. */
  readonly diagnostics: readonly Diagnostic[];
  /** The options that it was compiled with, accepted answers among them. */
  readonly options: BoundOptions;
  /** The questions that `--accept-proposals` answered. */
  readonly accepted: readonly Question[];
}

/** Reads what a command was given, before anything is done with it. */
export async function readToCompile(
  file: string,
  flags: CompileFlags,
  context: Context,
): Promise<Input> {
  const files = [file, ...filesOf(flags)];
  refuseTwoStandardInputs(files);
  const input = await readWorkflowInput(file, flags, context);
  await refuseOverwriting(flags.output, files, context.io);
  return input;
}

/** Compiles what was read, and tells what there is to tell, but for the last line. */
export async function compileReporting(
  input: Input,
  flags: CompileFlags,
  context: Context,
): Promise<Compiled> {
  try {
    const compiled = compileInput(input, flags, context);
    reportOn(compiled, flags, context);
    return compiled;
  } catch (error) {
    // By its name: a class that was bundled twice is two classes.
    if (!(error instanceof Error) || error.name !== 'VerificationRefuted') throw error;
    throw await refusal(error as unknown as Refuted, input, flags, context.io);
  }
}

export function exitCodeOf({ result: { status } }: Compiled): ExitCode {
  if (status === 'complete') return exitCodes.complete;
  return status === 'needs-answers' ? exitCodes.questionsOpen : exitCodes.invalid;
}

/** An input that could not be read whole is not compiled at all. */
export function isReadWhole({ diagnostics }: Input): boolean {
  return diagnostics.every(({ severity }) => severity !== 'error');
}

function compileInput(input: Input, { acceptProposals }: CompileFlags, { api }: Context): Compiled {
  const { workflow, options, diagnostics, ofRun } = input;
  if (!isReadWhole(input)) {
    return { input, result: emptyResult, diagnostics, options, accepted: [] };
  }
  const compile = (given: BoundOptions) => compileBound(api.compile, workflow, given);
  const { answers, ...others } = options;
  // A form that is wrong is for the compiler to tell.
  if ((!acceptProposals && ofRun === null) || !isAnswers(answers ?? {})) {
    const result = compile(options);
    return {
      input,
      result,
      options,
      accepted: [],
      diagnostics: [...diagnostics, ...result.diagnostics],
    };
  }
  const settled = settleAnswers(compile, workflow, others, {
    answers: ofRun?.answers ?? new Map(Object.entries(answers?.answers ?? {})),
    policies: answers?.policies ?? {},
    acceptProposals: acceptProposals === true,
  });
  // Answers are told of where they stand in their file.
  const found = [...settled.diagnostics, ...settled.result.diagnostics].map((each) =>
    ofRun !== null && each.in === 'answers' && each.at.startsWith('/answers')
      ? { ...each, at: ofRun.at + each.at }
      : each,
  );
  return { input, ...settled, diagnostics: [...diagnostics, ...found] };
}

function isAnswers(given: object): boolean {
  return Object.entries(given).every(
    ([name, value]) => ['answers', 'policies'].includes(name) && isJsonObject(value),
  );
}

/** What the compiler throws where its own check refutes what it made. */
interface Refuted {
  readonly workflow: unknown;
  readonly options: CompileOptions;
  readonly verification: Verification;
}

async function refusal(
  { workflow, options, verification }: Refuted,
  { source }: Input,
  { output }: CompileFlags,
  io: Io,
): Promise<Refusal> {
  const { answers = {}, ...others } = options;
  const { holds, checklist, counterexamples, diagnostics } = verification;
  const report = {
    squadc: packageVersion(),
    source: workflow,
    answers,
    options: others,
    refutation: { holds, checklist, counterexamples, diagnostics },
  };
  const names = new Set([...namesIn(answers), others.names]);
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256').update(source.text).digest('hex').slice(0, 8);
  const folder = output === undefined || output === standardInput ? '' : dirname(output);
  const file = join(folder, `squadc-bug-${hash}.json`);
  const written = await writeOutput(file, jsonText(redact(report, names)), io).then(
    () =>
      `The report is ${file}. It holds the workflow, the answers and the options; read it before you share it.`,
    (error: Error) => `The report could not be written: ${error.message}.`,
  );
  const message =
    `refused its own output: the squad that it made of ${source.name} does not hold against it.\n` +
    `${firstFault(verification)}` +
    `This is a bug of squadc ${packageVersion()}. No squad was put out.\n${written}`;
  return new Refusal(message, exitCodes.internalError);
}

/** Ids of questions, and `{ header, secret }`, which names where a secret lives: no secrets. */
function namesIn({ answers, policies }: Answers): unknown[] {
  const values = Object.values(answers ?? {}).map(({ value }) => value);
  const headers = values.filter((each) => isJsonObject(each) && typeof each.header === 'string');
  return [answers, policies, ...headers];
}

function firstFault({ checklist, counterexamples: [walk] }: Verification): string {
  const item = checklist.find(({ holds }) => !holds);
  const fact = item?.evidence.find(({ holds }) => !holds);
  if (item !== undefined && fact !== undefined) return `Item ${item.item}: ${fact.text}\n`;
  return walk === undefined ? '' : `${walk.text}\n`;
}

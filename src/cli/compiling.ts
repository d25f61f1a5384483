/**
 * What every command does that compiles one workflow: reads it, compiles it, and reports on it. If
 * the check refutes the squad, that is a bug in squadc: it is reported, without output.
 */
import { dirname, join } from 'node:path';
import { settleAnswers } from '../batch/settle.js';
import { emptyResult } from '../compiler/ir/result.js';
import { redact } from '../compiler/ir/secrets.js';
import type { CompileOptions, Diagnostic, Question, Severity, Verification } from '../index.js';
import { digestOf } from '../io/digest.js';
import { answersSnippet } from '../report/answers-snippet.js';
import { type BoundOptions, type BoundResult, compileBound } from '../serve/compile-bound.js';
import { counted, grouped } from '../text/counted.js';
import { isObject } from '../text/json.js';
import type { Context } from './command.js';
import {
  jsonText,
  refuseOverwriting,
  refuseTwoStandardInputs,
  standardInput,
  writeOutput,
} from './files.js';
import { placedDiagnostics, renderQuestions, sayDiagnostics } from './input/places.js';
import { type Input, readWorkflowInput } from './input/workflow.js';
import { type ExitCode, exitCodes, type Io, packageVersion, Refusal } from './io.js';
import type { CompileFlags } from './options.js';
import { printable, styleFor } from './output/terminal.js';

export interface Compiled {
  readonly input: Input;
  readonly result: BoundResult;
  /** The reader's diagnostics, which are about the text, then the compiler's. */
  readonly diagnostics: readonly Diagnostic[];
  /** The options of the compilation, including accepted answers. */
  readonly options: BoundOptions;
  /** The questions that `--accept-proposals` answered. */
  readonly accepted: readonly Question[];
}

/** Reads and compiles a file, and reports everything except the last line. */
export async function compileFile(
  file: string,
  flags: CompileFlags,
  context: Context,
): Promise<Compiled> {
  const compiled = await compileInput(await readToCompile(file, flags, context), flags, context);
  reportOn(compiled, flags, context);
  return compiled;
}

/** Reads the input of a command, before anything else happens. */
export async function readToCompile(
  file: string,
  flags: CompileFlags,
  context: Context,
): Promise<Input> {
  const files = [file, flags.answers];
  refuseTwoStandardInputs(files);
  const input = await readWorkflowInput(file, flags, context);
  await refuseOverwriting(flags.output, files, context.io);
  return input;
}

export async function compileInput(
  input: Input,
  flags: CompileFlags,
  context: Context,
): Promise<Compiled> {
  try {
    return compiledFrom(input, flags, context);
  } catch (error) {
    // Compares names, because a class that is bundled twice is two classes.
    if (!(error instanceof Error) || error.name !== 'VerificationRefuted') throw error;
    throw await refusal(error as unknown as Refuted, input, flags, context.io);
  }
}

const endings = {
  complete: ['green', exitCodes.complete],
  'needs-answers': ['yellow', exitCodes.questionsOpen],
  invalid: ['red', exitCodes.invalid],
} as const;

export const exitCodeOf = ({ result }: Compiled): ExitCode => endings[result.status][1];

/** An input with an error in its text is not compiled. */
export function isReadWhole({ diagnostics }: Input): boolean {
  return diagnostics.every(({ severity }) => severity !== 'error');
}

function compiledFrom(input: Input, { acceptProposals }: CompileFlags, { api }: Context): Compiled {
  const { workflow, options, diagnostics, ofRun } = input;
  if (!isReadWhole(input)) {
    return { input, result: emptyResult, diagnostics, options, accepted: [] };
  }
  const compile = (given: BoundOptions) => compileBound(api.compile, workflow, given);
  const { answers, ...others } = options;
  // The compiler reports answers of the wrong form.
  if ((!acceptProposals && ofRun === null) || !isAnswers(answers ?? {})) {
    const result = compile(options);
    const all = [...diagnostics, ...result.diagnostics];
    return { input, result, options, accepted: [], diagnostics: all };
  }
  const settled = settleAnswers(compile, workflow, others, {
    answers: ofRun?.answers ?? new Map(Object.entries(answers?.answers ?? {})),
    policies: answers?.policies ?? {},
    acceptProposals: acceptProposals === true,
  });
  // Points into the answers file of the run, where this workflow's answers are only a part.
  const found = [...settled.diagnostics, ...settled.result.diagnostics].map((each) =>
    ofRun !== null && each.in === 'answers' && each.at.startsWith('/answers')
      ? { ...each, at: ofRun.at + each.at }
      : each,
  );
  return { input, ...settled, diagnostics: [...diagnostics, ...found] };
}

function isAnswers(given: object): boolean {
  return Object.entries(given).every(
    ([name, value]) => ['answers', 'policies'].includes(name) && isObject(value),
  );
}

/** Reports everything except the last line. */
export function reportOn(compiled: Compiled, flags: CompileFlags, context: Context): void {
  const { input, accepted, diagnostics, result } = compiled;
  const { stderr, env } = context.io;
  const style = styleFor(stderr, env);
  for (const { id, proposal, proposalValue } of accepted) {
    const value = proposalValue === undefined ? '' : ` ${JSON.stringify(proposalValue)}`;
    const answer = printable(`${id} → ${proposal}${value}`);
    stderr.write(`${style.cyan('accepted')}: ${answer}\n`);
  }
  // With --json, the object on standard output holds everything else.
  if (flags.json) return;
  const shown = diagnostics.filter(({ severity }) => severity !== 'info' || flags.verbose);
  sayDiagnostics(shown, input, context);
  const { questions } = result;
  const texts = renderQuestions(questions, input.source, context.api, style, stderr.columns);
  for (const text of texts) stderr.write(`${text}\n\n`);
  if (questions.length === 0) return;
  const { answers: file = 'answers.json' } = flags;
  const how =
    flags.answers === undefined
      ? `save this as ${file} and add --answers ${file}, or use --ask`
      : `add this to the answers in ${file}, or use --ask`;
  const snippet = jsonText(answersSnippet(questions));
  const open = counted(questions.length, 'question');
  stderr.write(printable(`To answer ${open}, ${how}:\n${snippet}\n`));
}

/** Prints the last line, which says how the compilation ended, and returns the exit code. */
export function reportSummary(compiled: Compiled, { stderr, env }: Io, output?: string): ExitCode {
  const { status } = compiled.result;
  const paint = styleFor(stderr, env)[endings[status][0]];
  const isKept = output !== undefined && status !== 'complete';
  const kept = isKept ? printable(`; ${output} was not written`) : '';
  stderr.write(`${paint(summaryOf(compiled))}${kept}\n`);
  return exitCodeOf(compiled);
}

/** `complete: 6 nodes (dialect vapi) → …`, `2 questions open` or `invalid: 3 errors, 1 warning`. */
function summaryOf({ result, diagnostics, options }: Compiled): string {
  const { status, stats, questions } = result;
  if (status === 'complete') {
    const read = diagnostics.some(({ code }) => code === 'shape/dialect') ? ' (dialect vapi)' : '';
    const parts = (['assistant', 'handoff', 'extraction'] as const).map((part) =>
      counted(stats[`${part}s`], part),
    );
    const cost = stats.plans ? `; ${costOfPlans(stats.plans, options.pass)}` : '';
    return `complete: ${counted(stats.nodes, 'node')}${read} → ${parts.join(', ')}${cost}`;
  }
  if (status === 'needs-answers') return `${counted(questions.length, 'question')} open`;
  const amountOf = (wanted: Severity) =>
    diagnostics.filter(({ severity }) => severity === wanted).length;
  const warnings = amountOf('warning');
  const others = warnings > 0 ? `, ${counted(warnings, 'warning')}` : '';
  return `invalid: ${counted(amountOf('error'), 'error')}${others}`;
}

/** What plans cost while a call runs, and how to avoid it; `plans` is above 0. */
export function costOfPlans(plans: number, pass?: unknown): string {
  const hint = pass === 'arguments' ? '' : ' (--pass arguments avoids it)';
  const cost =
    plans === 1 ? 'handoff costs an extra model call' : 'handoffs cost an extra model call each';
  return `${grouped(plans)} ${cost}${hint}`;
}

/** The whole result, with lines and columns for places. */
export function jsonResult({ input, result, diagnostics }: Compiled, { api }: Context): object {
  const { status, ...others } = result;
  const placed = placedDiagnostics(diagnostics, input, api);
  return { status, dialect: input.dialect, ...others, diagnostics: placed };
}

/** The error of the compiler if its own check refutes its output. */
interface Refuted {
  readonly workflow: unknown;
  readonly options: CompileOptions;
  readonly verification: Verification;
}

/** Writes the report of the bug next to where the squad would be. */
async function refusal(error: Refuted, input: Input, flags: CompileFlags, io: Io) {
  const { workflow, options, verification } = error;
  const [{ source }, { output }, { answers = {}, ...others }] = [input, flags, options];
  const made = { squadc: packageVersion(), source: workflow, answers, options: others };
  const report = { ...made, refutation: verification };
  const folder = output === undefined || output === standardInput ? '' : dirname(output);
  const file = join(folder, `squadc-bug-${digestOf(source.text, 8)}.json`);
  const written = await writeOutput(file, jsonText(redact(report)), io).then(
    () =>
      `The report is ${file}. It contains the workflow, the answers and the options; read it before you share it.`,
    (error: Error) => `The report could not be written: ${error.message}.`,
  );
  const message =
    `refuted its own output: the squad compiled from ${source.name} is not a faithful migration.\n` +
    `${firstFault(verification)}` +
    `This is a bug in squadc ${packageVersion()}. No squad was written.\n${written}`;
  return new Refusal(message, exitCodes.internalError);
}

function firstFault({ checklist, counterexamples: [walk] }: Verification): string {
  const item = checklist.find(({ holds, decided }) => !holds && decided);
  const fact = item?.evidence.find(({ holds, decided }) => !holds && decided !== false);
  if (item !== undefined && fact !== undefined) return `Item ${item.item}: ${fact.text}\n`;
  return walk === undefined ? '' : `${walk.text}\n`;
}

/** Reports the result of commands that compile: on standard error, or as one JSON object. */
import type { Diagnostic, Question, Severity } from '../../index.js';
import { answersSnippet } from '../../report/answers-snippet.js';
import type { Context } from '../command.js';
import type { Compiled } from '../compiling.js';
import { jsonText } from '../files.js';
import { placedDiagnostics, questionPlaces, renderAll } from '../input/places.js';
import type { Io } from '../io.js';
import type { CompileFlags } from '../options.js';
import { count, printable, type Style, styleFor } from './terminal.js';

/** Reports accepted answers, diagnostics, open questions, and how to answer them. */
export function reportOn(compiled: Compiled, flags: CompileFlags, { io, api }: Context): void {
  const { input, accepted, diagnostics, result } = compiled;
  const { stderr, env } = io;
  const style = styleFor(stderr, env);
  for (const question of accepted) stderr.write(acceptedLine(question, style));
  // With --json, the object on standard output holds everything else.
  if (flags.json) return;
  const shown = diagnostics.filter(({ severity }) => severity !== 'info' || flags.verbose);
  for (const text of renderAll(shown, input, api, style)) stderr.write(`${text}\n\n`);
  const { questions } = result;
  const askedAt = questionPlaces(questions, input.source, api);
  for (const question of questions) {
    stderr.write(`${api.renderQuestion(question, style, askedAt(question))}\n\n`);
  }
  if (questions.length > 0) stderr.write(howToAnswer(questions, flags));
}

function acceptedLine({ id, proposal, proposalValue }: Question, style: Style): string {
  const value = proposalValue === undefined ? '' : ` ${JSON.stringify(proposalValue)}`;
  return `${style.cyan('accepted')}: ${printable(`${id} → ${proposal}${value}`)}\n`;
}

function howToAnswer(questions: readonly Question[], { answers }: CompileFlags): string {
  const file = printable(answers ?? 'answers.json');
  const how =
    answers === undefined
      ? `save this as ${file} and add --answers ${file}`
      : `add this to the answers in ${file}`;
  const snippet = printable(jsonText(answersSnippet(questions)));
  return `To answer ${count(questions.length, 'question')}, ${how}:\n${snippet}\n`;
}

const colours = { complete: 'green', 'needs-answers': 'yellow', invalid: 'red' } as const;

/** Prints the last line, which says how the compilation ended. */
export function reportSummary(compiled: Compiled, { stderr, env }: Io): void {
  const paint = styleFor(stderr, env)[colours[compiled.result.status]];
  stderr.write(`${paint(summaryOf(compiled))}\n`);
}

/** `complete: 6 nodes (dialect vapi) → …`, `2 questions open` or `invalid: 3 errors, 1 warning`. */
function summaryOf({ result, diagnostics }: Compiled): string {
  const { status, stats, questions } = result;
  if (status === 'complete') {
    const assistants = count(stats.assistants, 'assistant');
    const handoffs = count(stats.handoffs, 'handoff');
    const extractions = count(stats.extractions, 'extraction');
    const nodes = count(stats.nodes, 'node');
    const read = diagnostics.some(({ code }) => code === 'shape/dialect') ? ' (dialect vapi)' : '';
    return `complete: ${nodes}${read} → ${assistants}, ${handoffs}, ${extractions}`;
  }
  if (status === 'needs-answers') return `${count(questions.length, 'question')} open`;
  const warnings = amountOf(diagnostics, 'warning');
  const errors = count(amountOf(diagnostics, 'error'), 'error');
  return `invalid: ${errors}${warnings > 0 ? `, ${count(warnings, 'warning')}` : ''}`;
}

function amountOf(diagnostics: readonly Diagnostic[], severity: Severity): number {
  return diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
}

/** The whole result, with lines and columns for places. */
export function jsonResult({ input, result, diagnostics }: Compiled, { api }: Context): object {
  return {
    status: result.status,
    dialect: input.dialect,
    output: result.output,
    draft: result.draft,
    questions: result.questions,
    diagnostics: placedDiagnostics(diagnostics, input, api),
    checklist: result.checklist,
    reads: result.reads,
    sourceMap: result.sourceMap,
    ledger: result.ledger,
    stats: result.stats,
    ...(result.toolBindings && { toolBindings: result.toolBindings }),
  };
}

/** What `squadc compile` says on standard error beside the squad. */
import type { Question } from '../index.js';
import { answersSnippet } from '../report/answers-snippet.js';
import type { CompileFlags } from './compile-flags.js';
import type { CompileInput } from './compile-input.js';
import type { Compiled } from './compile-run.js';
import type { Api } from './invocation.js';
import type { Io } from './io.js';
import { placesOf, questionPlaces, whereOf } from './place.js';
import { count, summaryOf } from './summary.js';
import { printable, type Style, styleFor } from './terminal.js';
import { jsonText } from './write-output.js';

/** The answers that were accepted, the findings, the open questions and how to answer them. */
export function reportOn(
  compiled: Compiled,
  input: CompileInput,
  flags: CompileFlags,
  api: Api,
  { stderr, env }: Io,
): void {
  const style = styleFor(stderr, env);
  for (const question of compiled.accepted) stderr.write(acceptedLine(question, style));
  // With --json everything else is part of the object on standard output.
  if (flags.json) return;
  const shown = compiled.diagnostics.filter(({ severity }) => severity !== 'info' || flags.verbose);
  const places = placesOf(shown, input, api);
  for (const diagnostic of shown) {
    const place = whereOf(diagnostic, places, input);
    stderr.write(`${api.renderDiagnostic(diagnostic, place, style)}\n\n`);
  }
  const { questions } = compiled.result;
  const askedAt = questionPlaces(questions, input.source, api);
  for (const question of questions) {
    stderr.write(`${api.renderQuestion(question, style, askedAt(question))}\n\n`);
  }
  if (questions.length > 0) stderr.write(howToAnswer(questions, flags));
}

/** The last line: how it ended. */
export function reportSummary({ result, diagnostics }: Compiled, { stderr, env }: Io): void {
  const style = styleFor(stderr, env);
  const paint = {
    complete: style.green,
    'needs-answers': style.yellow,
    invalid: style.red,
  }[result.status];
  stderr.write(`${paint(summaryOf(result, diagnostics))}\n`);
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

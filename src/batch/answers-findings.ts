/** What can be wrong with the answers of a run, beside what the compiler says of answers. */

import { quote } from '../diagnostics/quote.js';
import type { SourcePlace } from '../diagnostics/render.js';
import { type Diagnostic, type JsonPointer, locateAll } from '../index.js';

/** A text of answers, under the name that messages show. */
export interface AnswersText {
  readonly name: string;
  readonly text: string;
}

/** A finding with its place in the file; `--policy` stands in none. */
export interface AnswersFinding {
  readonly diagnostic: Diagnostic;
  readonly place: SourcePlace | null;
}

type Sentences = Pick<Diagnostic, 'code' | 'severity' | 'message' | 'help'>;

export function answersShape(problem: string): Sentences {
  return {
    code: 'batch/answers-shape',
    severity: 'error',
    message: `The answers do not have the expected form: ${problem}.`,
    help: 'Correct the answers; their form is published as run-answers.schema.json.',
  };
}

/** What `squadc compile` takes is for one workflow; which one of a run, it does not say. */
export function plainAnswers(): Sentences {
  return {
    code: 'batch/plain-answers',
    severity: 'error',
    message: 'These answers are for one workflow, but do not say for which one of the run.',
    help:
      'Put `answers` under `workflows` and the key of the workflow, as in ' +
      '{ "workflows": { "<key>": { "answers": { … } } } }; keys are in summary.json.',
  };
}

export function answersDiffer(what: string, file: string): Sentences {
  return {
    code: 'batch/answers-differ',
    severity: 'warning',
    message: `${what} is given another answer in ${quote(file)} before; this one counts.`,
    help: 'Remove one of the two.',
  };
}

export function unknownWorkflow(key: string): Sentences {
  return {
    code: 'batch/unknown-workflow',
    severity: 'warning',
    message: `There are answers for ${quote(key)}, but no workflow of the run has this key.`,
    help: 'Correct the key, or remove the answers; a key changes with the file, id and name.',
  };
}

export function subjectChanged(question: string): Sentences {
  return {
    code: 'batch/subject-changed',
    severity: 'warning',
    message:
      `The answer to ${quote(question)} was given before its subject changed, ` +
      'so that it was not applied.',
    help: 'Answer the question again, or remove `subject` from the answer if it still holds.',
  };
}

/** The diagnostic of a place in answers. */
export function inAnswers(sentences: Sentences, at: JsonPointer): Diagnostic {
  return { ...sentences, at, in: 'answers', related: [] };
}

/** The findings about one text, with their places. */
export function placeFindings(
  diagnostics: readonly Diagnostic[],
  { name: file, text }: AnswersText,
): AnswersFinding[] {
  const places = locateAll(
    text,
    diagnostics.map(({ at }) => at),
  );
  return diagnostics.map((diagnostic) => {
    const found = places.get(diagnostic.at);
    if (found === undefined) return { diagnostic, place: null };
    const { line, column, length } = found;
    return { diagnostic, place: { file, text, line, column, length } };
  });
}

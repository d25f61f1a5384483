/** What can be wrong with the answers of a run, beside what the compiler says of answers. */

import { type ArgsOf, type Code, entryOf } from '../../diagnostics/diagnose.js';
import type { SourcePlace } from '../../diagnostics/render.js';
import { type Diagnostic, type JsonPointer, locateAll } from '../../index.js';

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
  return sentencesOf('batch/answers-shape', { problem });
}

/** What `squadc compile` takes is for one workflow; which one of a run, it does not say. */
export function plainAnswers(): Sentences {
  return sentencesOf('batch/plain-answers', {});
}

export function answersDiffer(what: string, file: string): Sentences {
  return sentencesOf('batch/answers-differ', { what, file });
}

export function unknownWorkflow(key: string): Sentences {
  return sentencesOf('batch/unknown-workflow', { key });
}

export function subjectChanged(question: string): Sentences {
  return sentencesOf('batch/subject-changed', { question });
}

function sentencesOf<C extends Code>(code: C, args: ArgsOf<C>): Sentences {
  const { severity, message, help } = entryOf(code);
  return { code, severity, message: message(args), help: help(args) };
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

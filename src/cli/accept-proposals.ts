/** Answers open questions with what the source itself suggests, as `--accept-proposals` asks for. */
import type { Answer, Answers, CompileOptions, CompileResult, Question } from '../index.js';

export interface Accepted {
  readonly result: CompileResult;
  /** The options with the accepted answers among the answers. */
  readonly options: CompileOptions;
  readonly questions: readonly Question[];
}

/**
 * Compiles, answers every open question that has a proposal with it, and compiles again, until
 * nothing new is answered: an answer can raise questions that were not open before.
 *
 * Each pass answers a question that no pass before it did, and a workflow has finitely many; a
 * question that the human answered is left to that answer.
 */
export function acceptProposals(
  compile: (options: CompileOptions) => CompileResult,
  given: CompileOptions,
): Accepted {
  const answered = new Set(Object.keys(given.answers?.answers ?? {}));
  const questions: Question[] = [];
  let options = given;
  for (;;) {
    const result = compile(options);
    const fresh = proposed(result).filter(({ id }) => !answered.has(id));
    if (fresh.length === 0) return { result, options, questions };
    for (const { id } of fresh) answered.add(id);
    questions.push(...fresh);
    options = { ...options, answers: withProposals(options.answers ?? {}, fresh) };
  }
}

function proposed(result: CompileResult): readonly Question[] {
  if (result.status !== 'needs-answers') return [];
  return result.questions.filter(({ proposal }) => proposal !== null);
}

function withProposals(answers: Answers, questions: readonly Question[]): Answers {
  const added = questions.map((question) => [question.id, proposalOf(question)] as const);
  return { ...answers, answers: { ...answers.answers, ...Object.fromEntries(added) } };
}

function proposalOf({ proposal, proposalValue }: Question): Answer {
  const choice = proposal ?? '';
  return proposalValue === undefined ? { choice } : { choice, value: proposalValue };
}

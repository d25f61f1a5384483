/** Laws of questions and answers: asking ends, and no answer is ignored silently. */
import type { Answer } from '../compiler/ir/answers.js';
import type { CompileResult } from '../compiler/ir/result.js';
import { compile } from '../index.js';
import { choosing, type Settlement, settle } from './answering.js';
import { demand } from './demand.js';
import { errorsOf, type LawOptions, stand, tearsEqualNodes } from './law-ground.js';
import type { SpecWorkflow } from './spec-workflow.js';

/**
 * Whatever is chosen, valid answers are accepted and questions come to an end. One kind of answer
 * fits its question and is refused all the same: groups that tear equal nodes apart.
 */
export function questionsTerminate(workflow: SpecWorkflow, options: LawOptions = {}): void {
  for (const pick of [undefined, choosing(options.numbers ?? [])]) {
    const { result, answers } = settle(workflow, options.compile, pick);
    const refused = errorsInAnswers(result);
    demand(
      refused.length === 0 || tearsEqualNodes(result),
      () => `${refused.join('; ')} of ${JSON.stringify(answers)}`,
    );
  }
}

/** An answer to nothing is a warning and changes nothing; a wrong one is an error and stays open. */
export function staleAnswersReported(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement } = stand(workflow, options);
  const id = 'cyclic-stages:nobody';
  const stale = answerAlso(workflow, settlement, { [id]: { choice: 'consolidate' } });
  const warned = stale.diagnostics.filter((each) => each.in === 'answers');
  demand(
    warned.some(({ severity }) => severity === 'warning'),
    () => 'the answer is ignored',
  );
  const [before, after] = [settlement.result.output, stale.output].map((o) => JSON.stringify(o));
  demand(before === after, () => 'an answer to nothing has changed the output');
  for (const question of settlement.asked) {
    const wrong = answerAlso(workflow, settlement, { [question.id]: { choice: 'no such choice' } });
    const open = wrong.questions.some((each) => each.id === question.id);
    demand(errorsInAnswers(wrong).length > 0, () => `a wrong answer to ${question.id} is accepted`);
    demand(wrong.status === 'invalid' && open, () => `${question.id}: ${wrong.status}, ${open}`);
  }
}

function answerAlso(
  workflow: SpecWorkflow,
  { options, answers }: Settlement,
  more: Readonly<Record<string, Answer>>,
): CompileResult {
  return compile(workflow, { ...options, answers: { answers: { ...answers, ...more } } });
}

function errorsInAnswers(result: CompileResult): string[] {
  return errorsOf(result)
    .filter((each) => each.in === 'answers')
    .map(({ code, message }) => `${code}: ${message}`);
}

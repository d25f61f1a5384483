/**
 * The laws of valid workflows, by name. This file has those of `compile` as a function, of
 * questions and answers, and of the verifier's verdict.
 */
import type { Answer, CompileOptions } from '../compiler/ir/options.js';
import type { CompileResult, Question } from '../compiler/ir/result.js';
import { compile } from '../index.js';
import { choosing, choosingFaithfully, choosingReads, settle } from './answering.js';
import {
  compileAnswered,
  demand,
  demandSame,
  demandVerified,
  errorsOf,
  type Law,
  type LawOptions,
  tearsEqualNodes,
} from './law.js';
import { linesSpoken, valuesHold } from './laws-of-calls.js';
import {
  captureAdded,
  copiedEdgeFolded,
  insertedStepAdded,
  renamingStable,
  splitStepAdded,
  unreachableIgnored,
} from './laws-of-changes.js';
import { dialectsAgree } from './laws-of-dialects.js';
import {
  groupingCanonical,
  groupingMinimal,
  partitionCovers,
  plansMinimal,
  plansSound,
} from './laws-of-squads.js';
import { ledgerConserves, sourceMapCovers, textsStandWordForWord } from './laws-of-text.js';
import { rearrangeAll, shuffleKeys } from './rearrange.js';
import type { SpecWorkflow } from './spec-workflow.js';

/** Every input gives a result: complete with a squad, or not complete without one. */
export function neverThrows(value: unknown, options: CompileOptions = {}): void {
  const result = compile(value, options);
  const { status, output, draft, questions } = result;
  const errors = errorsOf(result);
  demand((output !== null) === (status === 'complete'), () => `${status}, output ${output}`);
  demand(draft === null || status === 'needs-answers', () => `${status} with a draft`);
  demand(errors.length > 0 === (status === 'invalid'), () => `${status}, ${errors.length} errors`);
  demand(status !== 'complete' || questions.length === 0, () => 'complete with open questions');
  demand(status !== 'needs-answers' || questions.length > 0, () => 'no question is open');
}

/** The input and the options are not changed. */
export function inputNotMutated(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const before = JSON.stringify([workflow, options]);
  compile(deepFreeze(workflow), deepFreeze({ ...options.compile }));
  demand(JSON.stringify([workflow, options]) === before, () => 'the input has changed');
}

/** The same source, answers and options give the same result byte for byte. */
export function deterministic(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement } = compileAnswered(workflow, options);
  const again = compile(structuredClone(workflow), structuredClone(settlement.options));
  demandSame('the second result', settlement.result, again);
}

/**
 * The order of keys (including those of nested objects and options), of nodes, and of edges with
 * different sources affects neither the squad nor the questions, nor the ledger's entry for each
 * item. Global nodes keep their order among themselves, and so do possible starts.
 */
export function permutationStable(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement, numbers, compile: given } = compileAnswered(workflow, options);
  const { workflow: moved, place } = rearrangeAll(workflow, numbers);
  const [own, other] = [workflow, moved].map((each) => compile(each, given).questions);
  const asks = (asked: readonly Question[] = []) => asked.map(({ id }) => id).sort();
  demandSame('what is asked', asks(own), asks(other));
  const result = compile(moved, shuffleKeys(settlement.options, numbers));
  demandSame('the squad', settlement.result.output, result.output);
  const fates = ({ ledger }: CompileResult, placeOf: (at: string) => string): string[] =>
    ledger
      .map(({ kind, at, status, outputs }) =>
        [kind, placeOf(at), status, ...[...outputs].sort()].join(' '),
      )
      .sort();
  demandSame('the ledger', fates(settlement.result, place), fates(result, String));
}

/**
 * Whatever is chosen, valid answers are accepted and questions come to an end. One kind of answer
 * fits its question and is still rejected: groups that separate equal nodes.
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

/** An answer to no question is a warning without effect; an invalid one is an error. */
export function staleAnswersReported(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement } = compileAnswered(workflow, options);
  const also = (id: string, answer: Answer): CompileResult => {
    const answers = { answers: { ...settlement.answers, [id]: answer } };
    return compile(workflow, { ...settlement.options, answers });
  };
  const stale = also('cyclic-stages:nobody', { choice: 'consolidate' });
  const isWarned = stale.diagnostics.some(
    (each) => each.in === 'answers' && each.severity === 'warning',
  );
  demand(isWarned, () => 'the answer is ignored');
  demandSame('the squad', settlement.result.output, stale.output);
  for (const { id } of settlement.asked) {
    const wrong = also(id, { choice: 'no such choice' });
    const open = wrong.questions.some((each) => each.id === id);
    demand(errorsInAnswers(wrong).length > 0, () => `a wrong answer to ${id} is accepted`);
    demand(wrong.status === 'invalid' && open, () => `${id}: ${wrong.status}, ${open}`);
  }
}

/**
 * With its questions answered, a workflow compiles to a squad that `verify` accepts, both with
 * answers that leave the source unchanged and with answers that change what is read where.
 * Expected: no item of the checklist fails, and no call shows a difference.
 */
export function squadVerified(workflow: SpecWorkflow, options: LawOptions = {}): void {
  for (const choose of [choosingFaithfully, choosingReads]) {
    demandVerified(workflow, compileAnswered(workflow, options, choose).settlement);
  }
}

function errorsInAnswers(result: CompileResult): string[] {
  return errorsOf(result).flatMap((each) =>
    each.in === 'answers' ? [`${each.code}: ${each.message}`] : [],
  );
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object') return value;
  for (const each of Object.values(Object.freeze(value) ?? {})) deepFreeze(each);
  return value;
}

/** The laws, by name; each throws if the compiler breaks it. */
export const laws = {
  inputNotMutated,
  deterministic,
  permutationStable,
  textsStandWordForWord,
  partitionCovers,
  groupingCanonical,
  groupingMinimal,
  plansSound,
  plansMinimal,
  valuesHold,
  linesSpoken,
  questionsTerminate,
  staleAnswersReported,
  ledgerConserves,
  sourceMapCovers,
  squadVerified,
  dialectsAgree,
  renamingStable,
  unreachableIgnored,
  copiedEdgeFolded,
  captureAdded,
  insertedStepAdded,
  splitStepAdded,
} satisfies Readonly<Record<string, Law>>;

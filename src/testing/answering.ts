/** Answers the compiler's questions until none is open. */
import type { Answer, QuestionKind } from '../compiler/ir/answers.js';
import type { CompileOptions } from '../compiler/ir/options.js';
import type { CompileResult, Question } from '../compiler/ir/result.js';
import { compile } from '../index.js';
import { makeValue } from './schema-value.js';
import { wheel } from './spec-workflow.js';

/** Chooses the answer to a question. */
export type Pick = (question: Question) => Answer;

/** What came of answering: the last result, and what was asked and answered on the way. */
export interface Settlement {
  readonly result: CompileResult;
  readonly options: CompileOptions;
  readonly asked: readonly Question[];
  readonly answers: Readonly<Record<string, Answer>>;
}

/**
 * Compiles, answers what is open, and compiles again, until the result is complete or invalid.
 *
 * Throws when an answered question is asked again. Otherwise every pass answers a new one, and
 * their number is bounded: a question's id is its kind and its subject, and a subject is a part of
 * the workflow or a name that stands in it or was answered. Questions that other answers have made
 * pointless are not part of the settlement.
 */
export function settle(
  workflow: unknown,
  options: CompileOptions = {},
  pick = proposed,
): Settlement {
  const asked: Question[] = [];
  const bound = passBound(workflow);
  let latest: readonly Question[] = [];
  let answers: Record<string, Answer> = { ...options.answers?.answers };
  for (let pass = 0; pass <= bound; pass += 1) {
    const given = withAnswers(options, answers);
    const result = compile(workflow, given);
    if (result.status !== 'needs-answers') {
      const stands = ({ id }: Question) => isAskedWithout(workflow, options, answers, id);
      // Nothing was answered after the latest questions that could have made them pointless.
      const alive = asked.filter((each) => latest.includes(each) || stands(each));
      if (alive.length === asked.length) return { result, options: given, asked, answers };
      const pointless = new Set(asked.filter((each) => !alive.includes(each)).map(({ id }) => id));
      answers = keep(answers, (id) => !pointless.has(id));
      const fewer = withAnswers(options, answers);
      return { result: compile(workflow, fewer), options: fewer, asked: alive, answers };
    }
    latest = firstOf(unanswered(result, answers));
    for (const question of latest) answers = { ...answers, [question.id]: pick(question) };
    asked.push(...latest);
  }
  throw new Error(`questions are still open after ${bound} passes`);
}

/** The open questions; throws where there is none, or one that has an answer. */
function unanswered({ questions }: CompileResult, answers: GivenAnswers): readonly Question[] {
  if (questions.length === 0) throw new Error('the result needs answers and asks no question');
  const again = questions.find(({ id }) => Object.hasOwn(answers, id));
  if (again === undefined) return questions;
  throw new Error(`${again.id} is open after the answer ${JSON.stringify(answers[again.id])}`);
}

/**
 * The order in which kinds of question are answered. The start decides what can be reached; how a
 * condition is met, what is read; where a variable comes from, which nodes are equal; and all of
 * that, which stages form a cycle and what crosses between assistants.
 */
const order: readonly QuestionKind[] = [
  'ambiguous-start',
  'missing-endpoint',
  'missing-parameter',
  'missing-auth',
  'missing-destination',
  'logical-condition',
  'undefined-variable',
  'conflicting-settings',
  'cyclic-stages',
  'critical-variable',
];

/** The open questions that no other open question comes before. */
export function firstOf(open: readonly Question[]): readonly Question[] {
  const kind = order.find((each) => open.some((question) => question.kind === each));
  return open.filter((question) => question.kind === kind || kind === undefined);
}

type GivenAnswers = Readonly<Record<string, Answer>>;

function withAnswers(options: CompileOptions, answers: GivenAnswers): CompileOptions {
  return { ...options, answers: { ...options.answers, answers } };
}

function isAskedWithout(
  workflow: unknown,
  options: CompileOptions,
  answers: GivenAnswers,
  id: string,
): boolean {
  const others = keep(answers, (other) => other !== id);
  return compile(workflow, withAnswers(options, others)).questions.some((each) => each.id === id);
}

function keep(answers: GivenAnswers, wanted: (id: string) => boolean): Record<string, Answer> {
  return Object.fromEntries(Object.entries(answers).filter(([id]) => wanted(id)));
}

/** The proposal; where there is none, the first choice that can be made up. */
export function proposed(question: Question): Answer {
  const { proposal, proposalValue } = question;
  const choice = question.choices.find(({ key }) => key === proposal);
  if (choice === undefined) return choosing([0])(question);
  if (choice.value === undefined) return { choice: choice.key };
  return { choice: choice.key, value: proposalValue ?? makeValue(choice.value, [0]) };
}

/**
 * Choices by random numbers. The number that counts for a question depends on the question's id
 * and not on when it is asked, so that equal sources get equal answers.
 */
export function choosing(
  numbers: readonly number[],
  may: (question: Question, choice: string) => boolean = () => true,
): Pick {
  return (question) => {
    const allowed = question.choices.filter(({ key }) => may(question, key));
    const turned = turn(numbers.length > 0 ? numbers : [0], question.id);
    const { key, value } = wheel(allowed.length > 0 ? allowed : question.choices, turned[0] ?? 0);
    return value === undefined
      ? { choice: key }
      : { choice: key, value: makeValue(value, turned.slice(1)) };
  };
}

/** Kinds of answer that leave the source as it is: what is walked afterwards is what was written. */
const faithful: ReadonlySet<string> = new Set([
  'extract',
  'prose',
  'best-effort',
  'consolidate',
  'keep-split',
  'group',
  'number',
  'request',
  'none',
  'node',
  'caller',
  'first',
]);

/** As `choosing`, among the choices that change no text and add no tool. */
export function choosingFaithfully(numbers: readonly number[]): Pick {
  return choosing(numbers, (_question, choice) => faithful.has(choice));
}

/** Kinds of answer that change what is read where, or how a value crosses. */
const changingReads: ReadonlySet<string> = new Set([
  'argument',
  'guard',
  'tool',
  'rename',
  'captured-at',
]);

/** As `choosingFaithfully`, with the answers about variables that `readTracks` can follow. */
export function choosingReads(numbers: readonly number[]): Pick {
  return choosing(
    numbers,
    (_question, choice) => faithful.has(choice) || changingReads.has(choice),
  );
}

function turn(numbers: readonly number[], id: string): number[] {
  let hash = 7;
  for (const letter of id) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return numbers.map((_, index) => (numbers[(hash + index) % numbers.length] ?? 0) + hash);
}

/** More than the kinds of question times the parts that a workflow has. */
function passBound(workflow: unknown): number {
  return 10 * ((JSON.stringify(workflow) ?? '').length + 1);
}

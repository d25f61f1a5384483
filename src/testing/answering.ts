/** Answers the compiler's questions until none is open. */
import { run } from '../compiler/compile.js';
import type { Answer, CompileOptions } from '../compiler/ir/options.js';
import type { QuestionKind } from '../compiler/ir/question-kind.generated.js';
import type { CompileResult, Question } from '../compiler/ir/result.js';
import { compile } from '../index.js';
import { wheel } from './pick.js';
import { makeValue } from './schema-value.js';

/** Chooses the answer to a question. */
export type Pick = (question: Question) => Answer;

/** The outcome of answering: the last result, and the questions and answers before it. */
export interface Settlement {
  readonly result: CompileResult;
  readonly options: CompileOptions;
  readonly asked: readonly Question[];
  readonly answers: Readonly<Record<string, Answer>>;
}

/**
 * Compiles, answers the open questions, and compiles again, until the result is complete or
 * invalid. Questions that other answers have made irrelevant are not part of the settlement.
 *
 * Throws if an answered question is asked again. Otherwise every pass answers a new question, and
 * there are finitely many: an id is a kind, and a part of the workflow or a name in it or an answer.
 */
export function settle(
  workflow: unknown,
  options: CompileOptions = {},
  pick: Pick = proposed,
): Settlement {
  const asked: Question[] = [];
  const bound = 10 * ((JSON.stringify(workflow) ?? '').length + 1);
  const compileWith = (answers: Readonly<Record<string, Answer>>) => {
    const all = { ...options, answers: { ...options.answers, answers } };
    return { result: compile(workflow, all), options: all, answers };
  };
  let latest: readonly Question[] = [];
  let settled = compileWith({ ...options.answers?.answers });
  while (settled.result.status === 'needs-answers') {
    const open = firstOf(settled.result.questions);
    if (open.length === 0) throw new Error('the result needs answers and asks no question');
    // What is reported after the call makes no other question irrelevant.
    if (open[0]!.kind !== last) latest = open;
    const answers = { ...settled.answers };
    for (const question of open) {
      const before = answers[question.id];
      if (before) throw new Error(`${question.id} is open after ${JSON.stringify(before)}`);
      answers[question.id] = pick(question);
    }
    asked.push(...open);
    if (asked.length > bound) throw new Error(`questions are still open after ${bound}`);
    settled = compileWith(answers);
  }
  const isPointless = ({ id }: Question): boolean => {
    const { [id]: _, ...others } = settled.answers;
    const it = run(workflow, { ...options, answers: { ...options.answers, answers: others } });
    return !('dialogue' in it && it.dialogue.open.some((question) => question.id === id));
  };
  // No later answer could have made the latest questions irrelevant.
  const early = asked.filter((each) => each.kind !== last && !latest.includes(each));
  const pointless = early.filter(isPointless);
  if (pointless.length === 0) return { ...settled, asked };
  const answers = { ...settled.answers };
  for (const { id } of pointless) delete answers[id];
  return { ...compileWith(answers), asked: asked.filter((each) => !pointless.includes(each)) };
}

/**
 * The order in which kinds of questions are answered. The start decides what is reachable; how a
 * condition is met decides what is read; where a variable comes from decides which nodes are equal;
 * and all of these decide which stages form a cycle and what crosses between assistants.
 */
const order: readonly QuestionKind[] = [
  ...(['missing-edges', 'ambiguous-start', 'missing-condition', 'two-openings'] as const),
  ...(['missing-endpoint', 'missing-auth'] as const),
  ...(['missing-destination', 'logical-condition', 'undefined-variable'] as const),
  ...(['conflicting-settings', 'cyclic-stages', 'global-returns'] as const),
  ...(['read-too-early', 'critical-variable', 'values-after-call'] as const),
];

const last = order.at(-1);

/** The open questions that no other open question precedes. */
function firstOf(open: readonly Question[]): readonly Question[] {
  const kind = order.find((each) => open.some((question) => question.kind === each));
  return open.filter((question) => question.kind === kind || kind === undefined);
}

/** The proposal; without one, the first choice that can be made up. */
export function proposed(question: Question): Answer {
  const { proposal, proposalValue } = question;
  const choice = question.choices.find(({ key }) => key === proposal);
  if (choice === undefined) return choosing([0])(question);
  if (choice.value === undefined) return { choice: choice.key };
  return { choice: choice.key, value: proposalValue ?? makeValue(choice.value, [0]) };
}

/**
 * Choices by random numbers. The number used for a question depends on the question's id and not on
 * when it is asked, so that equal sources get equal answers. Operations are bound before compiling,
 * so `compile` cannot be given that answer.
 */
export function choosing(
  numbers: readonly number[],
  may: (choice: string) => boolean = (choice) => choice !== 'operation',
): Pick {
  return ({ id, choices }) => {
    const allowed = choices.filter(({ key }) => may(key));
    let hash = 7;
    for (const letter of id) hash = (hash * 31 + letter.codePointAt(0)!) % 65_521;
    const drawn = numbers.length > 0 ? numbers : [0];
    const turned = drawn.map((_, index) => wheel(drawn, hash + index) + hash);
    const { key, value } = wheel(allowed.length > 0 ? allowed : choices, turned[0] ?? 0);
    if (value === undefined) return { choice: key };
    return { choice: key, value: makeValue(value, turned.slice(1)) };
  };
}

/** Choices that leave the source unchanged: walks then follow it as written. */
const faithful = new Set([
  ...['extract', 'prose', 'best-effort', 'consolidate', 'keep-split', 'group', 'number'],
  ...['request', 'none', 'node', 'caller', 'first', 'when', 'in-order', 'accept', 'workflow'],
  'structured-output',
]);

/** Choices that change what is read where, or how a value crosses. */
const changingReads = new Set(['argument', 'guard', 'tool', 'rename', 'captured-at']);

/** Like `choosing`, among the choices that change no text and add no tool. */
export function choosingFaithfully(numbers: readonly number[]): Pick {
  return choosing(numbers, (choice) => faithful.has(choice));
}

/** Like `choosingFaithfully`, with the answers about variables that `readTracks` can follow. */
export function choosingReads(numbers: readonly number[]): Pick {
  return choosing(numbers, (choice) => faithful.has(choice) || changingReads.has(choice));
}

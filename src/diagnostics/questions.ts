/**
 * Questions as they are asked: the sentences of `questions/`, the choices of the target, and the
 * schema of the value that a choice needs (from `schemas/answer-value.schema.json`).
 */
import type { QuestionKind } from '../compiler/ir/answers.js';
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Json, JsonObject } from '../compiler/ir/json.js';
import type { Target } from '../compiler/ir/options.js';
import type { Choice, Question } from '../compiler/ir/result.js';
import { valueSchema } from './questions/answer-value.js';
import { questions } from './questions/entries.js';
import type { ChoiceEntry, QuestionArgs, QuestionEntry } from './questions/entry.js';

export { checkAnswerValue, needsValue } from './questions/answer-value.js';
export type { QuestionArgs } from './questions/entry.js';

/** What a question is about, and what the source suggests. */
export interface Asking<K extends QuestionKind> {
  readonly at: readonly JsonPointer[];
  readonly args: QuestionArgs[K];
  readonly target: Target;
  readonly proposal?: string | null;
  readonly proposalValue?: Json;
  /** By choice key, the only values that fit; an enum in the value's schema while they are few. */
  readonly allowed?: Readonly<Record<string, readonly string[]>>;
  /** A choice of the kind that this subject does not have. */
  readonly without?: string | null;
  /** By choice key, the form of the value where the subject has one of its own. */
  readonly forms?: Readonly<Record<string, JsonObject>>;
}

/** The question of a kind about a subject; the two make its id. */
export function ask<K extends QuestionKind>(
  kind: K,
  subject: string,
  { at, args, target, proposal, proposalValue, allowed, without, forms }: Asking<K>,
): Question {
  const entry: QuestionEntry<QuestionArgs[K]> = questions[kind];
  return {
    id: `${kind}:${subject}`,
    kind,
    at,
    text: entry.text(args),
    choices: offered(kind, target)
      .filter(({ key }) => key !== without)
      .map((choice) => choiceOf(kind, choice, allowed?.[choice.key], forms?.[choice.key])),
    proposal: proposal ?? null,
    ...(proposalValue === undefined ? {} : { proposalValue }),
  };
}

/** The keys of a kind's choices for a target, in the order in which they are offered. */
export function choicesOf(kind: QuestionKind, target: Target): readonly string[] {
  return offered(kind, target).map(({ key }) => key);
}

/** All kinds of question, in the order in which they are specified. */
export const questionKinds = Object.keys(questions) as readonly QuestionKind[];

function offered(kind: QuestionKind, target: Target): readonly ChoiceEntry[] {
  return questions[kind].choices.filter(({ only }) => only === undefined || only === target);
}

function choiceOf(
  kind: QuestionKind,
  { key, label, effect }: ChoiceEntry,
  allowed: readonly string[] | undefined,
  form: JsonObject | undefined,
): Choice {
  const value = form ?? valueSchema(kind, key, allowed);
  return value === null ? { key, label, effect } : { key, label, effect, value };
}

/**
 * Questions as they are asked: the sentences of `questions/`, the choices of the target, and the
 * schema of the value that a choice needs (from `schemas/answer-value.schema.json`).
 */
import type { QuestionKind } from '../compiler/ir/answers.js';
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Json, JsonObject } from '../compiler/ir/json.js';
import { withLazy } from '../compiler/ir/lazy.js';
import type { Target } from '../compiler/ir/options.js';
import type { Choice, Question } from '../compiler/ir/result.js';
import { needsValue, valueSchema } from './questions/answer-value.js';
import { questions } from './questions/entries.js';
import type { ChoiceEntry, QuestionArgs, QuestionEntry } from './questions/entry.js';

export { checkAnswerValue, needsValue } from './questions/answer-value.js';
export type { QuestionArgs } from './questions/entry.js';

/** The choice that the source suggests, where it suggests one, and the value that it needs. */
export interface Proposal {
  readonly proposal?: string | null;
  readonly proposalValue?: Json;
}

/** What a question is about, and what the source suggests. */
export interface Asking<K extends QuestionKind> extends Proposal {
  readonly at: readonly JsonPointer[];
  readonly args: QuestionArgs[K];
  readonly target: Target;
  /** Says the proposal when it is read, where finding it is costly. */
  readonly propose?: () => Proposal;
  /** By choice key, the only values that fit; an enum in the value's schema while they are few. */
  readonly allowed?: Readonly<Record<string, readonly string[]>>;
  /** A choice of the kind that this subject does not have. */
  readonly without?: string | null;
  /** By choice key, the form of the value where the subject has one of its own. */
  readonly forms?: Readonly<Record<string, JsonObject>>;
}

/**
 * The question of a kind about a subject; the two make its id. Most questions have an answer
 * before anybody reads them, so they are worded when they are first read; what is costly to find
 * for that may be a lazy member.
 */
export function ask<K extends QuestionKind>(kind: K, subject: string, asking: Asking<K>): Question {
  const entry: QuestionEntry<QuestionArgs[K]> = questions[kind];
  const { propose = () => asking } = asking;
  const hasValue = asking.propose !== undefined || asking.proposalValue !== undefined;
  return withLazy(
    { id: `${kind}:${subject}`, kind, at: asking.at },
    {
      text: () => entry.text(asking.args),
      choices: () => listChoices(kind, asking),
      proposal: () => propose().proposal ?? null,
      ...(hasValue && { proposalValue: () => propose().proposalValue }),
    },
  );
}

/** The keys of a kind's choices for a target, in the order in which they are offered. */
export function choicesOf(kind: QuestionKind, target: Target): readonly string[] {
  return offered(kind, target).map(({ key }) => key);
}

/** All kinds of question, in the order in which they are specified. */
export function questionKinds(): readonly QuestionKind[] {
  return Object.keys(questions) as QuestionKind[];
}

function offered(kind: QuestionKind, target: Target): readonly ChoiceEntry[] {
  return questions[kind].choices.filter(({ only }) => only === undefined || only === target);
}

function listChoices<K extends QuestionKind>(kind: K, asking: Asking<K>): readonly Choice[] {
  return offered(kind, asking.target)
    .filter(({ key }) => key !== asking.without)
    .map((entry) => choiceOf(kind, entry, asking));
}

function choiceOf<K extends QuestionKind>(
  kind: K,
  { key, label, effect }: ChoiceEntry,
  asking: Asking<K>,
): Choice {
  const form = asking.forms?.[key];
  if (form !== undefined) return { key, label, effect, value: form };
  if (!needsValue(kind, key)) return { key, label, effect };
  const value = () => valueSchema(kind, key, asking.allowed?.[key])!;
  return withLazy({ key, label, effect }, { value });
}

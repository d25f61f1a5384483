/**
 * What answers may be: the choices of a question, and checks of the values that they need. A choice
 * that needs a value has its JSON Schema in `schemas/questions.json`.
 */
import type { Target } from '../compiler/ir/options.js';
import type { QuestionKind } from '../compiler/ir/question-kind.generated.js';
import type { Choice } from '../compiler/ir/result.js';
import { answerValueSchema } from '../schemas/answer-value-document.generated.js';
import { validateAnswerValue } from '../schemas/answer-value-validator.generated.js';
import { kinds } from '../schemas/questions.generated.js';
import { isObject, type Json, type JsonObject } from '../text/json.js';
import { child } from '../text/pointer.js';
import { faultInWords, soleFaults } from './schema-fault.js';

/** The most values that a schema lists; a longer list does not help anyone to choose. */
export const maxListed = 200;

/** All kinds of question, in the order of the table. */
export function questionKinds(): readonly QuestionKind[] {
  return Object.keys(kinds) as QuestionKind[];
}

/** The choices of a kind for a target, in the order of the table; the schemas list valid values. */
export function choicesOf(
  kind: QuestionKind,
  target: Target,
  allowed: Readonly<Record<string, readonly string[]>> = {},
): Choice[] {
  return Object.entries(kinds[kind].choices).flatMap(([key, { label, effect, value, ...only }]) => {
    if (only.target !== undefined && only.target !== target) return [];
    if (value === undefined) return [{ key, label, effect }];
    return [{ key, label, effect, value: withValues(value, [...new Set(allowed[key])]) }];
  });
}

/** Returns true if a choice needs a value besides its key. */
export function needsValue(kind: QuestionKind, choice: string): boolean {
  const { choices } = kinds[kind];
  return Object.hasOwn(choices, choice) && choices[choice]!.value !== undefined;
}

/** What is wrong with the value of an answer, in words; null if it is valid. */
export function checkAnswerValue(
  kind: QuestionKind,
  choice: string,
  value: unknown,
): string | null {
  const given = value === undefined ? { kind, choice } : { kind, choice, value };
  if (!validateAnswerValue(given)) {
    return faultInWords(validateAnswerValue.errors ?? [], answerValueSchema, 'the answer');
  }
  if (kind !== 'cyclic-stages' || choice !== 'group') return null;
  // A schema cannot express that no stage is in two groups.
  const stages = (value as string[][]).flat();
  return new Set(stages).size === stages.length ? null : 'value names a stage in two groups';
}

/** What is wrong with one member of such a value, or with a value without members; null if it is valid. */
export function checkAnswerMember(
  kind: QuestionKind,
  choice: string,
  member: string | null,
  given: Json,
): string | null {
  const [at, value] =
    member === null ? ['/value', given] : [child('/value', member), { [member]: given }];
  if (validateAnswerValue({ kind, choice, value })) return null;
  const faults = soleFaults(validateAnswerValue.errors ?? []);
  const fault = faults.find(({ instancePath: it }) => it === at || it.startsWith(`${at}/`));
  if (fault === undefined) return null;
  return faultInWords([{ ...fault, instancePath: '' }], answerValueSchema, 'it');
}

/** The schema with the valid values; for lists of lists they are two levels down. */
function withValues(form: JsonObject, values: readonly string[]): JsonObject {
  if (values.length === 0 || values.length > maxListed) return form;
  const { items } = form;
  return isObject(items)
    ? { ...form, items: withValues(items, values) }
    : { ...form, enum: values };
}

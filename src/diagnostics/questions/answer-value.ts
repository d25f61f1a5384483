/**
 * The value that a choice needs beside its key. Its form is that of `$defs["<kind>.<choice>"]` in
 * `schemas/answer-value.schema.json`; a choice without one there takes no value.
 */
import type { QuestionKind } from '../../compiler/ir/answers.js';
import { isJsonObject, type Json, type JsonObject } from '../../compiler/ir/json.js';
import { schemaDocuments } from '../../schemas/documents.generated.js';
import { validateAnswerValue } from '../../schemas/validators.generated.js';
import { faultInWords } from '../schema-fault.js';

/** An enumeration longer than this helps nobody to choose. */
const enumLimit = 200;

/** Where inside a form the name stands that `allowed` narrows; at its top where not listed. */
const narrowed: Readonly<Record<string, readonly string[]>> = {
  'logical-condition.tool': ['properties', 'tool'],
  'critical-variable.tool': ['properties', 'tool'],
  'cyclic-stages.group': ['items', 'items'],
  'missing-endpoint.request': ['properties', 'method'],
  'missing-endpoint.operation': ['properties', 'operation'],
  'missing-auth.header': ['properties', 'secret'],
  'missing-auth.credential': ['properties', 'credentialId'],
};

/** Whether a choice needs a value beside its key. */
export function needsValue(kind: QuestionKind, choice: string): boolean {
  return formOf(kind, choice) !== null;
}

/** What is wrong with the value of an answer, in words; null where it fits. */
export function checkAnswerValue(
  kind: QuestionKind,
  choice: string,
  value: unknown,
): string | null {
  const given = value === undefined ? { kind, choice } : { kind, choice, value };
  if (!validateAnswerValue(given)) {
    const document = schemaDocuments['answer-value'];
    return faultInWords(validateAnswerValue.errors ?? [], document, 'the answer');
  }
  return kind === 'cyclic-stages' && choice === 'group' ? repeatedStage(value) : null;
}

/** The schema of a choice's value, or null; `allowed` are the only values that fit. */
export function valueSchema(
  kind: QuestionKind,
  choice: string,
  allowed: readonly string[] | undefined,
): JsonObject | null {
  const form = formOf(kind, choice);
  const values = [...new Set(allowed)];
  if (form === null || values.length === 0 || values.length > enumLimit) return form;
  return withEnum(form, narrowed[`${kind}.${choice}`] ?? [], values);
}

function formOf(kind: QuestionKind, choice: string): JsonObject | null {
  const forms = schemaDocuments['answer-value']?.$defs;
  return objectAt(forms, `${kind}.${choice}`);
}

/** A copy of the form in which the schema at the end of the path has the enumeration. */
function withEnum(form: JsonObject, path: readonly string[], values: Json): JsonObject {
  const [key, ...rest] = path;
  if (key === undefined) return { ...form, enum: values };
  return { ...form, [key]: withEnum(objectAt(form, key) ?? {}, rest, values) };
}

function objectAt(value: Json | undefined, key: string): JsonObject | null {
  if (!isJsonObject(value) || !Object.hasOwn(value, key)) return null;
  const found = value[key];
  return isJsonObject(found) ? found : null;
}

/** A schema cannot say that no stage stands in two groups. */
function repeatedStage(groups: unknown): string | null {
  const stages = (groups as string[][]).flat();
  return new Set(stages).size === stages.length ? null : 'value names a stage in two groups';
}

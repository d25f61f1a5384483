/** An answers file for the open questions, to be pasted and filled in. */
import type { Choice, Json, JsonObject, Question } from '../index.js';
import { isObject } from '../text/json.js';

/**
 * Each answer is the proposal of its question, or a placeholder that names the choices and shows the
 * shape of a value. A placeholder is not valid: a snippet that nobody filled in decides nothing.
 */
export function answersSnippet(questions: readonly Question[]): JsonObject {
  const answers = questions.map((question) => [question.id, answerFor(question)] as const);
  return { answers: Object.fromEntries(answers) };
}

/** The proposal as an answer, or a placeholder. */
export function answerFor({ choices, proposal, proposalValue }: Question): JsonObject {
  const only = choices.length === 1 ? choices[0] : undefined;
  const chosen = choices.find(({ key }) => key === proposal) ?? only;
  const choice = chosen?.key ?? `CHOOSE: ${choices.map(choiceForm).join(' | ')}`;
  const schema = (chosen ?? choices.find(({ value }) => value !== undefined))?.value;
  if (schema === undefined) return { choice };
  return { choice, value: (choice === proposal ? proposalValue : undefined) ?? shapeOf(schema) };
}

/** What has to be filled in is null, which no choice takes. */
function shapeOf({ properties, required, items }: JsonObject): Json {
  if (isObject(items)) return [shapeOf(items)];
  if (!isObject(properties)) return null;
  const names = Array.isArray(required) ? required.map(String) : [];
  return Object.fromEntries(
    names.map((name) => [name, shapeOf((properties[name] ?? {}) as JsonObject)]),
  );
}

function choiceForm({ key, value }: Choice): string {
  return value === undefined ? key : `${key} (with a value)`;
}

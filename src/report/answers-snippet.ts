/** An answers file for the open questions, to be pasted and filled in. */
import type { Choice, Json, JsonObject, Question } from '../index.js';

/**
 * Each answer is the proposal of its question, or a placeholder that names the choices. A placeholder
 * is not a valid choice: a snippet that nobody filled in decides nothing.
 */
export function answersSnippet(questions: readonly Question[]): JsonObject {
  const answers = questions.map((question) => [question.id, answerFor(question)] as const);
  return { answers: Object.fromEntries(answers) };
}

/** The proposal as an answer, or a placeholder. */
export function answerFor({ choices, proposal, proposalValue }: Question): JsonObject {
  const only = choices.length === 1 ? choices[0] : undefined;
  const chosen = choices.find(({ key }) => key === proposal) ?? only;
  if (chosen === undefined) return { choice: `CHOOSE: ${choices.map(choiceForm).join(' | ')}` };
  if (chosen.value === undefined) return { choice: chosen.key };
  const value: Json = chosen.key === proposal ? (proposalValue ?? todoValue) : todoValue;
  return { choice: chosen.key, value };
}

// No choice takes null, so a value that nobody filled in is reported.
const todoValue: Json = null;

function choiceForm({ key, value }: Choice): string {
  return value === undefined ? key : `${key} (with a value)`;
}

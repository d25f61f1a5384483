/** The part of an answers file that open questions ask for, ready to be pasted. */
import type { Choice, Json, JsonObject, Question } from '../index.js';

/**
 * One answer per open question: the proposal where the source suggests one, else a placeholder
 * that names the choices. A placeholder is no choice, so that a snippet pasted as it is never
 * decides by itself.
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

// No choice takes null for its value, so that one that nobody filled in is reported.
const todoValue: Json = null;

function choiceForm({ key, value }: Choice): string {
  return value === undefined ? key : `${key} (with a value)`;
}

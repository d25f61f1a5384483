/** Answers → the file that `squadc migrate --answers` takes. */
import type { Value } from './questions-data.js';

export interface GivenAnswer {
  readonly id: string;
  readonly choice: string;
  readonly value: Value | undefined;
  readonly subject: string;
}

/** The name under which the file is saved; keys are made of letters, digits and hyphens. */
export function answersFileName(key: string): string {
  return `${key}.answers.json`;
}

export function answersFile(key: string, given: readonly GivenAnswer[]): string {
  const answers = given.map(({ id, choice, value, subject }) => [
    id,
    { choice, ...(value !== undefined && { value }), subject },
  ]);
  const workflows = Object.fromEntries([[key, { answers: Object.fromEntries(answers) }]]);
  return `${JSON.stringify({ policies: {}, workflows }, null, 2)}\n`;
}

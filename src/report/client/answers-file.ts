/** Answers → the file that `squadc migrate --answers` takes. */

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

export type Value =
  | null
  | boolean
  | number
  | string
  | readonly Value[]
  | { readonly [key: string]: Value };
export type Schema = { readonly [key: string]: Value };

export interface QuestionsData {
  /** Of the workflow. */
  readonly key: string;
  readonly questions: readonly AskedQuestion[];
}

export interface AskedQuestion {
  readonly id: string;
  readonly subject: string;
  readonly choices: readonly { readonly key: string; readonly value?: Schema }[];
}

export function isObject(value: Value | undefined): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

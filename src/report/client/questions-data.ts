/** What the page tells its script of the open questions. */

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

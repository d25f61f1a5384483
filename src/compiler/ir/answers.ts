/** The human's answers, as a file holds them. */
import type { Json } from './json.js';

/** The kinds of question; the first four situations are those of spec/3. */
export type QuestionKind =
  | 'logical-condition'
  | 'critical-variable'
  | 'cyclic-stages'
  | 'missing-destination'
  | 'missing-endpoint'
  | 'missing-auth'
  | 'ambiguous-start'
  | 'undefined-variable'
  | 'conflicting-settings';

/** One answer: the key of a choice and, where the choice needs one, its value. */
export interface Answer {
  readonly choice: string;
  readonly value?: Json;
}

/** The human's answers: by question id, and per kind a choice for every question of that kind. */
export interface Answers {
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly policies?: Readonly<Record<string, string>>;
}

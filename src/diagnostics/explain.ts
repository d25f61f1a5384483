import type { QuestionKind } from '../compiler/ir/answers.js';
import type { Severity } from '../compiler/ir/result.js';
import { type Code, catalogue, entryOf } from './catalogue.js';
import { questions } from './questions/entries.js';
import type { QuestionArgs, QuestionEntry } from './questions/entry.js';

/** The long text of a diagnostic's code or of a kind of question. */
export interface Explanation {
  readonly code: string;
  readonly kind: 'diagnostic' | 'question';
  /** Only for diagnostics. */
  readonly severity?: Severity;
  readonly title: string;
  readonly why: string;
  readonly help: string;
  /** What it looks like for an invented workflow. */
  readonly example?: string;
  /** Only for questions: the choices of every target. */
  readonly choices?: readonly {
    readonly key: string;
    readonly label: string;
    readonly effect: string;
  }[];
}

/** The long text of a diagnostic's code or of a kind of question; null for any other word. */
export function explain(code: string): Explanation | null {
  if (isKey(catalogue, code)) return explainDiagnostic(code);
  if (isKey(questions, code)) return explainQuestion(code);
  return null;
}

/** Every code and kind that `explain` knows, sorted. */
export function codes(): string[] {
  return [...Object.keys(catalogue), ...Object.keys(questions)].sort();
}

function explainDiagnostic<C extends Code>(code: C): Explanation {
  const { severity, title, message, why, help, example } = entryOf(code);
  return {
    code,
    kind: 'diagnostic',
    severity,
    title,
    why,
    help: help(example),
    example: message(example),
  };
}

function explainQuestion<K extends QuestionKind>(code: K): Explanation {
  const entry: QuestionEntry<QuestionArgs[K]> = questions[code];
  const { title, why, help, text, choices, example } = entry;
  return {
    code,
    kind: 'question',
    title,
    why,
    help,
    example: text(example),
    choices: choices.map(({ key, label, effect }) => ({ key, label, effect })),
  };
}

/** Own keys only: `constructor` is no code. */
function isKey<T extends object>(table: T, key: string): key is Extract<keyof T, string> {
  return Object.hasOwn(table, key);
}

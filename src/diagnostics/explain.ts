/** What `squadc explain` shows for a code or a kind of question. */
import type { QuestionKind } from '../compiler/ir/question-kind.generated.js';
import type { Choice, Severity } from '../compiler/ir/result.js';
import { kinds } from '../schemas/questions.generated.js';
import { type Code, catalogue, entryOf } from './diagnose.js';

/** The explanation of a diagnostic's code or of a kind of question. */
export interface Explanation {
  readonly code: string;
  readonly kind: 'diagnostic' | 'question';
  /** Only for diagnostics. */
  readonly severity?: Severity;
  /** The message or question in general, without names. */
  readonly title: string;
  /** Why squadc asks; only for questions. */
  readonly why?: string;
  readonly help: string;
  /** The message or question for an invented workflow. */
  readonly example?: string;
  /** The choices of all targets; only for questions. */
  readonly choices?: readonly Pick<Choice, 'key' | 'label' | 'effect'>[];
}

/** Every code and kind of question, sorted. */
export function codes(): string[] {
  return [...Object.keys(catalogue), ...Object.keys(kinds)].sort();
}

/** Explains a diagnostic's code or a kind of question; null for any other word. */
export function explain(code: string): Explanation | null {
  // Own keys only: `constructor` is not a code.
  if (Object.hasOwn(catalogue, code)) return explainDiagnostic(code as Code);
  if (!Object.hasOwn(kinds, code)) return null;
  const { title, why, help, example, choices } = kinds[code as QuestionKind];
  const all = Object.entries(choices).map(([key, { label, effect }]) => ({ key, label, effect }));
  return { code, kind: 'question', title, why, help, example, choices: all };
}

function explainDiagnostic<C extends Code>(code: C): Explanation {
  const { severity, general, message, example } = entryOf(code);
  const { message: said, help } = general();
  const shown = example === undefined ? {} : { example: message(example) };
  return { code, kind: 'diagnostic', severity, title: said.replace(/\.$/, ''), help, ...shown };
}

import type { JsonPointer } from '../compiler/ir/ids.js';
import { addLazy, holdMakers } from '../compiler/ir/lazy.js';
import type { Diagnostic } from '../compiler/ir/result.js';
import { type ArgsOf, type Code, entryOf } from './catalogue.js';

/** What a diagnostic may say beside its place and its arguments. */
export interface Placement {
  readonly related?: readonly JsonPointer[];
  /** The document that `at` points into, where it is not the workflow. */
  readonly in?: 'options' | 'answers' | 'squad';
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * The finding `code` at a place. Its sentences are written when they are first read, so that an
 * argument which is costly to find may be a lazy member.
 */
export function diagnose<C extends Code>(
  code: C,
  at: JsonPointer,
  args: ArgsOf<C>,
  more: Placement = {},
): Diagnostic {
  const entry = entryOf(code);
  const diagnostic: Partial<Writable<Diagnostic>> = { code, severity: entry.severity };
  holdMakers(diagnostic, { message: () => entry.message(args), help: () => entry.help(args) });
  addLazy(diagnostic, 'message');
  diagnostic.at = at;
  if (more.in !== undefined) diagnostic.in = more.in;
  diagnostic.related = more.related ?? [];
  addLazy(diagnostic, 'help');
  return diagnostic as Diagnostic;
}

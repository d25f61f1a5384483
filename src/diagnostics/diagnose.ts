import type { JsonPointer } from '../compiler/ir/ids.js';
import { addLazy, holdMakers, type Makers } from '../compiler/ir/lazy.js';
import type { Diagnostic } from '../compiler/ir/result.js';
import type { Entry } from './catalogue/entry.js';
import { type ArgsOf, type Code, entryOf } from './catalogue.js';

/** What a diagnostic may say beside its place and its arguments. */
export interface Placement {
  readonly related?: readonly JsonPointer[];
  /** The document that `at` points into, where it is not the workflow. */
  readonly in?: 'options' | 'answers' | 'squad';
}

type Sentences = Pick<Diagnostic, 'message' | 'help'>;

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
  holdMakers<Sentences>(diagnostic, new Writer(entry, args));
  addLazy(diagnostic, 'message');
  diagnostic.at = at;
  if (more.in !== undefined) diagnostic.in = more.in;
  diagnostic.related = more.related ?? [];
  addLazy(diagnostic, 'help');
  return diagnostic as Diagnostic;
}

/** Writes what a finding says; one for each finding, so that none has closures of its own. */
class Writer<Args> implements Makers<Sentences> {
  constructor(
    private readonly entry: Entry<Args>,
    private readonly args: Args,
  ) {}

  message(): string {
    return this.entry.message(this.args);
  }

  help(): string {
    return this.entry.help(this.args);
  }
}

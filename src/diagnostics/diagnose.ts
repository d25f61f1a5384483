import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Diagnostic } from '../compiler/ir/result.js';
import { type ArgsOf, type Code, entryOf } from './catalogue.js';

/** What a diagnostic may say beside its place and its arguments. */
export interface Placement {
  readonly related?: readonly JsonPointer[];
  /** The document that `at` points into, where it is not the workflow. */
  readonly in?: 'options' | 'answers' | 'squad';
}

/**
 * The finding `code` at a place. Its sentences are written when they are first read, so that an
 * argument which is costly to find may be a getter.
 */
export function diagnose<C extends Code>(
  code: C,
  at: JsonPointer,
  args: ArgsOf<C>,
  more: Placement = {},
): Diagnostic {
  const entry = entryOf(code);
  let message: string | undefined;
  let help: string | undefined;
  return {
    code,
    severity: entry.severity,
    get message() {
      message ??= entry.message(args);
      return message;
    },
    at,
    ...(more.in === undefined ? {} : { in: more.in }),
    related: more.related ?? [],
    get help() {
      help ??= entry.help(args);
      return help;
    },
  };
}

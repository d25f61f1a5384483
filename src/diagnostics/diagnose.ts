/** Makes the findings that phases report: a code of the catalogue, at a place, in its sentences. */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Diagnostic } from '../compiler/ir/result.js';
import { type ArgsOf, type Code, entryOf } from './catalogue.js';

/** What a diagnostic may say beside its place and its arguments. */
export interface Placement {
  readonly related?: readonly JsonPointer[];
  /** The document that `at` points into, where it is not the workflow. */
  readonly in?: 'options' | 'answers' | 'squad';
}

/** The finding `code` at a place; `args` is what the sentences of the code name. */
export function diagnose<C extends Code>(
  code: C,
  at: JsonPointer,
  args: ArgsOf<C>,
  { related = [], in: document }: Placement = {},
): Diagnostic {
  const { severity, message, help } = entryOf(code);
  return {
    code,
    severity,
    message: message(args),
    at,
    ...(document !== undefined && { in: document }),
    related,
    help: help(args),
  };
}

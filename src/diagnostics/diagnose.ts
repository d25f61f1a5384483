/**
 * The catalogue of all diagnostics, one row each in the files of `catalogue/`, and `diagnose`, which
 * creates a finding from a row. Codes are never renamed, because people filter by them. Adding or
 * removing a code takes one edit.
 */
import type { Diagnostic } from '../compiler/ir/result.js';
import type { JsonPointer } from '../text/pointer.js';
import { data, flow, lower } from './catalogue/compile.js';
import { api, batch, check, tools } from './catalogue/run.js';
import { shape } from './catalogue/shape.js';
import type { Entry } from './sentence.js';

export const catalogue = {
  ...shape,
  ...flow,
  ...data,
  ...lower,
  ...tools,
  ...check,
  ...api,
  ...batch,
};

/** A code of the catalogue, `<area>/<fault>`. */
export type Code = keyof typeof catalogue;

/** The arguments of a code's sentences. */
export type ArgsOf<C extends Code> = Parameters<(typeof catalogue)[C]['message']>[0];

const entries: { readonly [C in Code]: Entry<ArgsOf<C>> } = catalogue;

/** The row of a code. */
export function entryOf<C extends Code>(code: C): Entry<ArgsOf<C>> {
  return entries[code];
}

/** What a diagnostic can have besides its place and its arguments. */
export type Placement = Partial<Pick<Diagnostic, 'related' | 'in'>>;

/** The finding `code` at a place; `args` are the arguments of its sentences. */
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

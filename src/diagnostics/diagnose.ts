/**
 * Every diagnostic that squadc can report, a row each in the files of `catalogue/`, and what makes a
 * finding of one. A code is never renamed: people filter by it. Adding or removing a code is one
 * edit, of its row.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Diagnostic } from '../compiler/ir/result.js';
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

/** What the sentences of a code name. */
export type ArgsOf<C extends Code> = Parameters<(typeof catalogue)[C]['message']>[0];

const entries: { readonly [C in Code]: Entry<ArgsOf<C>> } = catalogue;

/** The row of a code, with the arguments that its sentences take. */
export function entryOf<C extends Code>(code: C): Entry<ArgsOf<C>> {
  return entries[code];
}

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

/**
 * Every diagnostic that squadc can report, a row each, in files by area. A code is never renamed:
 * people filter by it. Adding or removing a code is one edit, of its row.
 */
import { data, flow, lower } from './catalogue/compile.js';
import type { Entry } from './catalogue/entry.js';
import { api, batch, check, tools } from './catalogue/run.js';
import { shape } from './catalogue/shape.js';

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

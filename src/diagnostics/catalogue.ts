/**
 * Every diagnostic that squadc can report. A code is never renamed: people filter by it.
 */
import { api } from './catalogue/api.js';
import { batch } from './catalogue/batch.js';
import { check } from './catalogue/check.js';
import { data } from './catalogue/data.js';
import { dataAliases } from './catalogue/data-aliases.js';
import type { Entry } from './catalogue/entry.js';
import { flow } from './catalogue/flow.js';
import { lower } from './catalogue/lower.js';
import { lowerSaved } from './catalogue/lower-saved.js';
import { shape } from './catalogue/shape.js';
import { tools } from './catalogue/tools.js';

export const catalogue = {
  ...shape,
  ...flow,
  ...data,
  ...dataAliases,
  ...lower,
  ...lowerSaved,
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

/** The entry of a code, with the arguments that its sentences take. */
export function entryOf<C extends Code>(code: C): Entry<ArgsOf<C>> {
  return entries[code];
}

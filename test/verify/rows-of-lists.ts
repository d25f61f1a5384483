/** Rows as lists, which are easier to write down. */
import { type Rows, toRows } from '../../src/verify/rows.js';

/** One row per list. */
export function rowsOfLists(lists: readonly (readonly number[])[]): Rows {
  const sources = lists.flatMap((list, source) => list.map(() => source));
  return toRows(lists.length, sources, lists.flat());
}

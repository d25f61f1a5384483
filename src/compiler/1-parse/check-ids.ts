/** Whether every node can be told from the others by its id. */
import { diagnose } from '../../diagnostics/diagnose.js';
import type { JsonPointer } from '../ir/ids.js';
import type { Diagnostic } from '../ir/result.js';

/**
 * Ids are compared as written; two that differ only by Unicode normalisation look the same. A node
 * without an id has null: that is told elsewhere.
 */
export function checkIds(
  ids: readonly (string | null)[],
  placeOf: (index: number) => JsonPointer,
  faults: Diagnostic[],
): void {
  const seen = new Map<string, number>();
  for (let index = 0; index < ids.length; index++) {
    const id = ids[index]!;
    if (id === null) continue;
    const key = id.normalize('NFC');
    const earlier = seen.get(key);
    if (earlier === undefined) {
      seen.set(key, index);
      continue;
    }
    const code = ids[earlier] === id ? 'shape/duplicate-id' : 'shape/ambiguous-id';
    faults.push(diagnose(code, placeOf(index), { id }, { related: [placeOf(earlier)] }));
  }
}

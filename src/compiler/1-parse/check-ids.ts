/** Whether every node can be told from the others by its id. */
import { diagnose } from '../../diagnostics/diagnose.js';
import type { JsonPointer } from '../ir/ids.js';
import type { Diagnostic } from '../ir/result.js';

/** Ids are compared as written; two that differ only by Unicode normalisation look the same. */
export function checkIds(
  entries: readonly { readonly id: string; readonly at: JsonPointer }[],
  faults: Diagnostic[],
): void {
  const seen = new Map<string, { readonly id: string; readonly at: JsonPointer }>();
  for (const { id, at } of entries) {
    const key = id.normalize('NFC');
    const earlier = seen.get(key);
    if (earlier === undefined) {
      seen.set(key, { id, at });
      continue;
    }
    const code = earlier.id === id ? 'shape/duplicate-id' : 'shape/ambiguous-id';
    faults.push(diagnose(code, at, { id }, { related: [earlier.at] }));
  }
}

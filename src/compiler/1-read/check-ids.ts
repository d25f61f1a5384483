/** Whether every node can be told from the others by its id. */
import { diagnose } from '../../diagnostics/diagnose.js';
import type { JsonPointer } from '../ir/ids.js';
import type { Diagnostic } from '../ir/result.js';

/** Nodes by their ids, the first where several have one. */
export type NodesById = ReadonlyMap<string, number>;

/**
 * Ids are compared as written; two that differ only by Unicode normalisation look the same. A node
 * without an id has null: that is told elsewhere.
 */
export function checkIds(
  ids: readonly (string | null)[],
  placeOf: (index: number) => JsonPointer,
  faults: Diagnostic[],
): NodesById {
  const byId = new Map<string, number>();
  // Where all ids are plain each is its own normal form, so that one index serves for both.
  const arePlain = ids.every((id) => id === null || printable.test(id));
  const byForm = arePlain ? byId : new Map<string, number>();
  for (let index = 0; index < ids.length; index++) {
    const id = ids[index]!;
    if (id === null) continue;
    const form = arePlain ? id : id.normalize('NFC');
    const earlier = byForm.get(form);
    if (!arePlain && !byId.has(id)) byId.set(id, index);
    if (earlier === undefined) {
      byForm.set(form, index);
      continue;
    }
    const code = ids[earlier] === id ? 'shape/duplicate-id' : 'shape/ambiguous-id';
    faults.push(diagnose(code, placeOf(index), { id }, { related: [placeOf(earlier)] }));
  }
  return byId;
}

/** ASCII, which has no other form. */
const printable = /^[ -~]*$/;

/**
 * Item 9. "An API caller uses squadId instead of workflowId."
 *
 * The callers are programs outside of the document; what can be seen here is that the document
 * itself, whose tools may start runs too, names no workflowId.
 */
import { child, type JsonPointer } from '../compiler/ir/ids.js';
import { isJsonObject, type Json } from '../compiler/ir/json.js';
import type { ChecklistItem } from '../compiler/ir/result.js';
import { ofCallers } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { finding, toItem } from './item.js';

const forbidden = 'workflowId';

export function checkCallers(comparison: Comparison): ChecklistItem {
  const places = findNamed(comparison.document);
  return toItem(
    9,
    places.length === 0
      ? [finding(true, ofCallers.clean(), [], [''])]
      : places.map((at) => finding(false, ofCallers.named(), [], [at])),
    comparison,
  );
}

/** Places that are called workflowId, or whose text is that, in the order of the document. */
function findNamed(document: Json): JsonPointer[] {
  const found: JsonPointer[] = [];
  const pending: { value: Json; at: JsonPointer; key: string }[] = [
    { value: document, at: '', key: '' },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, at } = next;
    if (next.key === forbidden || value === forbidden) found.push(at);
    const parts = isJsonObject(value) || Array.isArray(value) ? Object.entries(value) : [];
    for (const [key, part] of parts.reverse()) {
      pending.push({ value: part as Json, at: child(at, key), key });
    }
  }
  return found;
}

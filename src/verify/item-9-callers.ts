/**
 * Item 9. "An API caller uses squadId instead of workflowId."
 *
 * The callers are programs outside of the document; what can be seen here is that the document
 * itself, whose tools may start runs too, names no workflowId.
 */
import type { ChecklistItem } from '../compiler/ir/result.js';
import { ofCallers } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { finding, toItem } from './item.js';
import { findPlaces } from './tools/places.js';

const forbidden = 'workflowId';

export function checkCallers(comparison: Comparison): ChecklistItem {
  const { document } = comparison;
  // Places that are called so, or whose text is that.
  const places = findPlaces(document, '', (key, value) => key === forbidden || value === forbidden);
  return toItem(
    9,
    places.length === 0
      ? [finding(true, ofCallers.clean(), [], [''])]
      : places.map(({ at }) => finding(false, ofCallers.named(), [], [at])),
    comparison,
  );
}

/**
 * Conditions that the platform enforces.
 *
 * The platform refuses a call of a tool where all texts of its rejection plan print `true`; a
 * guard prints `true` where its condition holds, so a rejection says the opposite.
 */
import { synthesized, type Traced, traced } from '../ir/provenance.js';
import type { Rejections } from '../ir/squad-ir.js';
import type { Condition } from '../ir/workflow.js';

export function isGuarded(condition: Condition | null): boolean {
  return condition !== null && condition.guard !== null;
}

/** The tool is refused where none of its ways is open; a way without a guard is always open. */
export function rejectionsOf(
  ways: readonly { readonly condition: Condition | null }[],
): Rejections {
  if (ways.length === 0 || !ways.every(({ condition }) => isGuarded(condition))) return none;
  const rejections = ways.flatMap(({ condition }) => rejectionOf(condition!));
  return [...new Map(rejections.map((each) => [each.value, each])).values()];
}

const none: Rejections = [];

function rejectionOf({ guard, at }: Condition): Traced<string>[] {
  if (guard === null) return [];
  // The name is set after the guard is rendered, so the guard may use the same one.
  const text =
    `{% capture squadc_open %}${guard}{% endcapture %}` +
    `{% if squadc_open == "true" %}false{% else %}true{% endif %}`;
  return [traced(text, synthesized('guard', [at]))];
}

/**
 * Calls that the squad answers otherwise, step by step:
 *
 *     1. start → collect → [wants a table] → booking
 *        “Booking” does not say “A table it is.” where the call comes to “booking”.
 *        workflow.json:31:5  /nodes/2
 */

import { shorten } from '../diagnostics/quote.js';
import type { JsonPointer, Walk, WalkStep } from '../index.js';
import { type PlacesOf, placeLines } from './evidence-places.js';
import { hanging, type Layout, leftOut } from './layout.js';

/** Calls that are shown without `--verbose`, and steps at either end of one. */
const mostWalks = 5;
const mostSteps = 12;

export function shownWalks(walks: readonly Walk[], verbose: boolean): readonly Walk[] {
  return verbose ? walks : walks.slice(0, mostWalks);
}

/** `workflow` is the source as it was read: the conditions of the steps stand there. */
export function walkLines(
  walks: readonly Walk[],
  workflow: unknown,
  placesOf: PlacesOf,
  layout: Layout,
): string[] {
  const { columns, style, verbose } = layout;
  const shown = shownWalks(walks, verbose);
  const lines = shown.flatMap((walk, index) => {
    const lead = `${String(index + 1).padStart(2)}. `;
    const [first = '', ...others] = hanging(lead, stepsInWords(walk, workflow, verbose), columns);
    return [
      ...[first, ...others].map((line) => style.bold(line)),
      ...hanging('    ', walk.text, columns),
      ...placeLines(placesOf(walk), 4, layout),
    ];
  });
  const left = walks.length - shown.length;
  return [...lines, ...leftOut(left, '    ', layout)];
}

/** The nodes of a call, and between them what the caller wants, in brackets. */
function stepsInWords({ steps }: Walk, workflow: unknown, verbose: boolean): string {
  const parts = steps.map((step, index) => {
    const condition = index === 0 ? null : conditionOf(step, workflow);
    return condition === null ? step.node : `[${shorten(condition, 60)}] → ${step.node}`;
  });
  if (!verbose && parts.length > 2 * mostSteps) {
    const left = parts.length - 2 * mostSteps;
    parts.splice(mostSteps, left, `… ${left} more …`);
  }
  return parts.join(' → ');
}

/** The condition of the edge that is taken, or of the global node that is entered. */
function conditionOf({ at, via }: WalkStep, workflow: unknown): string | null {
  const condition = member(valueAt(workflow, via ?? at), 'condition');
  if (typeof condition === 'string') return condition;
  const prompt = member(condition, 'prompt');
  if (typeof prompt === 'string') return prompt;
  return via === null ? 'from anywhere' : null;
}

function valueAt(document: unknown, at: JsonPointer): unknown {
  const keys = at.split('/').slice(1);
  return keys
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(member, document);
}

/** Own members only: `constructor` is no field. */
function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

/**
 * Item 9. "An API caller uses squadId instead of workflowId."
 *
 * The callers are programs outside of the document; what can be seen here is that the document
 * itself, whose tools may start runs too, names no workflowId. What the workflow itself calls so (a
 * variable, a field of a request) is carried word for word, as the other items want it.
 */
import type { Json } from '../compiler/ir/json.js';
import { ofCallers } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding, type Judgement, judge } from './item.js';
import { findPlaces } from './tools/places.js';

const forbidden = 'workflowId';

export function checkCallers(comparison: Comparison): Judgement {
  const places = findPlaces(comparison.document, '', isForbidden);
  const isCarried = places.length > 0 && isInSource(comparison);
  const findings = places.map(({ at }): Finding => {
    return isCarried && carriedAt.test(at)
      ? finding(true, ofCallers.carried(), [], [at])
      : finding(false, ofCallers.named(), [], [at]);
  });
  const clean = finding(true, ofCallers.clean(), [], ['']);
  return judge(
    9,
    findings.every(({ holds }) => holds) ? [clean, ...findings] : findings,
    comparison,
  );
}

/** Places that are called so, or whose text is that. */
function isForbidden(key: string | number, value: Json): boolean {
  return key === forbidden || value === forbidden;
}

/** Where what the source says may stand: the other checks look at every word there. */
const carriedAt =
  /\/assistant\/(?:name|firstMessage)$|\/(?:model|voice|transcriber|members?Overrides)\//;

/** Whether the workflow or an option calls anything so. */
function isInSource({ graph, options }: Comparison): boolean {
  const { model, memberOverrides } = options;
  const said = [graph.workflow as unknown as Json, { model, memberOverrides }];
  return said.some((value) => findPlaces(value, '', isForbidden).length > 0);
}

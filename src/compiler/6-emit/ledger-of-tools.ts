/**
 * What became of the tools that the source has in the platform's own words.
 *
 * In: the workflow, and where its values stand in the document. Out: for a node one entry per tool.
 * Equal tools of one assistant are written once, so a tool stands where any of its equals does.
 */

import { append } from '../../graph/lists.js';
import { child, type JsonPointer } from '../ir/ids.js';
import type { LedgerEntry } from '../ir/result.js';
import { type GivenTool, givenToolKey, type Workflow, type WorkflowNode } from '../ir/workflow.js';
import type { Fate } from './ledger.js';

/** The entries of a node's tools; `fate` is the node's, with the members that have it. */
export type EntriesOfTools = (node: WorkflowNode, fate: Fate) => LedgerEntry[];

export function trackTools(
  { nodes }: Workflow,
  of: (at: JsonPointer) => readonly JsonPointer[],
): EntriesOfTools {
  const places = new Map<string, JsonPointer[]>();
  for (const tool of nodes.flatMap(({ tools }) => tools)) {
    for (const place of placesOf(tool, of)) append(places, givenToolKey(tool), place);
  }
  return ({ tools }, fate) =>
    tools.map((tool): LedgerEntry => {
      const within = (place: JsonPointer) => fate.outputs.some((it) => place.startsWith(`${it}/`));
      const outputs = (places.get(givenToolKey(tool)) ?? []).filter(within);
      return { at: tool.at, kind: 'tool', ...fate, outputs: [...new Set(outputs)] };
    });
}

/** Every tool has a type, which stands where the tool does. */
function placesOf(
  { value, savedAs, at }: GivenTool,
  of: (at: JsonPointer) => readonly JsonPointer[],
): readonly JsonPointer[] {
  if (value === null) return savedAs?.origin.kind === 'source' ? of(savedAs.origin.at) : [];
  return of(child(at, 'type')).map((place) => place.slice(0, -'/type'.length));
}

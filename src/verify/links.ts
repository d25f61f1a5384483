/**
 * Links: which members hand off to which, each pair once with what makes it.
 *
 * A link is explicit where a call can take it without a global step: where it leaves one of the
 * assistant's own nodes.
 */
import type { JsonPointer, NodeIndex } from '../compiler/ir/ids.js';
import type { Comparison } from './comparison.js';
import { listOwnNodes } from './own-nodes.js';
import type { Passage } from './passages.js';

export interface Link {
  readonly from: number;
  readonly to: number;
  readonly source: readonly JsonPointer[];
}

/** Where the two members stand. */
export function endsOf({ squad }: Comparison, { from, to }: Link): readonly JsonPointer[] {
  return [squad.members[from]!.at, squad.members[to]!.at];
}

/** Passages that lead to no single member make no link; they fail as handoffs. */
export function linkMembers(
  { squad, placeOf }: Comparison,
  passages: readonly Passage[],
): readonly Link[] {
  const links = new Map<number, Link & { readonly source: JsonPointer[] }>();
  for (const { member, target, edge, to } of passages) {
    if (target === null) continue;
    const key = member * squad.members.length + target;
    const at = edge?.at ?? placeOf(to);
    const link = links.get(key);
    if (link !== undefined) link.source.push(at);
    else links.set(key, { from: member, to: target, source: [at] });
  }
  return [...links.values()];
}

const nothing: readonly Passage[] = [];

/** Tells passages along edges that need no global step from the others. */
export function divideByNeed(comparison: Comparison): {
  readonly explicit: readonly Passage[];
  readonly afterGlobal: readonly Passage[];
} {
  const { owners } = comparison;
  // A node that one assistant has is its own; the others take a search.
  let searched: ReadonlyMap<number, ReadonlySet<NodeIndex>> | null = null;
  const isOwn = (member: number, from: NodeIndex): boolean => {
    if (owners.soleOwner(from) === member) return true;
    searched ??= listOwnNodes(comparison);
    return searched.get(member)?.has(from) === true;
  };
  const { edgePassages } = comparison;
  const isExplicit = ({ member, from }: Passage) => from !== null && isOwn(member, from);
  // In most squads all are.
  if (edgePassages.every(isExplicit)) return { explicit: edgePassages, afterGlobal: nothing };
  return {
    explicit: edgePassages.filter(isExplicit),
    afterGlobal: edgePassages.filter((it) => !isExplicit(it)),
  };
}

/**
 * Links: which members hand off to which, each pair once with what makes it.
 *
 * A link is explicit where a call can take it without having used a global node. Tools of global
 * nodes are given to every assistant, and their edges with them; an assistant that has such a tool
 * only for that leaves along these edges only after a global step.
 */
import type { JsonPointer, NodeIndex } from '../compiler/ir/ids.js';
import type { Comparison } from './comparison.js';
import type { Passage } from './passages.js';

export interface Link {
  readonly from: number;
  readonly to: number;
  readonly source: readonly JsonPointer[];
  /** The two members. */
  readonly output: readonly JsonPointer[];
}

/** Passages that lead to no single member make no link; they fail as handoffs. */
export function linkMembers(
  { squad, nodeAt }: Comparison,
  passages: readonly Passage[],
): readonly Link[] {
  const links = new Map<string, Link & { source: JsonPointer[] }>();
  for (const { member, target, edge, to } of passages) {
    if (target === null) continue;
    const [from, into] = [squad.members[member], squad.members[target]];
    if (from === undefined || into === undefined) continue;
    const key = `${member} ${target}`;
    const at = edge?.at ?? nodeAt(to);
    const link = links.get(key);
    if (link !== undefined) link.source.push(at);
    else links.set(key, { from: member, to: target, source: [at], output: [from.at, into.at] });
  }
  return [...links.values()];
}

/** Tells passages along edges that need no global step from the others. */
export function divideByNeed(comparison: Comparison): {
  readonly explicit: readonly Passage[];
  readonly afterGlobal: readonly Passage[];
} {
  const core = new Set<string>();
  for (const [member, nodes] of listOwnNodes(comparison)) {
    for (const node of walkInside(comparison, member, nodes)) core.add(`${member} ${node}`);
  }
  const isExplicit = ({ member, from }: Passage) => core.has(`${member} ${from}`);
  return {
    explicit: comparison.edgePassages.filter(isExplicit),
    afterGlobal: comparison.edgePassages.filter((it) => !isExplicit(it)),
  };
}

/** By member, the nodes that no other member has. */
function listOwnNodes({ graph, owners }: Comparison): Map<number, NodeIndex[]> {
  const own = new Map<number, NodeIndex[]>();
  for (const node of graph.reachable) {
    const member = graph.nodeAt(node).role === 'exit' ? null : owners.soleOwner(node);
    if (member === null) continue;
    const nodes = own.get(member);
    if (nodes === undefined) own.set(member, [node]);
    else nodes.push(node);
  }
  return own;
}

/** The nodes of the assistant that edges lead to from these, without leaving it. */
function walkInside(
  { graph, owners }: Comparison,
  member: number,
  from: readonly NodeIndex[],
): ReadonlySet<NodeIndex> {
  const found = new Set(from);
  for (const node of found) {
    for (const { to } of graph.leaving(node)) if (owners.of(to).has(member)) found.add(to);
  }
  return found;
}

/**
 * An assistant's own nodes: those that a call comes to in it without a step to a global node.
 *
 * Global tools are given to every assistant, with what follows them; an assistant whose own nodes
 * do not lead to such a tool has it as a guest.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Comparison } from './comparison.js';

/** By member. */
export function listOwnNodes(comparison: Comparison): ReadonlyMap<number, ReadonlySet<NodeIndex>> {
  const { graph, owners } = comparison;
  const own = new Map<number, Set<NodeIndex>>();
  for (const node of graph.order) {
    const member = graph.nodeAt(node).role === 'exit' ? null : owners.soleOwner(node);
    if (member === null) continue;
    const nodes = own.get(member);
    if (nodes === undefined) own.set(member, new Set([node]));
    else nodes.add(node);
  }
  for (const [member, nodes] of own) addFollowing(comparison, member, nodes);
  return own;
}

/** Adds the nodes of the assistant that edges lead to from these, without leaving it. */
function addFollowing({ graph, owners }: Comparison, member: number, nodes: Set<NodeIndex>): void {
  // A set is visited in the order of its insertions, those made on the way included.
  for (const node of nodes) {
    for (const { to } of graph.leaving(node)) {
      if (graph.nodeAt(to).role !== 'exit' && owners.of(to).has(member)) nodes.add(to);
    }
  }
}

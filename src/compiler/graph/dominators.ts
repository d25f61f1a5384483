/**
 * Immediate dominators, by the iteration of Cooper, Harvey and Kennedy over reverse postorder.
 *
 * In: adjacency in both directions and the root. Out: for each node its immediate dominator, the
 * root for itself, -1 for what the root does not reach. Each sweep only moves dominators towards
 * the root, so the iteration ends.
 */
import type { Adjacency } from '../ir/flow-graph.js';
import { reversePostorder } from './traversal.js';

export function computeDominators(
  successors: Adjacency,
  predecessors: Adjacency,
  root: number,
): Int32Array {
  const nodeCount = successors.offsets.length - 1;
  const order = reversePostorder(successors, root);
  const position = new Int32Array(nodeCount).fill(-1);
  order.forEach((node, at) => {
    position[node] = at;
  });
  const dominator = new Int32Array(nodeCount).fill(-1);
  dominator[root] = root;

  let changed = true;
  while (changed) {
    changed = false;
    for (const node of order) {
      if (node === root) continue;
      const next = meetOfPredecessors(node);
      if (next === dominator[node]) continue;
      dominator[node] = next;
      changed = true;
    }
  }
  return dominator;

  function meetOfPredecessors(node: number): number {
    let meet = -1;
    for (
      let slot = predecessors.offsets[node]!;
      slot < predecessors.offsets[node + 1]!;
      slot += 1
    ) {
      const before = predecessors.targets[slot]!;
      if (dominator[before] === -1) continue;
      meet = meet === -1 ? before : nearestCommon(meet, before);
    }
    return meet;
  }

  function nearestCommon(one: number, other: number): number {
    let a = one;
    let b = other;
    while (a !== b) {
      while (position[a]! > position[b]!) a = dominator[a]!;
      while (position[b]! > position[a]!) b = dominator[b]!;
    }
    return a;
  }
}

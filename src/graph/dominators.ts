/**
 * Dominators: the nodes that every walk from the root to a node comes through.
 *
 * Immediate dominators by the iteration of Cooper, Harvey and Kennedy over reverse postorder: each
 * sweep only moves dominators towards the root, so the iteration ends. Each node of their tree gets
 * a number, and its descendants the numbers that follow, which answers "does a dominate b" in
 * constant time.
 */
import type { Adjacency } from '../compiler/ir/flow-graph.js';
import { reversePostorder } from './traversal.js';

/** Whether every walk from the root to `node` comes through `dominator` (or is it). */
export type Dominates = (dominator: number, node: number) => boolean;

export function createDominance(
  successors: Adjacency,
  predecessors: Adjacency,
  root: number,
): Dominates {
  const order = reversePostorder(successors, root);
  const { first, last } = numberTree(order, computeDominators(order, predecessors));
  return (dominator, node) =>
    first[dominator]! <= first[node]! && first[node]! <= last[dominator]! && first[node] !== none;
}

const none = -1;

/**
 * Immediate dominators, from a reverse postorder, which begins with the root. The root is its own,
 * and -1 stands for what the root does not reach.
 */
export function computeDominators(order: readonly number[], predecessors: Adjacency): Int32Array {
  const { offsets, targets } = predecessors;
  const nodeCount = offsets.length - 1;
  const position = new Int32Array(nodeCount).fill(none);
  for (let at = 0; at < order.length; at += 1) position[order[at]!] = at;
  const root = order[0]!;
  const dominator = new Int32Array(nodeCount).fill(none);
  dominator[root] = root;

  let changed = true;
  while (changed) {
    changed = false;
    for (let at = 1; at < order.length; at += 1) {
      const node = order[at]!;
      const next = meetOfPredecessors(node);
      if (next === dominator[node]) continue;
      dominator[node] = next;
      changed = true;
    }
  }
  return dominator;

  function meetOfPredecessors(node: number): number {
    let meet = none;
    const end = offsets[node + 1]!;
    for (let slot = offsets[node]!; slot < end; slot += 1) {
      const before = targets[slot]!;
      if (dominator[before] === none) continue;
      meet = meet === none ? before : nearestCommon(meet, before);
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

/** Each node's number in a depth-first visit of the tree, and the last number of its descendants. */
function numberTree(order: readonly number[], immediate: Int32Array) {
  const size = new Int32Array(immediate.length).fill(1);
  for (let at = order.length - 1; at > 0; at -= 1) {
    const node = order[at]!;
    size[immediate[node]!]! += size[node]!;
  }
  const first = new Int32Array(immediate.length).fill(none);
  const last = new Int32Array(immediate.length).fill(none);
  // A node stands behind its dominator, which has numbers left for it; `free` is the next of them.
  const free = new Int32Array(immediate.length);
  for (let at = 0; at < order.length; at += 1) {
    const node = order[at]!;
    const above = immediate[node]!;
    first[node] = at === 0 ? 0 : free[above]!;
    if (at > 0) free[above]! += size[node]!;
    last[node] = first[node]! + size[node]! - 1;
    free[node] = first[node]! + 1;
  }
  return { first, last };
}

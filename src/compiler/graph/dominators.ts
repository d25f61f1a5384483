/**
 * Dominators: the nodes that every walk from the root to a node comes through.
 *
 * Immediate dominators by the iteration of Cooper, Harvey and Kennedy over reverse postorder: each
 * sweep only moves dominators towards the root, so the iteration ends. Numbering their tree before
 * and after its descendants answers "does a dominate b" in constant time.
 */
import type { Adjacency } from '../ir/flow-graph.js';
import { buildSuccessors } from './adjacency.js';
import { reversePostorder } from './traversal.js';

/** Whether every walk from the root to `node` comes through `dominator` (or is it). */
export type Dominates = (dominator: number, node: number) => boolean;

export function createDominance(
  successors: Adjacency,
  predecessors: Adjacency,
  root: number,
): Dominates {
  const immediate = computeDominators(successors, predecessors, root);
  const { opened, closed } = numberTree(immediate, root);
  return (dominator, node) =>
    immediate[node] !== -1 &&
    opened[dominator]! <= opened[node]! &&
    closed[node]! <= closed[dominator]!;
}

/** Immediate dominators; the root is its own, and -1 stands for what the root does not reach. */
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

/** When a depth-first visit of the dominator tree comes to each node, and when it leaves it. */
function numberTree(immediate: Int32Array, root: number) {
  const sources: number[] = [];
  const targets: number[] = [];
  immediate.forEach((dominator, node) => {
    if (dominator === -1 || node === root) return;
    sources.push(dominator);
    targets.push(node);
  });
  const children = buildSuccessors(immediate.length, { sources, targets, edges: targets });
  const opened = new Int32Array(immediate.length).fill(-1);
  const closed = new Int32Array(immediate.length).fill(-1);
  const cursor = children.offsets.slice(0, immediate.length);
  const path = [root];
  let clock = 0;
  opened[root] = clock;
  while (path.length > 0) {
    const node = path[path.length - 1]!;
    const slot = cursor[node]!;
    if (slot < children.offsets[node + 1]!) {
      cursor[node] = slot + 1;
      const child = children.targets[slot]!;
      clock += 1;
      opened[child] = clock;
      path.push(child);
    } else {
      clock += 1;
      closed[node] = clock;
      path.pop();
    }
  }
  return { opened, closed };
}

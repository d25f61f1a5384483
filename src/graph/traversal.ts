/** Breadth-first search and depth-first reverse postorder, without recursion. */
import type { Adjacency } from '../compiler/ir/flow-graph.js';

/**
 * Visits what can be reached from the roots, one root after the other, breadth first.
 * `visited` may hold nodes that are to be passed over, and is marked as the search goes.
 */
export function breadthFirst(
  successors: Adjacency,
  roots: readonly number[],
  visited: Uint8Array = new Uint8Array(successors.offsets.length - 1),
): number[] {
  const { offsets, targets } = successors;
  const order: number[] = [];
  for (const root of roots) {
    if (visited[root] !== 0) continue;
    visited[root] = 1;
    let head = order.length;
    order.push(root);
    for (; head < order.length; head += 1) {
      const node = order[head]!;
      const end = offsets[node + 1]!;
      for (let slot = offsets[node]!; slot < end; slot += 1) {
        const target = targets[slot]!;
        if (visited[target] !== 0) continue;
        visited[target] = 1;
        order.push(target);
      }
    }
  }
  return order;
}

/** Nodes reachable from the root such that, back edges aside, each stands before its successors. */
export function reversePostorder(successors: Adjacency, root: number): number[] {
  const nodeCount = successors.offsets.length - 1;
  const visited = new Uint8Array(nodeCount);
  const cursor = successors.offsets.slice(0, nodeCount);
  const postorder: number[] = [];
  const path = [root];
  visited[root] = 1;
  while (path.length > 0) {
    const node = path[path.length - 1]!;
    const slot = cursor[node]!;
    if (slot < successors.offsets[node + 1]!) {
      cursor[node] = slot + 1;
      const target = successors.targets[slot]!;
      if (visited[target] !== 0) continue;
      visited[target] = 1;
      path.push(target);
    } else {
      postorder.push(node);
      path.pop();
    }
  }
  return postorder.reverse();
}

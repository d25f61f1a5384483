/**
 * Strongly connected components (Tarjan), with an explicit stack: a chain of any length is safe.
 *
 * In: adjacency. Out: for each node the number of its component. Components are numbered in
 * reverse topological order: an arc between two components goes from the higher number to the
 * lower one.
 */
import type { Adjacency } from '../compiler/ir/flow-graph.js';

export interface Components {
  readonly count: number;
  readonly of: Int32Array;
}

const unvisited = -1;

export function computeComponents(successors: Adjacency): Components {
  const nodeCount = successors.offsets.length - 1;
  const of = new Int32Array(nodeCount).fill(unvisited);
  const index = new Int32Array(nodeCount).fill(unvisited);
  const low = new Int32Array(nodeCount);
  const cursor = successors.offsets.slice(0, nodeCount);
  const path: number[] = [];
  const open: number[] = [];
  let visited = 0;
  let count = 0;

  for (let root = 0; root < nodeCount; root += 1) {
    if (index[root] === unvisited) visit(root);
  }
  return { count, of };

  function visit(root: number): void {
    enter(root);
    while (path.length > 0) {
      const node = path[path.length - 1]!;
      const slot = cursor[node]!;
      if (slot < successors.offsets[node + 1]!) {
        cursor[node] = slot + 1;
        const target = successors.targets[slot]!;
        if (index[target] === unvisited) enter(target);
        else if (of[target] === unvisited) low[node] = Math.min(low[node]!, index[target]!);
      } else {
        leave(node);
      }
    }
  }

  function enter(node: number): void {
    index[node] = visited;
    low[node] = visited;
    visited += 1;
    path.push(node);
    open.push(node);
  }

  function leave(node: number): void {
    path.pop();
    const parent = path[path.length - 1];
    if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[node]!);
    if (low[node] !== index[node]) return;
    let member: number;
    do {
      member = open.pop()!;
      of[member] = count;
    } while (member !== node);
    count += 1;
  }
}

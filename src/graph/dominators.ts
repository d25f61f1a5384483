/**
 * Dominators: the nodes that lie on every walk from a root to a node.
 *
 * Example: in 0 → 1 → 3 and 0 → 2 → 3, node 0 dominates all nodes; 1 and 2 only themselves.
 */
import { type Adjacency, type Arcs, findReached, flood, reverse } from './walks.js';

/** Immediate dominators, and intervals in a depth-first visit of the dominator tree. */
export interface Dominators {
  /** The root is its own immediate dominator; -1 for a node that the root does not reach. */
  readonly immediate: readonly number[];
  /** A node's number in the visit, and the last number of those it dominates; -1 if unreached. */
  readonly first: readonly number[];
  readonly last: readonly number[];
}

/** The algorithm of Lengauer and Tarjan with path compression: O(n log n) on any graph. */
export function computeDominators(successors: Adjacency, root: number): Dominators {
  const immediate = successors.map(() => -1);
  const { order, parent } = visitDepthFirst(successors, root);
  const predecessors = reverse(successors);
  // From here on a node is its position in the order.
  const position = successors.map(() => -1);
  for (const [at, node] of order.entries()) position[node] = at;
  const semi = order.map((_, at) => at);
  const best = order.map((_, at) => at);
  const above = order.map(() => -1);
  const dominator = order.map(() => 0);
  const buckets: number[][] = order.map(() => []);
  for (let at = order.length - 1; at > 0; at -= 1) {
    for (const node of predecessors[order[at]!]!) {
      if (position[node] === -1) continue;
      semi[at] = Math.min(semi[at]!, semi[evaluate(position[node]!)]!);
    }
    buckets[semi[at]!]!.push(at);
    above[at] = parent[at]!;
    for (const waiting of buckets[parent[at]!]!.splice(0)) {
      const least = evaluate(waiting);
      dominator[waiting] = semi[least]! < semi[waiting]! ? least : parent[at]!;
    }
  }
  for (let at = 1; at < order.length; at += 1) {
    if (dominator[at] !== semi[at]) dominator[at] = dominator[dominator[at]!]!;
  }
  for (const [at, node] of order.entries()) immediate[node] = order[dominator[at]!]!;
  return { immediate, ...numberTree(order, immediate) };

  /** The node with the least semidominator on the linked path above this one. */
  function evaluate(at: number): number {
    const path: number[] = [];
    for (let node = at; above[node] !== -1 && above[above[node]!] !== -1; node = above[node]!) {
      path.push(node);
    }
    for (const node of path.reverse()) {
      const next = above[node]!;
      if (semi[best[next]!]! < semi[best[node]!]!) best[node] = best[next]!;
      above[node] = above[next]!;
    }
    return best[at]!;
  }
}

/**
 * Tests whether every walk from the roots to a node passes one of the gates; a node is its own
 * gate. If no single gate dominates the node, each test is a search.
 */
export function createGates<Node>(roots: readonly Node[], arcs: Arcs<Node>) {
  const nodes = [...flood(roots, arcs.next)];
  const places = new Map(nodes.map((node, at) => [node, at + 1]));
  const placesOf = (some: readonly Node[]) => some.map((node) => places.get(node)!);
  const successors = [placesOf(roots), ...nodes.map((node) => placesOf(arcs.next(node)))];
  const { first, last } = computeDominators(successors, 0);
  return (gates: readonly Node[], node: Node): boolean => {
    const at = first[places.get(node) ?? -1];
    const isAbove = (gate: Node) => {
      const place = places.get(gate);
      return place !== undefined && at !== undefined && first[place]! <= at && at <= last[place]!;
    };
    if (gates.some(isAbove)) return true;
    if (gates.length < 2) return false;
    const all = new Set(gates);
    return !findReached(roots, [node], arcs, (it) => all.has(it)).has(node);
  };
}

/** Preorder, and the position of each node's parent in it. */
function visitDepthFirst(successors: Adjacency, root: number) {
  const order: number[] = [];
  const parent: number[] = [];
  const met = new Set<number>();
  const pending: (readonly [node: number, from: number])[] = [[root, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, from] = next;
    if (met.has(node)) continue;
    met.add(node);
    parent.push(from);
    const at = order.push(node) - 1;
    for (const target of successors[node]!) pending.push([target, at]);
  }
  return { order, parent };
}

/** A dominator comes before its node in the order, so sizes are summed backwards. */
function numberTree(order: readonly number[], immediate: readonly number[]) {
  const size = immediate.map(() => 1);
  for (const node of order.slice(1).reverse()) size[immediate[node]!]! += size[node]!;
  const first = immediate.map(() => -1);
  const last = immediate.map(() => -1);
  const free = immediate.map(() => 0);
  for (const [at, node] of order.entries()) {
    const above = immediate[node]!;
    first[node] = at === 0 ? 0 : free[above]!;
    last[node] = first[node]! + size[node]! - 1;
    if (at > 0) free[above]! += size[node]!;
    free[node] = first[node]! + 1;
  }
  return { first, last };
}

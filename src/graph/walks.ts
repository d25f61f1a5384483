/**
 * Graphs as adjacency lists, and reachability.
 *
 * Nodes are numbered from 0; `arcs[node]` lists the nodes that the arcs of `node` lead to. Example:
 * `[[1, 2], [2], []]` has the arcs 0 → 1, 0 → 2 and 1 → 2.
 */
export type Adjacency = readonly (readonly number[])[];

/** The same arcs with their direction reversed. */
export function reverse(arcs: Adjacency): number[][] {
  const reversed: number[][] = arcs.map(() => []);
  for (const [from, targets] of arcs.entries()) for (const to of targets) reversed[to]!.push(from);
  return reversed;
}

/** For each number below `count`, its positions in `keys`. */
export function positionsOf(count: number, keys: ArrayLike<number>): number[][] {
  const positions: number[][] = Array.from({ length: count }, () => []);
  for (let at = 0; at < keys.length; at += 1) positions[keys[at]!]!.push(at);
  return positions;
}

/**
 * The seeds and everything reachable from them, breadth first. The search does not go beyond a node
 * for which `stop` holds.
 */
export function flood<Node>(
  seeds: Iterable<Node>,
  arcsOf: (node: Node) => Iterable<Node>,
  stop: (node: Node) => boolean = () => false,
): Set<Node> {
  const reached = new Set(seeds);
  // A set is iterated in insertion order, including what is added during the iteration.
  for (const node of reached) {
    if (!stop(node)) for (const next of arcsOf(node)) reached.add(next);
  }
  return reached;
}

/** A shortest walk from a seed to a node for which `isGoal` holds; null if there is none. */
export function findWalk<Node>(
  seeds: Iterable<Node>,
  arcsOf: (node: Node) => Iterable<Node>,
  isGoal: (node: Node) => boolean,
): Node[] | null {
  const cameFrom = new Map<Node, Node | null>();
  for (const seed of seeds) cameFrom.set(seed, null);
  for (const [node] of cameFrom) {
    if (isGoal(node)) {
      const walk: Node[] = [];
      for (let at: Node | null = node; at !== null; at = cameFrom.get(at)!) walk.push(at);
      return walk.reverse();
    }
    for (const next of arcsOf(node)) if (!cameFrom.has(next)) cameFrom.set(next, node);
  }
  return null;
}

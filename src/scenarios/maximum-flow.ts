/**
 * Maximum flow (Dinic), with explicit stacks: a way of any length is safe.
 *
 * In: arcs in pairs, arc `i` and arc `i ^ 1` between the same nodes in opposite directions, with
 * what each can still take. Out: the capacities that are left when nothing more gets from the
 * source to the sink, and the nodes that the source still reaches through them.
 */
import { positionsOf } from '../graph/walks.js';

export interface ResidualArcs {
  readonly nodeCount: number;
  readonly tails: Int32Array;
  readonly heads: Int32Array;
  /** Changed in place; infinite where an arc takes anything. */
  readonly capacities: Float64Array;
}

/**
 * Pushes as much as there is. Every round makes the shortest way longer, so the rounds end; some
 * arc of every way must have a finite capacity.
 */
export function pushMaximumFlow(arcs: ResidualArcs, source: number, sink: number): Uint8Array {
  const leaving = positionsOf(arcs.nodeCount, arcs.tails);
  const arcsAt = (node: number) => leaving[node]!;
  for (;;) {
    const levels = computeLevels(arcs, arcsAt, source);
    if (levels[sink] === -1) return Uint8Array.from(levels, (level) => (level === -1 ? 0 : 1));
    pushAlongLevels(arcs, arcsAt, levels, source, sink);
  }
}

type ArcsAt = (node: number) => readonly number[];

/** How far each node is from the source by arcs that can take something; -1 where too far. */
function computeLevels(
  { nodeCount, heads, capacities }: ResidualArcs,
  arcsAt: ArcsAt,
  source: number,
) {
  const levels = new Int32Array(nodeCount).fill(-1);
  levels[source] = 0;
  const queue = [source];
  for (const node of queue) {
    for (const arc of arcsAt(node)) {
      const head = heads[arc]!;
      if (capacities[arc]! === 0 || levels[head] !== -1) continue;
      levels[head] = levels[node]! + 1;
      queue.push(head);
    }
  }
  return levels;
}

/** Fills every shortest way; an arc that leads no further is not looked at again. */
function pushAlongLevels(
  { tails, heads, capacities, nodeCount }: ResidualArcs,
  arcsAt: ArcsAt,
  levels: Int32Array,
  source: number,
  sink: number,
): void {
  const cursor = new Int32Array(nodeCount);
  const way: number[] = [];
  let node = source;
  for (;;) {
    if (node === sink) {
      node = tails[way[push(way, capacities)]!]!;
      while (way.length > 0 && heads[way.at(-1)!] !== node) way.pop();
      continue;
    }
    const arc = arcsAt(node)[cursor[node]!];
    if (arc === undefined) {
      const back = way.pop();
      if (back === undefined) return;
      node = tails[back]!;
      cursor[node]! += 1;
    } else if (capacities[arc]! > 0 && levels[heads[arc]!] === levels[node]! + 1) {
      way.push(arc);
      node = heads[arc]!;
    } else {
      cursor[node]! += 1;
    }
  }
}

/** Sends what the whole way takes; gives the place of the first arc that is full now. */
function push(way: readonly number[], capacities: Float64Array): number {
  const amount = way.reduce((least, arc) => Math.min(least, capacities[arc]!), Infinity);
  for (const arc of way) {
    capacities[arc]! -= amount;
    capacities[arc ^ 1]! += amount;
  }
  return way.findIndex((arc) => capacities[arc] === 0);
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breadthFirst, reversePostorder } from '../../src/graph/traversal.js';
import { adjacency } from '../compiler/build.js';
import { runs, seed } from '../seed.js';
import { naiveReach, smallGraph } from './arcs.js';

describe('breadthFirst', () => {
  const arcs = [
    [0, 2],
    [0, 1],
    [2, 3],
    [1, 4],
    [5, 3],
    [5, 6],
  ] as const;

  it('visits near nodes first and keeps the order of the arcs', () => {
    expect(breadthFirst(adjacency(7, arcs), [0])).toEqual([0, 2, 1, 3, 4]);
  });

  it('finishes one root before it begins the next', () => {
    expect(breadthFirst(adjacency(7, arcs), [5, 0])).toEqual([5, 3, 6, 0, 2, 1, 4]);
    expect(breadthFirst(adjacency(7, arcs), [0, 0, 3])).toEqual([0, 2, 1, 3, 4]);
  });

  it('passes over what was visited, and marks what it visits', () => {
    const visited = new Uint8Array(7);
    visited[2] = 1;
    expect(breadthFirst(adjacency(7, arcs), [0, 2], visited)).toEqual([0, 1, 4]);
    expect([...visited]).toEqual([1, 1, 1, 0, 1, 0, 0]);
  });

  it('visits each reachable node once, and no node later than a node that is farther off', () => {
    fc.assert(
      fc.property(smallGraph, (graph) => {
        const order = breadthFirst(adjacency(graph.count, graph.arcs), [0]);
        expect(new Set(order).size).toBe(order.length);
        expect(new Set(order)).toEqual(naiveReach(graph, 0));
        const distances = order.map((node) => distance(graph.arcs, node));
        expect(distances).toEqual([...distances].sort((a, b) => a - b));
      }),
      { seed, numRuns: runs(300) },
    );
  });
});

describe('reversePostorder', () => {
  it('puts a node before its successors where there is no cycle', () => {
    const order = reversePostorder(
      adjacency(5, [
        [0, 1],
        [0, 2],
        [1, 3],
        [2, 3],
        [3, 4],
      ]),
      0,
    );
    expect(order[0]).toBe(0);
    expect(order.slice(3)).toEqual([3, 4]);
  });

  it('breaks the order only at arcs that lead back', () => {
    fc.assert(
      fc.property(smallGraph, (graph) => {
        const order = reversePostorder(adjacency(graph.count, graph.arcs), 0);
        expect(new Set(order)).toEqual(naiveReach(graph, 0));
        expect(new Set(order).size).toBe(order.length);
        for (const [from, to] of graph.arcs) {
          if (!order.includes(from) || order.indexOf(from) < order.indexOf(to)) continue;
          expect(naiveReach(graph, to).has(from)).toBe(true);
        }
      }),
      { seed, numRuns: runs(300) },
    );
  });
});

/** Arcs on the shortest walk from 0. */
function distance(arcs: readonly (readonly [number, number])[], node: number): number {
  let near = new Set([0]);
  for (let steps = 0; ; steps += 1) {
    if (near.has(node)) return steps;
    near = new Set(arcs.flatMap(([from, to]) => (near.has(from) ? [from, to] : [])).concat([0]));
  }
}

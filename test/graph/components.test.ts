import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeComponents } from '../../src/graph/components.js';
import { adjacency } from '../compiler/build.js';
import { runs, seed } from '../seed.js';
import { naiveReach, smallGraph } from './arcs.js';

describe('strongly connected components', () => {
  it('puts a cycle together and leaves the rest alone', () => {
    const { count, of } = computeComponents(
      adjacency(5, [
        [0, 1],
        [1, 2],
        [2, 1],
        [2, 3],
        [4, 4],
      ]),
    );
    expect(count).toBe(4);
    expect(of[1]).toBe(of[2]);
    expect(new Set(of).size).toBe(4);
  });

  it('puts two nodes together exactly when each leads to the other', () => {
    fc.assert(
      fc.property(smallGraph, (graph) => {
        const { of } = computeComponents(adjacency(graph.count, graph.arcs));
        const there = Array.from({ length: graph.count }, (_, node) => naiveReach(graph, node));
        for (let a = 0; a < graph.count; a += 1) {
          for (let b = 0; b < graph.count; b += 1) {
            expect(of[a] === of[b]).toBe(there[a]!.has(b) && there[b]!.has(a));
          }
        }
      }),
      { seed, numRuns: runs(500) },
    );
  });

  it('numbers components against the direction of the arcs, without gaps', () => {
    fc.assert(
      fc.property(smallGraph, ({ count: size, arcs }) => {
        const { count, of } = computeComponents(adjacency(size, arcs));
        for (const [from, to] of arcs) expect(of[from]!).toBeGreaterThanOrEqual(of[to]!);
        const numbers = [...new Set(of)].sort((a, b) => a - b);
        expect(numbers).toEqual(Array.from({ length: count }, (_, number) => number));
      }),
      { seed, numRuns: runs(300) },
    );
  });

  it.each([
    ['chain', 0],
    ['cycle', 1],
  ])('takes a %s of 200,000 nodes without recursion', (_, closing) => {
    const size = 200_000;
    const arcs = Array.from({ length: size - 1 }, (__, node) => [node, node + 1] as const);
    const all = closing === 1 ? [...arcs, [size - 1, 0] as const] : arcs;
    expect(computeComponents(adjacency(size, all)).count).toBe(closing === 1 ? 1 : size);
  });
});

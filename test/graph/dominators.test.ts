import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildPredecessors } from '../../src/graph/adjacency.js';
import { computeDominators, createDominance } from '../../src/graph/dominators.js';
import { reversePostorder } from '../../src/graph/traversal.js';
import { adjacency, arcsOf } from '../compiler/build.js';
import { runs, seed } from '../seed.js';
import { naiveReach, type SmallGraph, smallGraph } from './arcs.js';

const dominators = ({ count, arcs }: SmallGraph): Int32Array =>
  computeDominators(
    reversePostorder(adjacency(count, arcs), 0),
    buildPredecessors(count, arcsOf(arcs)),
  );
const dominance = ({ count, arcs }: SmallGraph) =>
  createDominance(adjacency(count, arcs), buildPredecessors(count, arcsOf(arcs)), 0);

describe('dominators', () => {
  it('names the last node that every walk comes through', () => {
    // Two ways round a diamond, then a tail; 5 is never reached and leads into the diamond.
    const graph: SmallGraph = {
      count: 6,
      arcs: [
        [0, 1],
        [0, 2],
        [1, 3],
        [2, 3],
        [3, 4],
        [5, 1],
      ],
    };
    expect([...dominators(graph)]).toEqual([0, 0, 0, 0, 3, -1]);
  });

  it('holds of a node whose removal cuts the other off from the root', () => {
    fc.assert(
      fc.property(smallGraph, (graph) => {
        const dominates = dominance(graph);
        const reached = naiveReach(graph, 0);
        for (let a = 0; a < graph.count; a += 1) {
          const left = naiveReach(graph, 0, a);
          for (let b = 0; b < graph.count; b += 1) {
            expect(dominates(a, b)).toBe(reached.has(a) && reached.has(b) && !left.has(b));
          }
        }
      }),
      { seed, numRuns: runs(500) },
    );
  });

  it('gives the nearest of the proper dominators', () => {
    fc.assert(
      fc.property(smallGraph, (graph) => {
        const immediate = dominators(graph);
        const dominates = dominance(graph);
        immediate.forEach((nearest, node) => {
          if (nearest === -1 || node === 0) return;
          expect(nearest).not.toBe(node);
          for (let other = 0; other < graph.count; other += 1) {
            if (other !== node && dominates(other, node)) {
              expect(dominates(other, nearest)).toBe(true);
            }
          }
        });
      }),
      { seed, numRuns: runs(300) },
    );
  });

  it('takes a chain of 100,000 nodes without recursion', () => {
    const count = 100_000;
    const arcs = Array.from({ length: count - 1 }, (_, node) => [node, node + 1] as const);
    const dominates = dominance({ count, arcs });
    expect(dominates(1, count - 1)).toBe(true);
    expect(dominates(count - 1, 1)).toBe(false);
  });
});

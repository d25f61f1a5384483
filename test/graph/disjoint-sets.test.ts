import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDisjointSets } from '../../src/graph/disjoint-sets.js';
import { runs, seed } from '../seed.js';
import { naiveReach, smallGraph } from './arcs.js';

describe('disjoint sets', () => {
  it('keeps members apart until they are joined', () => {
    const sets = createDisjointSets(3);
    expect([0, 1, 2].map(sets.find)).toEqual([0, 1, 2]);
    sets.union(2, 1);
    expect([0, 1, 2].map(sets.find)).toEqual([0, 1, 1]);
    sets.union(1, 1);
    expect([0, 1, 2].map(sets.find)).toEqual([0, 1, 1]);
  });

  it('names a set after its smallest member, whatever the order of the unions', () => {
    fc.assert(
      fc.property(smallGraph, ({ count, arcs }) => {
        const sets = createDisjointSets(count);
        for (const [one, other] of arcs) sets.union(one, other);
        const both = arcs.flatMap(([one, other]): [number, number][] => [
          [one, other],
          [other, one],
        ]);
        for (let member = 0; member < count; member += 1) {
          const together = naiveReach({ count, arcs: both }, member);
          expect(sets.find(member)).toBe(Math.min(...together));
        }
      }),
      { seed, numRuns: runs(300) },
    );
  });
});

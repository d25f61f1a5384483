import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Adjacency } from '../../src/compiler/ir/flow-graph.js';
import { buildPredecessors, buildSuccessors, edgesAt } from '../../src/graph/adjacency.js';
import { arcsOf } from '../compiler/build.js';
import { runs, seed } from '../seed.js';
import { smallGraph } from './arcs.js';

const at = ({ offsets, targets }: Adjacency, node: number): number[] => [
  ...targets.subarray(offsets[node]!, offsets[node + 1]!),
];

describe('compressed adjacency', () => {
  const arcs = arcsOf([
    [2, 0],
    [0, 1],
    [2, 2],
    [0, 1],
    [0, 2],
  ]);

  it('keeps the order of the arcs at every node', () => {
    const successors = buildSuccessors(4, arcs);
    expect([0, 1, 2, 3].map((node) => at(successors, node))).toEqual([[1, 1, 2], [], [0, 2], []]);
    expect([0, 1, 2, 3].map((node) => [...edgesAt(successors, node)])).toEqual([
      [1, 3, 4],
      [],
      [0, 2],
      [],
    ]);
  });

  it('turns the arcs round', () => {
    const predecessors = buildPredecessors(4, arcs);
    expect([0, 1, 2, 3].map((node) => at(predecessors, node))).toEqual([[2], [0, 0], [2, 0], []]);
    expect([...edgesAt(predecessors, 2)]).toEqual([2, 4]);
  });

  it('is empty for a graph without nodes', () => {
    expect([...buildSuccessors(0, arcsOf([])).offsets]).toEqual([0]);
  });

  it('holds what a filter of the arcs gives', () => {
    fc.assert(
      fc.property(smallGraph, ({ count, arcs: pairs }) => {
        const successors = buildSuccessors(count, arcsOf(pairs));
        const predecessors = buildPredecessors(count, arcsOf(pairs));
        for (let node = 0; node < count; node += 1) {
          const leaving = pairs.filter(([from]) => from === node).map(([, to]) => to);
          const entering = pairs.filter(([, to]) => to === node).map(([from]) => from);
          expect(at(successors, node)).toEqual(leaving);
          expect(at(predecessors, node)).toEqual(entering);
        }
      }),
      { seed, numRuns: runs(200) },
    );
  });
});

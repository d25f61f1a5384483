import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWorkflow } from '../../../src/compiler/1-read/parse-workflow.js';
import type { NodeIndex } from '../../../src/compiler/ir/ids.js';
import { workflowArbitrary } from '../../../src/testing/workflows.js';
import { readSource, type SourceGraph } from '../../../src/verify/source-graph.js';
import {
  type CallOrder,
  markAfterGlobals,
  orderCalls,
} from '../../../src/verify/variables/call-order.js';
import { anytime, parsed } from '../../compiler/build.js';
import { runs, seed } from '../../seed.js';

const graphs = workflowArbitrary().map((workflow) =>
  readSource(parseWorkflow(workflow).workflow!, 0 as NodeIndex),
);

function follow(graph: SourceGraph, from: readonly NodeIndex[]): ReadonlySet<NodeIndex> {
  const found = new Set(from);
  for (const at of found) for (const { to } of graph.leaving(at)) found.add(to);
  return found;
}

/** The positions that stand in a row of the order. */
function rowOf({ offsets, targets }: CallOrder['after'], at: number): number[] {
  return [...targets.subarray(offsets[at], offsets[at + 1])];
}

describe('orderCalls', () => {
  it('puts every node that a call can reach in the line, once', () => {
    const property = fc.property(graphs, (graph) => {
      const { nodes, positions } = orderCalls(graph);
      expect([...nodes].sort()).toEqual([...graph.order].sort());
      graph.workflow.nodes.forEach(({ index }) => {
        if (graph.order.includes(index)) expect(nodes[positions[index]!]).toBe(index);
        else expect(positions[index]).toBe(-1);
      });
    });
    fc.assert(property, { seed, numRuns: runs(200) });
  });

  it('has every edge both ways', () => {
    const property = fc.property(graphs, (graph) => {
      const { positions, after, before, nodes } = orderCalls(graph);
      const arcs = graph.edges.map(({ from, to }) => `${positions[from]}>${positions[to]}`).sort();
      const all = [...nodes.keys()];
      const forth = all.flatMap((at) => rowOf(after, at).map((to) => `${at}>${to}`));
      const back = all.flatMap((at) => rowOf(before, at).map((from) => `${from}>${at}`));
      expect(forth.sort()).toEqual(arcs);
      expect(back.sort()).toEqual(arcs);
    });
    fc.assert(property, { seed, numRuns: runs(200) });
  });

  it('leads forwards but inside of components, which stand together', () => {
    const property = fc.property(graphs, (graph) => {
      const { nodes, components, positions } = orderCalls(graph);
      const reach = new Map([...graph.order].map((it) => [it, follow(graph, [it])]));
      expect([...components]).toEqual([...components].sort((one, other) => one - other));
      for (const { from, to } of graph.edges) {
        const isBack = positions[from]! >= positions[to]!;
        if (isBack) expect(components[positions[from]!]).toBe(components[positions[to]!]);
      }
      nodes.forEach((one, at) => {
        nodes.forEach((other, place) => {
          const isRound =
            reach.get(one as NodeIndex)!.has(other as NodeIndex) &&
            reach.get(other as NodeIndex)!.has(one as NodeIndex);
          expect(components[at] === components[place]).toBe(isRound);
        });
      });
    });
    fc.assert(property, { seed, numRuns: runs(100) });
  });
});

describe('markAfterGlobals', () => {
  it('marks global nodes and what follows from them', () => {
    const workflow = parsed({
      nodes: { a: 'A', b: 'B', g: anytime('asks'), c: 'C' },
      edges: ['a > b', 'g > c'],
    });
    const marked = markAfterGlobals(readSource(workflow, 0 as NodeIndex));
    expect(workflow.nodes.filter(({ index }) => marked[index] === 1).map(({ id }) => id)).toEqual([
      'g',
      'c',
    ]);
  });
});

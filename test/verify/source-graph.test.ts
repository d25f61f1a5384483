import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWorkflow } from '../../src/compiler/1-read/parse-workflow.js';
import { computeFlowGraph } from '../../src/compiler/3-analyze/flow-graph.js';
import type { NodeIndex } from '../../src/compiler/ir/ids.js';
import { workflowArbitrary } from '../../src/testing/workflows.js';
import { readSource } from '../../src/verify/source-graph.js';
import { anytime, end, type Plan, parsed } from '../compiler/build.js';
import { runs, seed } from '../seed.js';

function read(plan: Plan) {
  const graph = readSource(parsed(plan), 0 as NodeIndex);
  const ids = (nodes: Iterable<NodeIndex>) => [...nodes].map((node) => graph.nodeAt(node).id);
  const ends = graph.edges.map(({ from, to }) => ids([from, to]).join(' > '));
  return { graph, ids, ends };
}

describe('readSource', () => {
  const nodes = { a: 'A', b: 'B', c: 'C', stop: end, g: anytime('asks'), h: 'H', island: 'I' };

  it('goes breadth first from the start, then from the global nodes', () => {
    const edges = ['b > c', 'a > stop', 'a > b', 'g > h', 'island > a'];
    const { graph, ids, ends } = read({ nodes, edges });
    expect(ids(graph.order)).toEqual(['a', 'stop', 'b', 'c', 'g', 'h']);
    expect(ends).toEqual(['b > c', 'a > stop', 'a > b', 'g > h']);
  });

  it('leaves out what leaves an exit, and what says the same again', () => {
    const edges = ['a > b: x', 'stop > c', 'a > stop', 'a > b', 'a > b: x', 'a > b', 'b > b: y'];
    const { graph, ids, ends } = read({ nodes, edges: [...edges, 'b > b: y'] });
    expect(ends).toEqual(['a > b', 'a > stop', 'a > b', 'b > b']);
    expect(ids(graph.leaving(0 as NodeIndex).map(({ to }) => to))).toEqual(['b', 'stop', 'b']);
    const { offsets, targets } = graph.predecessors();
    const before = [...targets.subarray(offsets[1], offsets[2])] as NodeIndex[];
    expect(ids(before)).toEqual(['a', 'a', 'b']);
  });

  it('reaches what the compiler reaches, in its order, along its edges', () => {
    const property = fc.property(workflowArbitrary({ maxNodes: 12 }), (document) => {
      const { workflow } = parseWorkflow(document);
      const graph = readSource(workflow!, 0 as NodeIndex);
      const { order, successors } = computeFlowGraph(workflow!, 0 as NodeIndex);
      expect(graph.order).toEqual(order);
      for (const node of order) {
        const [from, to] = [successors.offsets[node]!, successors.offsets[node + 1]!];
        const edges = graph.leaving(node).map(({ index }) => index);
        expect(edges).toEqual([...successors.edges.subarray(from, to)]);
        const { offsets } = graph.successors;
        const slots = Array.from(edges, (_, at) => offsets[node]! + at);
        expect(slots.map((slot) => graph.edgeAt(slot).index)).toEqual(edges);
      }
    });
    fc.assert(property, { seed, numRuns: runs(200) });
  });
});

import { describe, expect, it } from 'vitest';
import type { FlowGraph } from '../../../src/compiler/ir/flow-graph.js';
import { edgesAt } from '../../../src/graph/adjacency.js';
import { anytime, end, flowGraph, hangup, ids, node, transfer } from '../build.js';

const leaving = (graph: FlowGraph, id: string): string[] =>
  Array.from(
    edgesAt(graph.successors, node(graph, id)),
    (edge) => graph.workflow.nodes[graph.workflow.edges[edge]!.to]!.id,
  );
const leftOut = (graph: FlowGraph) => graph.leftOut.map(({ edge, reason }) => [edge, reason]);

describe('computeFlowGraph', () => {
  it('walks breadth first from the start, in the order of the edges', () => {
    const nodes = { d: 'D', c: 'C', b: 'B', a: 'A' };
    const graph = flowGraph({ nodes, edges: ['a > b: x', 'a > c: y', 'b > d', 'c > d'] });
    expect(ids(graph, graph.order)).toEqual(['a', 'b', 'c', 'd']);
    expect(leaving(graph, 'a')).toEqual(['b', 'c']);
    expect(graph.order.map((it) => graph.rank[it])).toEqual([0, 1, 2, 3]);
  });

  it('walks from global nodes after the start, in source order', () => {
    const nodes = {
      help: { ...anytime('needs help'), systemPrompt: 'Help.' },
      a: 'A',
      stop: { ...anytime('wants to stop'), ...end },
      after: 'After help.',
      b: 'B',
    };
    const graph = flowGraph({ nodes, edges: ['a > b', 'help > after'] });
    expect(ids(graph, graph.order)).toEqual(['a', 'b', 'help', 'after', 'stop']);
    expect(ids(graph, graph.globals)).toEqual(['help', 'stop']);
  });

  it('leaves out what cannot be reached', () => {
    const graph = flowGraph({
      nodes: { a: 'A', b: 'B', lost: 'Lost.', found: 'Found.' },
      edges: ['a > b', 'lost > found', 'found > lost', 'found > b'],
    });
    expect(graph.rank[node(graph, 'lost')]).toBe(-1);
    expect(leftOut(graph)).toEqual([
      [1, 'unreachable'],
      [2, 'unreachable'],
      [3, 'unreachable'],
    ]);
    expect(ids(graph, graph.predecessors.targets)).toEqual(['a']);
  });

  it.each([
    ['endCall', end],
    ['hangup', hangup],
    ['transferCall', transfer()],
  ])('drops edges that leave a %s node, and what only they lead to', (_, exit) => {
    const graph = flowGraph({
      nodes: { a: 'A', exit, after: 'After.' },
      edges: ['a > exit', 'exit > a: again', 'exit > after'],
    });
    expect(ids(graph, graph.order)).toEqual(['a', 'exit']);
    expect(leftOut(graph)).toEqual([
      [1, 'leaves-exit'],
      [2, 'leaves-exit'],
    ]);
  });

  it('drops a copy of an earlier edge, and keeps one with another condition', () => {
    const graph = flowGraph({
      nodes: { a: 'A', b: 'B' },
      edges: ['a > b', 'a > b: x', 'a > b: x', 'a > b', 'a > b: y'],
    });
    expect(leaving(graph, 'a')).toHaveLength(3);
    expect(graph.leftOut).toEqual([
      { edge: 2, reason: 'copy', of: '/edges/1' },
      { edge: 3, reason: 'copy', of: '/edges/0' },
    ]);
  });

  it('tells an unconditioned edge from one whose condition is odd', () => {
    const graph = flowGraph({ nodes: { a: 'A', b: 'B' }, edges: ['a > b', 'a > b: ='] });
    expect(graph.leftOut).toEqual([]);
  });

  it('says unreachable of a copy among unreachable edges', () => {
    const graph = flowGraph({
      nodes: { a: 'A', x: 'X', y: 'Y' },
      edges: ['x > y', 'y > x', 'x > y'],
    });
    expect(leftOut(graph).map(([, reason]) => reason)).toEqual(Array(3).fill('unreachable'));
  });
});

import { describe, expect, it } from 'vitest';
import { toGraph } from '../../src/compiler/to-graph.js';
import { anytime, end, workflow } from './build.js';

describe('toGraph', () => {
  const graph = toGraph(
    workflow({
      nodes: {
        a: { systemPrompt: 'A', name: 'Intake' },
        b: 'B',
        stop: { ...anytime('wants to stop'), ...end },
      },
      edges: ['a > b: 1', 'b > b: again', 'a > b', 'b > stop'],
    }),
  );

  it('has the nodes by id, with what they are', () => {
    expect(graph.nodes()).toEqual(['a', 'b', 'stop']);
    expect(graph.getNodeAttributes('a')).toEqual({
      type: 'conversation',
      role: 'talk',
      name: 'Intake',
      isGlobal: false,
      at: '/nodes/0',
    });
    expect(graph.getNodeAttributes('stop')).toMatchObject({ role: 'exit', isGlobal: true });
  });

  it('has one edge between two nodes, with all conditions in source order', () => {
    expect(graph.size).toBe(3);
    expect(graph.getEdgeAttributes(graph.edge('a', 'b')!)).toEqual({
      conditions: ['1', null],
      at: ['/edges/0', '/edges/2'],
    });
    expect(graph.getEdgeAttributes(graph.edge('b', 'b')!).conditions).toEqual(['again']);
    expect(graph.getEdgeAttributes(graph.edge('b', 'stop')!).conditions).toEqual([null]);
    expect(graph.hasEdge('b', 'a')).toBe(false);
  });

  it('throws a TypeError with the codes of an invalid workflow, each once', () => {
    const invalid = workflow({
      nodes: { a: { type: 'x' }, b: { type: 'y' }, c: 'C' },
      edges: ['c > z'],
    });
    expect(() => toGraph(invalid)).toThrow(TypeError);
    expect(() => toGraph(invalid)).toThrow(
      'the workflow is invalid: shape/unknown-node-type, flow/missing-node',
    );
    expect(() => toGraph(null)).toThrow('shape/not-an-object');
  });
});

import { describe, expect, it } from 'vitest';
import { mergeChains } from '../../../src/compiler/4-group/chains.js';
import { listComponents, stagesOfComponents } from '../../../src/compiler/4-group/components.js';
import { computeRepresentatives } from '../../../src/compiler/4-group/equal-nodes.js';
import { createStageGraph, type Split } from '../../../src/compiler/4-group/stages.js';
import type { FlowGraph } from '../../../src/compiler/ir/flow-graph.js';
import { anytime, flowGraph, ids, node, type Plan } from '../build.js';

function chains(plan: Plan, split?: (graph: FlowGraph) => Split) {
  const graph = flowGraph(plan);
  const within = createStageGraph(graph, computeRepresentatives(graph));
  const splits = split === undefined ? [] : [split(graph)];
  const stages = stagesOfComponents(listComponents(within), splits);
  return mergeChains(within, stages).map(({ nodes, merges }) => ({
    nodes: ids(graph, nodes).join(' '),
    rules: merges.map(({ rule }) => rule),
  }));
}

const nodesOf = (plan: Plan): string[] => chains(plan).map(({ nodes }) => nodes);
const talk = (...names: string[]) => Object.fromEntries(names.map((id) => [id, `Node ${id}.`]));

describe('mergeChains', () => {
  it('joins a whole chain at once, with its rule', () => {
    const plan: Plan = { nodes: talk('a', 'b', 'c'), edges: ['a > b', 'b > c: on'] };
    expect(chains(plan)).toEqual([{ nodes: 'a b c', rules: ['chain'] }]);
  });

  it('does not join where the one branches or the other is joined from elsewhere', () => {
    const branch: Plan = { nodes: talk('a', 'b', 'c'), edges: ['a > b', 'a > c: on'] };
    expect(nodesOf(branch)).toEqual(['a', 'b', 'c']);
    const plan: Plan = {
      nodes: talk('a', 'b', 'c', 'd', 'e'),
      edges: ['a > b: 1', 'a > c: 2', 'b > d', 'c > d', 'd > e'],
    };
    expect(nodesOf(plan)).toEqual(['a', 'b', 'c', 'd e']);
  });

  it('counts several edges to one stage once', () => {
    const plan: Plan = {
      nodes: talk('a', 'b', 'c', 'd'),
      edges: ['a > b: 1', 'a > c: 2', 'b > c: on', 'c > b: back', 'c > d'],
    };
    expect(nodesOf(plan)).toEqual(['a b c d']);
  });

  it('joins nothing into a stage with a global node', () => {
    const nodes = { ...talk('a', 'b', 'c'), g: { ...anytime('asks'), systemPrompt: 'G' } };
    expect(nodesOf({ nodes, edges: ['a > g', 'g > b', 'b > c'] })).toEqual(['a', 'g b c']);
  });

  it('joins nothing that an answer keeps apart', () => {
    const plan: Plan = { nodes: talk('a', 'b', 'c'), edges: ['a > b', 'b > c'] };
    const apart = (graph: FlowGraph): Split =>
      new Map([
        [node(graph, 'a'), 'one'],
        [node(graph, 'b'), 'one'],
        [node(graph, 'c'), 'two'],
      ]);
    expect(chains(plan, apart).map(({ nodes }) => nodes)).toEqual(['a b', 'c']);
  });
});

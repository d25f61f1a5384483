import { describe, expect, it } from 'vitest';
import { listComponents, stagesOfComponents } from '../../../src/compiler/4-group/components.js';
import { computeRepresentatives } from '../../../src/compiler/4-group/equal-nodes.js';
import { joinStages } from '../../../src/compiler/4-group/joining.js';
import {
  computeOnlySteps,
  computeStageSteps,
  none,
  ownersOf,
} from '../../../src/compiler/4-group/stage-steps.js';
import { createStageGraph, noGroups } from '../../../src/compiler/4-group/stages.js';
import { targetsAt } from '../../../src/graph/adjacency.js';
import { anytime, end, flowGraph, node, type Plan, request } from '../build.js';

const plan: Plan = {
  nodes: { a: 'A', t: request(), b: 'B', g: { ...anytime('asks'), systemPrompt: 'G' }, stop: end },
  edges: ['a > t: 1', 'a > b: 2', 'a > b: 3', 't > stop', 'b > stop', 'g > b'],
};
const graph = flowGraph(plan);
const within = createStageGraph(graph, computeRepresentatives(graph));
const stages = stagesOfComponents(listComponents(within), []);
const at = (id: string) => stages.findIndex((stage) => stage.nodes.includes(node(graph, id)));

describe('computeStageSteps', () => {
  it('says what follows what, a stage aside from itself', () => {
    const { successors, predecessors } = computeStageSteps(within, stages);
    expect([...targetsAt(successors, at('a'))]).toEqual([at('t'), at('b')]);
    expect([...targetsAt(predecessors, at('b'))]).toEqual([at('a'), at('g')]);
    const joined = joinStages(within, [stages[at('a')]!, stages[at('b')]!], noGroups, 'chain');
    const both = computeStageSteps(within, [joined, stages[at('t')]!, stages[at('g')]!]);
    expect([...targetsAt(both.successors, 0)]).toEqual([1]);
    expect([...targetsAt(both.predecessors, 0)]).toEqual([2]);
  });

  it('knows the holder of each node', () => {
    const owners = ownersOf(graph.workflow.nodes.length, stages);
    expect(owners[node(graph, 'g')]).toBe(at('g'));
    expect(owners[node(graph, 'stop')]).toBe(-1);
  });
});

describe('computeOnlySteps', () => {
  it('names a neighbour where it is the only one, however many edges lead there', () => {
    const { next, before } = computeOnlySteps(within, stages);
    expect([next[at('a')]! < none, next[at('t')], next[at('g')]]).toEqual([true, none, at('b')]);
    expect([before[at('a')], before[at('t')]]).toEqual([none, at('a')]);
    expect(before[at('b')]!).toBeLessThan(none);
  });

  it('does not count steps inside a stage', () => {
    const [a, t, b, g] = stages;
    const joined = joinStages(within, [a!, t!], noGroups, 'chain');
    expect([...computeOnlySteps(within, [joined, b!, g!]).next]).toEqual([1, none, 1]);
  });
});

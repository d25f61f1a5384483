import { describe, expect, it } from 'vitest';
import { listComponents, stagesOfComponents } from '../../../src/compiler/4-group/components.js';
import { computeRepresentatives } from '../../../src/compiler/4-group/equal-nodes.js';
import {
  aloneLabel,
  createStageGraph,
  holdsGlobal,
  holdsStart,
  holdsTalk,
  isAlone,
  isEntered,
  type Stage,
} from '../../../src/compiler/4-group/stages.js';
import type { NodeIndex } from '../../../src/compiler/ir/ids.js';
import { targetsAt } from '../../../src/graph/adjacency.js';
import { anytime, end, flowGraph, ids, node, type Plan, request } from '../build.js';

const plan: Plan = {
  nodes: {
    a: 'A',
    t: request(),
    b: 'Same.',
    c: 'Same.',
    g: { ...anytime('asks'), systemPrompt: 'G' },
    h: { ...anytime('looks up'), ...request({ method: 'PUT' }) },
    stop: end,
  },
  edges: ['a > t: 1', 'a > b: 2', 'a > c: 3', 't > stop', 'b > stop', 'c > stop', 'g > b'],
};
const graph = flowGraph(plan);
const within = createStageGraph(graph, computeRepresentatives(graph));
const stages = stagesOfComponents(listComponents(within), []);
const at = (id: string) => stages.findIndex((stage) => stage.nodes.includes(node(graph, id)));

describe('createStageGraph', () => {
  it('holds one of each class of equals, and no exits', () => {
    expect(ids(graph, within.nodes)).toEqual(['a', 't', 'b', 'g', 'h']);
  });

  it('leads to the nodes that stand for their equals', () => {
    expect(ids(graph, targetsAt(within.next, node(graph, 'a')))).toEqual(['t', 'b', 'b']);
    expect([...targetsAt(within.next, node(graph, 'b'))]).toEqual([]);
  });
});

describe('what a stage holds', () => {
  const is = (id: string) => {
    const stage = stages[at(id)]!;
    return [holdsTalk(within, stage), holdsStart(within, stage), holdsGlobal(within, stage)];
  };

  it('is talk, the start, a global node', () => {
    expect(is('a')).toEqual([true, true, false]);
    expect(is('t')).toEqual([false, false, false]);
    expect(is('g')).toEqual([true, false, true]);
    expect(is('h')).toEqual([false, false, true]);
    expect(stages.map((stage) => isEntered(within, stage))).toEqual([
      true,
      false,
      false,
      true,
      true,
    ]);
  });

  it('is no global node where that was given to every stage', () => {
    const given: Stage = { ...stages[at('h')]!, given: new Set([node(graph, 'h')]) };
    expect(holdsGlobal(within, given)).toBe(false);
  });
});

describe('aloneLabel', () => {
  it('tells a label of a node that stands alone', () => {
    expect(isAlone(aloneLabel(3 as NodeIndex))).toBe(true);
    expect(isAlone('group 1')).toBe(false);
    expect(aloneLabel(3 as NodeIndex)).not.toBe(aloneLabel(4 as NodeIndex));
  });
});

import { describe, expect, it } from 'vitest';
import { stagesOfComponents } from '../../../src/compiler/3-partition/components.js';
import { computeRepresentatives } from '../../../src/compiler/3-partition/equal-nodes.js';
import {
  aloneLabel,
  computeStageSteps,
  createStageGraph,
  holdsGlobal,
  holdsStart,
  holdsTalk,
  isAlone,
  isEntered,
  joinGroups,
  joinStages,
  ownersOf,
  type Split,
  type Stage,
  successorsOf,
} from '../../../src/compiler/3-partition/stages.js';
import type { NodeIndex } from '../../../src/compiler/ir/ids.js';
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
const stages = stagesOfComponents(within, []);
const at = (id: string) => stages.findIndex((stage) => stage.nodes.has(node(graph, id)));

describe('createStageGraph', () => {
  it('holds one of each class of equals, and no exits', () => {
    expect(ids(graph, within.nodes)).toEqual(['a', 't', 'b', 'g', 'h']);
  });

  it('leads to the nodes that stand for their equals', () => {
    expect(ids(graph, successorsOf(within, node(graph, 'a')))).toEqual(['t', 'b', 'b']);
    expect(successorsOf(within, node(graph, 'b'))).toEqual([]);
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

describe('computeStageSteps', () => {
  it('says what follows what, a stage aside from itself', () => {
    const { successors, predecessors } = computeStageSteps(within, stages);
    expect([...successors[at('a')]!]).toEqual([at('t'), at('b')]);
    expect([...predecessors[at('b')]!]).toEqual([at('a'), at('g')]);
    const joined = joinStages(within, [stages[at('a')]!, stages[at('b')]!], new Map(), 'chain');
    const both = computeStageSteps(within, [joined, stages[at('t')]!, stages[at('g')]!]);
    expect([...both.successors[0]!]).toEqual([1]);
    expect([...both.predecessors[0]!]).toEqual([2]);
  });

  it('knows the holder of each node', () => {
    const owners = ownersOf(within, stages);
    expect(owners[node(graph, 'g')]).toBe(at('g'));
    expect(owners[node(graph, 'stop')]).toBe(-1);
  });
});

describe('joinStages', () => {
  it('holds the nodes of all, and says in walk order what was joined', () => {
    const joined = joinStages(within, [stages[at('b')]!, stages[at('a')]!], new Map(), 'chain');
    expect(joined.nodes).toEqual(new Set([node(graph, 'a'), node(graph, 'b')]));
    expect(joined.merges).toEqual([{ rule: 'chain', nodes: [node(graph, 'a'), node(graph, 'b')] }]);
  });
});

describe('joinGroups', () => {
  const one: Split = new Map();
  const other: Split = new Map([[0 as NodeIndex, 'x']]);

  it('joins what is not kept apart', () => {
    expect(joinGroups(new Map([[one, 'a']]), new Map())).toEqual(new Map([[one, 'a']]));
    const both = joinGroups(
      new Map([[one, 'a']]),
      new Map([
        [other, 'a'],
        [one, 'a'],
      ]),
    );
    expect([...both!.values()]).toEqual(['a', 'a']);
  });

  it('refuses two groups of one split', () => {
    expect(joinGroups(new Map([[one, 'a']]), new Map([[one, 'b']]))).toBeNull();
  });

  it('tells a label of a node that stands alone', () => {
    expect(isAlone(aloneLabel(3 as NodeIndex))).toBe(true);
    expect(isAlone('group 1')).toBe(false);
    expect(aloneLabel(3 as NodeIndex)).not.toBe(aloneLabel(4 as NodeIndex));
  });
});

import { describe, expect, it } from 'vitest';
import { listComponents, stagesOfComponents } from '../../../src/compiler/4-group/components.js';
import { computeRepresentatives } from '../../../src/compiler/4-group/equal-nodes.js';
import {
  createGroupJoiner,
  joinStages,
  startJoining,
} from '../../../src/compiler/4-group/joining.js';
import { createStageGraph, noGroups, type Split } from '../../../src/compiler/4-group/stages.js';
import type { NodeIndex } from '../../../src/compiler/ir/ids.js';
import { anytime, end, flowGraph, node, type Plan, request } from '../build.js';

const plan: Plan = {
  nodes: { a: 'A', t: request(), b: 'B', g: { ...anytime('asks'), systemPrompt: 'G' }, stop: end },
  edges: ['a > t: 1', 'a > b: 2', 'a > b: 3', 't > stop', 'b > stop', 'g > b'],
};
const graph = flowGraph(plan);
const within = createStageGraph(graph, computeRepresentatives(graph));
const stages = stagesOfComponents(listComponents(within), []);
const at = (id: string) => stages.findIndex((stage) => stage.nodes.includes(node(graph, id)));

describe('joinStages', () => {
  it('holds the nodes of all, and says in walk order what was joined', () => {
    const joined = joinStages(within, [stages[at('b')]!, stages[at('a')]!], noGroups, 'chain');
    expect(joined.nodes).toEqual([node(graph, 'b'), node(graph, 'a')]);
    expect(joined.merges).toEqual([{ rule: 'chain', nodes: [node(graph, 'a'), node(graph, 'b')] }]);
  });

  it('holds a node once that several of them hold', () => {
    const joined = joinStages(within, [stages[at('a')]!, stages[at('a')]!], noGroups, 'chain');
    expect(joined.nodes).toEqual([node(graph, 'a')]);
  });
});

describe('startJoining', () => {
  it('gives the very same stages where nothing was joined', () => {
    expect(startJoining(within, stages).finish('chain')).toBe(stages);
  });

  it('joins sets of stages, and says whether that was news', () => {
    const joining = startJoining(within, stages);
    expect(joining.join(at('a'), at('t'))).toBe(true);
    expect(joining.join(at('t'), at('b'))).toBe(true);
    expect(joining.join(at('b'), at('a'))).toBe(false);
    expect(joining.setOf(at('b'))).toBe(at('a'));
    const joined = joining.finish('chain').map(({ nodes }) => nodes);
    expect(joined).toEqual([['a', 't', 'b'].map((id) => node(graph, id)), [node(graph, 'g')]]);
  });

  it('refuses what an answer keeps apart, whichever stages joined before', () => {
    const split: Split = new Map();
    const labels = [['one'], [], ['other'], []] as const;
    const apart = stages.map((stage, index) => ({
      ...stage,
      groups: new Map(labels[index]!.map((label) => [split, label])),
    }));
    const joining = startJoining(within, apart);
    expect(joining.join(0, 1)).toBe(true);
    expect(joining.join(3, 2)).toBe(true);
    expect(joining.join(1, 3)).toBe(false);
  });
});

describe('createGroupJoiner', () => {
  const joinGroups = createGroupJoiner();
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

  it('leaves the groups of a stage as they are', () => {
    const [first, second] = [new Map([[one, 'a']]), new Map([[other, 'x']])];
    const both = joinGroups(first, second)!;
    expect(joinGroups(both, new Map([[new Map(), 'y']]))!.size).toBe(3);
    expect([first.size, second.size]).toEqual([1, 1]);
  });
});

import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../../src/compiler/ir/options.js';
import { anytime, captures, end, type Plan, request, transfer } from '../../compiler/build.js';
import { groupingOf, stagesOf } from './expected.js';

const tool = (id: string) => request({ url: `https://api.example.com/${id}` });
const talk = (...names: string[]) => Object.fromEntries(names.map((id) => [id, `Node ${id}.`]));
const tools = (...names: string[]) => Object.fromEntries(names.map((id) => [id, tool(id)]));
const keepSplit: CompileOptions = { answers: { policies: { 'cyclic-stages': 'keep-split' } } };

/** Nodes for which an equal one stands, as `b = a`. */
function equals(plan: Plan): string[] {
  const { representative, source } = groupingOf(plan);
  const id = (node: number) => source.workflow.nodes[node]!.id;
  return source.order
    .filter((node) => representative[node] !== node)
    .map((node) => `${id(node)} = ${id(representative[node]!)}`);
}

describe('exits', () => {
  it.each([
    ['endCall', end],
    ['transferCall', transfer()],
  ])('of type %s are in no stage, and no way on', (_, exit) => {
    const plan: Plan = { nodes: { ...talk('a', 'b'), exit }, edges: ['a > b: 1', 'a > exit: 2'] };
    expect(stagesOf(plan)).toEqual(['a b']);
    expect(groupingOf(plan).stagesOf(2 as never)).toEqual([]);
  });
});

describe('equal nodes', () => {
  const same = { systemPrompt: 'Same.' };
  const twins = (one: object, other: object): Plan => ({
    nodes: { ...talk('a', 'd', 'e'), b: { ...one }, c: { ...other } },
    edges: ['a > b: 1', 'a > c: 2', 'a > d: 3', 'a > e: 4'],
  });

  it('are one, whatever their ids and names', () => {
    expect(equals(twins(same, { ...same, name: 'C' }))).toEqual(['c = b']);
  });

  it.each([
    ['types', same, { ...same, type: 'gather' }],
    ['first messages', same, { ...same, firstMessage: 'Hi' }],
    ['captures', { ...same, ...captures('x') }, { ...same, ...captures('x: number') }],
    ['settings', same, { ...same, voice: { v: 1 } }],
    ['urls', tool('b'), tool('c')],
    ['methods', tool('b'), { ...tool('b'), method: 'POST' }],
    ['headers', tool('b'), { ...tool('b'), headers: { Authorization: 'other' } }],
    ['bodies', tool('b'), { ...tool('b'), body: { type: 'object' } }],
    ['numbers', transfer(), transfer({ destination: '+14155550199' })],
    ['messages', transfer(), transfer({ transferPlan: { message: 'Soon' } })],
  ])('have the same %s', (_, one, other) => {
    expect(equals(twins(one, other))).toEqual([]);
    expect(equals(twins(one, one))).toEqual(['c = b']);
  });

  it('go on to equal nodes under the same conditions, in any order and number', () => {
    const plan = twins(same, same);
    const on = (...edges: string[]) => equals({ ...plan, edges: [...plan.edges!, ...edges] });
    expect(on('b > d', 'c > e')).toEqual([]);
    expect(on('b > d', 'c > d: x')).toEqual([]);
    expect(on('b > d', 'b > e', 'c > d')).toEqual([]);
    expect(on('b > d: x', 'b > e', 'c > e', 'c > d: x')).toEqual(['c = b']);
    expect(on('b > c: x', 'c > c: x')).toEqual(['c = b']);
  });

  it('are told apart by what differs far away', () => {
    const nodes = { ...talk('a', 'z'), b: 'Same.', c: 'Same.', d: 'Same.', e: 'Same.' };
    const edges = ['a > b: 1', 'a > d: 2', 'b > c', 'd > e', 'e > z'];
    expect(equals({ nodes, edges })).toEqual([]);
    expect(equals({ nodes, edges: edges.slice(0, -1) })).toEqual(['d = b', 'e = c']);
  });

  it('are neither the start nor global', () => {
    const nodes = { a: 'Same.', b: { ...same, ...anytime('x') }, c: 'Same.', d: 'Same.' };
    expect(equals({ nodes, edges: ['a > c: 1', 'a > d: 2'] })).toEqual(['d = c']);
  });
});

describe('components', () => {
  const cycle: Plan = {
    nodes: { ...talk('a', 'b'), t: tool('t'), ...talk('c', 'd', 'e') },
    edges: ['a > b', 'b > t', 't > c', 'c > d', 'd > b: again', 'd > e: done'],
  };
  const [id] = groupingOf(cycle).open;
  const group = (...value: string[][]): CompileOptions => ({
    answers: { answers: { [id!]: { choice: 'group', value } } },
  });

  it('are one stage while nobody answers', () => {
    expect(stagesOf(cycle)).toEqual(['a b t c d e']);
    expect(id).toMatch(/^cyclic-stages:b~[0-9a-f]{8}$/);
  });

  it('come apart by an answer, for good', () => {
    expect(stagesOf(cycle, keepSplit)).toEqual(['a', 'b t', 'c', 'd', 'e']);
    expect(stagesOf(cycle, group(['c', 'd']))).toEqual(['a', 'b t', 'c d', 'e']);
    expect(stagesOf(cycle, group(['b', 't', 'c'], ['d']))).toEqual(['a', 'b t c', 'd', 'e']);
    const tools = { ...keepSplit, boundary: 'tools' } as const;
    expect(stagesOf(cycle, tools)).toEqual(['a', 'b t', 'c', 'd e']);
  });

  it('say which stages an answer keeps apart', () => {
    const { keptApart } = groupingOf(cycle, keepSplit);
    expect([keptApart(1, 2), keptApart(0, 1), keptApart(3, 4)]).toEqual([true, false, false]);
  });

  it('refuse groups with a node from outside, or one each of two equal nodes', () => {
    expect(groupingOf(cycle, group(['b', 'e'])).faults).toEqual(['api/answer-value']);
    const plan: Plan = {
      nodes: { ...talk('a', 'd'), b: 'Same.', c: 'Same.' },
      edges: ['a > b: 1', 'a > c: 2', 'b > d', 'c > d', 'd > b: again', 'd > c: once more'],
    };
    const [asked] = groupingOf(plan).open;
    const answer = (value: string[][]) => ({
      answers: { answers: { [asked!]: { choice: 'group', value } } },
    });
    expect(groupingOf(plan, answer([['b', 'd'], ['c']])).faults).toEqual(['api/answer-value']);
    expect(groupingOf(plan, answer([['b', 'c'], ['d']])).faults).toEqual([]);
  });

  it('with one talk node are not asked about', () => {
    const plan: Plan = { nodes: { a: 'A', t: tool('t') }, edges: ['a > t', 't > a: again'] };
    expect(groupingOf(plan).open).toEqual([]);
    expect(stagesOf(plan)).toEqual(['a t']);
  });
});

describe('chains', () => {
  it('are one, through tools and conditions, up to a branch, a join and a global node', () => {
    const nodes = { ...talk('a', 'b', 'c', 'd', 'e', 'f'), t: tool('t') };
    const edges = ['a > t: x', 't > b', 'b > c: 1', 'b > d: 2', 'c > e', 'd > e', 'e > f'];
    expect(stagesOf({ nodes, edges })).toEqual(['a t b', 'c', 'd', 'e f']);
    const global = { ...talk('a', 'b'), g: { ...anytime('asks'), systemPrompt: 'G' } };
    expect(stagesOf({ nodes: global, edges: ['a > g', 'g > b'] })).toEqual(['a', 'g b']);
  });

  it('do not lead into the start', () => {
    const nodes = { ...talk('a', 'b'), g: { ...anytime('asks'), systemPrompt: 'G' } };
    expect(stagesOf({ nodes, edges: ['a > b', 'g > a: back'] })).toEqual(['a b', 'g']);
  });

  it('go on where a step back has fallen away', () => {
    // Every stage holds the global tool, which leads back to the first.
    const nodes = {
      ...talk('a', 'b', 'c'),
      ...tools('s', 't', 'u', 'v'),
      g: { ...anytime('looks up'), ...tool('g') },
    };
    const diamonds = ['a > s: 1', 'a > t: 2', 's > b', 't > b', 'b > u: 1', 'b > v: 2'];
    const edges = [...diamonds, 'u > c', 'v > c', 'g > a'];
    expect(stagesOf({ nodes, edges })).toEqual(['a s t b u v c g']);
  });

  it('leave what stands between two ends that an answer keeps apart with the first', () => {
    const voice = (voiceId: string) => ({ voice: { voiceId } });
    const plan: Plan = {
      nodes: { a: { systemPrompt: 'A', ...voice('1') }, t: tool('t'), b: 'B', c: 'C' },
      edges: ['a > t', 't > b', 'b > c'],
    };
    const options = { answers: { policies: { 'conflicting-settings': 'keep-split' } } };
    expect(stagesOf(plan, options)).toEqual(['a t', 'b c']);
  });
});

describe('tool-only stages', () => {
  it('go to every stage that leads to them, with what follows them', () => {
    const plan: Plan = {
      nodes: { ...talk('a', 'b', 'c', 'd'), ...tools('s', 't', 'u') },
      edges: [
        ...['a > b: 1', 'a > c: 2', 'a > d: 3', 'b > s', 'c > t', 's > t'],
        ...['t > u', 'u > t: again', 'u > d'],
      ],
    };
    expect(stagesOf(plan)).toEqual(['a', 'b s t u', 'c t u', 'd']);
    const { stagesOf: of, source } = groupingOf(plan);
    expect(source.order.map((node) => `${source.nodeAt(node).id} ${of(node)}`)).toEqual([
      'a 0',
      'b 1',
      'c 2',
      'd 3',
      's 1',
      't 1,2',
      'u 1,2',
    ]);
  });

  it('that are global are every stage’s', () => {
    const nodes = { ...talk('a', 'b', 'c'), g: { ...anytime('looks up'), ...tool('g') } };
    const edges = ['a > b: 1', 'a > c: 2'];
    expect(stagesOf({ nodes, edges })).toEqual(['a g', 'b g', 'c g']);
    const onward: Plan = { nodes: { ...nodes, d: 'D' }, edges: [...edges, 'g > d'] };
    expect(stagesOf(onward)).toEqual(['a', 'b', 'c', 'g d']);
  });

  it('at the start go to the only stage behind them, or stay', () => {
    const nodes = { ...tools('t'), ...talk('a', 'b') };
    expect(stagesOf({ nodes, edges: ['t > a', 'a > b: 1', 'b > a: 2'] })).toEqual(['t a b']);
    const stays = groupingOf({ nodes, edges: ['t > a: 1', 't > b: 2'] });
    expect([0, 1, 2].map(stays.talks)).toEqual([false, true, true]);
    expect(stagesOf({ nodes: { ...tools('t'), stop: end }, edges: ['t > stop'] })).toEqual(['t']);
  });

  it('leave chains that are then joined', () => {
    const nodes = { ...talk('a', 'b'), ...tools('s', 't') };
    const edges = ['a > s: 1', 'a > t: 2', 's > b', 't > b'];
    expect(stagesOf({ nodes, edges })).toEqual(['a s t b']);
  });
});

describe('the boundary `tools`', () => {
  const split = (plan: Plan) => stagesOf(plan, { boundary: 'tools' });
  const branch = ['a > b: 1', 'a > c: 2'];

  it('joins branches without tools, and branches with the same ones', () => {
    expect(split({ nodes: talk('a', 'b', 'c'), edges: branch })).toEqual(['a b c']);
    const same = { ...talk('a', 'b', 'c'), x: transfer() };
    expect(split({ nodes: same, edges: ['a > x: 0', ...branch, 'b > x'] })).toEqual(['a b c']);
  });

  it('keeps a branch whose tools differ from those before it', () => {
    const nodes = { ...talk('a', 'b', 'c'), ...tools('s', 't') };
    expect(split({ nodes, edges: ['a > s', 's > b: 1', 's > c: 2', 'b > t'] })).toEqual([
      'a s c',
      'b t',
    ]);
  });

  it('joins only where all predecessors are one stage', () => {
    const nodes = { ...talk('a', 'b', 'c', 'd'), ...tools('s', 't') };
    const edges = ['a > s', 's > b: 1', 's > c: 2', 'b > t', 't > d: 3', 'c > d: 4'];
    expect(split({ nodes, edges })).toEqual(['a s c', 'b t', 'd']);
  });

  it('never joins a global node, and looks through tools that all have', () => {
    const global = { ...talk('a', 'b'), g: { ...anytime('asks'), systemPrompt: 'G' } };
    expect(split({ nodes: global, edges: ['a > g: 1', 'a > b: 2'] })).toEqual(['a b', 'g']);
    const given = { ...talk('a', 'b', 'c'), g: { ...anytime('looks up'), ...tool('g') } };
    expect(split({ nodes: given, edges: branch })).toEqual(['a b c g']);
    expect(split({ nodes: given, edges: [...branch, 'g > c'] })).toEqual(['a b c g']);
  });
});

describe('settings that differ', () => {
  const voice = (voiceId: string) => ({ voice: { voiceId } });
  const plan: Plan = {
    nodes: {
      a: { systemPrompt: 'A', ...voice('1') },
      b: { systemPrompt: 'B', ...voice('1') },
      c: { systemPrompt: 'C', ...voice('2') },
      d: 'D',
    },
    edges: ['a > b', 'b > c', 'c > d'],
    ...voice('2'),
  };
  const answer = (choice: string, value?: string): CompileOptions => {
    const [id] = groupingOf(plan).open;
    const given = value === undefined ? { choice } : { choice, value };
    return { answers: { answers: { [id!]: given } } };
  };

  it('are asked about, and change nothing until an answer cuts', () => {
    expect(groupingOf(plan).open).toEqual([expect.stringMatching(/^conflicting-settings:a~/)]);
    expect(stagesOf(plan)).toEqual(['a b c d']);
    expect(stagesOf(plan, answer('first'))).toEqual(['a b c d']);
    expect(stagesOf(plan, answer('use', 'c'))).toEqual(['a b c d']);
    expect(stagesOf(plan, answer('keep-split'))).toEqual(['a b', 'c d']);
  });

  it('are no question where an option settles them', () => {
    expect(groupingOf(plan, { memberOverrides: voice('3') }).open).toEqual([]);
  });

  it('come together where tools lead from one to the other', () => {
    const nodes = {
      a: { systemPrompt: 'A', ...voice('1') },
      b: { systemPrompt: 'B', ...voice('1') },
      c: { systemPrompt: 'C', ...voice('1') },
      x: 'X',
      y: 'Y',
      ...tools('s', 't', 'u'),
    };
    const edges = ['a > x', 'x > s', 's > t: 1', 'a > s: 2', 't > b', 'b > u', 'u > y', 'y > c'];
    const around = [...edges, 'c > a: again'];
    const answers = {
      policies: { 'conflicting-settings': 'keep-split', 'cyclic-stages': 'consolidate' },
    };
    // c leads to a, and a through s and t to b: one part, though y and x stand between.
    expect(stagesOf({ nodes, edges: around }, { answers })).toEqual(['a s t b c', 'x s t', 'u y']);
  });

  it('stay apart where tools lead from both only to what differs', () => {
    const nodes = {
      s: 'S',
      a: { systemPrompt: 'A', ...voice('1') },
      b: { systemPrompt: 'B', ...voice('1') },
      y: 'Y',
      t: tool('t'),
    };
    const edges = ['s > a: 1', 's > b: 2', 'a > t', 'b > t', 't > y', 'y > a: 3', 'y > b: 4'];
    const answers = {
      policies: { 'conflicting-settings': 'keep-split', 'cyclic-stages': 'consolidate' },
    };
    expect(stagesOf({ nodes, edges }, { answers })).toEqual(['s', 'a', 'b', 't y']);
  });

  it('are asked about under the name of the node that the assistant begins with', () => {
    const ids = (plan: Plan) => groupingOf(plan, keepCycles).open.map((id) => id.split('~')[0]);
    const keepCycles = { answers: { policies: { 'cyclic-stages': 'consolidate' } } };
    const pair = { v: { systemPrompt: 'V', ...voice('1') }, w: 'W' };
    const around = ['w > v: on', 'v > w: back'];
    // Handed to by a tool that two assistants share, and by one that all of them have.
    const held = { ...talk('a', 'b', 'c', 'd'), ...tools('t'), ...pair };
    const ways = ['a > b: 1', 'a > c: 2', 'b > t', 'c > t: 3', 'c > d: 4', 't > w', 'd > v'];
    expect(ids({ nodes: held, edges: [...ways, ...around] })).toEqual(['conflicting-settings:w']);
    const given = {
      a: 'A',
      g: { ...anytime('looks up'), ...tool('g') },
      h: { ...anytime('asks'), systemPrompt: 'H' },
      ...pair,
    };
    const onward = ['g > w', 'h > v'];
    expect(ids({ nodes: given, edges: [...onward, ...around] })).toEqual([
      'conflicting-settings:w',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { readNodes, readWays } from './read.js';

describe('the condition of an edge', () => {
  it.each([
    ['is missing', {}],
    ['is null', { condition: null }],
    ['is empty', { condition: '' }],
    ['is an empty prompt', { condition: { type: 'ai', prompt: '' } }],
    ['is blank', { condition: { type: 'ai', prompt: '  ' } }],
    ['has no words', { condition: { type: 'semantic' } }],
    ['is always', { condition: { type: 'always' } }],
    ['matches nothing', { condition: { type: 'ai', matches: [] } }],
  ])('is none where it %s', (_, edge) => {
    expect(readWays(edge)).toEqual([null]);
  });

  it.each([
    ['a text', 'wants a room', '/edges/0/condition'],
    ['a prompt', { type: 'ai', prompt: 'wants a room' }, '/edges/0/condition/prompt'],
    ['a semantic one', { type: 'semantic', prompt: 'wants a room' }, '/edges/0/condition/prompt'],
    ['one without a type', { prompt: 'wants a room' }, '/edges/0/condition/prompt'],
    [
      'a description',
      { type: 'ai', description: 'wants a room' },
      '/edges/0/condition/description',
    ],
  ])('keeps the words of %s, with their place', (_, condition, at) => {
    const [way] = readWays({ condition });
    expect(way).toMatchObject({ value: 'wants a room', at, logical: false });
  });

  it.each([
    [{ type: 'logic', liquid: "{% if a == 'b' %}true{% endif %}" }, ['a']],
    [{ type: 'logic', liquid: 'nights > 3' }, ['nights']],
    [{ type: 'programmatic', expression: 'nights > 3' }, ['nights']],
    ["room == 'suite'", ['room']],
  ])(
    'is an expression where the source marks it, or where it reads like one: %j',
    (condition, names) => {
      const [way] = readWays({ condition });
      expect(way?.logical).toBe(true);
      expect(way?.uses.map(({ name }) => name)).toEqual(names);
    },
  );

  it('is no expression where only the sign of a comparison is in a sentence', () => {
    expect(readWays({ condition: { type: 'ai', prompt: 'stays > 3 nights' } })[0]?.logical).toBe(
      false,
    );
  });

  it('is as many ways as it matches', () => {
    const ways = readWays({ condition: { type: 'ai', matches: ['wants tea', 'wants coffee'] } });
    expect(ways.map((way) => [way?.value, way?.at])).toEqual([
      ['wants tea', '/edges/0/condition/matches/0'],
      ['wants coffee', '/edges/0/condition/matches/1'],
    ]);
  });

  it('gets words where the source only marks the branch of a failed tool', () => {
    const [way] = readWays({ condition: { type: 'failed' } });
    expect(way).toMatchObject({ rule: 'failed-tool', at: '/edges/0/condition', logical: false });
  });

  it.each(['label', 'prompt'])('is not guessed from the %s of the edge', (field) => {
    const { workflow, told } = readEdge({ [field]: 'wants a room' });
    expect(told).toEqual([`shape/unknown-field /edges/0/${field}`]);
    expect(workflow?.edges.map((edge) => edge.condition)).toEqual([null]);
    expect(readEdge({ condition: null, [field]: 'wants a room' }).told).toEqual(told);
  });

  it.each([
    ['a sentence', { prompt: 'wants a room' }, ['wants a room']],
    ['what it matches', { matches: ['wants tea', 'wants cake'] }, ['wants tea', 'wants cake']],
    ['no words', { prompt: ' ' }, [undefined]],
  ])('is warned about where its type is unknown, and read without it: %s', (_, words, ways) => {
    const { workflow, told } = readEdge({ condition: { type: 'Mood', ...words } });
    expect(told).toEqual(['shape/unknown-condition-type /edges/0/condition/type']);
    expect(workflow?.edges.map((edge) => edge.condition?.value)).toEqual(ways);
  });

  it('is a fault where nobody can know what it says', () => {
    const between = (condition: unknown) => readEdge({ condition }).told;
    expect(between({ type: 'programmatic' })).toEqual(['shape/missing-field /edges/0/condition']);
    expect(between({ type: 'mood' })).toEqual(['shape/missing-field /edges/0/condition']);
    expect(between({ type: 'ai', prompt: 3 })).toEqual([
      'shape/wrong-type /edges/0/condition/prompt',
    ]);
    expect(between({ type: 'ai', matches: [3] })).toEqual([
      'shape/wrong-type /edges/0/condition/matches/0',
    ]);
    expect(between({ type: 'ai', prompt: 'x', weight: 2 })).toEqual([
      'shape/unknown-field /edges/0/condition/weight',
    ]);
  });
});

function readEdge(edge: object) {
  const nodes = ['a', 'b'].map((name) => ({ name, type: 'conversation', prompt: name }));
  return readNodes(nodes, [{ from: 'a', to: 'b', ...edge }]);
}

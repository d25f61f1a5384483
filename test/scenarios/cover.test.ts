/** How many calls a plan has: few (that they cover everything is a law); what nobody says. */
import { describe, expect, it } from 'vitest';
import { planScenarios } from '../../src/scenarios/plan-scenarios.js';
import { end, flow } from '../compiler/build.js';
import { planned } from './planned.js';

const asked = { isGlobal: true, condition: 'asks' };
const branch = 'a > b: 1 | a > c: 2';
const global = { g: { systemPrompt: 'G', ...asked } };

/** A conversation for each letter of the edges that `more` does not have. */
function drawn(edges: string, more: Record<string, object> = {}) {
  const names = edges.match(/\b[a-z]\b/g) ?? ['a'];
  const nodes = Object.fromEntries(names.map((name) => [name, name.toUpperCase()]));
  return flow({ ...nodes, ...more }, edges);
}

describe('test calls', () => {
  it.each<[string, Parameters<typeof drawn>, number]>([
    ['one node', [''], 1],
    ['a chain', ['a > b | b > c'], 1],
    ['a diamond', [`${branch} | b > d | c > d`], 2],
    ['two diamonds', [`${branch} | b > d | c > d | d > e: 1 | d > f: 2 | e > g | f > g`], 2],
    ['a cycle that can be left', ['s > a | a > b: 1 | b > a: 2 | a > c: 3'], 1],
    ['a cycle that cannot', ['s > a | a > b: 1 | b > a: 2'], 1],
    ['a global node that leads nowhere', ['a > b', global], 1],
    ['a global node that leads back', ['a > b | g > b', global], 1],
    ['a global exit beside an exit', ['a > x', { x: end, g: { ...end, ...asked } }], 2],
  ])('of %s are few', (_, sketch, count) => {
    const policies = { 'global-returns': 'keep-split', 'cyclic-stages': 'consolidate' };
    expect(planned(drawn(...sketch), { answers: { policies } })?.scripts).toHaveLength(count);
  });

  it('go on to an end when nothing is left to cover', () => {
    const answers = { policies: { 'cyclic-stages': 'consolidate' } };
    const plan = planned(drawn('a > c: 1 | a > b: 2 | b > a: 3'), { answers });
    expect(plan?.scripts.map(({ end }) => end)).toEqual(['stops', 'stops']);
  });

  it('are none where they would be too long for anybody to read', () => {
    const count = 4000;
    const id = (at: number) => `n${String(at).padStart(4, '0')}`;
    const nodes = Array.from({ length: count }, (_, at) => ({
      id: id(at),
      type: 'conversation',
      systemPrompt: `${at}`,
    }));
    const chain = nodes.slice(1).map(({ id: to }, at) => ({ from: id(at), to }));
    const star = Array.from({ length: 3000 }, (_, at) => ({
      from: id(count - 1),
      to: id(0),
      condition: `${at}`,
    }));
    const workflow = {
      name: 'far',
      nodes: [...nodes, { id: 'start', type: 'conversation' }],
      edges: [{ from: 'start', to: id(0) }, ...chain, ...star],
    };
    expect(
      planScenarios(workflow, { answers: { policies: { 'cyclic-stages': 'consolidate' } } }),
    ).toBe(null);
  }, 20_000);
});

const derived = {
  name: 'Desk',
  nodes: [
    {
      name: 'desk',
      type: 'conversation',
      isStart: true,
      prompt: 'Ask who calls.',
      variableExtractionPlan: {
        schema: { type: 'object', properties: { first: { type: 'string' } } },
        aliases: [
          { key: 'full', value: '{{first}} of {{company}}' },
          { key: 'first', value: '{{first | upcase}}' },
        ],
      },
    },
    { name: 'booking', type: 'conversation', prompt: 'Book for {{full}} alias {{first}}.' },
  ],
  edges: [{ from: 'desk', to: 'booking', condition: { type: 'ai', prompt: 'wants a room' } }],
};

it('leaves aliases out of what the caller says, and has what they are made of', () => {
  const [script, ...others] = planned(derived, { dynamicVariables: ['company'] })!.scripts;
  expect(others).toEqual([]);
  const said = script!.turns.flatMap(({ says }) => says.map(({ capture }) => capture));
  expect(said.map(({ name }) => name)).toEqual(['first']);
  expect(said.every(({ alias }) => alias === undefined)).toBe(true);
  expect([...script!.supplied.keys()]).toEqual(['company']);
});

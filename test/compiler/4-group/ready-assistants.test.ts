import { describe, expect, it } from 'vitest';
import { stagesOf } from '../../verify/grouping/expected.js';
import { grouped, type Plan, regionsOf, request } from '../build.js';

const talk = (id: string) => ({ type: 'conversation', prompt: `Node ${id}.` });
const inline = (prompt = 'Help.') => ({
  type: 'assistant',
  assistant: {
    model: { provider: 'openai', model: 'gpt-4o', messages: [{ role: 'system', content: prompt }] },
  },
});
const saved = (assistantId = 'asst-1') => ({ type: 'assistant', assistantId });

function both(plan: Plan): string[] {
  const [compiled, expected] = [grouped(plan), stagesOf(plan)];
  expect([...expected].sort()).toEqual(compiled.map((it) => inWalkOrder(plan, it)).sort());
  return compiled;
}

/** The checks list nodes in walk order, which here is the order of the plan. */
function inWalkOrder({ nodes }: Plan, ids: string): string {
  const order = Object.keys(nodes);
  return ids
    .split(' ')
    .sort((one, other) => order.indexOf(one) - order.indexOf(other))
    .join(' ');
}

describe('a node that is an assistant already', () => {
  it.each([
    ['inline', inline()],
    ['saved', saved()],
  ])('stays a member of its own in a chain (%s)', (_, assistant) => {
    const nodes = { a: talk('a'), b: talk('b'), r: assistant, c: talk('c'), d: talk('d') };
    expect(both({ nodes, edges: ['a > b', 'b > r', 'r > c', 'c > d'] })).toEqual([
      'a b',
      'r',
      'c d',
    ]);
  });

  it('stays one where the boundary is drawn by tools', () => {
    const plan = { nodes: { a: talk('a'), r: inline(), c: talk('c') }, edges: ['a > r', 'r > c'] };
    expect(grouped(plan, { boundary: 'tools' })).toEqual(['a', 'r', 'c']);
    expect(stagesOf(plan, { boundary: 'tools' })).toEqual(['a', 'r', 'c']);
  });

  it('is equal to none where the source holds it whole', () => {
    const nodes = { a: talk('a'), r: inline(), s: inline(), t: talk('t'), u: talk('t') };
    const edges = ['a > r: 1', 'a > s: 2', 'a > t: 3', 'a > u: 4'];
    expect(both({ nodes, edges })).toEqual(['a', 'r', 's', 't']);
  });

  it('is equal to one with the same id that goes on alike', () => {
    const nodes = { a: talk('a'), r: saved(), s: saved(), t: saved('asst-2'), z: talk('z') };
    const edges = ['a > r: 1', 'a > s: 2', 'a > t: 3', 'r > z', 's > z', 't > z'];
    expect(both({ nodes, edges })).toEqual(['a', 'r', 't', 'z']);
    const apart = ['a > r: 1', 'a > s: 2', 'a > t: 3', 'r > z', 't > z'];
    expect(both({ nodes, edges: apart })).toEqual(['a', 'r', 's', 't', 'z']);
  });
});

describe('tools', () => {
  it('go to an inline assistant as to any stage', () => {
    const nodes = { a: talk('a'), b: talk('b'), t: request(), r: inline(), u: request() };
    const edges = ['a > b: 1', 'a > t: 2', 't > r', 'r > u'];
    expect(both({ nodes, edges })).toEqual(['a', 'b', 't r u']);
  });

  it('go past a saved one: to what leads there, and to the branch behind it', () => {
    const nodes = {
      a: talk('a'),
      b: talk('b'),
      t: request(),
      s: saved(),
      u: request(),
      c: talk('c'),
    };
    const edges = ['a > b: 1', 'a > t: 2', 't > s', 's > u', 'u > c'];
    expect(both({ nodes, edges })).toEqual(['a t', 'b', 's', 'u c']);
  });

  it('stay a start of their own before a saved one', () => {
    const nodes = { t: request(), s: saved() };
    expect(both({ nodes, edges: ['t > s'] })).toEqual(['t', 's']);
    expect(both({ nodes: { t: request(), r: inline() }, edges: ['t > r'] })).toEqual(['t r']);
  });
});

describe('a cycle', () => {
  const kinds = (plan: Plan) => regionsOf(plan).dialogue.open.map(({ kind }) => kind);

  it('through an assistant cannot be one stage, so nobody is asked', () => {
    const nodes = { a: talk('a'), r: inline(), b: talk('b') };
    const plan = { nodes, edges: ['a > r', 'r > a: again', 'r > b: done'] };
    expect(kinds(plan)).toEqual([]);
    expect(both(plan)).toEqual(['a', 'r', 'b']);
  });

  it('of others is asked about without it', () => {
    const nodes = { a: talk('a'), b: talk('b'), r: inline() };
    const plan = { nodes, edges: ['a > b', 'b > a: again', 'b > r: done', 'r > a: more'] };
    const [question] = regionsOf(plan).dialogue.open;
    expect(question!.at).toEqual(['/nodes/0', '/nodes/1']);
    expect(both(plan)).toEqual(['a b', 'r']);
  });
});

import { describe, expect, it } from 'vitest';
import {
  anytime,
  captures,
  end,
  grouped,
  hangup,
  type Plan,
  regionsOf,
  request,
  transfer,
} from '../build.js';

const worked: Plan = {
  nodes: {
    greeting: 'Greet.',
    collection: { systemPrompt: 'Collect.', ...captures('topic', 'account') },
    scheduling: 'Schedule for {{account}}.',
    billing: 'Bill {{account}}.',
    stop: end,
  },
  edges: [
    'greeting > collection',
    'collection > scheduling: about an appointment',
    'collection > billing: about a bill',
    'scheduling > stop',
    'billing > stop',
  ],
};

describe('partition', () => {
  it('makes three assistants of the worked pattern', () => {
    expect(grouped(worked)).toEqual(['greeting collection', 'scheduling', 'billing']);
  });

  it.each([
    ['endCall', end],
    ['hangup', hangup],
    ['transferCall', transfer()],
  ])('never makes a member of a %s node', (_, exit) => {
    const nodes = { a: 'A', b: 'B', c: 'C', exit };
    const edges = ['a > b: 1', 'a > c: 2', 'b > exit', 'c > exit'];
    expect(grouped({ nodes, edges })).toEqual(['a', 'b', 'c']);
  });

  it('does not take an exit as another way on', () => {
    expect(
      grouped({ nodes: { a: 'A', b: 'B', stop: end }, edges: ['a > b: 1', 'a > stop: 2'] }),
    ).toEqual(['a b']);
  });

  it('joins equal branches, and then the chain that is left', () => {
    const nodes = { a: 'A', b: 'Same.', c: 'Same.', d: 'D' };
    const edges = ['a > b: 1', 'a > c: 2', 'b > d', 'c > d'];
    expect(grouped({ nodes, edges })).toEqual(['a b d']);
    expect(grouped({ nodes: { ...nodes, c: 'Other.' }, edges })).toEqual(['a', 'b', 'c', 'd']);
  });

  it('consolidates a cycle while nobody has answered', () => {
    const nodes = { a: 'A', b: 'B', c: 'C', d: 'D' };
    const edges = ['a > b: 1', 'a > d: 2', 'b > c', 'c > b: again'];
    expect(grouped({ nodes, edges })).toEqual(['a', 'b c', 'd']);
  });

  it('joins nothing into a global node or the start', () => {
    const nodes = { a: 'A', g: { ...anytime('asks'), systemPrompt: 'G' }, b: 'B' };
    expect(grouped({ nodes, edges: ['a > g', 'g > b'] })).toEqual(['a', 'g b']);
    expect(grouped({ nodes, edges: ['a > b', 'g > a: back'] })).toEqual(['a b', 'g']);
  });

  it('joins a chain through a tool, a conditioned edge, and parallel edges', () => {
    const nodes = { a: 'A', t: request(), b: 'B', c: 'C' };
    const edges = ['a > t', 't > b: found', 'b > c: 1', 'b > c: 2'];
    expect(grouped({ nodes, edges })).toEqual(['a t b c']);
  });

  it('gives a tool at the head of a branch to the branch', () => {
    const nodes = { a: 'A', t: request(), b: 'B', c: 'C' };
    const edges = ['a > t: 1', 'a > c: 2', 't > b'];
    expect(grouped({ nodes, edges })).toEqual(['a', 't b', 'c']);
  });

  it('gives a tool that several call to each, and joins the chain that is left', () => {
    const nodes = { a: 'A', t: request(), b: 'B', c: 'C', d: 'D' };
    const edges = ['a > b: 1', 'a > c: 2', 'b > t', 'c > t', 'c > d: 3', 't > d'];
    expect(grouped({ nodes, edges })).toEqual(['a', 'b t', 'c t', 'd']);
    const chain = ['a > t: 1', 'a > b: 2', 'b > t: 3', 'b > c: 4', 'c > d'];
    expect(grouped({ nodes, edges: chain })).toEqual(['a t b c d']);
  });

  it('keeps every node of a cycle apart where an answer says so', () => {
    const nodes = { a: 'A', b: 'B', t: request(), c: 'C' };
    const plan: Plan = { nodes, edges: ['a > b', 'b > t', 't > c', 'c > b: again'] };
    const answers = { policies: { 'cyclic-stages': 'keep-split' } };
    expect(grouped(plan, { answers })).toEqual(['a', 'b t', 'c']);
    expect(grouped(plan, { answers, boundary: 'tools' })).toEqual(['a', 'b t', 'c']);
  });

  it('asks nothing about a workflow without cycles and conflicts', () => {
    expect(regionsOf(worked).dialogue.open).toEqual([]);
  });
});

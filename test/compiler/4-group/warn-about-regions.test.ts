import { describe, expect, it } from 'vitest';
import { anytime, end, findings, type Plan, request } from '../build.js';

const returns = (plan: Plan) =>
  findings(plan)
    .filter(({ code }) => code === 'flow/global-returns')
    .map(({ at, related }) => [at, ...related]);
const g = { ...anytime('asks'), systemPrompt: 'G' };

describe('the warning flow/global-returns', () => {
  it('names each pair that goes to and fro only through a global node', () => {
    const nodes = { a: 'A', b: 'B', c: 'C', g };
    const edges = ['a > b: 1', 'a > c: 2', 'g > b: back', 'g > c: further'];
    expect(returns({ nodes, edges })).toEqual([
      ['/nodes/3', '/nodes/1'],
      ['/nodes/3', '/nodes/2'],
    ]);
  });

  it('names two assistants with global nodes once', () => {
    const h = { ...anytime('wants'), systemPrompt: 'H' };
    expect(returns({ nodes: { a: 'A', g, h } })).toHaveLength(1);
  });

  it('says nothing of global nodes that lead nowhere, are exits, or tools', () => {
    expect(returns({ nodes: { a: 'A', b: 'B', g }, edges: ['a > b: 1', 'a > b: 2'] })).toEqual([]);
    expect(returns({ nodes: { a: 'A', stop: { ...anytime('stop'), ...end } } })).toEqual([]);
    const tool = { ...anytime('looks up'), ...request() };
    expect(
      returns({
        nodes: { a: 'A', b: 'B', c: 'C', tool },
        edges: ['a > b: 1', 'a > c: 2', 'tool > b'],
      }),
    ).toEqual([]);
  });

  it('says nothing where an edge leads there too', () => {
    const nodes = { a: 'A', b: 'B', g };
    const edges = ['a > b: 1', 'a > g: 2', 'g > b'];
    expect(returns({ nodes, edges })).toEqual([['/nodes/2', '/nodes/1']]);
  });
});

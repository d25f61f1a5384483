import { describe, expect, it } from 'vitest';
import { anytime, end, grouped, type Plan, request, transfer } from '../build.js';

const split = (plan: Plan) => grouped(plan, { boundary: 'tools' });
const tool = (id: string) => request({ url: `https://api.example.com/${id}` });

describe('the boundary `tools`', () => {
  const branch = ['a > b: 1', 'a > c: 2'];

  it('joins branches without tools of their own', () => {
    expect(
      split({ nodes: { a: 'A', b: 'B', c: 'C', stop: end }, edges: [...branch, 'b > stop'] }),
    ).toEqual(['a b c']);
  });

  it('keeps a branch whose tools differ from those before it', () => {
    const nodes = { a: 'A', s: tool('s'), b: 'B', t: tool('t'), c: 'C' };
    const edges = ['a > s', 's > b: 1', 's > c: 2', 'b > t'];
    expect(split({ nodes, edges })).toEqual(['a s c', 'b t']);
  });

  it('joins a branch with tools to one without, and one with the same tools', () => {
    const nodes = { a: 'A', b: 'B', t: tool('t'), c: 'C' };
    expect(split({ nodes, edges: [...branch, 'b > t'] })).toEqual(['a b c t']);
    const same = { a: 'A', x: transfer(), b: 'B', c: 'C' };
    expect(split({ nodes: same, edges: ['a > x: 0', ...branch, 'b > x'] })).toEqual(['a b c']);
  });

  it('counts each stage by itself, not what was joined before', () => {
    const nodes = { a: 'A', b: 'B', t: tool('t'), c: 'C', d: 'D', s: tool('s') };
    const edges = ['a > b: 1', 'a > c: 2', 'b > t', 'c > d: 3', 'c > s: 4', 's > d'];
    // b and c join a; d joins c, which has no tools itself, though b's t is in the same stage.
    expect(split({ nodes, edges })).toHaveLength(1);
  });

  it('counts transfers to different numbers as different tools', () => {
    const nodes = {
      a: 'A',
      x: transfer(),
      b: 'B',
      y: transfer({ destination: '+14155550199' }),
      c: 'C',
    };
    const edges = ['a > x: 0', ...branch, 'b > y'];
    expect(split({ nodes, edges })).toEqual(['a c', 'b']);
  });

  it('joins only where all predecessors are one stage', () => {
    const nodes = { a: 'A', s: tool('s'), b: 'B', t: tool('t'), c: 'C', d: 'D' };
    const edges = ['a > s', 's > b: 1', 's > c: 2', 'b > t', 't > d: 3', 'c > d: 4'];
    expect(split({ nodes, edges })).toEqual(['a s c', 'b t', 'd']);
    const plain = {
      nodes: { a: 'A', b: 'B', c: 'C', d: 'D' },
      edges: [...branch, 'b > d', 'c > d'],
    };
    expect(split(plain)).toEqual(['a b c d']);
  });

  it('never joins a global node', () => {
    const nodes = { a: 'A', g: { ...anytime('asks'), systemPrompt: 'G' }, b: 'B' };
    expect(split({ nodes, edges: ['a > g: 1', 'a > b: 2'] })).toEqual(['a b', 'g']);
  });

  it('looks through a global tool that every stage was given', () => {
    const nodes = { a: 'A', b: 'B', c: 'C', g: { ...anytime('looks up'), ...tool('g') } };
    expect(split({ nodes, edges: branch })).toHaveLength(1);
  });
});

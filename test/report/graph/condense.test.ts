import { describe, expect, it } from 'vitest';
import { condense, limits } from '../../../src/report/graph/condense.js';
import { pictureOfResult } from '../../../src/report/graph/pictures.js';
import { compiledFacts, sketch } from './compiled-pictures.js';

const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);
const chain = (count: number) =>
  Array.from({ length: count - 1 }, (_, at): [number, number] => [at, at + 1]);

describe('a picture that is too large', () => {
  it('begins above 400 nodes', () => {
    const drawn = (count: number) => condense(sketch(names(count), chain(count))).picture.nodes;
    expect(drawn(limits.nodes)).toHaveLength(400);
    expect(drawn(limits.nodes + 1).length).toBeLessThan(400);
  });

  it('has a box for each assistant with the number of its nodes, and merged edges', () => {
    const picture = sketch(names(450), [...chain(450), [0, 449], [3, 448]], (at) => ({
      groups: [Math.floor(at / 150)],
    }));
    const { picture: drawn, standsFor } = condense({ ...picture, groups: ['a', 'b', 'c'] });
    expect(drawn.nodes.map(({ label, caption, groups }) => [label, caption, groups])).toEqual([
      ['a', '150 nodes', [0]],
      ['b', '150 nodes', [1]],
      ['c', '150 nodes', [2]],
    ]);
    const [a, b, c] = drawn.nodes.map(({ id }) => id);
    expect(drawn.edges.map(({ from, to, label }) => [from, to, label])).toEqual([
      [a, b, ''],
      [b, c, ''],
      [a, c, '2 ways'],
    ]);
    expect(standsFor.get('/nodes/7')).toBe(a);
    expect(standsFor.get('/edges/7')).toBe(a);
    expect(drawn.nodes[0]?.isStart).toBe(true);
  });

  it('is bounded for any graph, every node and edge in it', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, at): [number, number] => [(at * 7) % 900, (at * 31) % 900]);
    for (const group of [undefined, 1, 4, 900]) {
      const parts = (at: number) => ({ groups: group === undefined ? [] : [at % group] });
      const picture = sketch(names(900), [...chain(900), ...many(4000)], parts);
      const { picture: drawn, standsFor } = condense(picture);
      expect(drawn.nodes.length).toBeLessThanOrEqual(limits.nodes);
      expect(drawn.edges.length).toBeLessThanOrEqual(limits.edges);
      const ids = new Set([...drawn.nodes, ...drawn.edges].map(({ id }) => id));
      for (const { id } of [...picture.nodes, ...picture.edges]) {
        expect(ids.has(standsFor.get(id) ?? id)).toBe(true);
      }
    }
  });

  it('still links both sides', () => {
    const talk = (id: string) => ({ id, type: 'conversation', systemPrompt: id });
    const nodes = [...names(430).map(talk), { id: 'end', type: 'endCall' }];
    const edges = [
      ...chain(430).map(([from, to]) => ({ from: `n${from}`, to: `n${to}` })),
      { from: 'n0', to: 'end', condition: 'they leave' },
      { from: 'n429', to: 'end' },
    ];
    const { facts, squad } = compiledFacts({ name: 'long', nodes, edges });
    const drawn = pictureOfResult(facts, squad);
    expect(drawn.workflow).toContain('data-id="/nodes/0#box"');
    expect(drawn.workflow).toContain('431 nodes');
    expect(drawn.squad).toContain('data-links="/nodes/0#box');
  });
});

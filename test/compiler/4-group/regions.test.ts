import { describe, expect, it } from 'vitest';
import {
  anytime,
  capturing,
  compiled,
  end,
  grouped,
  ids,
  type Plan,
  regionsOf,
  request,
  stepsOf,
  transfer,
} from '../build.js';

const about = (plan: Plan) => {
  const { graph, map } = regionsOf(plan);
  return map.regions.map((region) => ({
    nodes: ids(graph, region.nodes).join(' '),
    entries: ids(graph, region.entries).join(' '),
    globals: ids(graph, region.globals).join(' '),
    steps: stepsOf(graph, region),
  }));
};

describe('computeRegions', () => {
  it('tells inner steps, exits and handoffs apart, in the order of the edges', () => {
    const plan: Plan = {
      nodes: { a: 'A', b: 'B', c: 'C', d: 'D', stop: end, x: transfer() },
      edges: ['a > b', 'b > stop: 1', 'b > d: 2', 'b > c: 3', 'b > x: 4', 'c > stop'],
    };
    expect(about(plan)).toEqual([
      {
        nodes: 'a b',
        entries: 'a',
        globals: '',
        steps: ['a > b', 'b > stop!', 'b > d (1)', 'b > c (2)', 'b > x!'],
      },
      { nodes: 'd', entries: 'd', globals: '', steps: [] },
      { nodes: 'c', entries: 'c', globals: '', steps: ['c > stop!'] },
    ]);
  });

  it('lists the steps by the node that they leave', () => {
    const { graph, map } = regionsOf({
      nodes: { a: 'A', b: 'B', stop: end },
      edges: ['a > b', 'b > stop: 1', 'b > a: 2'],
    });
    const [region] = map.regions;
    const left = graph.order.map((from) => region!.stepsFrom.get(from) ?? []);
    expect(left.map((steps) => steps.map(({ from }) => ids(graph, [from])[0]))).toEqual([
      ['a'],
      ['b', 'b'],
      [],
    ]);
    expect(left.flat()).toEqual(region!.steps);
  });

  it('knows the steps of a region of one node, and none of others', () => {
    const { graph, map } = regionsOf({
      nodes: { a: 'A', b: 'B', c: 'C' },
      edges: ['a > b: 1', 'a > c: 2'],
    });
    const [a, b, c] = graph.order.map((node) => map.regions[0]!.stepsFrom.get(node));
    expect(a).toBe(map.regions[0]!.steps);
    expect([b, c, map.regions[1]!.stepsFrom.get(graph.start)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('makes one step of edges to equal nodes under one condition', () => {
    const nodes = { a: 'A', b: 'Same.', c: 'Same.', d: 'D' };
    const edges = ['a > b: x', 'a > c: x', 'a > c: y', 'a > d: z'];
    expect(about({ nodes, edges })[0]!.steps).toEqual(['a > b (1)', 'a > b (1)', 'a > d (2)']);
  });

  it('puts members in the order in which a walk comes to them, global ones last', () => {
    const nodes = {
      h: { ...anytime('h'), systemPrompt: 'H' },
      c: 'C',
      b: 'B',
      g: { ...anytime('g'), systemPrompt: 'G' },
      a: 'A',
      d: 'D',
    };
    const edges = ['a > b: 1', 'a > c: 2', 'b > d', 'c > d'];
    expect(grouped({ nodes, edges })).toEqual(['a', 'b', 'c', 'd', 'h', 'g']);
  });

  it('finds every way in, and begins with the only one', () => {
    const nodes = { a: 'A', b: 'B', c: 'C', d: 'D', e: 'E' };
    const edges = ['a > b: 1', 'a > e: 2', 'b > c', 'c > d', 'd > c: again'];
    expect(about({ nodes, edges })[1]).toMatchObject({ nodes: 'b c d', entries: 'b' });
    const several = [...edges, 'a > d: 3'];
    expect(about({ nodes, edges: several })[3]).toMatchObject({ nodes: 'd c', entries: 'd c' });
  });

  it('begins with the start, else with a global node, else with the first entry', () => {
    const nodes = { a: 'A', b: 'B', c: 'C', g: { ...anytime('asks'), systemPrompt: 'G' } };
    const looped = about({
      nodes: { ...nodes },
      edges: ['a > b: 1', 'a > c: 2', 'b > g', 'g > b'],
    });
    expect(looped.map((region) => region.nodes)).toEqual(['a', 'g b', 'c']);
    expect(looped[1]!.entries).toBe('b g');
  });

  it('does not enter a global node where there is no other assistant', () => {
    const nodes = { a: 'A', g: { ...anytime('asks'), systemPrompt: 'G' } };
    const [only, ...others] = about({ nodes, edges: ['a > g', 'g > a'] });
    expect(others).toEqual([]);
    expect(only).toMatchObject({ nodes: 'a g', entries: 'a', globals: 'g' });
  });

  it('does not enter a tool that several assistants hold', () => {
    const nodes = { a: 'A', b: 'B', c: 'C', t: request(), d: 'D' };
    const edges = ['a > b: 1', 'a > c: 2', 'b > t', 'c > t', 't > d', 'a > d: 3'];
    expect(about({ nodes, edges }).map(({ entries }) => entries)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('says why nodes are together', () => {
    const plan: Plan = {
      nodes: { a: 'A', b: 'Same.', c: 'Same.', d: 'D', t: request() },
      edges: ['a > b: 1', 'a > c: 2', 'b > d', 'c > d', 'd > t: 3', 't > d'],
    };
    const { graph, map } = regionsOf(plan);
    const merges = map.regions[0]!.merges.map(({ rule, nodes }) => [
      rule,
      ids(graph, nodes).join(' '),
    ]);
    expect(merges).toEqual([
      ['equal-nodes', 'b c'],
      ['component', 'd t'],
      ['chain', 'a b d t'],
    ]);
  });
});

describe('steps under one condition', () => {
  it('stay apart where answers differ in how it is met', () => {
    const plan: Plan = {
      nodes: { a: capturing('x'), b: 'Same.', c: 'Same.', d: 'D' },
      edges: ["a > b: x == '1'", "a > c: x == '1'", 'a > d: otherwise'],
    };
    const [first, second] = compiled(plan).result.questions.map(({ id }) => id);
    const answers = { [first!]: { choice: 'prose' }, [second!]: { choice: 'extract' } };
    const { result, members } = compiled(plan, { answers: { answers } });
    expect(result.status).toBe('complete');
    expect(members[0]!.prompt).toContain('first make sure that you know x');
  });
});

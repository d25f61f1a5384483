import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../../src/compiler/ir/options.js';
import { anytime, end, grouped, type Plan, regionsOf, request, stepsOf } from '../build.js';

/** Requests that differ, by id. */
const tools = (...names: string[]) =>
  Object.fromEntries(names.map((id) => [id, request({ url: `https://api.example.com/${id}` })]));
const talk = (...names: string[]) => Object.fromEntries(names.map((id) => [id, `Node ${id}.`]));
const steps = (plan: Plan, options: CompileOptions = {}) => {
  const { graph, map } = regionsOf(plan, options);
  return map.regions.map((region) => stepsOf(graph, region));
};

describe('a tool between stages', () => {
  it('is copied to each stage that calls it, with the edges onward', () => {
    const plan: Plan = {
      nodes: { ...talk('a', 'b', 'c', 'd'), ...tools('t') },
      edges: ['a > b: 1', 'a > c: 2', 'a > d: 3', 'b > t', 'c > t', 't > d'],
    };
    expect(grouped(plan)).toEqual(['a', 'b t', 'c t', 'd']);
    expect(steps(plan)).toEqual([
      ['a > b (1)', 'a > c (2)', 'a > d (3)'],
      ['b > t', 't > d (3)'],
      ['c > t', 't > d (3)'],
      [],
    ]);
  });

  it('leads back into a stage that holds it by an inner step', () => {
    const plan: Plan = {
      nodes: { ...talk('a', 'b', 'c'), ...tools('t') },
      edges: ['a > b', 'b > t', 'c > t', 't > b: 1', 't > c: 2'],
    };
    const options = { answers: { policies: { 'cyclic-stages': 'keep-split' } } };
    expect(grouped(plan, options)).toEqual(['a', 'b t', 'c t']);
    expect(steps(plan, options).slice(1)).toEqual([
      ['b > t', 't > b', 't > c (2)'],
      ['t > b (1)', 't > c', 'c > t'],
    ]);
  });

  it('goes with all tools that follow it, loops of tools among them', () => {
    const plan: Plan = {
      nodes: { ...talk('a', 'b', 'c', 'd'), ...tools('s', 't', 'u') },
      edges: [
        ...['a > b: 1', 'a > c: 2', 'a > d: 3', 'b > s', 'c > t', 's > t'],
        ...['t > u', 'u > t: again', 'u > d'],
      ],
    };
    expect(grouped(plan)).toEqual(['a', 'b s t u', 'c t u', 'd']);
  });

  it('goes through tools that it shares with others', () => {
    const plan: Plan = {
      nodes: { ...talk('a', 'b', 'c', 'd'), ...tools('s', 't') },
      edges: [
        ...['a > b: 1', 'a > c: 2', 'a > d: 3', 'b > s', 'c > s: 4', 'c > t: 5'],
        ...['s > t', 't > d'],
      ],
    };
    expect(grouped(plan)).toEqual(['a', 'b s t', 'c s t', 'd']);
  });

  it('leaves a chain that is joined afterwards', () => {
    const plan: Plan = {
      nodes: { ...talk('a', 'b'), ...tools('s', 't') },
      edges: ['a > s: 1', 'a > t: 2', 's > b', 't > b'],
    };
    expect(grouped(plan)).toEqual(['a s t b']);
  });
});

describe('a global tool', () => {
  const nodes = { ...talk('a', 'b', 'c'), g: { ...anytime('looks up'), ...request() } };
  const edges = ['a > b: 1', 'a > c: 2'];

  it('is given to every assistant, and is none', () => {
    expect(grouped({ nodes, edges })).toEqual(['a g', 'b g', 'c g']);
  });

  it('brings its edges onward', () => {
    const plan: Plan = { nodes, edges: [...edges, 'g > c'] };
    expect(steps(plan)).toEqual([
      ['a > b (1)', 'a > c (2)', 'g > c (2)'],
      ['g > c (2)'],
      ['g > c'],
    ]);
  });

  it('is an assistant together with the talk node that only it leads to', () => {
    const plan: Plan = { nodes: { ...nodes, d: 'D' }, edges: [...edges, 'g > d'] };
    expect(grouped(plan)).toEqual(['a', 'b', 'c', 'g d']);
  });
});

describe('a tool at the start', () => {
  it('goes to its only successor, called first', () => {
    const plan: Plan = {
      nodes: {
        ...tools('t'),
        ...talk('a', 'b', 'c'),
        g: { ...anytime('asks'), systemPrompt: 'G' },
      },
      edges: ['t > a', 'a > b: 1', 'a > c: 2', 'g > a: back'],
    };
    expect(grouped(plan)).toEqual(['t a', 'b', 'c', 'g']);
  });

  it('stays an assistant with several ways on or none', () => {
    const edges = ['t > a: 1', 't > b: 2'];
    expect(grouped({ nodes: { ...tools('t'), ...talk('a', 'b') }, edges })).toEqual([
      't',
      'a',
      'b',
    ]);
    expect(grouped({ nodes: { ...tools('t'), stop: end }, edges: ['t > stop'] })).toEqual(['t']);
  });
});

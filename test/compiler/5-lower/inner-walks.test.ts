import { describe, expect, it } from 'vitest';
import { computeVariableFlow } from '../../../src/compiler/3-analyze/variables.js';
import { createDefinitions } from '../../../src/compiler/5-lower/definitions.js';
import { createInnerWalks } from '../../../src/compiler/5-lower/inner-walks.js';
import { anytime, captures, capturing, ids, node, type Plan, regionsOf, setter } from '../build.js';

/** What walks inside a region leave in `x`. */
function reach(plan: Plan, region = 0) {
  const { graph, map } = regionsOf(plan);
  const variable = computeVariableFlow(graph).variables.get('x')!;
  const found = createInnerWalks(graph, map.regions[region]!, createDefinitions(graph)).reach(
    variable,
  );
  const at = (id: string) => {
    const here = node(graph, id);
    return {
      captures: ids(
        graph,
        found.at(here).map((site) => site.node),
      ).join(' '),
      responds: found.responds(here),
      misses: found.misses(here),
    };
  };
  return { at, found, graph };
}

const diamond = [
  'a > b: 1',
  'a > c: 2',
  'b > d',
  'c > d',
  'd > a: again',
  'd > out: 3',
  'd > on: 4',
];
const others = { out: '{{x}}', on: 'On.' };

describe('createInnerWalks', () => {
  it('finds the captures that can be the latest word', () => {
    const { at } = reach({
      nodes: { a: 'A', b: capturing('x'), c: capturing('x', 'y'), d: 'D', ...others },
      edges: diamond,
    });
    expect(at('d')).toMatchObject({ captures: 'b c', responds: false });
    expect(at('b').captures).toBe('b');
    expect(at('a')).toMatchObject({ captures: 'b c', misses: true });
  });

  it('takes a later capture for the only word', () => {
    const nodes = { a: capturing('x'), b: capturing('x'), c: 'C', d: 'D', ...others };
    expect(reach({ nodes, edges: diamond }).at('d').captures).toBe('a b');
    expect(
      reach({ nodes: { ...nodes, c: capturing('x', 'y') }, edges: diamond }).at('d').captures,
    ).toBe('b c');
  });

  it('takes the response of a tool for a later word than a capture before it', () => {
    const nodes = { a: capturing('x'), b: setter('x'), c: 'C', d: 'D', ...others };
    const { at, found, graph } = reach({ nodes, edges: diamond });
    expect(at('d')).toEqual({ captures: 'a', responds: true, misses: false });
    expect(at('b')).toMatchObject({ captures: '', responds: true });
    expect(found.respondsAnywhere()).toBe(true);
    expect(
      ids(
        graph,
        found.anywhere().map((site) => site.node),
      ),
    ).toEqual(['a']);
  });

  it('says where a visit can come without any', () => {
    const nodes = { a: 'A', b: capturing('x'), c: 'C', d: 'D', ...others };
    const { at } = reach({ nodes, edges: diamond });
    expect([at('a').misses, at('b').misses, at('d').misses]).toEqual([true, false, true]);
    const first = reach({ nodes: { ...nodes, a: capturing('x', 'y') }, edges: diamond });
    expect(first.at('d').misses).toBe(false);
  });

  it('steps to the assistant’s own global node from everywhere', () => {
    const nodes = {
      a: 'A',
      b: capturing('x'),
      g: { ...anytime('asks'), systemPrompt: 'G' },
      ...others,
    };
    const edges = ['a > b', 'b > g', 'g > a', 'g > out: 1', 'b > on: 2'];
    const { at } = reach({ nodes, edges });
    expect(at('g').captures).toBe('b');
    expect(at('a').captures).toBe('b');
  });

  it('steps back to a global node that no edge leads back to', () => {
    const g = { ...anytime('asks'), systemPrompt: 'G' };
    const nodes = { a: 'A', g, b: capturing('x'), c: '{{x}}' };
    const { at } = reach({ nodes, edges: ['g > b', 'b > c'] }, 1);
    expect(at('g')).toEqual({ captures: 'b', responds: false, misses: true });
  });

  it('takes a response for a later word than a capture of the same node', () => {
    const nodes = { a: 'A', t: { ...setter('x'), ...captures('x') }, b: 'B', ...others };
    const { at } = reach({ nodes, edges: ['a > t', 't > b', 'b > out: 1', 'b > on: 2'] });
    expect(at('b')).toEqual({ captures: '', responds: true, misses: false });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReadTracer } from '../../../src/compiler/3-analyze/reaching.js';
import { runs, seed } from '../../seed.js';
import {
  anytime,
  capturing,
  ids,
  node,
  type Plan,
  setter,
  variable,
  variableFlow,
} from '../build.js';
import { ground, isSet, naiveReach, next } from './naive-reads.js';

function trace(plan: Plan, id: string, at: 'entry' | 'exit' = 'entry') {
  const { graph, flow } = variableFlow(plan);
  const found = createReadTracer(graph)(variable(flow, 'x'), { node: node(graph, id), at });
  const walk = found.unsetWalk();
  return { reached: found.reached, unsetWalk: walk && ids(graph, walk).join(' ') };
}

const rhombus = ['a > b: 1', 'a > c: 2', 'b > d', 'c > d'];

describe('createReadTracer', () => {
  it('finds a definition on every walk', () => {
    const nodes = { a: capturing('x'), b: 'B', c: 'C', d: '{{x}}' };
    expect(trace({ nodes, edges: rhombus }, 'd')).toEqual({ reached: true, unsetWalk: null });
  });

  it('finds definitions that no single one dominates', () => {
    const nodes = { a: 'A', b: capturing('x'), c: setter('x'), d: '{{x}}' };
    expect(trace({ nodes, edges: rhombus }, 'd')).toEqual({ reached: true, unsetWalk: null });
  });

  it('gives the shortest walk that misses them', () => {
    const nodes = { a: 'A', b: capturing('x'), c: 'C', c2: 'C2', d: '{{x}}' };
    const edges = [...rhombus, 'a > c2: 3', 'c2 > c'];
    expect(trace({ nodes, edges }, 'd')).toEqual({ reached: true, unsetWalk: 'a c d' });
  });

  it('finds nothing where nothing sets it before', () => {
    const nodes = { a: 'A', b: '{{x}}', c: capturing('x') };
    const found = trace({ nodes, edges: ['a > b', 'b > c'] }, 'b');
    expect(found).toEqual({ reached: false, unsetWalk: 'a b' });
  });

  it('lets a loop bring the value of a later node', () => {
    const nodes = { a: 'A', b: '{{x}}', c: capturing('x') };
    const found = trace({ nodes, edges: ['a > b', 'b > c', 'c > b: again'] }, 'b');
    expect(found).toEqual({ reached: true, unsetWalk: 'a b' });
  });

  it('has the capture of a node after its texts and before its conditions', () => {
    const plan = { nodes: { a: capturing('x'), b: 'B' }, edges: ['a > b: {{x}}'] };
    expect(trace(plan, 'a', 'entry').reached).toBe(false);
    expect(trace(plan, 'a', 'exit')).toEqual({ reached: true, unsetWalk: null });
  });

  it('lets a global node be entered from anywhere, before and after', () => {
    const nodes = { a: 'A', b: capturing('x'), g: { ...anytime('asks'), systemPrompt: '{{x}}' } };
    expect(trace({ nodes, edges: ['a > b'] }, 'g')).toEqual({ reached: true, unsetWalk: 'a g' });
    const first = { ...nodes, a: capturing('x') };
    expect(trace({ nodes: first, edges: ['a > b'] }, 'g').unsetWalk).toBeNull();
  });

  it('prefers the straight way to one through a global node', () => {
    const nodes = {
      a: 'A',
      b: '{{x}}',
      g: { ...anytime('asks'), systemPrompt: 'G' },
      c: capturing('x'),
    };
    const edges = ['g > b', 'a > b', 'b > c'];
    expect(trace({ nodes, edges }, 'b').unsetWalk).toBe('a b');
  });

  it('gives a walk as short as any', () => {
    fc.assert(
      fc.property(ground, (at) => {
        fc.pre(at.variable !== null);
        const traced = createReadTracer(at.graph);
        for (const read of at.graph.order) {
          const place = { node: read, at: 'entry' } as const;
          const unsetWalk = traced(at.variable!, place).unsetWalk();
          expect(unsetWalk?.length ?? null).toBe(naiveReach(at, place).unset);
        }
      }),
      { seed, numRuns: runs(500) },
    );
  });

  it.each([
    ['searching for each read', Number.POSITIVE_INFINITY],
    ['in one pass over the graph', -1],
    ['in a pass after the first search', 0],
  ])('finds what walks that are tried one by one find, %s', (_, patience) => {
    fc.assert(
      fc.property(ground, (at) => {
        fc.pre(at.variable !== null);
        const traced = createReadTracer(at.graph, patience);
        for (const read of at.graph.order) {
          for (const when of ['entry', 'exit'] as const) {
            const place = { node: read, at: when };
            const found = traced(at.variable!, place);
            const { reached, unset } = found;
            const unsetWalk = found.unsetWalk();
            const naive = naiveReach(at, place);
            expect(reached).toBe(naive.set !== null);
            expect(unsetWalk === null).toBe(naive.unset === null);
            expect(unset).toBe(naive.unset !== null);
            if (unsetWalk === null) continue;
            // It is a walk of the call, from the start to the read, and nothing on it sets x.
            expect([unsetWalk[0], unsetWalk.at(-1)]).toEqual([at.graph.start, read]);
            unsetWalk.slice(1).forEach((to, before) => {
              expect(next(at, unsetWalk[before]!)).toContain(to);
              expect(isSet(at, unsetWalk[before]!)).toBe(false);
            });
          }
        }
      }),
      { seed, numRuns: runs(1000) },
    );
  });
});

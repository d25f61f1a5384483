import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spreadForward } from '../../../src/compiler/3-analyze/forward-spread.js';
import { definingNodes } from '../../../src/compiler/3-analyze/liveness.js';
import { runs, seed } from '../../seed.js';
import { anytime, capturing, ids, type Plan, variable, variableFlow } from '../build.js';
import { ground, naiveReach } from './naive-reads.js';

function spread(plan: Plan) {
  const { graph, flow } = variableFlow(plan);
  const it = variable(flow, 'x');
  const { set, unset } = spreadForward(graph, it, definingNodes(it));
  const marked = (marks: Uint8Array) =>
    ids(
      graph,
      graph.order.filter((node) => marks[node] === 1),
    ).join(' ');
  return { set: marked(set), unset: marked(unset) };
}

describe('spreadForward', () => {
  it('goes on from definitions, and from the start until there is one', () => {
    const nodes = { a: 'A', b: capturing('x'), c: 'C', d: '{{x}}' };
    const edges = ['a > b: 1', 'a > c: 2', 'b > d', 'c > d'];
    expect(spread({ nodes, edges })).toEqual({ set: 'd', unset: 'a b c d' });
  });

  it('comes to global nodes from everywhere', () => {
    const nodes = {
      a: 'A',
      b: capturing('x'),
      g: { ...anytime('asks'), systemPrompt: 'G' },
      h: '{{x}}',
    };
    expect(spread({ nodes, edges: ['a > b', 'g > h'] })).toEqual({ set: 'g h', unset: 'a b g h' });
    const first = { ...nodes, a: capturing('x') };
    expect(spread({ nodes: first, edges: ['a > b', 'g > h'] }).unset).toBe('a');
  });

  it('finds what walks that are tried one by one find', () => {
    fc.assert(
      fc.property(ground, (at) => {
        fc.pre(at.variable !== null);
        const { set, unset } = spreadForward(at.graph, at.variable!, definingNodes(at.variable!));
        for (const node of at.graph.order) {
          const naive = naiveReach(at, { node, at: 'entry' });
          expect([set[node], unset[node]]).toEqual([
            Number(naive.set !== null),
            Number(naive.unset !== null),
          ]);
        }
      }),
      { seed, numRuns: runs(500) },
    );
  });
});

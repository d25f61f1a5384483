import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeLiveIn, definingNodes } from '../../../src/compiler/3-analyze/liveness.js';
import { runs, seed } from '../../seed.js';
import {
  anytime,
  capturing,
  end,
  ids,
  type Plan,
  setter,
  transfer,
  variable,
  variableFlow,
} from '../build.js';
import { ground, naiveLive } from './naive-reads.js';

function liveIn(plan: Plan, name = 'x'): string[] {
  const { graph, flow } = variableFlow(plan);
  const live = computeLiveIn(graph, variable(flow, name));
  return ids(
    graph,
    graph.order.filter((node) => live[node] === 1),
  );
}

describe('computeLiveIn', () => {
  it('goes back from a read to the captures before it', () => {
    const nodes = { a: 'A', b: capturing('x'), c: 'C', d: '{{x}}', e: 'E' };
    expect(liveIn({ nodes, edges: ['a > b', 'b > c', 'c > d', 'd > e'] })).toEqual(['c', 'd']);
  });

  it('is stopped by a response', () => {
    const nodes = { a: capturing('x'), b: 'B', tool: setter('x'), d: '{{x}}' };
    expect(liveIn({ nodes, edges: ['a > b', 'b > tool', 'tool > d'] })).toEqual(['d']);
  });

  it('takes the texts of a capturing node as read before its capture', () => {
    const nodes = { a: 'A', b: { ...capturing('x'), systemPrompt: 'Was it {{x}}?' }, c: 'C' };
    expect(liveIn({ nodes, edges: ['a > b', 'b > c'] })).toEqual(['a', 'b']);
  });

  it('takes the conditions of a capturing node as read after its capture', () => {
    const nodes = { a: 'A', b: capturing('x'), c: 'C' };
    expect(liveIn({ nodes, edges: ['a > b', 'b > c: {{x}} is big'] })).toEqual([]);
    expect(liveIn({ nodes, edges: ['a > b: {{x}} is big', 'b > c'] })).toEqual(['a']);
  });

  it('is live wherever a global node that reads it can be entered', () => {
    const nodes = {
      a: 'A',
      b: capturing('x'),
      g: { ...anytime('asks'), systemPrompt: '{{x}}' },
      stop: end,
    };
    expect(liveIn({ nodes, edges: ['a > b', 'b > stop'] })).toEqual(['a', 'g']);
  });

  it('is live wherever a global condition reads it', () => {
    const nodes = {
      a: 'A',
      b: capturing('x'),
      stop: { ...anytime('asks for {{x}}'), ...end },
    };
    expect(liveIn({ nodes, edges: ['a > b'] })).toEqual(['a']);
  });

  it('is live on entry to an exit that speaks of it, and not after it', () => {
    const nodes = { a: 'A', x: transfer({ transferPlan: { message: '{{x}}' } }), b: 'B' };
    expect(liveIn({ nodes, edges: ['a > x: 1', 'a > b: 2'] })).toEqual(['a', 'x']);
  });

  it('finds exactly the nodes from which a walk reads before it sets', () => {
    fc.assert(
      fc.property(ground, (at) => {
        fc.pre(at.variable !== null);
        const live = computeLiveIn(at.graph, at.variable!);
        for (const node of at.graph.order) {
          expect(live[node] === 1, `n${node}`).toBe(naiveLive(at, node));
        }
      }),
      { seed, numRuns: runs(1000) },
    );
  });
});

describe('the liveness of a flow', () => {
  it('says of each variable in turn what it says of it alone', () => {
    const nodes = { a: capturing('x', 'y'), b: '{{x}}', c: '{{y}}', d: '{{x}}' };
    const { graph, flow } = variableFlow({ nodes, edges: ['a > b', 'b > c', 'c > d'] });
    const liveAt = (name: string) => {
      const live = flow.liveIn(variable(flow, name));
      return ids(
        graph,
        graph.order.filter((node) => live[node] === 1),
      );
    };
    expect(liveAt('x')).toEqual(['b', 'c', 'd']);
    expect(liveAt('y')).toEqual(['b', 'c']);
    expect(liveAt('x')).toEqual(['b', 'c', 'd']);
  });
});

describe('definingNodes', () => {
  it('holds captures and responses, each node once', () => {
    const nodes = { a: capturing('x', 'x'), b: setter('x'), c: '{{x}}' };
    const { graph, flow } = variableFlow({ nodes, edges: ['a > b', 'b > c'] });
    expect(ids(graph, definingNodes(variable(flow, 'x')))).toEqual(['a', 'b']);
  });
});

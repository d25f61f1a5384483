/** The algorithms compared with naive versions, on small random graphs of all kinds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeDominators, createGates } from '../../src/graph/dominators.js';
import { computeComponents, refine } from '../../src/graph/partitions.js';
import { type Adjacency, findReached, findWalk, flood, reverse } from '../../src/graph/walks.js';
import { runs, seed } from '../seed.js';

const nodeCount = 7;
const nodes = [...Array(nodeCount).keys()];
const node = fc.nat(nodeCount - 1);
const pairs = fc.array(fc.tuple(node, node), { maxLength: 14 });
const graphs = pairs.map((arcs) =>
  nodes.map((from) => arcs.filter(([one]) => one === from).map(([, to]) => to)),
);

function always<T>(inputs: fc.Arbitrary<T>, check: (input: T) => void): void {
  fc.assert(fc.property(inputs, check), { seed, numRuns: runs(100) });
}

/** The fewest steps from one node to another without entering any of these; -1 if there is no way. */
function distance(arcs: Adjacency, from: number, to: number, without: readonly number[] = []) {
  const met = new Map(without.includes(from) ? [] : [[from, 0]]);
  for (const [at, steps] of met) {
    for (const next of arcs[at]!) {
      if (!without.includes(next) && !met.has(next)) met.set(next, steps + 1);
    }
  }
  return met.get(to) ?? -1;
}

const leads = (...args: Parameters<typeof distance>) => distance(...args) >= 0;

describe('floods', () => {
  it('reach everything, but do not continue beyond a stop', () => {
    always(fc.tuple(graphs, node, fc.array(node)), ([arcs, seed, stops]) => {
      const isStop = (at: number) => stops.includes(at) && at !== seed;
      const reached = flood([seed], (at) => arcs[at]!, isStop);
      const open = nodes.map((at) => (isStop(at) ? [] : arcs[at]!));
      expect([...reached].sort()).toEqual(nodes.filter((at) => leads(open, seed, at)));
    });
  });

  it('find the targets that are reached, from either side', () => {
    const lists = fc.array(node, { maxLength: 4 });
    always(fc.tuple(graphs, lists, lists, lists), ([arcs, seeds, targets, stops]) => {
      const back = reverse(arcs);
      const both = { next: (at: number) => arcs[at]!, before: (at: number) => back[at]! };
      const isStop = (at: number) => stops.includes(at);
      const reached = findReached(seeds, targets, both, isStop);
      const expected = flood(seeds, both.next, isStop);
      for (const target of targets) expect(reached.has(target)).toBe(expected.has(target));
    });
  });

  it('find a shortest walk', () => {
    always(fc.tuple(graphs, node, node), ([arcs, from, to]) => {
      const walk = findWalk(
        [from],
        (at) => arcs[at]!,
        (at) => at === to,
      );
      expect((walk?.length ?? 0) - 1).toBe(distance(arcs, from, to));
      walk?.forEach((at, step) => {
        expect(step === 0 ? at === from : arcs[walk[step - 1]!]!.includes(at)).toBe(true);
      });
    });
  });
});

describe('partitions', () => {
  it('are components of nodes that lead to each other, in topological order', () => {
    always(graphs, (arcs) => {
      const { of, members } = computeComponents(arcs);
      for (const one of nodes) {
        expect(members[of[one]!]).toContain(one);
        for (const other of nodes) {
          const mutual = leads(arcs, one, other) && leads(arcs, other, one);
          expect(of[one] === of[other]).toBe(mutual);
          if (leads(arcs, one, other)) expect(of[one]).toBeLessThanOrEqual(of[other]!);
        }
      }
    });
  });

  it('are refined to the coarsest stable partition', () => {
    const size = { minLength: nodeCount, maxLength: nodeCount };
    const labels = fc.array(fc.constantFrom('a', 'b'), size);
    always(fc.tuple(graphs, labels), ([graph, of]) => {
      const arcs = graph.map((leaving) => leaving.map((to) => ({ to, label: `${to % 2}` })));
      let keys: string[] = of;
      for (const _ of nodes) {
        const steps = (at: number) => arcs[at]!.map(({ to, label }) => `${label}:${keys[to]}`);
        keys = keys.map((key, at) => JSON.stringify([key, [...new Set(steps(at))].sort()]));
        // Long keys work like short ones.
        keys = keys.map((key) => `${keys.indexOf(key)}`);
      }
      const classes = refine(of, arcs);
      for (const one of nodes) {
        for (const other of nodes) {
          expect(classes[one] === classes[other]).toBe(keys[one] === keys[other]);
        }
      }
    });
  });
});

describe('dominators', () => {
  it('are the nodes on every walk', () => {
    always(graphs, (arcs) => {
      const { immediate, first, last } = computeDominators(arcs, 0);
      const dominates = (one: number, other: number) =>
        first[one]! <= first[other]! && first[other]! <= last[one]!;
      for (const at of nodes.filter((it) => it > 0)) {
        expect(immediate[at] !== -1).toBe(leads(arcs, 0, at));
        if (immediate[at] === -1) continue;
        const above = nodes.filter((it) => it !== at && !leads(arcs, 0, at, [it]));
        expect(nodes.filter((it) => it !== at && dominates(it, at))).toEqual(above);
        for (const it of above) expect(dominates(it, immediate[at]!)).toBe(true);
      }
    });
  });

  it('are not the only gates: several nodes together can block every walk', () => {
    const inputs = fc.tuple(graphs, fc.uniqueArray(node, { maxLength: 3 }), node);
    always(inputs, ([arcs, gates, at]) => {
      const back = reverse(arcs);
      const isSure = createGates([0, 1], { next: (it) => arcs[it]!, before: (it) => back[it]! });
      if (![0, 1].some((root) => leads(arcs, root, at))) return;
      const isPassed = [0, 1].some((root) => leads(arcs, root, at, gates));
      expect(isSure(gates, at)).toBe(!isPassed);
    });
  });
});

/** The algorithms compared with naive versions, on small random graphs of all kinds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bit, has, membersOf, propagate, withJumps } from '../../src/graph/flows.js';
import { computeComponents, refine } from '../../src/graph/partitions.js';
import { type Adjacency, findWalk, flood } from '../../src/graph/walks.js';
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
      const { of, members, order } = computeComponents(arcs);
      expect(order.toSorted()).toEqual(nodes);
      for (const one of nodes) {
        expect(members[of[one]!]).toContain(one);
        for (const other of nodes) {
          const mutual = leads(arcs, one, other) && leads(arcs, other, one);
          expect(of[one] === of[other]).toBe(mutual);
          if (leads(arcs, one, other)) expect(of[one]).toBeLessThanOrEqual(of[other]!);
          if (arcs[one]!.includes(other) && !mutual) {
            expect(order.indexOf(one)).toBeLessThan(order.indexOf(other));
          }
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

describe('sets that flow', () => {
  const adding = fc.array(fc.nat(2), { minLength: nodeCount, maxLength: nodeCount });
  it('arrive on every walk that does not end them', () => {
    const inputs = fc.tuple(graphs, adding, adding, node);
    always(inputs, ([arcs, adds, ends, entry]) => {
      const entering = nodes.map((at) => (at === entry ? 0b111n : 0n));
      const pass = (at: number, before: bigint) => (before & ~bit(ends[at]!)) | bit(adds[at]!);
      const before = propagate(arcs, entering, pass);
      for (const number of [0, 1, 2]) {
        const open = nodes.map((at) => (ends[at] === number ? [] : arcs[at]!));
        const added = nodes.flatMap((at) => (adds[at] === number ? arcs[at]! : []));
        const reached = flood([entry, ...added], (at) => open[at]!);
        for (const at of nodes) expect(has(before[at]!, number)).toBe(reached.has(at));
      }
      expect(before.map(membersOf)).toEqual(
        before.map((set) => [0, 1, 2].filter((number) => has(set, number))),
      );
    });
  });

  it('jump from open nodes to every target but the node itself', () => {
    const inputs = fc.tuple(graphs, fc.uniqueArray(node), fc.uniqueArray(node));
    always(inputs, ([arcs, targets, closed]) => {
      const jumping = withJumps(arcs, targets, (at) => closed.includes(at));
      for (const from of nodes) {
        const reached = flood(
          jumping[from]!,
          (at) => jumping[at]!,
          (at) => at < nodeCount,
        );
        const jumps = closed.includes(from) ? [] : targets.filter((at) => at !== from);
        const expected = [...new Set([...arcs[from]!, ...jumps])].sort();
        expect([...reached].filter((at) => at < nodeCount).sort()).toEqual(expected);
        const entries = jumps.map((at) => nodeCount + targets.indexOf(at)).sort();
        const isEntry = (at: number) => at >= nodeCount && at < nodeCount + targets.length;
        expect([...reached].filter(isEntry).sort()).toEqual(entries);
      }
    });
  });
});

/** The textbook algorithms against naive versions, on all kinds of small random graphs. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeDominators } from '../../src/graph/dominators.js';
import { computeComponents, createDisjointSets, refine } from '../../src/graph/partitions.js';
import { type Adjacency, findWalk, flood, reverse } from '../../src/graph/walks.js';

const nodeCount = 7;
const nodes = [...Array(nodeCount).keys()];
const node = fc.nat(nodeCount - 1);
const pairs = fc.array(fc.tuple(node, node), { maxLength: 14 });
const graphs = pairs.map((arcs) =>
  nodes.map((from) => arcs.filter(([one]) => one === from).map(([, to]) => to)),
);

/** Whether a walk leads from one node to another without entering any of these. */
function leads(arcs: Adjacency, from: number, to: number, without: readonly number[] = []) {
  if (without.includes(from)) return false;
  const met = new Set([from]);
  for (let size = 0; size < met.size; ) {
    size = met.size;
    for (const at of [...met])
      for (const next of arcs[at]!) if (!without.includes(next)) met.add(next);
  }
  return met.has(to);
}

describe('walks', () => {
  it('flood what is reached, and leave nothing that stops', () => {
    fc.assert(
      fc.property(graphs, node, fc.array(node), (arcs, seed, stops) => {
        const reached = flood(
          [seed],
          (at) => arcs[at]!,
          (at) => stops.includes(at) && at !== seed,
        );
        const open = nodes.map((at) => (stops.includes(at) && at !== seed ? [] : arcs[at]!));
        expect([...reached].sort()).toEqual(nodes.filter((at) => leads(open, seed, at)));
      }),
    );
  });

  it('go backwards over reversed arcs', () => {
    expect(reverse([[1, 2], [2, 2], []])).toEqual([[], [0], [0, 1, 1]]);
  });

  it('find a shortest one', () => {
    expect(
      findWalk(
        [0],
        (at) => [[1, 2], [3], [4], [4], []][at]!,
        (at) => at === 4,
      ),
    ).toEqual([0, 2, 4]);
    expect(
      findWalk(
        [0],
        () => [],
        (at) => at === 4,
      ),
    ).toBeNull();
  });
});

describe('partitions', () => {
  it('have in one component what leads to each other, in topological order', () => {
    fc.assert(
      fc.property(graphs, (arcs) => {
        const { of, members } = computeComponents(arcs);
        for (const one of nodes) {
          expect(members[of[one]!]).toContain(one);
          for (const other of nodes) {
            const mutual = leads(arcs, one, other) && leads(arcs, other, one);
            expect(of[one] === of[other]).toBe(mutual);
            if (leads(arcs, one, other)) expect(of[one]).toBeLessThanOrEqual(of[other]!);
          }
        }
      }),
    );
  });

  it('join sets, by their smallest members', () => {
    const { find, union } = createDisjointSets(5);
    union(4, 2);
    union(2, 3);
    union(3, 4);
    expect(nodes.slice(0, 5).map(find)).toEqual([0, 1, 2, 2, 2]);
  });

  it('are refined to the coarsest stable one', () => {
    const labels = fc.array(fc.constantFrom('a', 'b'), {
      minLength: nodeCount,
      maxLength: nodeCount,
    });
    const labelled = fc.tuple(graphs, labels).map(([arcs, of]) => ({
      of,
      arcs: arcs.map((leaving) => leaving.map((to) => ({ to, label: `${to % 2}` }))),
    }));
    fc.assert(
      fc.property(labelled, ({ of, arcs }) => {
        let keys: string[] = of;
        for (const _ of nodes) {
          const steps = (at: number) => arcs[at]!.map(({ to, label }) => `${label}:${keys[to]}`);
          keys = keys.map((key, at) => JSON.stringify([key, [...new Set(steps(at))].sort()]));
          // Long keys are the same as short ones.
          keys = keys.map((key) => `${keys.indexOf(key)}`);
        }
        const classes = refine(of, arcs);
        for (const one of nodes) {
          for (const other of nodes) {
            expect(classes[one] === classes[other]).toBe(keys[one] === keys[other]);
          }
        }
      }),
    );
  });
});

describe('dominators', () => {
  it('are the nodes that every walk comes through', () => {
    fc.assert(
      fc.property(graphs, (arcs) => {
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
      }),
    );
  });
});

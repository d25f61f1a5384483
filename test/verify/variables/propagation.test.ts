import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toRows } from '../../../src/verify/rows.js';
import { makeFlow } from '../../../src/verify/variables/flow.js';
import { type Fact, propagate } from '../../../src/verify/variables/propagation.js';
import { runs, seed } from '../../seed.js';

type Arc = readonly [from: number, to: number];

/** The facts that hold at the vertex that each is asked for at, and at those before it. */
function holding(size: number, arcs: readonly Arc[], facts: readonly Fact[]): string[] {
  const into = toRows(
    size,
    arcs.map(([, to]) => to),
    arcs.map(([from]) => from),
  );
  const found: string[] = [];
  propagate(makeFlow(into), facts, ({ facts: block, holds }) => {
    block.forEach((fact, bit) => {
      for (let at = 0; at <= fact.last; at += 1) {
        if ((holds[at]! & (1 << bit)) !== 0) found.push(`${facts.indexOf(fact)}@${at}`);
      }
    });
  });
  return found.sort();
}

/** The same by a search for each fact. */
function naive(arcs: readonly Arc[], facts: readonly Fact[]): string[] {
  return facts
    .flatMap(({ begins, ends, last }, index) => {
      const holds = new Set(begins);
      for (const at of holds) {
        for (const [from, to] of arcs) if (from === at && !ends.includes(to)) holds.add(to);
      }
      return [...holds].filter((at) => at <= last).map((at) => `${index}@${at}`);
    })
    .sort();
}

const problems = fc.integer({ min: 1, max: 9 }).chain((size) => {
  const vertex = fc.nat(size - 1);
  const vertices = fc.uniqueArray(vertex, { maxLength: 4 });
  return fc.record({
    size: fc.constant(size),
    arcs: fc.array(fc.tuple(vertex, vertex), { maxLength: 14 }),
    facts: fc.array(fc.record({ begins: vertices, ends: vertices, last: vertex }), {
      maxLength: 70,
      size: 'max',
    }),
  });
});

describe('propagate', () => {
  it('finds what a search for each fact finds', () => {
    const property = fc.property(problems, ({ size, arcs, facts }) => {
      expect(holding(size, arcs, facts)).toEqual(naive(arcs, facts));
    });
    fc.assert(property, { seed, numRuns: runs(1000) });
  });

  it('lets a fact that ends where it begins hold there, and flow on', () => {
    const fact = { begins: [0], ends: [0, 2], last: 3 };
    expect(
      holding(
        4,
        [
          [0, 1],
          [1, 2],
          [2, 3],
        ],
        [fact],
      ),
    ).toEqual(['0@0', '0@1']);
  });

  it('brings a fact round a loop to what stands before it in the line', () => {
    const arcs: Arc[] = [
      [0, 1],
      [1, 2],
      [2, 0],
      [0, 3],
    ];
    expect(holding(4, arcs, [{ begins: [2], ends: [], last: 0 }])).toEqual(['0@0']);
    expect(holding(4, arcs, [{ begins: [2], ends: [0], last: 1 }])).toEqual([]);
  });

  it('looks at nothing where what begins comes after what is asked for', () => {
    expect(holding(3, [[1, 2]], [{ begins: [2], ends: [], last: 1 }])).toEqual([]);
    expect(holding(3, [], [])).toEqual([]);
  });

  it('is settled at once on long chains and in big circles', () => {
    const size = 100_000;
    const chain = Array.from({ length: size - 1 }, (_, at): Arc => [at, at + 1]);
    const facts = Array.from({ length: 100 }, (_, at) => ({
      begins: [at],
      ends: [at + 1000],
      last: size - 1,
    }));
    const into = (arcs: readonly Arc[]) =>
      toRows(
        size,
        arcs.map(([, to]) => to),
        arcs.map(([from]) => from),
      );
    for (const arcs of [chain, [...chain, [size - 1, 0] as const]]) {
      let held = 0;
      const start = performance.now();
      propagate(makeFlow(into(arcs)), facts, ({ facts: block, holds }) => {
        block.forEach((_, bit) => {
          for (let at = 0; at < size; at += 1) if ((holds[at]! & (1 << bit)) !== 0) held += 1;
        });
      });
      expect(held).toBe(100 * 1000);
      expect(performance.now() - start).toBeLessThan(5000);
    }
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberComponents, tellComponents } from '../../src/verify/strong-components.js';
import { runs, seed } from '../seed.js';
import { rowsOfLists } from './rows-of-lists.js';

describe('numberComponents', () => {
  it('puts two vertices together exactly when each leads to the other, and the former first', () => {
    const graphs = fc
      .integer({ min: 1, max: 8 })
      .chain((size) =>
        fc.array(fc.uniqueArray(fc.nat(size - 1)), { minLength: size, maxLength: size }),
      );
    const property = fc.property(graphs, (successors) => {
      const components = numberComponents(rowsOfLists(successors));
      const reached = successors.map((_, from) => reach(successors, from));
      for (const [a, fromA] of reached.entries()) {
        for (const [b, fromB] of reached.entries()) {
          expect(components[a] === components[b]).toBe(fromA.has(b) && fromB.has(a));
          if (fromA.has(b)) expect(components[a]).toBeLessThanOrEqual(components[b]!);
        }
      }
    });
    fc.assert(property, { seed, numRuns: runs(300) });
  });

  it('tells the same components where their numbers are free', () => {
    const graphs = fc
      .tuple(fc.integer({ min: 1, max: 8 }), fc.boolean())
      .chain(([size, isForward]) =>
        fc.tuple(
          ...Array.from({ length: size }, (_, at) =>
            fc.uniqueArray(fc.integer({ min: isForward ? Math.min(at + 1, size) : 0, max: size })),
          ),
        ),
      )
      .map((rows) => rows.map((row) => row.filter((to) => to < rows.length)));
    const property = fc.property(graphs, (successors) => {
      const rows = rowsOfLists(successors);
      const [numbers, told] = [numberComponents(rows), tellComponents(rows)];
      for (const a of numbers.keys()) {
        for (const b of numbers.keys()) {
          expect(told[a] === told[b]).toBe(numbers[a] === numbers[b]);
          if (successors[a]!.includes(b)) expect(told[a]).toBeLessThanOrEqual(told[b]!);
        }
      }
    });
    fc.assert(property, { seed, numRuns: runs(300) });
  });

  it('does not mind long chains', () => {
    const size = 200_000;
    const chain = Array.from({ length: size }, (_, at) => [(at + 1) % size]);
    expect(new Set(numberComponents(rowsOfLists(chain)))).toEqual(new Set([0]));
  });
});

function reach(successors: readonly (readonly number[])[], from: number): ReadonlySet<number> {
  const found = new Set([from]);
  for (const at of found) for (const next of successors[at] ?? []) found.add(next);
  return found;
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findNearest } from '../../../src/compiler/names/nearest.js';
import { runs, seed } from '../../seed.js';

describe('findNearest', () => {
  it.each([
    ['acount', ['amount', 'account', 'topic'], 'account'],
    ['customerName', ['customer_name', 'customer'], 'customer_name'],
    ['Topic', ['topic'], 'topic'],
    ['conversaton', ['conversation', 'gather'], 'conversation'],
    ['ab', ['abc'], 'abc'],
    ['account', ['topic', 'hour'], null],
    ['x', ['yy', 'zzz'], null],
    ['x', [], null],
    ['topic', ['topic'], null],
  ])('for %s among %j finds %s', (text, candidates, nearest) => {
    expect(findNearest(text, candidates)).toBe(nearest);
  });

  it('takes the first by name of two that are as near', () => {
    expect(findNearest('cat', ['cut', 'bat', 'hat'])).toBe('bat');
    expect(findNearest('cat', ['hat', 'bat', 'cut'])).toBe('bat');
  });

  it('does not depend on the order of the candidates', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '_', 'C'), maxLength: 6 });
    fc.assert(
      fc.property(name, fc.array(name, { maxLength: 8 }), (text, candidates) => {
        const found = findNearest(text, candidates);
        expect(findNearest(text, [...candidates].reverse())).toBe(found);
        if (found !== null) {
          expect(candidates).toContain(found);
          expect(found).not.toBe(text);
        }
      }),
      { seed, numRuns: runs(500) },
    );
  });

  it('finds either name from the other where they are as long', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'C'), minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(name, name, (one, other) => {
        fc.pre(one !== other);
        expect(findNearest(one, [other]) === other).toBe(findNearest(other, [one]) === one);
      }),
      { seed, numRuns: runs(500) },
    );
  });
});

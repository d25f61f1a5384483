import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { append, areDifferent, groupBy } from '../../src/graph/lists.js';
import { runs, seed } from '../seed.js';

describe('append', () => {
  it('adds to the list under the key, and begins one where there is none', () => {
    const lists = new Map<string, number[]>();
    append(lists, 'a', 1);
    append(lists, 'b', 2);
    append(lists, 'a', 3);
    expect([...lists]).toEqual([
      ['a', [1, 3]],
      ['b', [2]],
    ]);
  });
});

describe('groupBy', () => {
  it('keeps the order of keys and values', () => {
    const groups = groupBy([3, 1, 4, 1, 5, 9], (value) => value % 2 === 1);
    expect([...groups]).toEqual([
      [true, [3, 1, 1, 5, 9]],
      [false, [4]],
    ]);
  });
});

describe('areDifferent', () => {
  it('says of any stretch of a list, short or long, what a set says', () => {
    const list = fc.array(fc.nat(60), { maxLength: 20 });
    fc.assert(
      fc.property(list, fc.nat(20), fc.nat(20), (values, one, other) => {
        const begin = Math.min(one, other, values.length);
        const end = Math.min(Math.max(one, other), values.length);
        const stretch = values.slice(begin, end);
        const isDifferent = areDifferent(begin, end, (at) => values[at]);
        expect(isDifferent).toBe(new Set(stretch).size === stretch.length);
      }),
      { seed, numRuns: runs(1000) },
    );
  });
});

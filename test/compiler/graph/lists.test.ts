import { describe, expect, it } from 'vitest';
import { append, groupBy } from '../../../src/compiler/graph/lists.js';

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

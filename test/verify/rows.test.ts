import { describe, expect, it } from 'vitest';
import { reverseRows, sortByKey, toRows } from '../../src/verify/rows.js';
import { rowsOfLists } from './rows-of-lists.js';

describe('rows', () => {
  const rows = { offsets: Int32Array.of(0, 2, 2, 3), targets: Int32Array.of(2, 1, 0) };

  it('hold the targets of each vertex, in the order in which they are given', () => {
    expect(toRows(3, [2, 0, 0], [0, 2, 1])).toEqual(rows);
    expect(rowsOfLists([[2, 1], [], [0]])).toEqual(rows);
    expect(toRows(0, [], [])).toEqual({ offsets: Int32Array.of(0), targets: Int32Array.of() });
  });

  it('can be read backwards', () => {
    expect(reverseRows(rows)).toEqual(rowsOfLists([[2], [0], [0]]));
  });
});

describe('sortByKey', () => {
  it('keeps the order of those with one key', () => {
    expect(sortByKey(3, [2, 0, 2, 0])).toEqual({
      offsets: Int32Array.of(0, 2, 2, 4),
      order: Int32Array.of(1, 3, 0, 2),
    });
  });
});

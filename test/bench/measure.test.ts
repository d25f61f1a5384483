/** The arithmetic of the measurements. */
import { describe, expect, it } from 'vitest';
import { atLeast, atMost, ratios } from '../../bench/adapters/claims.mjs';
import { inRounds, median, spread } from '../../bench/measure.mjs';

describe('rounds', () => {
  it('measure each subject once in each, beginning with another each time', async () => {
    const order: string[] = [];
    const results = await inRounds(['a', 'b', 'c'], 4, async (subject) => {
      order.push(subject);
      return `${subject}${order.length}`;
    });
    expect(order.join('')).toBe('abcbcacababc');
    expect(results).toEqual([
      ['a1', 'a6', 'a8', 'a10'],
      ['b2', 'b4', 'b9', 'b11'],
      ['c3', 'c5', 'c7', 'c12'],
    ]);
  });
});

describe('the middle', () => {
  it('is that of numbers, not of texts', () => expect(median([100, 9, 20])).toBe(20));
  it('has half of the values around it', () => {
    expect(spread([8, 1, 7, 2, 6, 3, 5, 4])).toEqual({ median: 5, low: 3, high: 7 });
  });
  it('of nothing is no number', () => expect(median([])).toBeNaN());
});

describe('a claim', () => {
  it('holds by the middle, up to its bound', () => {
    expect(atMost('time', [9, 1, 2], 2)).toEqual({
      claim: 'time',
      measured: 2,
      low: 1,
      high: 9,
      bound: '<= 2',
      holds: true,
    });
    expect(atLeast('rate', [3, 3, 1], 3).holds).toBe(true);
  });

  it('does not hold beyond it, however little', () => {
    expect(atMost('time', [2.0001], 2).holds).toBe(false);
    expect(atLeast('rate', [2.9999], 3).holds).toBe(false);
  });

  it('does not hold of what was not measured', () => {
    expect(atMost('time', [], 2).holds).toBe(false);
    expect(atLeast('rate', ratios([1], []), 2).holds).toBe(false);
  });

  it('of a ratio compares the values of the same round', () => {
    expect(ratios([1, 10, 100], [2, 20, 200])).toEqual([0.5, 0.5, 0.5]);
  });
});

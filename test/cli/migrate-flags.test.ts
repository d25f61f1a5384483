import { describe, expect, it } from 'vitest';
import { parseBytes } from '../../src/cli/migrate-flags.js';
import { remaining } from '../../src/cli/progress.js';

describe('parseBytes', () => {
  it('reads sizes', () => {
    const sizes = ['1', '64MB', '64mb', '1GB', '2GiB', '500kB', '7K', '10B'].map(parseBytes);
    expect(sizes).toEqual([1, 2 ** 26, 2 ** 26, 2 ** 30, 2 ** 31, 512_000, 7168, 10]);
  });

  it('refuses what is none', () => {
    for (const text of ['', '0', '-1', '1.5MB', '1TB', 'MB', '1 MB', '99999999999999GB', '1MBx']) {
      expect(() => parseBytes(text)).toThrow('Expected a size');
    }
  });
});

describe('the remaining time', () => {
  it('is told by what was done so far', () => {
    expect(remaining(1000, 0, 10)).toBe('?');
    expect(remaining(1000, 1, 10)).toBe('9s');
    expect(remaining(100_000, 1, 3)).toBe('3m 20s');
    expect(remaining(3_600_000, 1, 4)).toBe('3h 0m');
    expect(remaining(1000, 10, 10)).toBe('0s');
    expect(remaining(1000, 11, 10)).toBe('0s');
  });
});

import { describe, expect, it } from 'vitest';
import { parseBytes } from '../../src/cli/runs/flags.js';

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

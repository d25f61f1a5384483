import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findTexts } from '../../../src/verify/tools/text-search.js';
import { runs, seed } from '../../seed.js';

describe('findTexts', () => {
  it('finds what the built-in search finds', () => {
    const unit = fc.constantFrom('a', 'b', '\n', '𝄞', '\ud834');
    const texts = fc.array(fc.string({ unit, maxLength: 9 }), { maxLength: 40 });
    const property = fc.property(fc.string({ unit, maxLength: 60 }), texts, (whole, wanted) => {
      const expected = new Set(wanted.filter((text) => whole.includes(text)));
      expect(findTexts(whole, wanted)).toEqual(expected);
    });
    fc.assert(property, { seed, numRuns: runs(2000) });
  });

  it('finds many in a long text, and misses as many', { timeout: 5000 }, () => {
    const line = (number: number) => `- when the caller wants number ${number}, go on\n`;
    const numbers = Array.from({ length: 50_000 }, (_, number) => number);
    const whole = numbers.map(line).join('');
    const wanted = numbers.flatMap((number) => [line(number), line(-number - 1)]);
    expect(findTexts(whole, wanted).size).toBe(50_000);
  });
});

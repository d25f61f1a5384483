import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest } from '../../../src/compiler/ir/digest.js';
import { runs, seed } from '../../seed.js';

describe('digest', () => {
  // Marks stand in question ids, and ids in files of answers: they must never change.
  it.each([
    ['', '811c9dc5'],
    ['a', digestOfUnits([0x61])],
    ['é🦉', digestOfUnits([0xe9, 0xd83e, 0xdd89])],
  ])('of %j stays %s', (text, mark) => {
    expect(digest(text)).toBe(mark);
  });

  it('is eight hexadecimal digits, and follows FNV-1a', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
        expect(digest(text)).toMatch(/^[0-9a-f]{8}$/);
        expect(digest(text)).toBe(digestOfUnits(units));
      }),
      { seed, numRuns: runs(200) },
    );
  });
});

/** FNV-1a with big integers, low byte first. */
function digestOfUnits(units: readonly number[]): string {
  const bytes = units.flatMap((unit) => [unit & 0xff, unit >> 8]);
  const hash = bytes.reduce(
    (sum, byte) => ((sum ^ BigInt(byte)) * 0x01000193n) & 0xffffffffn,
    0x811c9dc5n,
  );
  return hash.toString(16).padStart(8, '0');
}

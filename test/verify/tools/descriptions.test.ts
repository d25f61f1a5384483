import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Condition } from '../../../src/compiler/ir/workflow.js';
import { isDescribed, isDescribedExactly } from '../../../src/verify/tools/descriptions.js';
import { runs, seed } from '../../seed.js';

const condition = (value: string) => ({ value, at: '', uses: [] }) as unknown as Condition;
const ways = (...texts: (string | null)[]) =>
  texts.map((text) => (text === null ? null : condition(text)));

describe('descriptions', () => {
  it('are the conditions, each once, in any order, with nothing else', () => {
    const texts = fc.uniqueArray(
      fc.constantFrom('a', 'b', 'b; or c', 'when the caller needs a', '; or ', 'when done with x'),
      { minLength: 1, maxLength: 4 },
    );
    const property = fc.property(texts, fc.nat(), fc.boolean(), (all, turn, isOpen) => {
      const turned = all.map((_, at) => all[(at + turn) % all.length]!);
      const given = ways(...all, ...all, ...(isOpen ? [null] : []));
      const text = [...turned, ...(isOpen ? ['otherwise, when done with desk'] : [])].join('; or ');
      expect(isDescribedExactly(text, given, 'desk')).toBe(true);
      expect(isDescribed(text, given)).toBe(true);
      expect(isDescribedExactly(`${text}; or z`, given, 'desk')).toBe(false);
      expect(isDescribedExactly(`${text}!`, given, 'desk')).toBe(false);
    });
    fc.assert(property, { seed, numRuns: runs(500) });
  });

  it.each<[string, (string | null)[], boolean]>([
    ['when done with desk', [null], true],
    ['otherwise, when done with desk', [null], true],
    ['when done with desk; or otherwise, when done with desk', [null], true],
    ['when the caller needs a; or b', [null], true],
    ['a; or when the caller needs b', ['a', null], true],
    ['a; or when done with desk', ['a'], false],
    ['a', ['a', null], false],
    ['', [null], false],
    ['when done with billing', [null], false],
    ['whenever', [null], false],
    ['b', ['a'], false],
    ['', [], true],
  ])('%j for the ways %j: %s', (text, all, expected) => {
    expect(isDescribedExactly(text, ways(...all), 'desk')).toBe(expected);
  });
});

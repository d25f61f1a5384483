import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonFault, maxDepth, parseJsonText } from '../../../src/compiler/1-read/json-text.js';
import { runs, seed } from '../../seed.js';

const faultsOf = (text: string): JsonFault[] => parseJsonText(text).faults;
const brief = (text: string): string[] =>
  faultsOf(text).map((fault) =>
    fault.fault === 'syntax' ? `${fault.reason}@${fault.offset}` : `${fault.fault}@${fault.offset}`,
  );

describe('parseJsonText', () => {
  it('gives the value of a text without faults', () => {
    expect(parseJsonText(' {"a": [1, "x", null]} ')).toEqual({
      value: { a: [1, 'x', null] },
      faults: [],
    });
  });

  it.each([
    ['', ['empty@0']],
    [' \r\n ', ['empty@0']],
    ['\ufeff', ['empty@0']],
    ['{\0"\0a\0"\0', ['utf-16@0']],
    ['\0{\0}', ['utf-16@0']],
    ['["a\0"]', ['invalid-string@1']],
    ['{', ['unexpected-end@1']],
    ['[1, 2', ['unexpected-end@5']],
    ['{"a" 1}', ['colon-expected@5']],
    ['{"a": 1 "b": 2}', ['comma-expected@8']],
    ['{"a": }', ['value-expected@6']],
    ['{a: 1}', ['unexpected-character@1']],
    ['[1,]', ['trailing-comma@2']],
    ['[1, \n\t]', ['trailing-comma@2']],
    ['[,]', ['value-expected@1', 'trailing-comma@1']],
    ['{"a": 1,}', ['trailing-comma@7']],
    ['{"a": 1,, "b": 2}', ['property-name-expected@8']],
    ['[1] [2]', ['trailing-content@4']],
    ['["\\x"]', ['invalid-escape@1']],
    ['["\\u12"]', ['invalid-escape@1']],
    ['["a\nb"]', ['invalid-string@1', 'unexpected-character@4', 'unexpected-end@7']],
    ['["a\tb"]', ['invalid-string@1']],
    ['[1.]', ['invalid-number@1']],
    ['[01]', ['comma-expected@2']],
    ['// note\n{}', ['comment@0']],
    ['[NaN]', ['unexpected-character@1']],
    ["['a']", ['unexpected-character@1']],
  ])('tells what is wrong with %j', (text, expected) => {
    const { value, faults } = parseJsonText(text);
    expect(value).toBeUndefined();
    expect(faults).not.toEqual([]);
    expect(brief(text)).toEqual(expected);
  });

  it('tells all faults of one text at once', () => {
    expect(brief('{"a": , "b" 2, "a": 1}')).toEqual([
      'value-expected@6',
      'colon-expected@12',
      'duplicate-key@15',
    ]);
  });

  it('finds keys that stand twice, wherever they are', () => {
    const { value, faults } = parseJsonText('{"n": [{"id/~": 1, "id/~": 2}], "n": 3}');
    expect(value).toEqual({ n: 3 });
    expect(faults).toEqual([
      { fault: 'duplicate-key', at: '/n/0/id~1~0', offset: 19, key: 'id/~', firstOffset: 8 },
      { fault: 'duplicate-key', at: '/n', offset: 32, key: 'n', firstOffset: 1 },
    ]);
    expect(brief('{"\\u0061": 1, "a": 2}')).toEqual(['duplicate-key@14']);
    expect(brief('{"__proto__": 1, "__proto__": 2}')).toEqual(['duplicate-key@17']);
    expect(brief('[{"a": 1}, {"a": 1}]')).toEqual([]);
  });

  it('skips a BOM and counts it in offsets', () => {
    expect(parseJsonText('\ufeff[1]')).toEqual({ value: [1], faults: [] });
    expect(brief('\ufeff[1,]')).toEqual(['trailing-comma@3']);
    expect(brief('\ufeff{"a":1,"a":2}')).toEqual(['duplicate-key@8']);
  });

  it('stops at texts that are too deep', () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(faultsOf(nested(maxDepth))).toEqual([]);
    expect(faultsOf(nested(maxDepth + 1))).toEqual([
      { fault: 'too-deep', offset: maxDepth, limit: maxDepth },
    ]);
    expect(faultsOf(`["${'['.repeat(1000)}"]`)).toEqual([]);
  });

  it.each([
    '['.repeat(200_000),
    '{"a":'.repeat(200_000),
    `/*"*/${'['.repeat(200_000)}`,
    `//"\n${'['.repeat(200_000)}`,
    `"\n${'['.repeat(200_000)}`,
    '[},'.repeat(200_000),
    '[{],'.repeat(100_000),
    '"\\'.repeat(100_000),
  ])('survives a hostile text (%#)', (text) => {
    expect(faultsOf(text)).not.toEqual([]);
    expect(faultsOf(text).length).toBeLessThanOrEqual(100);
  });

  it('agrees with JSON.parse on every text', () => {
    const broken = fc
      .tuple(
        fc.json(),
        fc.array(
          fc.tuple(fc.nat(), fc.constantFrom(...'{}[]:,"\\/-+.0eEu \n\t\0\u2028\u00a0tfn*')),
          { maxLength: 3 },
        ),
      )
      .map(([text, edits]) =>
        edits.reduce((now, [where, what]) => {
          const at = where % (now.length + 1);
          return now.slice(0, at) + what + now.slice(at + (where % 2));
        }, text),
      );
    fc.assert(
      fc.property(broken, (text) => {
        let expected: unknown;
        let valid = true;
        try {
          expected = JSON.parse(text);
        } catch {
          valid = false;
        }
        const { value, faults } = parseJsonText(text);
        expect(value).toEqual(expected);
        expect(faults.some(({ fault }) => fault === 'syntax')).toBe(!valid);
        for (const { offset } of faults) expect(offset).toBeLessThanOrEqual(text.length);
        expect([...faults].sort((a, b) => a.offset - b.offset)).toEqual(faults);
      }),
      { seed, numRuns: runs(2000) },
    );
  });
});

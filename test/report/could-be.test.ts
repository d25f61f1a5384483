import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { couldBe } from '../../src/report/could-be.js';

describe('couldBe', () => {
  it.each<[redacted: unknown, whole: unknown]>([
    ['••••', 'anything'],
    ['••••', ''],
    ['a••••b', 'a and b'],
    ['••••-••••', 'x-y'],
    ['ab••••ab', 'abab'],
    ['••••aa', 'aaa'],
    [{ a: ['••••'] }, { a: ['x'] }],
    [
      { a: 1, b: null },
      { b: null, a: 1 },
    ],
  ])('%j could be %j', (redacted, whole) => expect(couldBe(redacted, whole)).toBe(true));

  it.each<[redacted: unknown, whole: unknown]>([
    ['a', 'b'],
    ['a••••b', 'ab and c'],
    ['a••••b', 'b and a'],
    ['ab••••bc', 'abc'],
    ['••••-••••', 'xy'],
    ['x••••y••••y', 'x y'],
    ['••••', 1],
    ['••••', null],
    ['••••', ['x']],
    [undefined, { choice: 'a' }],
    [['a'], { 0: 'a' }],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ toString: 1 }, { valueOf: 1 }],
  ])('%j could not be %j', (redacted, whole) => expect(couldBe(redacted, whole)).toBe(false));

  it('takes every value for itself, and for whatever of its texts was hidden', () => {
    const hideIn = (value: unknown): unknown => {
      if (typeof value === 'string') return value.replace(/[a-m]+/, '••••');
      if (Array.isArray(value)) return value.map(hideIn);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hideIn(each)]));
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // As it comes out of a file: no minus zero.
        const read = JSON.parse(JSON.stringify(value));
        expect(couldBe(read, read)).toBe(true);
        expect(couldBe(hideIn(read), read)).toBe(true);
      }),
    );
  });
});

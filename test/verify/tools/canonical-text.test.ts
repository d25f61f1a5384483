import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/compiler/ir/json.js';
import { canonicalText } from '../../../src/verify/tools/canonical-text.js';
import { isEqualJson } from '../../../src/verify/tools/equal-json.js';
import { runs, seed } from '../../seed.js';

/** The value with its keys in another order. */
function turnedRound(value: Json): Json {
  if (Array.isArray(value)) return value.map(turnedRound);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as { [key: string]: Json });
  return Object.fromEntries(entries.reverse().map(([key, part]) => [key, turnedRound(part)]));
}

/** The value so deep that it is written without the stack. */
function sunk(value: Json, depth: number): Json {
  let deep = value;
  for (let level = 0; level < depth; level += 1) deep = level % 2 === 0 ? [deep] : { key: deep };
  return deep;
}

describe('isEqualJson', () => {
  it('says what the canonical texts say', () => {
    const any = fc.jsonValue({ maxDepth: 2 });
    const property = fc.property(any, any, fc.constantFrom(0, 59, 61), (one, other, depth) => {
      const [first, second] = [sunk(one as Json, depth), sunk(other as Json, depth)];
      expect(isEqualJson(first, turnedRound(first))).toBe(true);
      expect(isEqualJson(first, second)).toBe(canonicalText(first) === canonicalText(second));
    });
    fc.assert(property, { seed, numRuns: runs(500) });
  });

  it('takes what is required as a set in a schema, and there only', () => {
    const [one, other] = [{ a: { required: ['a', 'b'] } }, { a: { required: ['b', 'a', 'a'] } }];
    expect(isEqualJson(one, other, true)).toBe(true);
    expect(isEqualJson(one, other)).toBe(false);
    expect(isEqualJson(sunk(one, 90), sunk(other, 90), true)).toBe(true);
    expect(isEqualJson(sunk(1, 100_000), sunk(2, 100_000))).toBe(false);
  });
});

describe('canonicalText', () => {
  it('is JSON of the same value, whatever the order of the keys and the depth', () => {
    const property = fc.property(fc.jsonValue(), fc.constantFrom(0, 58, 61, 90), (value, depth) => {
      const given = sunk(value as Json, depth);
      const text = canonicalText(given);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(given)));
      expect(canonicalText(turnedRound(given))).toBe(text);
    });
    fc.assert(property, { seed, numRuns: runs(500) });
  });

  it('tells different values apart', () => {
    const values: Json[] = [null, 'null', 0, '0', [], {}, [[]], [{}], { a: [] }, ['a'], { '': '' }];
    expect(new Set(values.map((it) => canonicalText(it))).size).toBe(values.length);
  });

  it('takes what is required as a set in a schema, and there only', () => {
    const [one, other] = [{ required: ['a', 'b'] }, { required: ['b', 'a', 'a'] }];
    expect(canonicalText(one, true)).toBe(canonicalText(other, true));
    expect(canonicalText(one)).not.toBe(canonicalText(other));
    expect(canonicalText(sunk(one, 90), true)).toBe(canonicalText(sunk(other, 90), true));
  });

  it('writes keys that objects have by themselves, and very deep values', () => {
    const hostile = JSON.parse('{"__proto__":{"b":1,"a":2},"constructor":3}') as Json;
    expect(canonicalText(hostile)).toBe('{"__proto__":{"a":2,"b":1},"constructor":3}');
    expect(canonicalText(sunk(1, 100_000))).toHaveLength(500_001);
  });
});

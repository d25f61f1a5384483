import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFaultless } from '../../../src/compiler/1-read/json-faultless.js';
import { maxDepth } from '../../../src/compiler/1-read/json-plain.js';
import { runs, seed } from '../../seed.js';

interface Written {
  readonly text: string;
  /** Whether an object in it has a key twice. */
  readonly repeats: boolean;
}

const blank = fc.constantFrom('', ' ', '\n  ', '\t', '\r\n');
const key = fc.constantFrom('"a"', '"b"', '"\\u0061"', '"c:d"', '"\\""', '"__proto__"', '"1"');
const scalar = fc.constantFrom(
  '1',
  '-0.5e3',
  'null',
  'true',
  '"x:{["',
  '"\\\\"',
  '"\\\\\\""',
  '""',
);

/** JSON as a person may write it, with the answer beside it. */
const { value: written } = fc.letrec<{ value: Written; list: Written; object: Written }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalar.map((text) => ({ text, repeats: false })),
    tie('list'),
    tie('object'),
  ),
  list: fc.tuple(fc.array(tie('value'), { maxLength: 3 }), blank).map(([parts, gap]) => ({
    text: `[${gap}${parts.map(({ text }) => text).join(`${gap},${gap}`)}${gap}]`,
    repeats: parts.some(({ repeats }) => repeats),
  })),
  object: fc
    .tuple(fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }), blank)
    .map(([members, gap]) => ({
      text: `{${gap}${members.map(([name, { text }]) => `${name}${gap}:${gap}${text}`).join(',')}}`,
      repeats:
        members.some(([, { repeats }]) => repeats) ||
        new Set(members.map(([name]) => JSON.parse(name))).size < members.length,
    })),
}));

describe('parseFaultless', () => {
  it('reads what has no key twice, and nothing else', () => {
    fc.assert(
      fc.property(written, ({ text, repeats }) => {
        const expected: unknown = repeats ? undefined : JSON.parse(text);
        expect(parseFaultless(text)).toStrictEqual(expected);
      }),
      { seed, numRuns: runs(3000) },
    );
  });

  it.each([
    '',
    '{',
    '{"a":1,}',
    '["a\nb"]',
    '{"a":1,"a":1}',
    '{"a":{"b":1},"a":2}',
    '{"\\u0061":1,"a":2}',
    '{"__proto__":1,"__proto__":2}',
    '['.repeat(maxDepth + 1) + ']'.repeat(maxDepth + 1),
    '['.repeat(200_000),
    '"\\'.repeat(100_000),
    `"${'\\'.repeat(200_001)}"`,
  ])('leaves a faulty text to the other half (%#)', (text) => {
    expect(parseFaultless(text)).toBeUndefined();
  });

  it('takes brackets and colons in texts for what they are', () => {
    const text = `{"a:b":"${'[{:'.repeat(maxDepth)}","c":"\\\\"}`;
    expect(parseFaultless(`\ufeff${text}`)).toEqual(JSON.parse(text));
  });
});

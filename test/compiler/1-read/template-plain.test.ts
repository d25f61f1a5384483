import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPiece } from '../../../src/compiler/1-read/liquid.js';
import { readPlain } from '../../../src/compiler/1-read/template-plain.js';
import { runs, seed } from '../../seed.js';
import { liquidText } from './liquid-texts.js';

const blank = fc.constantFrom('', ' ', '  ', '\n', '\t', '\r\n', '\v', '\u00a0');
const inner = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'caller', '_u', 'x1', 'A_b', 'nothing', 'forloop') },
  fc.constantFrom('true', 'nil', 'empty', 'not', 'contains', 'undefined', 'and'),
  fc.constantFrom('1d', 'a-b', 'a.b', 'a b', 'a[0]', 'a | upcase', '"a"', '', '- a -', 'h\u00e9'),
);
const bareOutput = fc.tuple(blank, inner, blank).map((parts) => `{{${parts.join('')}}}`);
const prose = fc.constantFrom('', 'Hi ', "don't ", '"', '{', '}', '}}', '%}', '{ x }', '\u{1f600}');
const plainText = fc
  .array(fc.oneof({ weight: 3, arbitrary: bareOutput }, prose), { maxLength: 6 })
  .map((parts) => parts.join(''));

describe('readPlain', () => {
  it.each([
    ['', []],
    ['no { "a": 1 } Liquid } here', []],
    ['Hi {{ caller }} and {{a}}{{\n_b1\t}}!', ['caller', 'a', '_b1']],
    ['{{a}}}', ['a']],
  ])('reads %j', (text, expected) => {
    const uses = readPlain(text)!;
    expect(uses.map(({ name }) => name)).toEqual(expected);
    for (const { name, start, end } of uses) expect(text.slice(start, end)).toBe(name);
  });

  it.each([
    '{{ a.b }}',
    '{{ a-b }}',
    '{{ a | upcase }}',
    '{{- a -}}',
    '{{ true }}',
    '{{ }}',
    '{{ a',
    '{{ a }',
    '{{{ a }}}',
    '{% if a %}{% endif %}',
    '{{ a }} {%',
    '{{ a }} {{ "b" }}',
  ])('leaves %j to the other half', (text) => {
    expect(readPlain(text)).toBeNull();
  });

  it.each([
    ['texts of bare names', plainText],
    ['any Liquid', liquidText],
  ])('reads %s as liquidjs does, or not at all', (_, texts) => {
    let read = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const uses = readPlain(text);
        if (uses === null) return;
        read += 1;
        expect({ uses, fault: null }).toEqual(readPiece(text, 0, new Set()));
      }),
      { seed, numRuns: runs(3000) },
    );
    expect(read).toBeGreaterThan(runs(3000) / 10);
  });

  it('takes time that is linear in the text', () => {
    const names = '{{ name }} '.repeat(50_000);
    expect(readPlain(names)).toHaveLength(50_000);
    expect(readPlain(`${names}{{${' '.repeat(500_000)}`)).toBeNull();
    expect(readPlain(`{{ ${'a'.repeat(500_000)} `)).toBeNull();
    expect(readPlain('{ '.repeat(500_000))).toEqual([]);
  });
});

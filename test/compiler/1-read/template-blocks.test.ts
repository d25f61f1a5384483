import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPiece } from '../../../src/compiler/1-read/liquid.js';
import { readTemplate } from '../../../src/compiler/1-read/template.js';
import { readBlocks } from '../../../src/compiler/1-read/template-blocks.js';
import { maxLevels, maxTags } from '../../../src/compiler/1-read/template-tags.js';
import { runs, seed } from '../../seed.js';
import { liquidText, output } from './liquid-texts.js';

/** What the quick half reads for the most part, and now and then what it should not. */
const mostly = (usual: readonly string[], odd: readonly string[]) =>
  fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(''));

const blank = mostly([' ', ' ', '  ', '\n', '\r\n\t'], ['', '\v', '\u00a0']);
const dash = fc.constantFrom('', '', '', '-');
const name = mostly(
  ['a', 'b', 'each', 'item', 'forloop', 'truest'],
  ['true', 'nil', 'and', 'contains', 'not', 'in', 'a-b', 'a?', 'h\u00e9', '1d'],
);
const steps = mostly(
  ['', '', '.b', '.size', '[0]', '["k"].b'],
  ["['%}']", '[b]', '.', '?', '[0', '. b', '["k\\""]'],
);
const path = joined(name, steps);
const value = fc.oneof(
  { weight: 5, arbitrary: path },
  mostly(
    ['"s"', "'t'", '"{{"', '1', '-2.5', 'true', 'blank', 'nil'],
    ['"%}"', '"\\""', '-a', '1.', '1.a', 'true.a', 'nil[0]', '(1..3)'],
  ),
);
const operator = mostly(
  ['==', ' != ', '<', ' >= ', ' contains ', ' and ', '\nor\t'],
  ['=', '===', '<>', 'and', ' not ', ' | ', ', ', ' ', ' contains'],
);
const condition = fc
  .tuple(value, fc.array(joined(operator, value), { maxLength: 2 }))
  .map(([first, rest]) => first + rest.join(''));
const tag = (words: fc.Arbitrary<string>) =>
  joined(fc.constant('{%'), dash, blank, words, blank, dash, fc.constant('%}'));
const word = (text: string) => tag(fc.constant(text));
const testing = (text: string) => tag(joined(fc.constant(text), blank, condition));
const looping = tag(
  joined(
    fc.constant('for '),
    name,
    mostly([' in '], [' of ', ' in in ', ' in', 'in ']),
    path,
    mostly([''], [' limit: 2', ' reversed']),
  ),
);

/** Blocks of the three kinds, well formed for the most part. */
const blockText = fc.letrec<{ text: string; item: string }>((tie) => ({
  text: fc.array(tie('item'), { maxLength: 4 }).map((items) => items.join('')),
  item: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom('', 'Hi ', '{ x }', "don't ", '}}', '%}'),
    value.map((it) => `{{ ${it} }}`),
    { weight: 1, arbitrary: output },
    joined(testing('if'), tie('text'), word('else'), tie('text'), word('endif')),
    joined(testing('unless'), tie('text'), testing('elsif'), tie('text'), word('endunless')),
    joined(looping, tie('text'), word('endfor')),
    joined(looping, tie('text'), word('else'), tie('text'), word('endfor')),
    mostly(
      [''],
      ['{% else %}', '{% endif %}', '{% elsif a %}', '{% assign a = b %}', '{% if a %}'],
    ),
  ),
})).text;

describe('readBlocks', () => {
  it.each([
    ['{{ a.b | upcase }}{{ "now" | date: "%Y" }}', ['a']],
    ['{% if a %}{{ b }}{% elsif c == "x" and d.e > 1 %}{% else %}{{ f[0] }}{% endif %}', 'abcdf'],
    ['{%- unless a contains b -%}{% endunless %}', ['a', 'b']],
    ['{% if true or blank == a %}{% endif %}', ['a']],
    [
      '{% for x in xs %}{{ x.y }}{{ forloop.index }}{% else %}{{ x }}{% endfor %}{{ x }}',
      ['xs', 'x', 'x'],
    ],
    ['{% for x in x %}{% for y in x.z %}{{ y }}{{ w }}{% endfor %}{% endfor %}', ['x', 'w']],
  ])('reads %j', (text, expected) => {
    const uses = readBlocks(text)!;
    expect(uses.map((use) => use.name)).toEqual([...expected]);
    for (const use of uses) expect(text.slice(use.start, use.end)).toBe(use.name);
  });

  it.each([
    '{% assign a = b %}',
    '{% if a | size %}{% endif %}',
    '{% if a == "%}" %}{% endif %}',
    '{% if a %}',
    '{% if a %}{% endfor %}',
    '{% if a %}{% else %}{% else %}{% endif %}',
    '{% if a %}{% else %}{% elsif b %}{% endif %}',
    '{% for a in b limit: 2 %}{% endfor %}',
    '{% for a in (1..3) %}{% endfor %}',
    '{% for a in b %}{% break %}{% endfor %}',
    '{% raw %}{{ a }}{% endraw %}',
    '{% if a and %}{% endif %}',
    '{{ a == b }}',
    '{% if a %}{% endif',
  ])('leaves %j to the slow half', (text) => {
    expect(readBlocks(text)).toBeNull();
  });

  it.each([
    ['blocks', blockText, 30],
    ['any Liquid', liquidText, 1000],
  ])('reads %s as liquidjs does, or not at all', (_, texts, share) => {
    let read = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const uses = readBlocks(text);
        if (uses === null) return;
        if (text.includes('{%')) read += 1;
        expect({ uses, fault: null }).toEqual(readPiece(text, 0, new Set()));
        // In a text that sets a variable, its blocks are still read without liquidjs.
        const setting = `{% assign a = b %}${text}`;
        expect(readTemplate(setting).uses).toEqual(readPiece(setting, 0, new Set()).uses);
      }),
      { seed, numRuns: runs(3000) },
    );
    expect(read).toBeGreaterThan(runs(3000) / share);
  });

  it('keeps the limits of the slow half', () => {
    const nested = (levels: number) =>
      `${'{% if a %}'.repeat(levels)}${'{% endif %}'.repeat(levels)}`;
    expect(readBlocks(nested(maxLevels))).toHaveLength(maxLevels);
    expect(readBlocks(nested(maxLevels + 1))).toBeNull();
    const pairs = '{% if a %}{% endif %}'.repeat(maxTags / 2);
    expect(readBlocks(pairs)).toHaveLength(maxTags / 2);
    expect(readBlocks(`${pairs}{% if a %}{% endif %}`)).toBeNull();
    expect(readBlocks(`{{ a | append: "${'('.repeat(maxLevels + 1)}" }}`)).toBeNull();
  });
});

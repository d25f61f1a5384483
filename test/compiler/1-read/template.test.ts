import fc from 'fast-check';
import { Liquid } from 'liquidjs';
import { describe, expect, it } from 'vitest';
import { readPiece } from '../../../src/compiler/1-read/liquid.js';
import { readTemplate, renameUses } from '../../../src/compiler/1-read/template.js';
import { cutPieces } from '../../../src/compiler/1-read/template-pieces.js';
import { maxLevels, maxTags } from '../../../src/compiler/1-read/template-tags.js';
import { runs, seed } from '../../seed.js';
import { liquidText, output } from './liquid-texts.js';

const names = (text: string): string[] => {
  const { uses, faults } = readTemplate(text);
  expect(faults).toEqual([]);
  for (const { name, start, end } of uses) expect(text.slice(start, end)).toBe(name);
  return uses.map(({ name, nested }) => (nested ? `${name}.` : name));
};
const faultsOf = (text: string): string[] =>
  readTemplate(text).faults.map((fault) =>
    fault.fault === 'syntax' ? `${fault.reason}@${fault.offset}` : `${fault.limit}@${fault.offset}`,
  );

describe('readTemplate', () => {
  it.each([
    ['', []],
    ['no { "a": 1 } Liquid } here %}', []],
    ['{{ a }}', ['a']],
    ['Hi {{a}} and {{- a -}}!', ['a', 'a']],
    ['{{ a.b[0]["c d"].e }}', ['a.']],
    ['{{ a | upcase | truncate: 5, "}}" }}', ['a']],
    ['{{ a | append: b.c }}', ['a', 'b.']],
    ['{{ a[b[c]] }}', ['a.', 'b.', 'c']],
    ['{{ "x" }}{{ 1.5 }}{{ true }}{{ nil }}', []],
    ['{{ ["a b"].c }}', ['a b.']],
    ['{{ "a"[a] }}', ['a']],
    ['{{ (1..n) }}', ['n']],
    ['{{ h\u00e9 }}', ['h\u00e9']],
    ['{{ first-name }}', ['first-name']],
    ['{{ a == b and c }}', ['a', 'b', 'c']],
    ['{{a}}}', ['a']],
    ['{{ "\\"}}" }}{{ b }}', ['b']],
  ])('reads the outputs of %j', (text, expected) => {
    expect(names(text)).toEqual(expected);
  });

  it.each([
    ['{% assign x = y %}{{ x }}', ['y']],
    ['{{ x }}{% assign x = y %}{{ x }}', ['x', 'y']],
    ['{% assign x = x %}{{ x }}', ['x']],
    ['{% if a %}{% assign x = 1 %}{% endif %}{{ x }}', ['a']],
    [
      '{% assign x = y %}{% if x and z %}{% for w in x %}{{ w }}{{ v }}{% endfor %}{% endif %}',
      ['y', 'z', 'v'],
    ],
    ['{% capture x %}{{ y }}{{ x }}{% endcapture %}{{ x }}', ['y', 'x']],
    ['{% increment i %}{{ i }}{% decrement j %}{{ j }}', []],
    [
      '{% for x in xs limit: n %}{{ x.y }}{{ forloop.index }}{% else %}{{ x }}{% endfor %}{{ x }}',
      ['xs', 'n', 'x', 'x'],
    ],
    ['{% tablerow x in xs cols: c %}{{ x }}{{ tablerowloop.col }}{% endtablerow %}', ['xs', 'c']],
    ['{% for x in a %}{% for y in x %}{{ y }}{{ x }}{{ z }}{% endfor %}{% endfor %}', ['a', 'z']],
    ['{% case a %}{% when b, "c" %}{{ d }}{% else %}{{ e }}{% endcase %}', ['a', 'b', 'd', 'e']],
    ['{% unless a %}{% elsif b == c %}{% endunless %}', ['a', 'b', 'c']],
    ['{%- if a -%}{{ b }}{%- endif -%}', ['a', 'b']],
    ['{% cycle g: a, b %}{% echo c | append: d %}', ['g', 'a', 'b', 'c', 'd']],
    ['{% liquid\n assign x = y\n if z\n echo x\n endif %}{{ x }}', ['y', 'z']],
    ['{% raw %}{{ a }}{% if %}{% endraw %}{{ b }}', ['b']],
    ['{% comment %}{{ a }}{% if %}{% comment %}{% endcomment %}{{ b }}', ['b']],
    ['{% comment %}{% raw %}{% endcomment %}{% endraw %}{% endcomment %}{{ b }}', ['b']],
    ['{% raw %}{% endraw {% if %}{{ a }}{% endraw %}{{ b }}', ['b']],
    ['{% # {{ a }} %}{{ b }}', ['b']],
    ['{% if a %}{% raw %}{% endif %}{% endraw %}{{ b }}{% endif %}', ['a', 'b']],
    ['{% for i in (1..1000000000) %}{{ i }}{{ a }}{% endfor %}', ['a']],
  ])('reads the tags of %j', (text, expected) => {
    expect(names(text)).toEqual(expected);
  });

  it.each([
    ['{{', ['output-not-closed@0']],
    ['}}', []],
    ['{{}}', ['empty@0']],
    ['a {{ }} b {{-  -}}', ['empty@2', 'empty@10']],
    ['{{{{', ['output-not-closed@0']],
    ['{{ a } {{ b }}', ['invalid@6']],
    ["{{ don't }}", ['output-not-closed@0']],
    ['{{{ a }}}', ['invalid@2']],
    ['{{ | upcase }}', ['invalid@3']],
    ['{{ [] }}', ['invalid@4']],
    ['{{ $.path }}', ['invalid@3']],
    ['{% if a', ['tag-not-closed@0']],
    ['{% if %}{% endif %}', ['invalid@5']],
    ['x {% if a %}{{ b }}', ['block-not-closed@2']],
    ['{% if a %}{% for b in c %}{% endif %}', ['misplaced-tag@26']],
    ['{% raw %}{{ a }}', ['block-not-closed@0']],
    ['{% endif %}', ['misplaced-tag@0']],
    ['{% else %}', ['misplaced-tag@0']],
    ['{{ a }}{% shout b %}', ['unknown-tag@7']],
    ['{% if a %}{% shout b %}{% endif %}', ['unknown-tag@10']],
    ['{% %}{%}', ['invalid@3', 'invalid@7']],
    ['{% include "a" %}', ['partials-not-supported@0']],
    [
      '{{ a }}{% render "a" %}{% layout none %}',
      ['partials-not-supported@7', 'partials-not-supported@23'],
    ],
    ['{% if a %}{% block b %}{% endblock %}{% endif %}', ['partials-not-supported@10']],
    ['{% block b %}{{ c }}{% endblock %}', ['partials-not-supported@0']],
    ['{{ }}{% if %}{% endif %}{{', ['empty@0', 'invalid@10', 'output-not-closed@24']],
  ])('tells the faults of %j', (text, expected) => {
    expect(faultsOf(text)).toEqual(expected);
  });

  it('has limits', () => {
    const nested = (levels: number): string =>
      '{% if a %}'.repeat(levels) + '{% endif %}'.repeat(levels);
    expect(names(nested(maxLevels))).toHaveLength(maxLevels);
    expect(faultsOf(nested(maxLevels + 1))).toEqual([`levels@${maxLevels * 10}`]);
    expect(faultsOf(nested(5000))).toEqual([`levels@${maxLevels * 10}`]);
    expect(names('{% echo a %}'.repeat(maxTags))).toHaveLength(maxTags);
    expect(faultsOf('{% echo a %}'.repeat(maxTags + 1))).toEqual([`tags@${maxTags * 12}`]);
    expect(faultsOf(`{% liquid${'\necho a'.repeat(maxTags)} %}`)).toEqual(['tags@0']);
    expect(faultsOf(`{% liquid${'\nif a'.repeat(maxLevels)} %}`)).toEqual(['levels@0']);
    expect(faultsOf(`{% ${'liquid '.repeat(10_000)} %}`)).toEqual(['levels@0']);
  });

  it.each([
    ['plain outputs', '{{ a.b }} '.repeat(40_000)],
    ['outputs with filters', '{{ a | append: b }} '.repeat(20_000)],
    ['outputs in one block', `{% if a %}${'{{ b }} '.repeat(15_000)}{% endif %}`],
    ['outputs in an else', `{% if a %}{% else %}${'{{ b }} '.repeat(15_000)}{% endif %}`],
    ['opening braces', '{'.repeat(500_000)],
    ['lone braces', '{ '.repeat(500_000)],
    ['opening outputs', '{{ '.repeat(100_000)],
    ['opening tags', '{% if a '.repeat(100_000)],
    ['raw without end', `{% raw %}${'{% endraw '.repeat(100_000)}`],
    ['brackets', `{{ a${'['.repeat(100_000)}`],
    ['nested brackets', `{{ ${'a['.repeat(50_000)}0${']'.repeat(50_000)} }}`],
    ['nested parentheses', `{{ ${'('.repeat(50_000)}a${')'.repeat(50_000)} }}`],
    ['many blanks', `{{ a${' '.repeat(200_000)}b }}`],
    ['many filters', `{{ a${' | b'.repeat(50_000)} # }}`],
    ['a long path', `{{ a${'.b'.repeat(200_000)} }}`],
  ])('survives %s', (_, text) => {
    const { uses, faults } = readTemplate(text);
    expect(uses.length + faults.length).toBeGreaterThanOrEqual(
      text.startsWith('{ ') || text.startsWith('{{{') ? 0 : 1,
    );
  });

  it('reads plain outputs as liquidjs does', () => {
    fc.assert(
      fc.property(output, (text) => {
        const slow = readPiece(text, 0, new Set());
        const fast = readTemplate(text);
        if (slow.fault) expect(fast.faults).toHaveLength(1);
        else expect(fast).toEqual({ uses: slow.uses, faults: [] });
      }),
      { seed, numRuns: runs(3000) },
    );
  });

  it('reads whole texts as liquidjs does', () => {
    const liquid = new Liquid({ templates: {} });
    fc.assert(
      fc.property(liquidText, (text) => {
        let expected: string[] | null;
        try {
          const { globals } = liquid.analyzeSync(liquid.parse(text), { partials: false });
          expected = [
            ...new Set(
              Object.values(globals)
                .flat()
                .map(({ segments }) => String(segments[0])),
            ),
          ];
        } catch {
          expected = null;
        }
        const { uses, faults } = readTemplate(text);
        expect(faults.length === 0).toBe(expected !== null);
        if (expected) expect(new Set(uses.map(({ name }) => name))).toEqual(new Set(expected));
      }),
      { seed, numRuns: runs(2000) },
    );
  });

  it('gives uses in text order that never overlap and show their names', () => {
    fc.assert(
      fc.property(liquidText, (text) => {
        let last = 0;
        for (const { name, start, end } of readTemplate(text).uses) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(text.slice(start, end)).toBe(name);
          last = end;
        }
      }),
      { seed, numRuns: runs(1000) },
    );
  });

  it('never throws, and finds nothing where there are no delimiters', () => {
    const soup = fc
      .array(
        fc.constantFrom(
          '{{',
          '}}',
          '{%',
          '%}',
          ' ',
          'a',
          '"',
          "'",
          '[',
          ']',
          '(',
          '.',
          '|',
          ':',
          '-',
          'if',
          'endif',
          'raw',
          'endraw',
          'for',
          'comment',
          'liquid',
          '\n',
          '\\',
          '\u00e9',
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(soup, (text) => {
        const { uses } = readTemplate(text);
        for (const { name, start, end } of uses) expect(text.slice(start, end)).toBe(name);
      }),
      { seed, numRuns: runs(3000) },
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        const bare = text.replaceAll('{', '(');
        expect(readTemplate(bare)).toEqual({ uses: [], faults: [] });
      }),
      { seed, numRuns: runs(200) },
    );
  });
});

describe('cutPieces', () => {
  it('gives pieces that are apart and in order', () => {
    fc.assert(
      fc.property(liquidText, (text) => {
        let last = 0;
        for (const { start, end } of cutPieces(text).pieces) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
      { seed, numRuns: runs(500) },
    );
  });
});

describe('renameUses', () => {
  it('replaces the given roots and nothing else', () => {
    const text = 'a {{ a.a | append: a }} {% if a %}a{% endif %}';
    const { uses } = readTemplate(text);
    expect(renameUses(text, uses, 'bcd')).toBe(
      'a {{ bcd.a | append: bcd }} {% if bcd %}a{% endif %}',
    );
    expect(renameUses(text, uses.slice(1, 2), 'b')).toBe(
      'a {{ a.a | append: b }} {% if a %}a{% endif %}',
    );
    expect(renameUses(text, [], 'b')).toBe(text);
  });

  it('gives a text that reads the new name where it read the old', () => {
    fc.assert(
      fc.property(liquidText, (text) => {
        const { uses, faults } = readTemplate(text);
        fc.pre(faults.length === 0 && uses.length > 0);
        const old = uses[0]?.name as string;
        const some = uses.filter(({ name }) => name === old);
        const renamed = readTemplate(renameUses(text, some, 'fresh_name'));
        expect(renamed.faults).toEqual([]);
        expect(renamed.uses.map(({ name, nested }) => ({ name, nested }))).toEqual(
          uses.map(({ name, nested }) => ({ name: name === old ? 'fresh_name' : name, nested })),
        );
      }),
      { seed, numRuns: runs(1000) },
    );
  });
});

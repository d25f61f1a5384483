import fc from 'fast-check';
import { Liquid } from 'liquidjs';
import { describe, expect, it } from 'vitest';
import { readLogical, toLiquidExpression } from '../../../src/compiler/1-read/logical.js';
import { tokenise } from '../../../src/compiler/1-read/logical-tokens.js';
import { runs, seed } from '../../seed.js';
import { type Env, evaluate, expression, print } from './logical-expressions.js';

const operands = (text: string, marked = false): string[] | null => {
  const reading = readLogical(text, marked);
  for (const { name, start, end } of reading?.operands ?? []) {
    expect(text.slice(start, end)).toBe(name);
  }
  return reading?.operands.map(({ name, nested }) => (nested ? `${name}.` : name)) ?? null;
};

describe('readLogical', () => {
  it.each([
    'caller wants an appointment',
    'User does not need any help',
    'the order contains two items',
    'the order contains {{ item }} or more',
    "customer's plan is gold",
    'caller said "a == b" twice',
    "caller said 'x && y'",
    'caller said {{ a == b }} twice',
    'caller wants {{ plan }}',
    'caller is {% if a == b %}angry{% endif %} today',
    '== Greeting ==',
    '==== Section ====',
    'a => b -> c',
    'when x > 5 and y < 3',
    'total contains 5',
    'true story',
    'x = 5',
    'x > 5 && ...',
    'either && or ||',
    'a ==',
    'contains',
    '',
    '   ',
    'R&D',
    '{{ unclosed',
  ])('takes %j for a sentence', (text) => {
    expect(readLogical(text, false)).toBeNull();
  });

  it.each([
    ["preferred_language == 'spanish'", ['preferred_language']],
    ['a==b', ['a', 'b']],
    ['a.b[0] != c["d"].e', ['a.', 'c.']],
    ['a[b.c] <= 5', ['a.', 'b.']],
    ['balance >= $50', ['balance']],
    ['a[blank] == b["c"]', ['a.', 'b.']],
    ['a === "x" || b !== 1.5', ['a', 'b']],
    ['a && !b', ['a', 'b']],
    ['(a || b) && !(c)', ['a', 'b', 'c']],
    ['not a and b == nil', ['a', 'b']],
    ['a == true AND b > c', ['a', 'b', 'c']],
    ["tags contains 'vip'", ['tags']],
    ["'gold silver' contains tier", ['tier']],
    ['tags contains tag', ['tags', 'tag']],
    ['{{ tags }} contains tag', ['tag']],
    ['{{ tier }} == "gold"', []],
    ['{{ tier }} == gold', ['gold']],
    ['name == \u201cAnn\u201d', ['name']],
    ['tier == "{{ best }}"', ['tier']],
    ['caf\u00e9 == 1', ['caf\u00e9']],
    ['follow-up == true', ['follow-up']],
    ['true', []],
    [' false\n', []],
    ['{{ a }}', []],
    [' {% if a == b %} true {% endif %} ', []],
    ['{{ a }} {{ b }}', []],
    ['a == a', ['a', 'a']],
  ])('takes %j for an expression', (text, expected) => {
    expect(operands(text)).toEqual(expected);
  });

  it.each([
    ['the caller says tier == "gold" and is angry', ['tier']],
    ["If status == 'active', and balance >= 100 then go", ['status', 'balance']],
    ['when x < y the a == b holds', ['x', 'y', 'a', 'b']],
    ["the message contains 'refund' and contains anger", ['message']],
    ['is (a) == (b) really?', ['a', 'b']],
    ["the caller's plan == gold.", ['plan', 'gold']],
    ["the caller's plan == 'gold' or so", ['plan']],
    ['!a == b', ['a', 'b']],
    ['a == b == c', ['a', 'b', 'c']],
    ['it is said "a == b", but c != d here', ['c', 'd']],
    ['{{ x == y }} and c != d here', ['c', 'd']],
  ])('of the sentence %j takes the words beside the operators', (text, expected) => {
    expect(operands(text)).toEqual(expected);
  });

  it('believes the dialect', () => {
    expect(operands('age > 18', true)).toEqual(['age']);
    expect(operands('is_member', true)).toEqual(['is_member']);
    expect(operands('the caller is angry', true)).toEqual([]);
    expect(operands('', true)).toEqual([]);
    expect(operands('tags contains 5', true)).toEqual(['tags']);
  });

  it('finds the variables of every generated expression', () => {
    fc.assert(
      fc.property(expression, (tree) => {
        const text = print(tree);
        const expected = [...text.replaceAll(/'[^']*'/g, '').matchAll(/\b[abc]\b/g)].map(
          ([name]) => name,
        );
        expect(operands(text, true)).toEqual(expected);
      }),
      { seed, numRuns: runs(500) },
    );
  });

  it('never throws, and every character but blanks is in one token', () => {
    const soup = fc
      .array(
        fc.constantFrom(
          'a',
          'b.c',
          ' ',
          '==',
          '&&',
          '!',
          '(',
          ')',
          '"',
          "'",
          '{{',
          '}}',
          '{%',
          '%}',
          '<',
          '5',
          'and',
          'contains',
          '[',
          ']',
          '\\',
          '\u201c',
          '\u{1f600}',
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(soup, fc.boolean(), (text, marked) => {
        let last = 0;
        for (const { start, end } of tokenise(text)) {
          expect(text.slice(last, start).trim()).toBe('');
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(text.slice(last).trim()).toBe('');
        operands(text, marked);
        toLiquidExpression(text);
      }),
      { seed, numRuns: runs(2000) },
    );
  });

  it.each([
    ['operators', 'a == '.repeat(100_000)],
    ['parentheses', `${'('.repeat(100_000)}a == b${')'.repeat(100_000)}`],
    ['negations', `${'!'.repeat(200_000)}=a == b`],
    ['signs', '!'.repeat(200_000)],
    ['quotes', `a == ${'"\\'.repeat(200_000)}`],
    ['fresh names', `a == "squadc_holds${'_'.repeat(300_000)}"`],
    ['a path', `a == b${'.c'.repeat(200_000)}`],
    ['brackets', `a == b${'['.repeat(200_000)}`],
  ])('survives many %s', (_, text) => {
    expect(readLogical(text, true)).not.toBeNull();
    toLiquidExpression(text);
  });
});

describe('toLiquidExpression', () => {
  const liquid = new Liquid({ templates: {} });
  const render = (text: string, env: Env): string => {
    const written = toLiquidExpression(text);
    if (written === null) throw new Error(`no Liquid for ${text}`);
    return liquid.parseAndRenderSync(written, env);
  };

  it('writes plain Liquid', () => {
    expect(toLiquidExpression("a == 'x' && b || c == 'y'")).toBe(
      `{% if a == 'x' and b != blank and b != "false" %}true` +
        `{% elsif c == 'y' %}true{% else %}false{% endif %}`,
    );
    expect(toLiquidExpression('!(a == 1)')).toBe(
      '{% if a == 1 or a == "1" %}false{% else %}true{% endif %}',
    );
    expect(toLiquidExpression('a < b && a != 1.50')).toBe(
      '{% if a != blank and a != true and b != blank and b != true and a < b' +
        ' and a != 1.50 and a != "1.5" %}true{% else %}false{% endif %}',
    );
  });

  it.each([
    'the caller is angry',
    'a == b == c',
    '!a == b',
    'balance >= $50',
    'a == "%}"',
    'a == "{% if b %}"',
    'a == "x{% endcapture %}y{% capture z %}"',
    'a == b and',
    '(a',
    '{{ a',
    '{% if a %}',
    '',
    '\u201ca"b\'c\u201d == a',
    `${'('.repeat(60)}a${')'.repeat(60)}`,
  ])('has none for %j', (text) => {
    expect(toLiquidExpression(text)).toBeNull();
  });

  it.each([
    ["{% if a == 'x' %} true {% endif %}", { a: 'x' }, 'true'],
    ["{% if a == 'x' %} true {% endif %}", { a: 'y' }, 'false'],
    ['{{ a }}', { a: true }, 'true'],
    ['{{ a }}', { a: 'truest' }, 'false'],
    ['{% assign squadc_holds = a %}{{ squadc_holds }}', { a: true }, 'true'],
    ['{{ a }} == "x"', { a: 'x' }, 'true'],
    ['{{ a | upcase }} == "X"', { a: 'x' }, 'true'],
    ['{{ a }} >= 10', { a: 9 }, 'false'],
    ['{{ a }} == 10', { a: 10 }, 'true'],
    ['squadc_holds1 == 1 || a && (b || c)', { squadc_holds1: 1 }, 'true'],
    ['a == "{{ b }}{{ c }}"', { a: 'xy', b: 'x', c: 'y' }, 'true'],
    ['a == \u201cx"y\u201d', { a: 'x"y' }, 'true'],
    ['a contains "b"', { a: 'abc' }, 'true'],
    ['a contains b', { a: ['x'], b: 'x' }, 'true'],
    ['a === None', {}, 'true'],
    ['True', {}, 'true'],
    ['false', {}, 'false'],
    ['!!a', { a: 1 }, 'true'],
    ['a.b[0] == 1', { a: { b: [1] } }, 'true'],
    ['a < 18', {}, 'false'],
    ['a < 18', { a: '' }, 'false'],
    ['a < 18', { a: '17' }, 'true'],
    ['18 > a', { a: '' }, 'false'],
    ['a == True', { a: 'true' }, 'true'],
    ['"7" == a', { a: 7 }, 'true'],
    ['a == null', { a: '' }, 'true'],
    ["a != ''", {}, 'false'],
    ['a == blank', { a: ' ' }, 'true'],
    ['a == empty', {}, 'false'],
    ['a && b', { a: 1, b: ' ' }, 'false'],
    ['!a', { a: 'false' }, 'true'],
    ['{{ a | upcase }} && true', {}, 'false'],
    ['{{ a | plus: 1 }} == 3', { a: 2 }, 'true'],
    ['1 == 1 && "x" != "y"', {}, 'true'],
  ])('%s with %j is %s', (text, env, expected) => {
    expect(render(text, env)).toBe(expected);
  });

  it('means what the condition means, for all values', () => {
    const values = [undefined, null, '', false, true, 'false', 'x', 1, '1', 'a and (b'];
    fc.assert(
      fc.property(expression, (tree) => {
        const text = print(tree);
        const written = toLiquidExpression(text);
        if (written === null) throw new Error(`no Liquid for ${text}`);
        const template = liquid.parse(written);
        for (const a of values) {
          for (const b of values) {
            for (const c of values) {
              const printed = liquid.renderSync(template, { a, b, c });
              expect(`${text}: ${printed}`).toBe(`${text}: ${evaluate(tree, { a, b, c })}`);
            }
          }
        }
      }),
      { seed, numRuns: runs(60) },
    );
  });
});

/** Generated Liquid: outputs, tags and whole texts, most of them well formed. */
import fc from 'fast-check';

const name = fc.constantFrom('a', 'b', 'cd', 'x1', '_u', 'A', 'e-f', 'caf\u00e9', '1d');
const string = fc.constantFrom('"s"', "'t'", '"}}"', '"a b"', "'|'");
const step = fc.oneof(
  name.map((key) => `.${key}`),
  fc.constantFrom('[0]', '["k"]', "['k l']", '[-1]', '[ 2 ]'),
);
const path = fc
  .tuple(
    name,
    fc.array(
      fc.oneof(
        { weight: 4, arbitrary: step },
        name.map((key) => `[${key}]`),
      ),
      { maxLength: 3 },
    ),
  )
  .map(([root, steps]) => root + steps.join(''));
const value = fc.oneof(
  { weight: 4, arbitrary: path },
  string,
  fc.constantFrom('1', '-2.5', 'true', 'nil', '(1..3)', 'empty'),
);
const filter = fc
  .tuple(fc.constantFrom('upcase', 'append', 'default', 'nope'), fc.array(value, { maxLength: 2 }))
  .map(([filterName, args]) =>
    args.length > 0 ? `${filterName}: ${args.join(', ')}` : filterName,
  );
const filters = fc
  .array(filter, { maxLength: 2 })
  .map((all) => all.map((one) => ` | ${one}`).join(''));
const blank = fc.constantFrom('', ' ', '  ', '\n', '\t');
const expression = fc.oneof(
  { weight: 3, arbitrary: value },
  fc
    .tuple(value, fc.constantFrom('==', '!=', '<', '>=', 'contains', 'and', 'or'), value)
    .map((parts) => parts.join(' ')),
);
const junk = fc.constantFrom('', '#', ' x', '.', '[', '|', '"', ' -');

/** A single output; some do not parse. */
export const output: fc.Arbitrary<string> = fc
  .record({
    open: fc.constantFrom('{{', '{{-'),
    before: blank,
    inner: fc.tuple(expression, filters).map((parts) => parts.join('')),
    junk: fc.oneof({ weight: 9, arbitrary: fc.constant('') }, junk),
    after: blank,
    close: fc.constantFrom('}}', '-}}'),
  })
  .map((parts) => Object.values(parts).join(''));

const goodOutput = fc.tuple(expression, filters).map(([inner, after]) => `{{ ${inner}${after} }}`);
const prose = fc.constantFrom(
  '',
  'Hi ',
  '{ "a": 1 }',
  "don't ",
  '\n',
  '100% }} ',
  '{x}',
  '\u{1f600}',
);

/** A text with outputs and nested tags that parse, and lone braces. */
export const liquidText: fc.Arbitrary<string> = fc.letrec<{ text: string; item: string }>(
  (tie) => ({
    text: fc.array(tie('item'), { maxLength: 5 }).map((items) => items.join('')),
    item: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      prose,
      goodOutput,
      fc.tuple(name, value).map(([target, from]) => `{% assign ${target} = ${from} %}`),
      name.map((target) => `{%- increment ${target} -%}`),
      fc.tuple(value, filters).map((parts) => `{% echo ${parts.join('')} %}`),
      tie('text').map((text) => `{% raw %}${text.replaceAll('{%', '{ %')}{% endraw %}`),
      prose.map((text) => `{% comment %}${text}{% endcomment %}`),
      fc
        .tuple(expression, tie('text'), tie('text'))
        .map(([test, yes, no]) => `{% if ${test} %}${yes}{% else %}${no}{% endif %}`),
      fc
        .tuple(expression, tie('text'), expression, tie('text'))
        .map(
          ([test, yes, other, no]) =>
            `{% unless ${test} %}${yes}{% elsif ${other} %}${no}{% endunless %}`,
        ),
      fc
        .tuple(value, value, tie('text'))
        .map(
          ([subject, one, text]) => `{% case ${subject} %}{% when ${one} %}${text}{% endcase %}`,
        ),
      fc
        .tuple(name, path, tie('text'))
        .map(([item, list, text]) => `{% for ${item} in ${list} %}${text}{% endfor %}`),
      fc
        .tuple(fc.constantFrom('captured', 'kept'), tie('text'))
        .map(([target, text]) => `{% capture ${target} %}${text}{% endcapture %}`),
      fc
        .tuple(name, path)
        .map(([target, from]) => `{% liquid\n assign ${target} = ${from}\n echo ${target}\n%}`),
    ),
  }),
).text;

/** Which variables a text reads, what is wrong with its Liquid, and that places are exact. */
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/index.js';
import { findings, readsOf, spec } from './read.js';

const prompt = (systemPrompt: string) => spec({ a: { systemPrompt } });
const reads = (text: string) => readsOf(prompt(text));
const syntax = ['shape/liquid-syntax /nodes/0/systemPrompt'];
const tooLarge = ['shape/liquid-too-large /nodes/0/systemPrompt'];

describe('a text reads', () => {
  it.each<[string, string[]]>([
    ['no Liquid { at } all', []],
    ['{{ a }} {{b}} {{- c -}}', ['a', 'b', 'c']],
    ['{{ a.b[0]["c d"] }} {{ x[y.z] }}', ['a', 'x', 'y']],
    ['{{ ["a b"].c }}', ['a b']],
    ['{{ a | append: b, "c" | default: d.e }}', ['a', 'b', 'd']],
    ['{{ "}}" | append: a }} {{ (1..n) }}', ['a', 'n']],
    ['{{ true }}{{ nil }}{{ 1 }}{{ "s" }}', []],
    [
      '{% if a == "1" and b contains c %}{{ d }}{% elsif e %}{% else %}{{ f }}{% endif %}',
      [...'abcdef'],
    ],
    ['{% case a %}{% when b, "x" %}{{ c }}{% else %}{{ d }}{% endcase %}', [...'abcd']],
    ['{% unless a %}{{ b }}{% endunless %}', ['a', 'b']],
    [
      '{% for i in a limit: b %}{{ i }}{{ forloop.index }}{{ c }}{% else %}{{ i }}{% endfor %}',
      ['a', 'b', 'c', 'i'],
    ],
    ['{% for i in (1..a) %}{% endfor %}{{ i }}', ['a', 'i']],
    ['{% tablerow i in a cols: b %}{{ i }}{% endtablerow %}', ['a', 'b']],
    ['{% echo a %}{% cycle b, "c" %}{% # d %}', ['a', 'b']],
    ['{% liquid\nassign a = b\necho a\nif c\necho d\nendif %}', ['b', 'c', 'd']],
    ['{% raw %}{{ a }}{% endraw %}{% comment %}{{ b }}{% endcomment %}{{ c }}', ['c']],
    ['{% comment %}{% raw %}{% endcomment %}{% endraw %}{{ b }}{% endcomment %}{{ c }}', ['c']],
  ])('%s', (text, expected) => {
    expect(reads(text)).toEqual(expected);
  });

  it('nothing that it surely set before', () => {
    expect(reads('{% assign a = b %}{{ a }}')).toEqual(['b']);
    expect(reads('{{ a }}{% assign a = 1 %}')).toEqual(['a']);
    expect(reads('{% capture a %}{{ a }}{{ b }}{% endcapture %}{{ a }}')).toEqual(['a', 'b']);
    expect(reads('{% capture a %}{% assign b = 1 %}{% endcapture %}{{ b }}')).toEqual([]);
    expect(reads('{% increment a %}{{ a }}')).toEqual([]);
    expect(reads('{% if a %}{% assign b = 1 %}{{ b }}{% endif %}')).toEqual(['a']);
  });

  it.each([
    '{% if x == "1" %}{% assign z = "VIP" %}{% endif %}Greet {{ z }}',
    '{% unless x %}{% assign z = 1 %}{% endunless %}{{ z }}',
    '{% case x %}{% when 1 %}{% assign z = 1 %}{% endcase %}{{ z }}',
    '{% for i in x %}{% capture z %}{% endcapture %}{% endfor %}{{ z }}',
    '{% tablerow i in x %}{% increment z %}{% endtablerow %}{{ z }}',
    '{% if x %}{% assign z = 1 %}{% else %}{{ z }}{% endif %}',
    '{% if x %}{% if x %}{% assign z = 1 %}{% endif %}{{ z }}{% endif %}',
    '{% liquid\nif x\nassign z = 1\nendif\necho z %}',
  ])('what it set on some ways only: %s', (text) => {
    expect(reads(text)).toEqual(['x', 'z']);
  });

  it('no variable by `offset: continue`', () => {
    expect(reads('{% for i in a offset: continue %}{{ i }}{% endfor %}')).toEqual(['a']);
    expect(reads('{% for i in a offset: b limit: c %}{% endfor %}')).toEqual(['a', 'b', 'c']);
    expect(reads('{% for i in a %}{{ continue }}{% endfor %}')).toEqual(['a', 'continue']);
  });
});

describe('Liquid with faults', () => {
  it.each([
    '{{ a',
    '{% if a',
    '{% if a %}',
    '{% raw %}{{ a }}',
    '{{ }}',
    '{% %}',
    '{{ a[ }}',
    '{% endif %}',
    '{% else %}',
    '{% foo %}',
    '{% if a %}{% foo %}{% endif %}',
    '{% include "x" %}',
    '{% render "x" %}',
    '{% layout "x" %}',
    '{% block x %}{% endblock %}',
  ])('is an error of the text: %s', (text) => {
    expect(findings(prompt(text))).toEqual(syntax);
  });

  it('tells each broken output or tag, and what is wrong with it', () => {
    const { diagnostics } = compile(prompt('{% foo %}{{ }}{% endfor %}{% if a %}'));
    expect(diagnostics.map(({ message }) => message.replace(/^.*: /, ''))).toEqual([
      'it uses a tag that does not exist.',
      'it holds an output without a name, {{ }}.',
      'a tag such as {% else %} or {% endif %} stands outside of its block.',
      'a block such as {% if %} has no end.',
    ]);
  });

  it('is an error too where it has more than 1,000 tags or 100 levels', () => {
    const many = (tags: number) => '{% if a %}{% endif %}'.repeat(tags / 2);
    expect(findings(prompt(many(1000)))).toEqual([]);
    expect(findings(prompt(many(1002)))).toEqual(tooLarge);
    const lines = `{% liquid ${'echo a\n'.repeat(1001)} %}`;
    expect(findings(prompt(lines))).toEqual(tooLarge);
    const deep = (levels: number) => '{% if a %}'.repeat(levels) + '{% endif %}'.repeat(levels);
    expect(findings(prompt(deep(100)))).toEqual([]);
    expect(findings(prompt(deep(101)))).toEqual(tooLarge);
    expect(findings(prompt(`{{ ${'a['.repeat(5000)} }}`))).toEqual(tooLarge);
    expect(
      findings(prompt(`{% liquid ${'if a\n'.repeat(101)}${'endif\n'.repeat(101)} %}`)),
    ).toEqual(tooLarge);
    expect(findings(prompt('{% if a %}'.repeat(50_000)))).toEqual(tooLarge);
  });

  it.each([
    ['outputs', '{{ a }} ', ''],
    ['outputs in a block', '{{ a }} ', '{% if a %}'],
    ['openings', '{{', ''],
    ['outputs that are not closed', '{{ " ', ''],
    ['nameless tags', '{% %}', ''],
    ['broken outputs', '{{ a[1 }}', ''],
    ['ends of raw', '{% endraw ', '{% raw %}'],
    ['filters', '| upcase ', '{{ a '],
  ])('is read in time that grows with the text: %s', (_, part, before) => {
    const read = (size: number) => {
      const text = before + part.repeat(size / part.length);
      const start = process.cpuUsage();
      compile(prompt(text));
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    };
    read(20_000);
    expect(read(400_000)).toBeLessThan(4000);
  });
});

describe('the place of a read', () => {
  it('is exact, so that a rename changes nothing else', () => {
    const text =
      '\u{1f600} nme {{ nme }}{{- nme.first -}} {% if nme == "nme" %}{{ "nme" | append: nme }}' +
      '{% endif %}{% liquid echo nme\n%}{{ ["nme"] }}{{ x[nme] }}{{ nme2 }}';
    const documents = spec(
      { a: { extractVariables: [{ name: 'name', type: 'string' }] }, b: { systemPrompt: text } },
      ['a > b'],
    );
    const rename = { choice: 'rename', value: 'name' };
    const answers = { answers: { answers: { 'undefined-variable:nme': rename } } };
    const supplied = { dynamicVariables: ['x', 'nme2'] };
    const { output } = compile(documents, { ...answers, ...supplied });
    expect(JSON.stringify(output)).toContain(
      JSON.stringify(
        '\u{1f600} nme {{ name }}{{- name.first -}} {% if name == "nme" %}{{ "nme" | append: name }}' +
          '{% endif %}{% liquid echo name\n%}{{ ["name"] }}{{ x[name] }}{{ nme2 }}',
      ).slice(1, -1),
    );
  });

  it('is in every text of a node', () => {
    const document = JSON.parse(`{
      "name": "x",
      "nodes": [
        { "name": "talk", "type": "conversation", "messagePlan": { "firstMessage": "{{ a }}" }, "prompt": "{{ b }}",
          "tools": [{ "type": "function", "function": { "name": "f", "description": "{{ c }}" },
            "server": { "url": "https://x.example/{{ d }}", "headers": { "X-Id": "{{ e }}" } } }],
          "variableExtractionPlan": {
            "schema": { "type": "object", "properties": { "v": { "type": "string", "description": "{{ f }}" } } },
            "aliases": [{ "key": "k", "value": "{{ g }}" }] } },
        { "name": "line", "type": "tool", "tool": { "type": "transferCall", "destinations": [
          { "type": "number", "number": "{{ h }}", "message": "{{ i }}", "description": "{{ j }}", "callerId": "{{ k2 }}" }] } },
        { "name": "call", "type": "tool", "tool": { "type": "apiRequest", "url": "https://x.example/{{ l }}", "method": "GET",
          "headers": { "type": "object", "properties": { "id": { "type": "string", "value": "{{ m }}" } } },
          "parameters": [{ "key": "p", "value": "{{ n }}" }], "description": "{{ o }}",
          "variableExtractionPlan": { "aliases": [{ "key": "r", "value": "{{ $.x | append: q }}" }] } } }
      ],
      "edges": [{ "from": "talk", "to": "line", "condition": "{{ r1 }}!" }, { "from": "talk", "to": "call", "condition": "{{ r2 }}!" }]
    }`) as object;
    expect(readsOf(document)).toEqual([...'abcdefghij', 'k2', ...'lmnoq', 'r1', 'r2']);
  });
});

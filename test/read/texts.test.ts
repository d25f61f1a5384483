/** Which variables texts and conditions read, which conditions are expressions, and equivalent guards. */
import { Liquid } from 'liquidjs';
import { describe, expect, it } from 'vitest';
import { toGraph } from '../../src/index.js';
import { answer, compile, exported, flow, told, variable } from '../compiler/build.js';

/** The variables that nothing sets, in the order of the texts: all that the workflow reads, since it captures none. */
function readsOf(workflow: unknown): string[] {
  const kind = 'undefined-variable';
  const asked = compile(workflow).questions.filter((question) => question.kind === kind);
  return asked.map(({ id }) => id.slice(kind.length + 1));
}

const prompt = (systemPrompt: string) => flow({ a: systemPrompt });

describe('the variables of a text are found', () => {
  it.each<[string, string]>([
    ['no Liquid { at } all', ''],
    ['{{ a }} {{b}} {{- c -}}', 'a b c'],
    ['{{ a.b[0]["c d"] }} {{ x[y.z] }}', 'a x y'],
    ['{{ ["a-b"].c }}', 'a-b'],
    ['{{ a | append: b, "c" | default: d.e }}', 'a b d'],
    ['{{ "}}" | append: a }} {{ (1..n) }}', 'a n'],
    ['{{ true }}{{ nil }}{{ 1 }}{{ "s" }}', ''],
    [
      '{% if a == "1" and b contains c %}{{ d }}{% elsif e %}{% else %}{{ f }}{% endif %}',
      'a b c d e f',
    ],
    ['{% case a %}{% when b, "x" %}{{ c }}{% else %}{{ d }}{% endcase %}', 'a b c d'],
    ['{% unless a %}{{ b }}{% endunless %}', 'a b'],
    [
      '{% for i in a limit: b %}{{ i }}{{ forloop.index }}{{ c }}{% else %}{{ i }}{% endfor %}',
      'a b c i',
    ],
    ['{% for i in (1..a) %}{% endfor %}{{ i }}', 'a i'],
    ['{% tablerow i in a cols: b %}{{ i }}{% endtablerow %}', 'a b'],
    ['{% echo a %}{% cycle b, "c" %}{% # d %}', 'a b'],
    ['{% liquid\nassign a = b\necho a\nif c\necho d\nendif %}', 'b c d'],
    ['{% raw %}{{ a }}{% endraw %}{% comment %}{{ b }}{% endcomment %}{{ c }}', 'c'],
    ['{% comment %}{% raw %}{% endcomment %}{% endraw %}{{ b }}{% endcomment %}{{ c }}', 'c'],
    // In `offset: continue`, it is a keyword.
    ['{% for i in a offset: continue %}{{ i }}{% endfor %}', 'a'],
    ['{% for i in a offset: b limit: c %}{{ continue }}{% endfor %}', 'a b c continue'],
    // A text does not read what it has surely set before,
    ['{% assign a = b %}{{ a }}', 'b'],
    ['{{ a }}{% assign a = 1 %}', 'a'],
    ['{% capture a %}{{ a }}{{ b }}{% endcapture %}{{ a }}', 'a b'],
    ['{% capture a %}{% assign b = 1 %}{% endcapture %}{{ b }}', ''],
    ['{% increment a %}{{ a }}', ''],
    ['{% if a %}{% assign b = 1 %}{{ b }}{% endif %}', 'a'],
    // but what it has set on some branches only.
    ['{% if x == "1" %}{% assign z = "VIP" %}{% endif %}Greet {{ z }}', 'x z'],
    ['{% case x %}{% when 1 %}{% assign z = 1 %}{% endcase %}{{ z }}', 'x z'],
    ['{% for i in x %}{% capture z %}{% endcapture %}{% endfor %}{{ z }}', 'x z'],
    ['{% tablerow i in x %}{% increment z %}{% endtablerow %}{{ z }}', 'x z'],
    ['{% if x %}{% assign z = 1 %}{% else %}{{ z }}{% endif %}', 'x z'],
    ['{% if x %}{% if x %}{% assign z = 1 %}{% endif %}{{ z }}{% endif %}', 'x z'],
    ['{% liquid\nif x\nassign z = 1\nendif\necho z %}', 'x z'],
  ])('%s', (text, expected) => {
    expect(readsOf(prompt(text)).join(' ')).toBe(expected);
  });

  it('in every field of a node', () => {
    const fn = { name: 'f', description: '{{ c }}' };
    const server = { url: 'https://x.example/{{ d }}', headers: { 'X-Id': '{{ e }}' } };
    const properties = { v: { type: 'string', description: '{{ f }}' } };
    const aliases = [{ key: 'k', value: '{{ g }}' }];
    const talk = {
      messagePlan: { firstMessage: '{{ a }}' },
      prompt: '{{ b }}',
      tools: [{ type: 'function', function: fn, server }],
      variableExtractionPlan: { schema: { type: 'object', properties }, aliases },
    };
    const said = { message: '{{ i }}', callerId: '{{ j }}', description: '{{ l }}' };
    const line = {
      type: 'transferCall',
      destinations: [{ type: 'number', number: '{{ h }}', ...said }],
    };
    const headers = { type: 'object', properties: { id: { type: 'string', value: '{{ n }}' } } };
    const call = {
      ...{ type: 'apiRequest', url: 'https://x.example/{{ m }}', method: 'GET', headers },
      parameters: [{ key: 'p', value: '{{ o }}' }],
      description: '{{ p }}',
      variableExtractionPlan: { aliases: [{ key: 'r', value: '{{ $.x | append: q }}' }] },
    };
    const nodes = { talk, line: { type: 'tool', tool: line }, call: { type: 'tool', tool: call } };
    const workflow = exported(nodes, 'talk > line: {{ s }}! | talk > call: {{ t }}!');
    expect(readsOf(workflow).sort()).toEqual([...'abcdefghijlmnopqst']);
  });

  it('at an exact place, so that a rename changes nothing else', () => {
    const text = (name: string) =>
      `\u{1f600} nme {{ ${name} }}{{- ${name}.first -}} {% if ${name} == "nme" %}` +
      `{{ "nme" | append: ${name} }}{% endif %}{% liquid echo ${name}\n%}` +
      `{{ ["${name}"] }}{{ x[${name}] }}{{ nme2 }}`;
    const workflow = flow({ a: { extractVariables: [variable('name')] }, b: text('nme') }, 'a > b');
    const dynamicVariables = ['x', 'nme2'];
    const { answers } = answer('undefined-variable:nme', 'rename', 'name');
    // A filter over what the same assistant finds out is worked out too early, which does not matter here.
    const policies = { 'read-too-early': 'accept' };
    const { output } = compile(workflow, { answers: { ...answers, policies }, dynamicVariables });
    expect(JSON.stringify(output)).toContain(JSON.stringify(text('name')).slice(1, -1));
  });
});

describe('invalid Liquid', () => {
  it.each<[string, ...string[]]>([
    ['a {{ has no }}', '{{', '{{ a'],
    ['an empty output', '{{ }}', '{{- -}}', '{% if a %}{{ }}{% endif %}'],
    ['a {% has no %}', '{% if a'],
    ['a block such as {% if %} has no end', '{% if a %}', '{% raw %}{{ a }}', '{% for i in a %}'],
    ['is outside its block', '{% endif %}', '{% else %}', '{% if a %}{% endfor %}{% endif %}'],
    ['a tag that does not exist', '{% foo %}', '{% if a %}{% foo %}{% endif %}'],
    ['another template', '{% include "x" %}', '{% render "x" %}', '{% layout "x" %}'],
    ['another template', '{% block x %}{% endblock %}'],
    ['an invalid expression', '{{ a[ }}', '{{ a..b }}', '{% %}', '{% if %}'],
  ])('is one error per text: %s', (what, ...texts) => {
    for (const text of texts) {
      const result = compile(prompt(`${text}{{`));
      expect(told(result)).toEqual(['shape/liquid-syntax /nodes/0/systemPrompt']);
      expect(told(compile(prompt(text)))).toEqual(told(result));
      expect(compile(prompt(text)).diagnostics[0]!.message).toContain(what);
    }
  });

  it.each<[string, (size: number) => string, number]>([
    ['1,000 tags', (size) => '{% if a %}{% endif %}'.repeat(size / 2), 1000],
    ['1,000 outputs', (size) => '{{ a }}'.repeat(size), 1000],
    ['1,000 lines in one', (size) => `{% liquid ${'echo a\n'.repeat(size)} %}`, 999],
    ['100 levels', (size) => '{% if a %}'.repeat(size) + '{% endif %}'.repeat(size), 100],
    [
      '100 levels in one',
      (size) => `{% liquid ${'if a\n'.repeat(size)}${'endif\n'.repeat(size)} %}`,
      99,
    ],
    ['100 brackets', (size) => `{{ ${'a['.repeat(size)}a${']'.repeat(size)} }}`, 100],
  ])('may also be Liquid with more than %s', (_, make, most) => {
    const faults = [most, most + 2].map((size) => told(compile(prompt(make(size))), 'shape/'));
    expect(faults).toEqual([[], ['shape/liquid-too-large /nodes/0/systemPrompt']]);
  });

  it('is parsed and never run', () => {
    const loop =
      '{% for i in (1..999999999999) %}{% for j in (1..i) %}{{ j }}{% endfor %}{% endfor %}';
    expect(compile(prompt(loop)).status).toBe('complete');
  });
});

const nodes = { a: 'A.', b: 'B.', c: 'C.' };
const edge = (condition: string) => flow(nodes, [`a > b: ${condition}`, 'a > c']);

describe('a condition', () => {
  const expressions: [string, string][] = [
    ["tier == 'gold'", 'tier'],
    ['tier === "gold" && !vip', 'tier vip'],
    ['not (a.b[0] >= 2 or c) and d != nil', 'a c d'],
    ['x[y.z] <= x["k"] || TRUE', 'x y'],
    ['balance >= $1,000.50', 'balance'],
    ['\u201cgold\u201d == tier', 'tier'],
    ['items contains "x"', 'items'],
    ['items contains item', 'items item'],
    ['tier == "{{ a }}" and b == 1', 'tier a b'],
    ['{{ a }} == {{ b | upcase }}', 'a b'],
    ['{{ a }}', 'a'],
    ['{% if a %}true{% endif %} {{ b }}', 'a b'],
    ['the score (score >= 7) is good', 'score'],
    ['an-id == other-id', 'an-id other-id'],
    ['ünï == 1', 'ünï'],
    ['age < 18', 'age'],
  ];
  const sentences: [string, string][] = [
    ['the caller wants an appointment', ''],
    ['the message contains their anger', ''],
    ["the caller's answer contains the caller's name", ''],
    ['a < b, and b > c', ''],
    ['the -> arrow > and <the> bracket', ''],
    ['a => b, or a == ', ''],
    ['the caller says {{ word }}', 'word'],
    ['{{ a }} and more', 'a'],
    ['it is true', ''],
    ['||', ''],
  ];
  it.each([
    ...expressions.map(([text, reads]) => ['an expression', text, reads] as const),
    ...sentences.map(([text, reads]) => ['a sentence', text, reads] as const),
  ])('is %s: %s', (kind, condition, reads) => {
    const { questions } = compile(edge(condition));
    const isLogical = questions.some((question) => question.kind === 'logical-condition');
    expect(isLogical ? 'an expression' : 'a sentence').toBe(kind);
    expect(readsOf(edge(condition)).join(' ')).toBe(reads);
  });

  it('counts as absent if it is blank, and is an error if its Liquid is broken', () => {
    const [blank, none] = ['a > b:  \n', 'a > b'].map((it) => compile(flow(nodes, [it])).output);
    expect(blank).toEqual(none);
    expect(told(compile(edge('{{ a == 1')))).toEqual(['shape/liquid-syntax /edges/0/condition']);
  });

  it.each(["tier == 'x' {% raw %}{{ x }}{% endraw %}", '{% raw %}{{ tier }}{%endraw%}'])(
    'may not be an expression with its own raw tags: %s',
    (condition) => {
      expect(told(compile(edge(condition)))).toEqual(['shape/raw-tag /edges/0/condition']);
      const sentence = compile(edge('the caller says {% raw %}{{ x }}{% endraw %}'));
      expect(told(sentence, 'shape/raw')).toEqual([]);
      const global = flow({ a: 'A.', g: { systemPrompt: 'G.', isGlobal: true } });
      const when = answer('missing-condition:g', 'when', { condition });
      expect(told(compile(global, when), 'api/')).toEqual([
        'api/answer-value /answers/missing-condition:g',
      ]);
    },
  );

  const withCondition = (condition: unknown) =>
    exported({ a: {}, b: {}, c: {} }, [{ from: 'a', to: 'b', condition }, 'a > c']);
  const same = 'flow/same-condition /edges/1 /edges/0';
  const at = '/edges/0/condition';
  it.each<[unknown, string[]]>([
    [{ type: 'ai', prompt: 'the caller agrees' }, []],
    [{ type: 'AI', prompt: '' }, [same]],
    [{ type: 'ai' }, [same]],
    [{ type: 'always', prompt: 'x' }, [`shape/unknown-field ${at}/prompt`, same]],
    [{ type: 'logic', liquid: '{{ call }}' }, ['logical-condition']],
    [{ type: 'logic', expression: 'call is mine' }, ['logical-condition']],
    [{ type: 'semantic', matches: ['yes', ' ', 'sure'] }, []],
    [{ type: 'semantic', matches: [7] }, [`shape/read-as ${at}/matches/0`]],
    [{ type: 'failed' }, []],
    [{ type: 'programmatic' }, [`shape/missing-field ${at}`]],
    [{ type: 'dream', text: 'x' }, [`shape/unknown-condition-type ${at}/type`]],
    [{ type: 'ai', prompt: 'x', tint: 1 }, [`shape/unknown-field ${at}/tint`]],
  ])('has other forms in an export: %j', (condition, expected) => {
    const result = compile(withCondition(condition));
    const found = told(result).filter((it) => !it.startsWith('shape/dialect'));
    expect([...result.questions.map(({ kind }) => kind), ...found]).toEqual(expected);
  });

  it('may list texts of which one must hold, or stand for a failed tool call', () => {
    const described = (condition: unknown) =>
      JSON.stringify(compile(withCondition(condition)).output);
    expect(described({ type: 'semantic', matches: ['yes', 'sure'] })).toContain('yes; or sure');
    const graph = toGraph(withCondition({ type: 'ai', matches: ['yes', 'sure'] }));
    expect(graph.getEdgeAttributes('a', 'b').at).toEqual(['/edges/0', `${at}/matches/1`]);
    expect(described({ type: 'failed' })).toContain('the tool call failed');
  });
});

describe('a guard', () => {
  const liquid = new Liquid();

  /** Whether the guard lets these values pass; null if the choice is not offered. */
  function judge(condition: string, values: Record<string, unknown>): boolean | null {
    const { output } = compile(edge(condition), {
      target: 'vapi',
      answers: { policies: { 'logical-condition': 'guard' } },
      dynamicVariables: ['tier', 'n', 'ok', 'list'],
    });
    const plan = /"rejectionPlan":(\{"conditions":\[.*?\]\})/.exec(JSON.stringify(output))?.[1];
    if (plan === undefined) return null;
    const { conditions } = JSON.parse(plan) as { conditions: { liquid: string }[] };
    return !conditions.every(({ liquid: it }) => liquid.parseAndRenderSync(it, values) === 'true');
  }

  it.each<[string, Record<string, unknown>, boolean | null]>([
    ["tier == 'gold'", { tier: 'gold' }, true],
    ["tier == 'gold'", {}, false],
    ['n == 5', { n: '5' }, true],
    ["n != '5'", { n: 5 }, false],
    ['tier == nil', { tier: '' }, true],
    ['n >= 5', { n: '' }, false],
    ['n >= 5', { n: 7 }, true],
    ['ok && n >= 5', { ok: 'false', n: 7 }, false],
    ["!ok && (tier == 'a' || tier == 'b')", { ok: false, tier: 'b' }, true],
    ["tier == 'a' || ok && n == 1", { tier: 'a', n: 2 }, true],
    ["{{ tier }} == 'gold'", { tier: 'gold' }, true],
    ['tier == \u201cgo"ld\u201d', { tier: 'go"ld' }, true],
    ['{% if tier == "gold" %} true {% endif %}', { tier: 'gold' }, true],
    ['{{ ok }}', { ok: 'false' }, false],
    ['n >= $5', { n: 7 }, null],
    ["!ok == 'x'", { ok: 'x' }, null],
    ["{{ tier | upcase }} == 'GOLD'", { tier: 'gold' }, null],
    ["tier == 'gold {{ n | round }}'", { n: 7 }, null],
    ['the number n >= 5', { n: 7 }, null],
  ])('agrees with the condition %s for %j', (condition, values, expected) => {
    expect(judge(condition, values)).toBe(expected);
  });
});

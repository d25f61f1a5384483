/** Item 4 and its questions: what has to cross with which handoff, judged by damaged plans. */
import { describe, expect, it } from 'vitest';
import type { CompileOptions, Json, JsonObject } from '../../src/index.js';
import { asks, check, flow, type Small, squadOf, talk } from './small.js';

const reads = (...names: string[]) => ({
  systemPrompt: `Say ${names.map((name) => `{{${name}}}`).join(' and ')}.`,
});
const sets = (name: string) => ({
  responseVariables: [{ name, type: 'string', description: `the ${name}`, path: 'it' }],
});
const anywhere = { isGlobal: true, condition: 'at any time' };
const fork = 'a>b: x, a>c: y';

/** What each handoff carries, as the evidence of item 4 has it. */
function carried(small: Small, options: CompileOptions = {}): string[] {
  const { failing, facts } = check(small, squadOf(small, options), options);
  expect(failing).toEqual([]);
  return facts(4).flatMap((text) => {
    const [, from, to, names] = /from “(.+)” to “(.+)” carries (.+), which/.exec(text) ?? [];
    return names === undefined ? [] : [`${from}>${to} ${names.replace(/[“”]/g, '')}`];
  });
}

type Plan = { schema?: { properties: Record<string, Json>; required: Json[] }; aliases?: Json[] };
type Destination = { assistantName: string; variableExtractionPlan?: Plan };

function withPlan(squad: JsonObject, to: string, change: (it: Destination) => void): JsonObject {
  const copy = structuredClone(squad) as JsonObject;
  const list = JSON.stringify(copy).includes('"squad"') ? (copy['squad'] as JsonObject) : copy;
  for (const { assistant } of list['members'] as unknown as { assistant: JsonObject }[]) {
    const { tools = [] } = assistant['model'] as { tools?: { destinations?: Destination[] }[] };
    for (const { destinations = [] } of tools) {
      for (const it of destinations) if (it.assistantName === to) change(it);
    }
  }
  return copy;
}

const property: Json = { type: 'string', description: 'the v' };
const drop = (to: string) => (squad: JsonObject) =>
  withPlan(squad, to, (it) => delete it.variableExtractionPlan);
const add = (to: string) => (squad: JsonObject) =>
  withPlan(squad, to, (it) => {
    const { properties = {}, required = [] } = it.variableExtractionPlan?.schema ?? {};
    const schema = {
      type: 'object',
      properties: { ...properties, v: property },
      required: [...required, 'v'],
    };
    it.variableExtractionPlan = { schema };
  });

describe('what crosses', () => {
  const asking = { a: asks('v'), x: reads('v') };
  const on = `${fork}, b>x: m, b>d: n`;
  const wanting = { isGlobal: true, condition: 'wants {{v}}' };
  const back = { g: anywhere, t: asks('v'), x: reads('v') };
  /** What crosses, and the handoffs whose plan is dropped, or gets the variable. */
  const cases: [string, Small, string, string, string][] = [
    ['what the next one reads', flow('a x c', 'a>x: x, a>c: y', asking), 'a>x', 'x', 'c'],
    ['what is read further on', flow('a b c x d', on, asking), 'a>b', 'b', 'c x'],
    [
      'nothing that is set again before',
      flow('a b c x d', on, { ...asking, b: asks('v') }),
      'b>x',
      'x',
      'b',
    ],
    [
      'nothing that a tool sets after',
      flow('a t! x c', 'a>t, t>x: x, t>c: y', { ...asking, t: sets('v') }),
      '',
      '',
      'x c',
    ],
    [
      'nothing that only chooses the branch',
      flow('a b c', 'a>b: {{v}} is big, a>c: y', asking),
      '',
      '',
      'b c',
    ],
    [
      'what a condition reads',
      flow('a b c d e', `${fork}, b>d: {{v}} is big, b>e: n`, asking),
      'a>b',
      'b',
      'c d',
    ],
    [
      'what a global node reads',
      flow('a b c g', fork, { ...asking, g: { ...anywhere, ...reads('v') } }),
      'a>b a>c a>g',
      'b c g',
      '',
    ],
    [
      'what a global node reads, unless it is set again before',
      flow('a b c g', fork, { ...asking, b: asks('v'), g: { ...anywhere, ...reads('v') } }),
      'a>c a>g b>g',
      'c',
      'b',
    ],
    [
      'what its condition reads',
      flow('a b c g', fork, { ...asking, g: wanting }),
      'a>b a>c a>g',
      'b',
      '',
    ],
    [
      'what comes by the own global node',
      flow('s g t! x d', 'g>t: more, g>x: m, g>d: n', back),
      'g>x g>d',
      'x',
      's',
    ],
    [
      'what either of two captures',
      flow('a t! x c', 'a>t: m, t>a, a>x: x, a>c: y', { ...asking, t: asks('v') }),
      'a>x',
      'x',
      'c',
    ],
    [
      'what is read after coming back',
      flow('a b c', `${fork}, b>a: m`, { a: { ...asks('v'), ...reads('v') } }),
      'a>b',
      'b',
      'c',
    ],
  ];
  const listed = (text: string) => text.split(' ').filter((it) => it !== '');

  // Something to begin with that branches, so that the first of the nodes is an assistant.
  it.each(cases)('is %s', (_, { nodes, edges }, expected, needed, vain) => {
    const ways = [`begin>${nodes[0]!['id']}: go`, 'begin>other: no'];
    const small = { nodes: [talk('begin'), ...nodes, talk('other')], edges: [...edges, ...ways] };
    const policies = { 'cyclic-stages': 'keep-split', 'global-returns': 'keep-split' };
    const options = { answers: { policies } };
    expect(carried(small, options)).toEqual(listed(expected).map((it) => `${it} v`));
    const squad = squadOf(small, options);
    for (const to of listed(needed))
      expect(check(small, drop(to)(squad), options).failing).toEqual([4]);
    for (const to of listed(vain))
      expect(check(small, add(to)(squad), options).failing).toEqual([4]);
  });

  const everywhere = { ...asking, g: { ...anywhere, ...reads('v') } };
  it.each([
    ['the shortest call that loses it', flow('a b c x d', on, asking), 'b', 'a b x'],
    [
      'a call through that handoff',
      flow('a c b x d', 'a>c: y, a>b: x, c>x: m, c>d: n, b>x: m, b>d: n', asking),
      'b',
      'a b x',
    ],
    ['a call that comes to a global node', flow('a b c g', fork, everywhere), 'g', 'a g'],
  ])('is shown by %s', (_, small, to, call) => {
    expect(check(small, drop(to)(squadOf(small))).calls).toContain(call);
  });

  it('is described by all captures that reach the handoff', () => {
    const other = [{ name: 'v', type: 'number', description: 'another v' }];
    const more = { ...asking, t: { extractVariables: other } };
    const small = flow('a t! u! x c', 'a>t: 1, a>u: 2, t>u, u>x: 3, u>c: 4', more);
    const squad = squadOf(small);
    expect(check(small, squad).holds).toBe(true);
    const said = (v: Json) =>
      withPlan(squad, 'x', ({ variableExtractionPlan }) => {
        variableExtractionPlan!.schema!.properties['v'] = v;
      });
    const both = { type: 'string', description: 'the v; or another v' };
    expect(check(small, said(both)).failing).toEqual([]);
    for (const wrong of [{ ...both, type: 'number' }, property, { ...both, enum: ['yes'] }]) {
      expect(check(small, said(wrong)).failing).toEqual([4]);
    }
  });

  it('is what an alias is made of, and what that is made of', () => {
    const properties = { v: property, n: property };
    const aliases = [
      { key: 'w', value: '{{v}}!' },
      { key: 'z', value: '{{w}}?' },
    ];
    const plan = { schema: { type: 'object', properties }, aliases };
    const node = (name: string, prompt: string, more: JsonObject = {}): JsonObject => {
      return { name, type: 'conversation', prompt, ...more };
    };
    const small: Small = {
      isExport: true,
      nodes: [
        node('a', 'Ask.', { isStart: true, variableExtractionPlan: plan }),
        node('b', 'Say {{z}}.'),
        node('c', 'Nothing.'),
      ],
      edges: fork.split(', '),
    };
    const options: CompileOptions = { target: 'vapi' };
    const squad = squadOf(small, options);
    expect(check(small, squad, options).failing).toEqual([]);
    const lessen = (change: (plan: Plan) => void) =>
      withPlan(squad, 'b', (it) => change(it.variableExtractionPlan!));
    for (const damaged of [
      lessen(({ schema }) => delete schema!.properties['v']),
      lessen(({ aliases: list }) => list!.shift()),
      lessen(({ aliases: list }) => list!.pop()),
      lessen(({ aliases: list }) => list!.reverse()),
    ]) {
      expect(check(small, damaged, options).failing).toEqual([4]);
    }
  });
});

describe('questions about variables', () => {
  const open = (id: string) => `The question “${id}” has no answer.`;
  const left: CompileOptions = { answers: { policies: { 'undefined-variable': 'caller' } } };
  const small = { a: asks('v'), b: reads('v') };
  const called = { t: sets('v'), b: reads('v') };
  const own = { ...asks('v'), ...reads('v') };
  const begun = { dynamicVariables: ['v', 'secret'] };
  const unset: [string, Small, CompileOptions, string[]][] = [
    ['nothing sets', flow('a b c', fork, { b: reads('v') }), left, ['v']],
    ['is built in', flow('a', '', { a: reads('now', 'customer') }), {}, []],
    ['is captured before', flow('a b c', fork, small), {}, []],
    ['its own node captures', flow('a', '', { a: own }), {}, []],
    ['a branch aside captures', flow('a b c', 'c>a: x, c>b: y', small), left, ['v']],
    ['is captured on a way round', flow('a b c', 'c>b, b>a: x, a>b', small), {}, []],
    ['a tool sets before', flow('a t! b c', 'a>t, t>b: x, t>c: y', called), {}, []],
    ['a tool sets elsewhere', flow('a t! b c', 'a>b: x, a>t: y, t>c', called), left, ['v']],
    [
      'is captured before a global node',
      flow('a b', '', { ...small, b: { ...anywhere, ...reads('v') } }),
      {},
      [],
    ],
    ['is supplied', flow('a', '', { a: reads('v') }), begun, []],
  ];

  it.each(unset)('ask about a read of what %s, or do not', (_, small, options, asked) => {
    const cycles = { 'cyclic-stages': 'consolidate', ...options.answers?.policies };
    const answered = { ...options, answers: { policies: cycles } };
    const squad = squadOf(small, answered);
    expect(check(small, squad, answered).failing).toEqual([]);
    const { policies } = { policies: { 'cyclic-stages': 'consolidate' } };
    const without = check(small, squad, { ...options, answers: { policies } });
    expect(without.faults(4)).toEqual(asked.map((name) => open(`undefined-variable:${name}`)));
  });

  const critical: CompileOptions = { criticalVariables: ['v'] };
  const effort: CompileOptions = { answers: { policies: { 'critical-variable': 'best-effort' } } };
  const sending = { method: 'POST', body: { type: 'object', name: '{{v}}' } };
  const posts = flow('a b c t!', `${fork}, b>t`, { ...small, t: sending });
  const getting = { t: { ...sending, method: 'GET' } };
  const gets = flow('a b c t!', `${fork}, b>t`, { ...small, ...getting });
  it.each([
    ['is declared so and crosses', flow('a b c', fork, small), critical, true],
    ['is declared so and stays', flow('a b', 'a>b', small), critical, false],
    ['feeds a request that changes something', posts, {}, true],
    ['feeds a request that only reads', gets, {}, false],
    ['is not critical', flow('a b c', fork, small), {}, false],
  ])('ask about a variable that %s, or do not', (_, small: Small, options, isAsked) => {
    const squad = squadOf(small, { ...options, ...effort });
    expect(check(small, squad, { ...options, ...effort }).holds).toBe(true);
    const { faults } = check(small, squad, options);
    expect(faults(4)).toEqual(isAsked ? [open('critical-variable:v')] : []);
  });
});

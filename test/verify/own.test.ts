/** Squads of workflows that are written in an unusual way: what the compiler leaves out is no loss. */
import { describe, expect, it } from 'vitest';
import { compile, verify } from '../../src/index.js';
import { canonicalJson } from '../../src/text/json.js';
import { captures, exported, type Fields, flow, says, told } from '../compiler/build.js';

const say = (content: string, more: object = {}) => ({ type: 'request-start', content, ...more });
const ending = (...messages: object[]) => ({ type: 'tool', tool: { type: 'endCall', messages } });
const transfer = {
  type: 'transferCall',
  destinations: [{ type: 'number', number: '+12025550125' }],
};
const extension = (number: string) => ({ ...transfer.destinations[0], extension: number });
const sip = { type: 'sip', sipUri: 'sip:desk@x.example' };
const ask = { ...says('Ask.'), isStart: true };
const size = { name: 'size', type: 'string', description: 'how large', enum: ['s', 'm', 's'] };
const asked = { type: 'object', properties: { size: { type: 'string', enum: ['s', 'm'] } } };
const body = { type: 'object', properties: { size: { type: 'string', description: 'of it' } } };
const order = { type: 'apiRequest', url: 'https://x.example', method: 'POST', body };
const field = { type: 'tool', tool: order };
const help = {
  ...{ firstMessage: 'Help is here.', systemPrompt: 'Help.', ...captures('x') },
  ...{ isGlobal: true, condition: 'asks about {{x}}' },
};
const rich = {
  type: 'object',
  properties: {
    sizes: { type: 'array', items: { type: 'number', minimum: 1, title: 'T' } },
    day: { type: 'object', properties: { part: { type: ['string', 'null'], enum: [1, 2] } } },
    dishes: { type: 'array', items: { type: 'string', description: 'a dish', enum: ['pie'] } },
    note: { type: 'string', format: 'odd', minLength: 2, title: 'Note' },
  },
};
const twoEnds = { ask, bye: ending(say('Bye.')), end: ending(say('See you.', { blocking: true })) };

const workflows: Readonly<Record<string, object>> = {
  'a flag of the line that ends the call': exported(
    { ask, bye: ending(say('Bye.', { blocking: true, role: 'assistant' })) },
    'ask > bye',
  ),
  'two ends with other flags': exported(twoEnds, 'ask > bye: one | ask > end: two'),
  'an edge out of a transfer of an older type': exported(
    { ask, desk: { type: 'Transfer', number: '+12025550125' } },
    'ask > desk | desk > ask: the caller is back',
  ),
  'an edge out of a transfer without a type': exported(
    { ask, desk: { type: undefined, tool: transfer } },
    'ask > desk | desk > ask: the caller is back',
  ),
  'a choice that stands twice': flow(
    { a: { ...says('Ask.'), extractVariables: [size] }, b: 'It is {{size}}.', c: 'No.' },
    'a > b: one | a > c: two',
  ),
  'a start by its type': exported(
    { lost: says('Never said.'), go: { ...says('Go.'), type: 'start' }, on: says('On.') },
    'lost > go: no | go > on',
  ),
  'fields that nobody knows': exported(
    { ask, desk: { type: 'tool', tool: { ...transfer, from: 'ask', colour: 'red' } } },
    'ask > desk',
    { serverUrlSecret: 'opaque-1234567890' },
  ),
  'one number with several extensions': exported(
    {
      ask,
      desk: { type: 'tool', tool: { ...transfer, destinations: [extension('1'), sip] } },
      shop: { type: 'tool', tool: { ...transfer, destinations: [extension('2'), sip] } },
    },
    'ask > desk: one | ask > shop: two',
  ),
  'nodes in order, of which one follows an exit': flow(
    { a: 'A.', b: 'B.', end: { type: 'endCall', firstMessage: 'Bye.' }, c: 'Never said.' },
    '',
  ),
  'choices of an older menu': flow(
    { a: 'A.', menu: { type: 'Gather', options: ['bill', 'other'] }, b: 'B.', c: 'C.' },
    'a > menu | menu > b: a bill | menu > c: something else',
  ),
  'a field of a request that has the name of a capture': exported(
    { ask: { ...ask, variableExtractionPlan: { schema: asked } }, send: field },
    'ask > send',
  ),
  'a body that is data, with keys that schemas have': exported(
    { ask, send: { type: 'tool', tool: { ...order, body: { type: 'x', description: true } } } },
    'ask > send',
  ),
  'captures of which more is said than the platform takes': exported(
    { ask: { ...ask, variableExtractionPlan: { schema: rich } }, send: field },
    'ask > send',
  ),
  'a node for any time that reads what it finds out, and leads to itself': flow(
    { a: 'A.', help },
    'a > help: needs help | help > help: again',
  ),
  'an id that is an object': exported(
    { ask, desk: { type: 'tool', tool: { ...transfer, id: { a: 'b' } } } },
    'ask > desk',
  ),
};

describe.each(['squad', 'vapi'] as const)('the own squad for %s', (target) => {
  it.each(Object.keys(workflows))('holds with %s', (name) => {
    const policies = {
      ...{ 'values-after-call': 'none', 'missing-edges': 'in-order', 'missing-auth': 'none' },
    };
    // Where two nodes could be the start.
    const answers = { 'ambiguous-start:workflow': { choice: 'node', value: 'a' } };
    const options = { target, answers: { policies, answers } };
    const { status, output } = compile(workflows[name], options);
    expect(status).toBe('complete');
    const { verdict, diagnostics } = verify(workflows[name], output, options);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(verdict).toBe('holds');
  });
});

it('holds in any order of keys', () => {
  const body = { size: '{{size}}' };
  const send = { type: 'apiRequest', url: 'https://x.example', method: 'POST', body };
  const headers = { Authorization: 'Bearer {{key}}' };
  const workflow = flow({ a: 'A.', r: { ...send, headers }, b: 'B.' }, 'a > r: {{size}} | a > b');
  const policies = { 'undefined-variable': 'caller', 'logical-condition': 'prose' };
  const options = { target: 'vapi', answers: { policies } } as const;
  const { output } = compile(workflow, options);
  const sorted = JSON.parse(canonicalJson(output as object));
  expect(JSON.stringify(sorted)).toMatch(/"body".*"description":"\{% raw %\}\{\{size/);
  for (const it of [output, sorted]) expect(verify(workflow, it, options).verdict).toBe('holds');
});

it('holds with a tool that confirms what only an unreachable node asks for', () => {
  const count = { name: 'count', type: 'number', description: 'how many', enum: ['1', '2'] };
  const lost = { ...says('Never said.'), extractVariables: [count] };
  const workflow = flow({ a: 'A.', b: 'B.', c: 'C.', lost }, "a > b: count == 'one' | a > c: no");
  const confirm = { choice: 'tool', value: { tool: 'confirm' } };
  const options = {
    answers: {
      policies: { 'logical-condition': confirm },
      answers: { 'ambiguous-start:workflow': { choice: 'node', value: 'a' } },
    },
  };
  const { status, output } = compile(workflow, options);
  expect(status).toBe('complete');
  expect(JSON.stringify(output)).toContain('"confirm"');
  expect(verify(workflow, output, options).verdict).toBe('holds');
});

it.each(['squad', 'vapi'] as const)(
  'fails for %s if an output is kept from the platform',
  (target) => {
    const opening = 'Hello {{who}} in {{ "now" | date: "%Y" }}!';
    const a = { ...says(`Ask {{who}} in {{ "it" | upcase }}.`), firstMessage: opening };
    const workflow = flow({ a, b: 'B.', c: 'C.' }, 'a > b: is {{ "z" }} | a > c: is {{ who }}');
    const options = { target, dynamicVariables: ['who'] };
    const text = JSON.stringify(compile(workflow, options).output);
    const outputs = [...text.matchAll(/\{\{ ?(?:\\"|who)[^}]*\}\}/g)];
    expect(outputs.length).toBeGreaterThanOrEqual(8);
    for (const { index, 0: output } of outputs) {
      const kept = `{% raw %}${output}{% endraw %}`;
      const squad = JSON.parse(text.slice(0, index) + kept + text.slice(index + output.length));
      expect([index, verify(workflow, squad, options).verdict]).toEqual([index, 'fails']);
    }
  },
);

describe('what would be lost', () => {
  const send = (headers: object) =>
    flow(
      { a: 'A.', r: { type: 'apiRequest', url: 'https://x.example', method: 'GET', headers } },
      'a > r',
    );

  it.each<[string, object, string[]]>([
    ['an object', { 'X-Kind': 'odd', properties: { A: { value: 'x' } } }, ['properties']],
    ['a list', { Authorization: ['x'], Accept: 'text' }, ['Authorization']],
    ['nothing', { Authorization: 'Basic {{x}}', Accept: null }, ['Accept']],
    ['a text among schemas', { type: 'object', properties: { A: 'b' } }, ['properties/A']],
  ])('is an error: a header that is %s', (_, headers, at) => {
    const wrong = told(compile(send(headers)), 'shape/wrong');
    expect(wrong).toEqual(at.map((it) => `shape/wrong-type /nodes/1/headers/${it}`));
  });

  it('is a warning: a further line of a tool that ends the call', () => {
    const failed = { type: 'request-failed', content: 'I cannot hang up.' };
    const workflow = exported({ ask, bye: ending(say('Bye.'), failed) }, 'ask > bye');
    const result = compile(workflow);
    expect(told(result, 'shape/read')).toEqual(['shape/read-as /nodes/1/tool/messages/1']);
    expect(verify(workflow, result.output).verdict).toBe('holds');
  });

  it.each<Fields>([
    { isGlobal: true, condition: 'asks for help' },
    { globalNodePlan: { enabled: true, enterCondition: 'asks for help' } },
  ])('is an error: a node for any time that cannot be read, %j', (global) => {
    const help = { ...says('Help.'), ...captures('x'), type: 'unheard of', ...global };
    const result = compile(exported({ ask, end: ending(say('Bye.')), help }, 'ask > end'));
    expect(told(result, 'shape/un')).toEqual(['shape/unknown-node-type /nodes/2/type']);
    expect(result.status).toBe('invalid');
  });

  it.each<[string, object, string]>([
    ['that only an exit leads to', { o: {} }, 'a > b: x | a > end: y | end > a | o > b'],
    [
      'in a cycle beside a node for any time',
      { g: { isGlobal: true, condition: 'help' }, o: {} },
      'a > b: x | b > a: y | g > o',
    ],
  ])('is an error: a start %s and that cannot be read', (_, more, edges) => {
    const a = { ...says('A.'), extractVariables: [{ name: 'x', type: 'odd' }] };
    const others = Object.fromEntries(
      Object.entries(more).map(([id, it]) => [id, { ...says('G.'), ...it }]),
    );
    const workflow = flow({ a, b: 'B.', end: { type: 'endCall' }, ...others }, edges);
    expect(told(compile(workflow), 'shape/un')).toEqual([
      'shape/unknown-variable-type /nodes/0/extractVariables/0/type',
    ]);
  });
});

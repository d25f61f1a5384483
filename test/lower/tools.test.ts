/** Requests, transfers, tools that answers ask for, and guards, as both targets have them. */
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/index.js';
import {
  type Any,
  answer,
  captures,
  compiled,
  end,
  type Fields,
  flow,
  request,
  says,
  told,
  toolsOf,
  transfer,
} from '../compiler/build.js';

const vapi = { target: 'vapi' } as const;
const toolOf = (tool: object, options = {}) =>
  toolsOf(compiled(flow({ s: 'S', r: tool }, 's > r'), options))[0];

describe('the tool of a request', () => {
  const sent = request({
    method: 'POST',
    headers: { Authorization: 'Bearer {{now}}', 'X-Count': 3 },
    body: { why: '{{now}}', nothing: null, tags: ['a'] },
    timeoutSeconds: 10,
    responseVariables: [
      { name: 'id', path: 'order.id' },
      { name: 'first', path: '[0].id' },
    ],
  });
  const aliases = [
    { key: 'id', value: '{{ $.order.id }}' },
    { key: 'first', value: '{{ $[0].id }}' },
  ];

  it('sends what the source says in target squad', () => {
    const { method, url, headers } = sent;
    const body = { nothing: null, tags: ['a'], why: '{{now}}' };
    const tool = { type: 'apiRequest', name: 'r', url, method, headers, body, timeoutSeconds: 10 };
    const expected = { ...tool, variableExtractionPlan: { aliases } };
    expect(JSON.stringify(toolOf(sent))).toBe(JSON.stringify(expected));
  });

  it('sends headers and texts as fixed values, and other fields unseen, in target vapi', () => {
    const { headers, body, parameters } = toolOf(sent, vapi);
    expect(headers).toEqual({
      type: 'object',
      properties: {
        Authorization: { type: 'string', value: 'Bearer {{now}}' },
        'X-Count': { type: 'string', value: '3' },
      },
    });
    const fixed = { type: 'object', properties: { why: { type: 'string', value: '{{now}}' } } };
    expect([body, parameters]).toEqual([fixed, [{ key: 'tags', value: ['a'] }]]);
  });

  it.each([
    ['keeps', { type: 'integer', title: 'T' }, { type: 'integer', title: 'T' }],
    ['tells', { type: 'integer', minimum: 1 }, { type: 'integer', description: '(minimum: 1)' }],
    [
      'adds to',
      { description: 'A', minLength: 2 },
      { type: 'string', description: 'A (minLength: 2)' },
    ],
    ['finds the type of', { properties: {} }, { type: 'object', properties: {} }],
  ])('%s a property of the body that the model fills', (_, property, expected) => {
    const fixed = { type: 'string', value: 'phone' };
    const schema = {
      type: 'object',
      properties: { filled: property, fixed },
      required: ['filled'],
    };
    const { body, parameters } = toolOf(request({ method: 'POST', body: schema }), vapi);
    const written = { ...schema, properties: { filled: expected, fixed } };
    expect([body, parameters]).toEqual([written, undefined]);
  });

  it('demands a critical variable that its own assistant finds out, and nobody is asked about it', () => {
    const pay = request({ method: 'POST', body: { order: '{{order}}' } });
    const nodes = { s: 'S', a: captures('order'), pay, b: 'About {{order}}.', c: 'C' };
    const source = flow(nodes, 's > pay | pay > a | a > pay: once more | a > b: one | a > c: two');
    const demanded = (options: object) =>
      toolsOf(compiled(source, options)).flatMap(({ type, body }: Any) =>
        type === 'apiRequest' ? (body.required ?? []) : [],
      );
    expect(demanded({})).toEqual([]);
    const policies = { 'critical-variable': 'best-effort' };
    const options = { criticalVariables: ['order'], answers: { policies } };
    expect(demanded(options)).toEqual(['order']);
  });

  it('of a global node is at every assistant, and says when to call it', () => {
    const r = request({ isGlobal: true, condition: 'asks for the balance' });
    const result = compiled(flow({ s: 'S', a: 'A', b: 'B', r }, 's > a: 1 | s > b: 2'));
    const found = [0, 1, 2].flatMap((at) => toolsOf(result, at));
    const requests = found.filter(({ type }) => type === 'apiRequest');
    expect(requests.map((it) => it.description)).toEqual(Array(3).fill('asks for the balance'));
  });
});

describe('the tool of a transfer', () => {
  it('is one for all ways to it, described by them', () => {
    const t = transfer({ transferPlan: { message: 'One moment.' } });
    const edges = 's > a: 1 | s > b: 2 | a > t: angry | a > t: sad | b > t';
    const result = compiled(flow({ s: 'S', a: 'A', b: 'B', t }, edges));
    const destination = { type: 'number', number: '+14155550100', message: 'One moment.' };
    expect([1, 2].flatMap((index) => toolsOf(result, index))).toEqual([
      { type: 'transferCall', destinations: [{ ...destination, description: 'angry; or sad' }] },
      { type: 'transferCall', destinations: [{ ...destination, description: 'when done with b' }] },
    ]);
  });

  it.each([
    ['+4930123456', { type: 'number', number: '+4930123456' }],
    ['1005', { type: 'number', number: '1005', numberE164CheckEnabled: false }],
    ['sip:a@example.com', { type: 'sip', sipUri: 'sip:a@example.com' }],
  ])('to %s says its mode in target vapi', (destination, expected) => {
    const { destinations } = toolOf(transfer({ destination }), vapi);
    const transferPlan = { mode: 'blind-transfer' };
    expect(destinations).toEqual([{ ...expected, description: 'when done with s', transferPlan }]);
  });
});

describe('other tools', () => {
  it('end the call in target vapi, once', () => {
    const workflow = flow({ s: 'S', e: end, h: { type: 'hangup' } }, 's > e: 1 | s > h: 2');
    expect(toolsOf(compiled(workflow, vapi))).toEqual([{ type: 'endCall' }]);
    expect(toolsOf(compiled(workflow))).toEqual([]);
  });

  it('confirm what an answer wants confirmed, and have to be provided', () => {
    const workflow = flow({ s: captures('x'), a: 'A {{x}}', b: 'B' }, 's > a: 1 | s > b: 2');
    const confirmed = answer('critical-variable:x', 'tool', { tool: 'check it' });
    const result = compiled(workflow, { criticalVariables: ['x'], ...confirmed });
    const [tool] = toolsOf(result).filter(({ type }) => type === 'function');
    const properties = { x: { type: 'string', description: 'the x' } };
    expect(tool.function).toEqual({
      name: 'check_it',
      description: 'Gives the confirmed value of x.',
      parameters: { type: 'object', properties, required: [] },
    });
    expect(tool.variableExtractionPlan).toEqual({ aliases: [{ key: 'x', value: '{{ $.x }}' }] });
    const provide = 'lower/tool-to-provide /nodes/0/extractVariables/0';
    expect(told(result, 'lower/tool')).toEqual([provide]);
  });
});

describe('a guard', () => {
  const policies = { 'logical-condition': 'guard' };
  const options = { ...vapi, dynamicVariables: ['tier'], answers: { policies } };
  const guarded = (nodes: Fields, edges: string) =>
    compiled(flow({ s: 'S', a: 'A', b: 'B', ...(nodes as object) }, edges), options);
  const refusals = (nodes: Fields, edges: string) =>
    toolsOf(guarded(nodes, edges))
      .map(({ type, rejectionPlan }: Any) => `${type} ${rejectionPlan?.conditions.length ?? 0}`)
      .sort()
      .join(', ');

  it('refuses the tool of its way, where none of the ways to it is open', () => {
    const exact = "s > a: tier == 'gold' | s > a: tier == 'silver' | s > b: else";
    expect(refusals({}, exact)).toBe('handoff 0, handoff 2');
    const each =
      "s > r: tier == 'x' | s > t: tier == 'y' | s > e: tier == 'z' | s > a: 1 | s > b: 2";
    expect(refusals({ r: request(), t: transfer(), e: end }, each)).toBe(
      'apiRequest 1, endCall 1, handoff 0, handoff 0, transferCall 1',
    );
  });

  it('may stand on a global node', () => {
    const g = { ...says('G'), isGlobal: true, condition: "tier == 'gold'" };
    expect(refusals({ g }, 's > a: 1 | s > b: 2')).toBe('handoff 0, handoff 0, handoff 1');
  });

  it.each([
    ['shared', { t: transfer() }, "s > t: tier == 'gold' | s > t: asks | s > a: 1 | s > b: 2"],
    ['within', {}, "s > a: tier == 'x' | a > b"],
    [
      ...(['unseen', { s: captures('tier'), r: request() }] as const),
      "r > a: tier == 'x' | s > r | r > r: again | r > b: 2",
    ],
  ])('says where the platform cannot refuse a way: %s', (what, nodes, edges) => {
    const found = told(guarded(nodes, edges)).filter((it) => it.includes('/guard-'));
    const area = what === 'unseen' ? 'data' : 'lower';
    expect(found).toEqual([
      expect.stringMatching(`^${area}/guard-${what} /edges/0/condition( |$)`),
    ]);
    if (what === 'shared') expect(refusals(nodes, edges)).toContain('transferCall 0');
  });
});

it('has one tool for what answers ask of it, in the order of the steps', () => {
  const global = request({ isGlobal: true, condition: 'the caller wants a look' });
  const nodes = { a: 'A', g: global, b: 'B', c: 'C', d: 'D' };
  const ways = ["g > b: beta == 'x'", 'g > c: the caller wants c', "c > d: alpha == 'y'"];
  const source = flow(nodes, ways);
  const asked = compile(source, vapi).questions.filter(({ kind }) => kind === 'logical-condition');
  const choice = { choice: 'tool', value: { tool: 'look up' } };
  const answers = Object.fromEntries(asked.map(({ id }) => [id, choice]));
  const policies = { 'undefined-variable': 'caller' };
  const { status, output } = compile(source, { ...vapi, answers: { answers, policies } });
  expect(status).toBe('complete');
  expect(JSON.stringify(output)).toContain('Gives the confirmed value of alpha and beta.');
});

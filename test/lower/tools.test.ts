/** Requests, transfers and tools of the source, as both targets have them. */
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/index.js';
import {
  type Any,
  captures,
  codesOf,
  compiled,
  end,
  flow,
  request,
  toolsOf,
  transfer,
} from './squads.js';

const vapi = { target: 'vapi' } as const;
const toolOf = (tool: object, options = {}, index = 0) =>
  toolsOf(compiled(flow({ s: 'S', r: tool }, 's > r'), options))[index];

describe('the tool of a request', () => {
  const sent = request({
    method: 'POST',
    headers: { Authorization: 'Bearer {{key}}', 'X-Count': 3 },
    body: { why: '{{key}}', nothing: null, tags: ['a'] },
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
    expect(Object.entries(toolOf(sent))).toEqual(
      Object.entries({
        ...{ type: 'apiRequest', name: 'r', url: sent.url, method: 'POST' },
        ...{ headers: sent.headers, body: { nothing: null, tags: ['a'], why: '{{key}}' } },
        ...{ timeoutSeconds: 10, variableExtractionPlan: { aliases } },
      }),
    );
  });

  it('sends headers as a schema, and fixed fields unseen, in target vapi', () => {
    const { headers, body, parameters } = toolOf(sent, vapi);
    expect(headers).toEqual({
      type: 'object',
      properties: {
        Authorization: { type: 'string', enum: ['Bearer {{key}}'] },
        'X-Count': { type: 'string', enum: ['3'] },
      },
      required: ['Authorization', 'X-Count'],
    });
    expect([body, parameters]).toEqual([
      undefined,
      [
        { key: 'tags', value: ['a'] },
        { key: 'why', value: '{{key}}' },
      ],
    ]);
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
    const properties = { filled: property, fixed: { type: 'string', value: 'phone' } };
    const schema = { type: 'object', properties, required: ['filled', 'fixed'] };
    const { body, parameters } = toolOf(request({ method: 'POST', body: schema }), vapi);
    expect(body).toEqual({
      type: 'object',
      properties: { filled: expected },
      required: ['filled'],
    });
    expect(parameters).toEqual([{ key: 'fixed', value: 'phone' }]);
  });

  it('of a global node is at every assistant, and says when to call it', () => {
    const more = { isGlobal: true, condition: 'asks for the balance' };
    const result = compiled(
      flow({ s: 'S', a: 'A', b: 'B', r: request(more) }, 's > a: 1 | s > b: 2'),
    );
    const found = [0, 1, 2].map((at) =>
      toolsOf(result, at).find(({ type }) => type === 'apiRequest'),
    );
    expect(found.map(({ description }) => description)).toEqual(Array(3).fill(more.condition));
  });
});

describe('the tool of a transfer', () => {
  const said = transfer({ transferPlan: { message: 'One moment.' } });

  it('is one for all ways to it, described by them', () => {
    const edges = 's > a: 1 | s > b: 2 | a > t: angry | a > t: sad | b > t';
    const result = compiled(flow({ s: 'S', a: 'A', b: 'B', t: said }, edges));
    const destination = { type: 'number', number: '+4930123456', message: 'One moment.' };
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
    const choice = { choice: 'tool', value: { tool: 'check it' } };
    const answers = { answers: { 'critical-variable:x': choice } };
    const result = compiled(workflow, { criticalVariables: ['x'], answers });
    const [tool] = toolsOf(result).filter(({ type }) => type === 'function');
    const properties = { x: { type: 'string', description: 'the x' } };
    expect(tool.function).toEqual({
      name: 'check_it',
      description: 'Gives the confirmed value of x.',
      parameters: { type: 'object', properties, required: [] },
    });
    expect(tool.variableExtractionPlan).toEqual({ aliases: [{ key: 'x', value: '{{ $.x }}' }] });
    expect(codesOf(result, 'lower/tool')).toEqual([
      'lower/tool-to-provide /nodes/0/extractVariables/0',
    ]);
  });

  it('of the source stand as they are, one of a name', () => {
    const tool = (url: string) => ({ type: 'function', function: { name: 'f' }, server: { url } });
    const exported = (...urls: string[]) => {
      const [a, b] = urls.map((url) => ({ type: 'conversation', prompt: url, tools: [tool(url)] }));
      return flow({ a: { ...a, isStart: true }, b: { ...b, tools: [tool(urls[1]!)] } }, 'a > b');
    };
    const [one, two] = ['https://one.example.com', 'https://two.example.com'];
    expect(toolsOf(compiled(exported(one!, one!), vapi))).toEqual([tool(one!)]);
    const clash = compile(exported(one!, two!), vapi);
    expect(codesOf(clash, 'lower')).toEqual(['lower/tools-of-one-name /nodes/1/tools/0']);
  });
});

describe('a guard', () => {
  const policies = { 'logical-condition': 'guard' };
  const options = { ...vapi, dynamicVariables: ['key', 'tier'], answers: { policies } };
  const guarded = (nodes: object, edges: string) =>
    compiled(flow({ s: 'S', a: 'A', b: 'B', ...nodes }, edges), options);
  const refused = (nodes: object, edges: string) =>
    toolsOf(guarded(nodes, edges))
      .map(({ type, rejectionPlan }: Any) => `${type} ${rejectionPlan?.conditions.length ?? 0}`)
      .sort();

  it('refuses the tool of its way', () => {
    const exact = "s > a: tier == 'gold' | s > a: tier == 'silver' | s > b: else";
    expect(refused({}, exact)).toEqual(['handoff 0', 'handoff 2']);
    const each =
      "s > r: tier == 'x' | s > t: tier == 'y' | s > e: tier == 'z' | s > a: 1 | s > b: 2";
    const found = refused({ r: request(), t: transfer(), e: end }, each).join();
    expect(found).toBe('apiRequest 1,endCall 1,handoff 0,handoff 0,transferCall 1');
  });

  it.each([
    ['shared', { t: transfer() }, "s > t: tier == 'gold' | s > t: asks | s > a: 1 | s > b: 2"],
    ['within', {}, "s > a: tier == 'x' | a > b"],
    ['unseen', { s: captures('tier') }, "s > a: tier == 'x' | s > b: 2"],
  ])('says where the platform cannot refuse a way: %s', (what, nodes, edges) => {
    const found = codesOf(guarded(nodes, edges)).filter((it) => it.includes('/guard-'));
    const area = what === 'unseen' ? 'data' : 'lower';
    expect(found).toEqual([`${area}/guard-${what} /edges/0/condition`]);
    if (what === 'shared') expect(refused(nodes, edges)).toContain('transferCall 0');
  });
});

import { describe, expect, it } from 'vitest';
import { parseWorkflow } from '../../../src/compiler/1-read/parse-workflow.js';
import {
  anytime,
  captures,
  end,
  type Plan,
  parsed,
  request,
  setter,
  transfer,
  workflow,
} from '../build.js';

const faults = (input: unknown) =>
  parseWorkflow(input).diagnostics.map(({ code, at }) => `${code} ${at}`);
const ofPlan = (plan: Plan) => faults(workflow(plan));
const ofNode = (fields: object) => ofPlan({ nodes: { a: 'A', b: { ...fields } } });
const isRefused = (input: unknown) => parseWorkflow(input).workflow === null;

describe('parseWorkflow', () => {
  it('reads nodes and edges in source order, texts word for word', () => {
    const text = '  Hello, {{ name }}!\r\n\tBye.  ';
    const source = parsed({
      nodes: {
        z: { firstMessage: text, systemPrompt: text, ...captures('name', 'age: number') },
        a: { type: 'gather', name: 'Second' },
        stop: end,
      },
      edges: ['z > a: {{ name }} is known', 'a > stop'],
    });
    expect(source.nodes.map(({ id, type, role, at }) => [id, type, role, at])).toEqual([
      ['z', 'conversation', 'talk', '/nodes/0'],
      ['a', 'gather', 'talk', '/nodes/1'],
      ['stop', 'endCall', 'exit', '/nodes/2'],
    ]);
    const [first] = source.nodes;
    expect(first!.firstMessage).toMatchObject({ value: text, at: '/nodes/0/firstMessage' });
    expect(first!.systemPrompt!.uses).toEqual([
      { name: 'name', nested: false, start: 12, end: 16 },
    ]);
    expect(first!.captures.map(({ name, type, at }) => [name, type, at])).toEqual([
      ['name', 'string', '/nodes/0/extractVariables/0'],
      ['age', 'number', '/nodes/0/extractVariables/1'],
    ]);
    expect(source.edges.map(({ from, to, condition }) => [from, to, condition?.value])).toEqual([
      [0, 1, '{{ name }} is known'],
      [1, 2, undefined],
    ]);
  });

  it('reads what a request calls', () => {
    const body = { type: 'object', properties: { b: { value: '{{x}}' }, a: {} } };
    const { nodes } = parsed({
      nodes: { a: 'A', t: { ...setter('y'), method: 'post', body, timeoutSeconds: 9 } },
    });
    const call = nodes[1]!.request!;
    expect(call.method?.value).toBe('POST');
    expect(Object.keys((call.body!.value as typeof body).properties)).toEqual(['a', 'b']);
    const at = '/nodes/1/responseVariables/0';
    const sourceAt = `${at}/path`;
    expect(call.responses).toEqual([{ name: 'y', path: 'result.y', value: null, at, sourceAt }]);
    expect(call.texts.flatMap(({ uses }) => uses.map(({ name }) => name))).toEqual(['x']);
    expect(call).toMatchObject({ authenticated: true, timeoutSeconds: { value: 9 } });
    const open = parsed({ nodes: { a: 'A', t: { ...request(), headers: { Accept: 'x' } } } });
    expect(open.nodes[1]!.request!.authenticated).toBe(false);
  });

  it('reads transfers and global nodes', () => {
    const { nodes } = parsed({
      nodes: {
        a: 'A',
        x: transfer({ transferPlan: { message: 'Soon.' } }),
        sip: transfer({ destination: 'sip:desk@example.com' }),
        later: transfer({ destination: ' ' }),
        g: { ...anytime('asks'), ...end },
      },
    });
    expect(nodes[1]!.transfer!.message?.value).toBe('Soon.');
    expect(nodes.slice(1, 4).map((it) => it.transfer!.destination?.value ?? null)).toEqual([
      { type: 'number', number: '+14155550100' },
      { type: 'sip', sipUri: 'sip:desk@example.com' },
      null,
    ]);
    expect(nodes[4]!.global!.condition!.value).toBe('asks');
  });

  it('takes white space alone for no condition', () => {
    const { edges } = parsed({ nodes: { a: 'A', b: 'B' }, edges: ['a > b:  '] });
    expect(edges[0]!.condition).toBeNull();
  });

  it('tells a logical condition from a sentence', () => {
    const { edges } = parsed({
      nodes: { a: 'A', b: 'B' },
      edges: ["a > b: x == 'yes'", 'a > b: the caller says yes', 'a > b: {{x}}'],
    });
    expect(edges.map(({ condition }) => condition!.logical)).toEqual([true, false, true]);
    expect(edges[0]!.condition!.uses.map(({ name }) => name)).toEqual(['x']);
  });

  it.each([
    ['no object', 7, 'shape/not-an-object '],
    ['a list', [], 'shape/not-an-object '],
    ['no nodes', { name: 'x', nodes: [], edges: [] }, 'shape/no-nodes /nodes'],
    ['no list of nodes', { name: 'x', nodes: {}, edges: [] }, 'shape/wrong-type /nodes'],
  ])('refuses %s', (_, input, fault) => {
    expect(faults(input)).toContain(fault);
    expect(isRefused(input)).toBe(true);
  });

  it.each<[string, object, string]>([
    ['an unknown type', { type: 'menu' }, 'shape/unknown-node-type /nodes/1/type'],
    ['no type', { type: undefined }, 'shape/missing-field /nodes/1'],
    ['a number for a prompt', { systemPrompt: 7 }, 'shape/wrong-type /nodes/1/systemPrompt'],
    ['a text for a flag', { isGlobal: 'yes' }, 'shape/wrong-type /nodes/1/isGlobal'],
    [
      'an unknown type of variable',
      captures('x: date'),
      'shape/unknown-variable-type /nodes/1/extractVariables/0/type',
    ],
    [
      'a nameless variable',
      { extractVariables: [{ type: 'string' }] },
      'shape/missing-field /nodes/1/extractVariables/0',
    ],
    [
      'no object for a variable',
      { extractVariables: ['x'] },
      'shape/wrong-type /nodes/1/extractVariables/0',
    ],
    ['broken Liquid', { systemPrompt: '{{ x' }, 'shape/liquid-syntax /nodes/1/systemPrompt'],
    ['an unknown method', request({ method: 'FETCH' }), 'shape/unknown-method /nodes/1/method'],
  ])('refuses %s', (_, fields, fault) => {
    const input = JSON.parse(JSON.stringify(workflow({ nodes: { a: 'A', b: { ...fields } } })));
    expect(faults(input)).toContain(fault);
    expect(isRefused(input)).toBe(true);
  });

  it.each([
    [
      'duplicate ids',
      {
        nodes: [
          { id: 'a', type: 'endCall' },
          { id: 'a', type: 'endCall' },
        ],
      },
      'shape/duplicate-id /nodes/1/id',
    ],
    [
      'an edge from nowhere',
      { edges: [{ from: 'z', to: 'a' }] },
      'flow/missing-node /edges/0/from',
    ],
    ['an edge to nowhere', { edges: [{ from: 'a', to: 'z' }] }, 'flow/missing-node /edges/0/to'],
    ['half an edge', { edges: [{ from: 'a' }] }, 'shape/missing-field /edges/0'],
  ])('refuses %s', (_, part, fault) => {
    const input = { ...workflow({ nodes: { a: 'A' } }), ...part };
    expect(faults(input)).toContain(fault);
    expect(isRefused(input)).toBe(true);
  });

  it('does not call a node missing that it could not read', () => {
    const input = workflow({ nodes: { a: 'A', b: { type: 'menu' } }, edges: ['a > b'] });
    expect(faults(input)).toEqual(['shape/unknown-node-type /nodes/1/type']);
  });

  it('warns of what is odd, and reads on', () => {
    expect(faults({ nodes: [{ id: 'a', type: 'conversation' }], edges: [] })).toEqual([
      'shape/no-name ',
    ]);
    expect(faults({ name: 'x', nodes: [{ id: 'a', type: 'conversation' }] })).toEqual([
      'shape/no-edges ',
    ]);
    expect(ofNode(transfer({ destination: '0800 123' }))).toEqual([
      'flow/not-e164 /nodes/1/destination',
    ]);
    expect(ofNode({ condition: 'asks' })).toEqual([
      'flow/condition-without-global /nodes/1/condition',
    ]);
    expect(ofNode({ url: 'https://x.example.com' })).toEqual([
      'shape/misplaced-field /nodes/1/url',
    ]);
    expect(ofNode(captures('two words'))).toEqual([
      'data/unreadable-name /nodes/1/extractVariables/0/name',
    ]);
    expect(ofNode(request())).toEqual(['data/literal-secret /nodes/1/headers/Authorization']);
  });

  it('names every unknown field, wherever it stands, in the order of their names', () => {
    const input = {
      ...workflow({
        nodes: {
          a: { zeta: 1, alpha: 1, extractVariables: [{ name: 'x', type: 'string', unit: 'm' }] },
          x: transfer({ transferPlan: { message: 'm', mode: 'warm' } }),
          t: request({ responseVariables: [{ name: 'y', path: 'y', default: 1 }] }),
        },
        version: 2,
      }),
      edges: [{ from: 'a', to: 'x', weight: 1 }],
    };
    const { workflow: source, diagnostics } = parseWorkflow(input);
    const unknown = [
      '/version',
      '/nodes/0/alpha',
      '/nodes/0/zeta',
      '/nodes/0/extractVariables/0/unit',
      '/nodes/1/transferPlan/mode',
      '/nodes/2/responseVariables/0/default',
      '/edges/0/weight',
    ];
    expect(source!.unknownFields).toEqual(unknown);
    const told = diagnostics.filter(({ code }) => code === 'shape/unknown-field');
    expect(told.map(({ at }) => at)).toEqual(unknown);
  });

  it('names the field that was probably meant, of that kind of object alone', () => {
    const input = {
      ...workflow({
        nodes: {
          a: { fist_message: 'Hi', destinaton: '+1', systemPrompt: 'x', systemPromt: 'x' },
          x: { type: 'transferCall', destinaton: '+1', transferPlan: { mesage: 'm' } },
        },
        'globl/Prompt': 'x',
      }),
      edges: [{ from: 'a', to: 'x', conditon: 'x' }],
    };
    const { diagnostics } = parseWorkflow(input);
    const told = diagnostics.filter(({ code }) => code === 'shape/unknown-field');
    expect(told.map(({ at, help }) => [at, /^Write “(.*?)”/.exec(help)?.[1] ?? null])).toEqual([
      ['/globl~1Prompt', 'globalPrompt'],
      ['/nodes/0/destinaton', null],
      ['/nodes/0/fist_message', 'firstMessage'],
      ['/nodes/0/systemPromt', null],
      ['/nodes/1/destinaton', 'destination'],
      ['/nodes/1/transferPlan/mesage', 'message'],
      ['/edges/0/conditon', 'condition'],
    ]);
    expect(told[0]?.message).toContain('“globl/Prompt”');
  });

  it('reads the settings and the prompt of the whole workflow', () => {
    const source = parsed({
      nodes: { a: { voice: { b: 1, a: 2 } } },
      globalPrompt: 'Be kind to {{x}}.',
      model: { provider: 'p', model: 'm' },
    });
    expect(source.globalPrompt).toMatchObject({ at: '/globalPrompt', uses: [{ name: 'x' }] });
    expect(source.settings.model).toMatchObject({ origin: { kind: 'source', at: '/model' } });
    expect(JSON.stringify(source.nodes[0]!.settings.voice!.value)).toBe('{"a":2,"b":1}');
  });

  it('neither changes nor keeps its input', () => {
    const input = workflow({ nodes: { a: { voice: { a: 1 } } } });
    const before = structuredClone(input);
    const { workflow: source } = parseWorkflow(input);
    expect(input).toEqual(before);
    (input['nodes'] as { voice: { a: number } }[])[0]!.voice.a = 2;
    expect(source!.nodes[0]!.settings.voice!.value).toEqual({ a: 1 });
  });
});

/** Forms that documents have had over time, and what `verify` says of a squad that lost some of it. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compile, readWorkflow, verify } from '../../src/index.js';
import { exported, type Fields, promptOf, toolsOf } from '../compiler/build.js';

/** A node behind another, compiled for the platform. */
const compiledWith = (node: Fields, more: Fields = {}) =>
  compile(exported({ a: {}, b: node }, 'a > b', more), { target: 'vapi' });
const toolIn = (node: Fields) => toolsOf(compiledWith(node))[0];

const inline = (tool: Fields) => ({ type: 'tool', tool });
const call = { type: 'apiRequest', url: 'https://x.example', method: 'POST' };

describe('a tool in an older form', () => {
  const server = { url: 'https://x.example/f' };

  it.each<[string, Fields, Fields]>([
    [
      'names its server in the function',
      { function: { name: 'f', serverUrl: server.url, async: true } },
      { function: { name: 'f' }, server, async: true },
    ],
    [
      'has a secret for it',
      { function: { name: 'f' }, serverUrl: server.url, serverUrlSecret: '{{now}}' },
      { function: { name: 'f' }, server: { ...server, headers: { 'X-Vapi-Secret': '{{now}}' } } },
    ],
    [
      'has no object for the function',
      { name: 'f', description: 'F.', server },
      { server, function: { name: 'f', description: 'F.' } },
    ],
    [
      'has fields that are null',
      { function: { name: 'f' }, server: null, messages: null },
      { function: { name: 'f' } },
    ],
  ])('%s', (_, old, present) => {
    expect(toolIn(inline({ type: 'function', ...old }))).toEqual({ type: 'function', ...present });
  });

  it('is no function, and declares one that says nothing', () => {
    const stub = { name: 'untitled_tool', description: 'x', parameters: { type: 'object' } };
    expect(toolIn(inline({ ...call, name: 'look_up', function: stub }))).toMatchObject({
      name: 'look_up',
    });
    const declared = { name: 'find', description: 'Finds it.' };
    expect(toolIn(inline({ ...call, function: declared }))).toMatchObject(declared);
    expect(toolIn({ tools: [{ ...call, function: declared }] })).toMatchObject(declared);
    expect(toolIn({ tools: [{ type: 'endCall', function: stub }] })).toEqual({ type: 'endCall' });
  });

  it('fixes a value by other keywords', () => {
    const properties = {
      a: { type: 'string', default: '{{ now }}' },
      b: { type: 'string', enum: '{{now}}', default: '' },
      c: { type: 'string', default: 'red' },
    };
    const body = { type: 'object', properties };
    const [tool, given] = [
      inline({ ...call, body }),
      { tools: [{ ...call, name: 't', body }] },
    ].map(toolIn);
    const fixed = {
      a: { type: 'string', value: '{{ now }}' },
      b: { type: 'string', value: '{{now}}' },
    };
    expect(tool.body.properties).toMatchObject(fixed);
    expect(given.body.properties).toMatchObject(fixed);
    expect(tool.body.properties.c).toEqual({ type: 'string', description: '(default: "red")' });
  });

  it('lists what its response gives', () => {
    const output = [{ key: 'order.id', target: 'id', type: 'string' }];
    const { variableExtractionPlan: plan } = toolIn({ ...call, output });
    expect(plan).toEqual({ aliases: [{ key: 'id', value: '{{ $.order.id }}' }] });
  });
});

describe('an empty header authenticates nothing', () => {
  it.each([null, '', 'Bearer ', ' '])('%j', (Authorization) => {
    const headers = {
      type: 'object',
      properties: { Authorization: { type: 'string', value: Authorization } },
    };
    for (const it of [headers, { Authorization }]) {
      const { questions } = compiledWith({ ...call, headers: it });
      expect(questions.map(({ kind }) => kind)).toContain('missing-auth');
    }
  });
});

describe('a placeholder that nobody filled in', () => {
  it.each<[Fields, string]>([
    [{ ...call, url: 'https://$' + '{HOST}/x' }, '/url'],
    [{ ...call, url: 'https://your-domain.example/x' }, '/url'],
    [{ ...call, headers: { 'X-Org': '<ORG_ID>' } }, '/headers/X-Org'],
    [{ type: 'transferCall', destination: 'YOUR_NUMBER' }, '/destination'],
    [
      inline({ type: 'function', function: { name: 'f' }, serverUrl: 'https://YOUR_HOST' }),
      '/tool/serverUrl',
    ],
  ])('%j', (node, at) => {
    const told = compiledWith(node).diagnostics.filter(
      ({ code }) => code === 'data/unfilled-placeholder',
    );
    expect(told.map((it) => it.at)).toEqual([`/nodes/1${at}`]);
  });
});

describe('tools and instructions of the workflow', () => {
  const model = { provider: 'openai', model: 'gpt-4o', toolIds: ['t-1'] };
  const messages = [{ role: 'system', content: [{ type: 'text', text: 'Be kind.' }] }];
  const result = compiledWith(
    { isGlobal: true, condition: 'x' },
    { model: { ...model, messages } },
  );

  it('are those of every assistant, and have their places', () => {
    for (const member of [0, 1]) {
      expect(promptOf(result, member)).toContain('Be kind.');
      expect(JSON.stringify(result.output)).toContain('"toolIds":["t-1"]');
    }
    const place = '/model/messages/0/content/0/text';
    expect(result.ledger.find(({ at }) => at === place)?.outputs).toHaveLength(2);
  });
});

describe('verify refutes a squad', () => {
  const squadOf = (name: string) => {
    const { workflow } = readWorkflow(readFileSync(`golden/${name}/input.json`, 'utf8'));
    const { output } = compile(workflow, { target: 'vapi' });
    return { workflow, text: JSON.stringify(output) };
  };

  it.each([
    ['vapi-wrapped-in-an-assistant', 'You answer calls of the harbour office.', ''],
    ['vapi-wrapped-in-an-assistant', 'Harbour office, good morning.', 'Good morning.'],
    ['vapi-versions', '"assistantVersion":"3"', '"assistantVersion":"4"'],
    ['vapi-versions', '"assistantVersion":"3",', ''],
    ['vapi-versions', '"version":"7"', '"version":"8"'],
    ['vapi-versions', '"toolId":"tool-prices"', '"toolId":"tool-measures"'],
    ['vapi-transfer-messages', '"message":""', '"message":"One moment."'],
    ['vapi-transfer-messages', 'The boss is out.', 'The boss is in.'],
    ['vapi-transfer-messages', '"text":"One moment."', '"text":"Wait."'],
  ])('%s without %s', (name, there, changed) => {
    const { workflow, text } = squadOf(name);
    expect(text).toContain(there);
    const damaged = JSON.parse(text.replace(there, changed));
    expect(verify(workflow, JSON.parse(text)).holds).toBe(true);
    expect(verify(workflow, damaged).holds).toBe(false);
  });
});

describe('what the platform takes otherwise', () => {
  const told = (node: Fields) =>
    compiledWith(node).diagnostics.flatMap(({ code, at, severity }) =>
      severity === 'warning' ? [`${code} ${at}`] : [],
    );

  it('is told: a text for the verb of a SIP transfer', () => {
    const transferPlan = { mode: 'blind-transfer', sipVerb: 'refer' };
    const destinations = [{ type: 'sip', sipUri: 'sip:desk@example.com', transferPlan }];
    expect(told(inline({ type: 'transferCall', destinations }))).toEqual([
      'check/setting-unknown /nodes/1/tool/destinations/0/transferPlan/sipVerb',
    ]);
  });

  it('is told: a template for the name of a field', () => {
    const properties = { '{{ role }}': { type: 'string', description: 'R.' } };
    const body = { type: 'object', properties };
    const key = 'body/properties/{{ role }}';
    expect(told(inline({ ...call, credentialId: 'c', body }))).toEqual([
      `data/template-key /nodes/1/tool/${key}`,
    ]);
    const named = { type: 'function', function: { name: 'f', parameters: body } };
    expect(told({ tools: [named] })).toEqual([
      `data/template-key /nodes/1/tools/0/function/${key.replace('body', 'parameters')}`,
    ]);
  });

  it('is told: an object of nodes, whose order of keys says nothing', () => {
    const nodes = { b: { type: 'conversation', prompt: 'B.', isStart: true }, a: { prompt: 'A.' } };
    const { diagnostics } = compile({ ...exported({}), nodes, edges: [{ from: 'b', to: 'a' }] });
    const said = diagnostics.map(({ at, message }) => `${at}: ${message}`);
    expect(said).toContainEqual(expect.stringMatching(/^\/nodes: .*in the order of their names/));
  });
});

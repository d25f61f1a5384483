import { describe, expect, it } from 'vitest';
import { readDocument, readNode, readNodes } from './read.js';

describe('a node', () => {
  it.each([
    ['conversation', 'conversation', 'talk'],
    ['Say', 'conversation', 'talk'],
    ['gather', 'gather', 'talk'],
    ['HangUp', 'hangup', 'exit'],
    ['end_call', 'endCall', 'exit'],
    ['Transfer', 'transferCall', 'exit'],
  ])('of the type %s is a %s', (type, expected, role) => {
    const { workflow } = readNodes([{ name: 'a', type, prompt: 'A' }]);
    expect(workflow?.nodes[0]).toMatchObject({ type: expected, role });
  });

  it.each([
    [{ messagePlan: { firstMessage: 'Hello.' } }, '/messagePlan/firstMessage'],
    [{ firstMessage: 'Hello.' }, '/firstMessage'],
    [{ type: 'say', exact: 'Hello.' }, '/exact'],
    [{ type: 'Say', text: 'Hello.' }, '/text'],
    [{ type: 'hangup', endMessage: 'Hello.' }, '/endMessage'],
    [
      {
        type: 'tool',
        tool: { type: 'endCall', messages: [{ type: 'request-start', content: 'Hello.' }] },
      },
      '/tool/messages/0/content',
    ],
  ])('says what the source has it say: %j', (fields, at) => {
    expect(readNode(fields).firstMessage).toMatchObject({ value: 'Hello.', at: `/nodes/0${at}` });
  });

  it('does not begin with what the source has it say at the end', () => {
    const node = { name: 'a', type: 'conversation', prompt: 'A', endMessage: 'Bye.' };
    expect(readNodes([node]).told).toEqual(['shape/unknown-field /nodes/0/endMessage']);
  });

  it('is told apart by its id, and called by its name', () => {
    expect(readNode({ id: 'n1', name: 'Desk' })).toMatchObject({ id: 'n1', name: 'Desk' });
    expect(readNode({ name: 'Desk' })).toMatchObject({
      id: 'Desk',
      name: null,
      nameAt: '/nodes/0/name',
    });
  });

  it('can be entered from anywhere where its plan says so', () => {
    const plan = (globalNodePlan: object) => readNode({ globalNodePlan }).global;
    expect(plan({ enabled: true, enterCondition: 'is angry' })?.condition?.value).toBe('is angry');
    expect(plan({ enabled: true })).toEqual({ condition: null });
    expect(plan({ enabled: false })).toBeNull();
    const { told } = readNodes([
      { name: 'a', type: 'conversation', prompt: 'A', globalNodePlan: { enterCondition: 'x' } },
    ]);
    expect(told).toEqual(['flow/condition-without-global /nodes/0/globalNodePlan/enterCondition']);
  });

  it('leaves the layout of the editor to the ledger', () => {
    const { workflow, told } = readNodes([
      { name: 'a', type: 'conversation', prompt: 'A', metadata: { position: { x: 1 } } },
    ]);
    expect(told).toEqual([]);
    expect(workflow?.absorbed).toMatchObject([{ at: '/nodes/0/metadata', kind: 'field' }]);
  });

  it('is an assistant where the source holds one', () => {
    const model = {
      provider: 'openai',
      model: 'gpt-4o',
      temperature: 0.3,
      messages: [{ role: 'system', content: 'Help.' }],
      toolIds: ['t-1'],
    };
    const assistant = { name: 'x', firstMessage: 'Yes?', model, endCallMessage: 'Bye.' };
    const { workflow } = readNodes([{ name: 'a', type: 'assistant', assistant }]);
    const [node] = workflow!.nodes;
    expect(node).toMatchObject({ role: 'talk', firstMessage: { value: 'Yes?' } });
    expect(node).toMatchObject({ systemPrompt: { value: 'Help.' }, assistant: { savedAs: null } });
    expect(node?.settings.model?.value).toEqual({
      model: 'gpt-4o',
      provider: 'openai',
      temperature: 0.3,
    });
    expect(node?.assistant?.settings.map(({ key }) => key)).toEqual(['endCallMessage']);
    expect(node?.tools.map(({ savedAs }) => savedAs?.value)).toEqual(['t-1']);
  });
});

describe('the model of a node', () => {
  const settings = { provider: 'openai', model: 'gpt-4o' };
  const messages = [{ role: 'system', content: 'Be brief.' }];

  it('may hold the prompt and tools', () => {
    const model = { ...settings, messages, toolIds: ['t-1'] };
    const { workflow } = readNodes([{ name: 'a', type: 'conversation', isStart: true, model }]);
    const [node] = workflow!.nodes;
    expect(node?.systemPrompt).toMatchObject({
      value: 'Be brief.',
      at: '/nodes/0/model/messages/0/content',
    });
    expect(node?.tools.map(({ name }) => name)).toEqual(['t-1']);
    expect(node?.settings.model?.value).toEqual({ model: 'gpt-4o', provider: 'openai' });
  });

  it('is told where its prompt is one too many', () => {
    const node = { name: 'a', type: 'conversation', prompt: 'A', model: { ...settings, messages } };
    expect(readNodes([node]).told).toEqual(['shape/unknown-field /nodes/0/model/messages']);
  });

  it('is told where the workflow keeps a prompt in it', () => {
    const nodes = [{ name: 'a', type: 'conversation', prompt: 'A' }];
    const document = { name: 'W', nodes, edges: [], model: { ...settings, messages } };
    expect(readDocument(document).told).toEqual(['shape/unknown-field /model/messages']);
  });
});

describe('a transfer', () => {
  const destination = { type: 'number', number: '+4930123456', message: 'One moment.' };
  it.each([
    [{ type: 'tool', tool: { type: 'transferCall', destinations: [destination] } }],
    [{ type: 'transfer', destination }],
  ])('has an address and a message: %j', (fields) => {
    const { transfer } = readNode(fields);
    expect(transfer?.destination?.value).toEqual({ type: 'number', number: '+4930123456' });
    expect(transfer?.message?.value).toBe('One moment.');
  });

  it('keeps every destination with what is said of it', () => {
    const sip = { type: 'sip', sipUri: 'sip:a@b.example', description: 'taxes', callerId: '+491' };
    const tool = { type: 'transferCall', destinations: [destination, sip] };
    const { transfer } = readNode({ type: 'tool', tool });
    expect(transfer?.others).toMatchObject([
      { destination: { value: { type: 'sip' } }, description: { value: 'taxes' } },
    ]);
    expect(transfer?.others[0]?.passed.map(({ key }) => key)).toEqual(['callerId']);
  });

  it('has none where the list is empty', () => {
    const { transfer } = readNode({
      type: 'tool',
      tool: { type: 'transferCall', destinations: [] },
    });
    expect(transfer).toMatchObject({ destination: null, others: [] });
  });
});

describe('a request', () => {
  const tool = {
    type: 'apiRequest',
    name: 'find it',
    url: 'https://a.example/{{x}}',
    method: 'POST',
    credentialId: 'c-1',
    messages: [{ type: 'request-start', content: 'Looking, {{who}}.' }],
    parameters: [{ key: 'lang', value: 'en' }],
    variableExtractionPlan: {
      schema: { type: 'object', properties: { weight: { type: 'number' } } },
      aliases: [
        { key: 'place', value: '{{ $.stop[0].name }}' },
        { key: 'both', value: '{{ $.a }} and {{y}}' },
      ],
    },
  };

  it('is read with all that the platform says of it', () => {
    const { request } = readNode({ type: 'tool', tool });
    expect(request?.responses.map(({ name, path, value }) => [name, path, value?.value])).toEqual([
      ['weight', '', undefined],
      ['place', 'stop[0].name', undefined],
      ['both', '', '{{ $.a }} and {{y}}'],
    ]);
    expect(request).toMatchObject({ toolName: { value: 'find it' }, authenticated: true });
    expect(request?.passed.map(({ key }) => key)).toEqual(['messages']);
    expect(request?.statics).toMatchObject([{ key: 'lang', value: { value: 'en' } }]);
    const names = request?.texts.flatMap(({ uses }) => uses.map(({ name }) => name));
    expect(names).toEqual(['x', 'who', 'y']);
  });

  it('may stand on the node itself, with the schema of its response', () => {
    const { type: _, variableExtractionPlan: __, name: ___, ...fields } = tool;
    const output = { type: 'object', properties: { level: { type: 'string' } } };
    const { request } = readNode({ ...fields, type: 'apiRequest', mode: 'blocking', output });
    expect(request?.responses).toMatchObject([{ name: 'level', path: '', value: null }]);
    expect(request?.responseSchema?.value).toEqual(output);
  });

  it('tells that a call does not wait for it', () => {
    const node = { name: 'a', type: 'apiRequest', url: 'https://a.example', method: 'GET' };
    const { told } = readNodes([{ ...node, mode: 'background' }]);
    expect(told).toEqual(['shape/unknown-field /nodes/0/mode']);
  });
});

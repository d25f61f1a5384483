/** What other programs write into a workflow: it is kept, or a sentence says what became of it. */
import { describe, expect, it } from 'vitest';
import { readWorkflow } from '../../src/index.js';
import { assistantsOf, compile, exported, toolsOf, verify } from '../compiler/build.js';
import { valueAt } from '../json.js';

/** Compiles for the platform and checks the result. */
function squadOf(workflow: unknown, options = {}) {
  const all = { target: 'vapi', ...options } as const;
  const result = compile(workflow, all);
  const verdict = result.output && verify(workflow, result.output, all).verdict;
  const codes = result.diagnostics.map(({ code, at }) => `${code} ${at}`.trim());
  return { ...result, verdict, codes: codes.filter((it) => !it.startsWith('shape/dialect')) };
}

describe('fields that the platform writes', () => {
  const written = { id: 'x-1', orgId: 'o-1', createdAt: '2026-01-01', updatedAt: '2026-01-02' };
  const called = {
    name: 'look_up',
    description: 'd',
    parameters: { type: 'object', properties: {} },
  };
  const server = { url: 'https://tools.example.com/' };
  const look = { ...written, type: 'function', function: called, server };
  const number = { ...written, type: 'number', number: '+12025550123' };

  it.each([
    { tools: [look] },
    { type: 'tool', prompt: null, tool: look },
    {
      type: 'tool',
      prompt: null,
      tool: { ...written, type: 'transferCall', destinations: [number] },
    },
    { type: 'tool', prompt: null, tool: { ...written, type: 'endCall' } },
    { orgId: 'o-1', createdAt: '2026-01-01' },
  ])('are dropped without a finding: %j', (node) => {
    const { codes, verdict, output } = squadOf(exported({ a: {}, b: node }, 'a > b: asked'));
    expect(verdict).toBe('holds');
    expect(codes.filter((it) => /unknown|refused/.test(it))).toEqual([]);
    expect(JSON.stringify(output)).not.toMatch(/x-1|o-1|2026-01/);
  });

  it('are values like any others in what a tool sends', () => {
    const body = { orgId: 'o-1', id: 'x-1' };
    const request = { type: 'apiRequest', method: 'POST', url: 'https://x.example', body };
    const tool = { ...request, credentialId: 'c' };
    const node = { type: 'tool', prompt: null, tool };
    const result = squadOf(exported({ a: {}, b: node }, 'a > b'));
    expect(JSON.stringify(toolsOf(result))).toContain('o-1');
  });
});

describe('a property that the model fills in', () => {
  const asking = (property: object, capture: object = {}) => {
    const schema = { type: 'object', required: ['day'], properties: { day: property } };
    const output = [{ title: 'visit_day', type: 'string', description: 'the day', ...capture }];
    const request = { type: 'apiRequest', name: 'book', method: 'POST', credentialId: 'c' };
    const tool = { ...request, url: 'https://api.example.com/visits', body: schema };
    const called = { name: 'book', description: 'books', parameters: schema };
    const server = { url: 'https://api.example.com/visits' };
    const ask = { variableExtractionPlan: { output } };
    return [tool, { type: 'function', function: called, server }].map((it) => {
      const node = { type: 'tool', prompt: null, tool: it };
      const result = squadOf(exported({ ask, b: node }, 'ask > b'));
      const [found] = toolsOf(result);
      const { properties } = found.body ?? found.function.parameters;
      return [properties.day, result.verdict];
    });
  };

  it.each([
    [
      { type: 'string', value: '{{visit_day}}', description: 'YYYY-MM-DD', pattern: '^.{10}$' },
      {},
      { type: 'string', description: 'YYYY-MM-DD; the day', pattern: '^.{10}$' },
    ],
    [
      { type: 'string', value: '{{visit_day}}', description: 'the day, as YYYY-MM-DD' },
      {},
      { type: 'string', description: 'the day, as YYYY-MM-DD' },
    ],
    [
      { type: 'string', value: '{{visit_day}}', description: 'YYYY-MM-DD' },
      { description: undefined, enum: ['Monday'] },
      { type: 'string', description: 'YYYY-MM-DD', enum: ['Monday'] },
    ],
    [
      { type: 'integer', value: '{{visit_day}}' },
      { enum: ['1'] },
      { type: 'integer', description: 'the day' },
    ],
    [
      { type: 'string', value: '{{visit_day}}', format: 'date' },
      {},
      { type: 'string', description: 'the day', format: 'date' },
    ],
  ])('keeps its own schema: %j and %j', (property, capture, expected) => {
    const both = [expected, 'holds'];
    expect(asking(property, capture)).toEqual([both, both]);
  });
});

describe('an older form of a server', () => {
  const older = {
    serverUrl: 'https://tools.example.com/hook',
    serverUrlSecret: 'abc-secret-value',
  };
  const server = {
    url: 'https://tools.example.com/hook',
    headers: { 'X-Vapi-Secret': 'abc-secret-value' },
  };
  const called = {
    name: 'look_up',
    description: 'd',
    parameters: { type: 'object', properties: {} },
  };
  const tools = [{ type: 'function', function: called }];

  it('is read as the server, of the workflow and of an assistant in it', () => {
    const whole = squadOf(exported({ a: { tools } }, '', older));
    const only = squadOf(exported({ a: { tools } }, '', { serverUrl: older.serverUrl }));
    const assistant = { ...older, model: { provider: 'openai', model: 'gpt-4o', messages: [] } };
    const node = { type: 'assistant', prompt: null, assistant };
    const inside = squadOf(exported({ a: { tools }, b: node }, 'a > b: asked'));
    const wrapped = squadOf({ ...older, workflow: exported({ a: { tools } }) });
    expect([whole, only, inside, wrapped].map((it) => it.verdict)).toEqual(Array(4).fill('holds'));
    expect([whole, only, wrapped].map((it) => it.output?.['membersOverrides'])).toEqual([
      { server },
      { server: { url: server.url } },
      { server },
    ]);
    expect(assistantsOf(inside)[1].server).toEqual(server);
    expect(whole.codes.filter((it) => it.startsWith('shape/'))).toEqual([]);
  });

  it('counts less than the current form, and says so', () => {
    const both = { ...older, server: { url: 'https://new.example.com/' } };
    const { output, codes, verdict } = squadOf(exported({ a: { tools } }, '', both));
    expect(output?.['membersOverrides']).toEqual({ server: both.server });
    expect(codes).toContain('shape/unknown-field /serverUrl');
    expect(verdict).toBe('holds');
  });
});

describe('a message in the role of the caller', () => {
  const system = { role: 'system', content: 'Take the order.' };
  const user = { role: 'user', content: 'Hello, I am your baker.' };
  const model = (...messages: object[]) => ({ provider: 'openai', model: 'gpt-4o', messages });
  const opening = (node: object) => {
    const result = squadOf(exported({ a: { prompt: null, ...node } }));
    const [{ firstMessage, model: own }] = assistantsOf(result);
    expect(own.messages[0].content).not.toContain('baker');
    return [firstMessage, result.verdict, result.codes.filter((it) => it.startsWith('shape/read'))];
  };
  const at = '/nodes/0/model/messages';

  it('is the first message of a node without one', () => {
    const told = ['shape/read-as /nodes/0/model/messages/1/role'];
    const expected = [user.content, 'holds', told];
    expect(opening({ model: model(system, user) })).toEqual(expected);
    const assistant = { model: model(system, user) };
    const inside = opening({ type: 'assistant', assistant });
    expect(inside.slice(0, 2)).toEqual(expected.slice(0, 2));
  });

  it('is otherwise part of an example, and reported', () => {
    const spoken = { messagePlan: { firstMessage: 'Hi.' }, model: model(system, user) };
    expect(opening(spoken)).toEqual(['Hi.', 'holds', [`shape/read-as ${at}/1`]]);
    const both = [`shape/read-as ${at}/1`, `shape/read-as ${at}/2`];
    expect(opening({ model: model(system, user, user) })).toEqual(['', 'holds', both]);
    const whole = squadOf(exported({ a: {} }, '', { model: model(system, user) }));
    expect(whole.codes).toContain('shape/read-as /model/messages/1');
    expect(JSON.stringify(whole.output)).not.toContain('baker');
  });
});

describe('a destination', () => {
  const tool = (...destinations: object[]) => {
    const all = destinations.map((it) => ({ type: 'number', number: '+12025550123', ...it }));
    const node = { type: 'tool', prompt: null, tool: { type: 'transferCall', destinations: all } };
    return exported({ a: {}, b: node }, 'a > b: the caller wants a person');
  };
  const found = (workflow: unknown, options = {}) => {
    const result = squadOf(workflow, options);
    return [toolsOf(result)[0].destinations, result.verdict];
  };

  it('says what it is beside when it is chosen', () => {
    const [destinations, verdict] = found(
      tool({ description: 'the manager' }, { number: '+12025550124' }),
    );
    expect(destinations.map((it: { description: string }) => it.description)).toEqual([
      'the caller wants a person (the manager)',
      'the caller wants a person',
    ]);
    expect(verdict).toBe('holds');
  });

  it.each(['+1-202-SUPPORT', '555-SUPPORT', 'front desk', '<DESK_NUMBER>', '--'])(
    'is asked for where it is no number: %s',
    (number) => {
      const workflow = tool({ number, message: 'One moment.' });
      const { status, questions, codes } = squadOf(workflow);
      expect([status, questions.map(({ id }) => id)]).toEqual([
        'needs-answers',
        ['missing-destination:b'],
      ]);
      expect(questions[0]!.text).toContain(`transfers the call to “${number}”, which`);
      expect(codes).toContain('flow/not-e164 /nodes/1/tool/destinations/0/number');
      const value = '+12025550199';
      const answers = { answers: { 'missing-destination:b': { choice: 'number', value } } };
      const [destinations, verdict] = found(workflow, { answers });
      expect(destinations[0]).toMatchObject({ number: value, message: 'One moment.' });
      expect(verdict).toBe('holds');
    },
  );

  it('is asked for where nothing stands in its place', () => {
    const [question] = squadOf(tool({ number: ' ', message: 'One moment.' })).questions;
    expect(question!.text).toContain('but the workflow does not say where to. Which');
  });

  it.each(['1234', '+49 30 123456', '{{ desk_number }}'])('is carried as written: %s', (number) => {
    const options = { dynamicVariables: ['desk_number'] };
    const [destinations, verdict] = found(tool({ number }), options);
    expect(destinations[0]).toMatchObject({ number, numberE164CheckEnabled: false });
    expect(verdict).toBe('holds');
  });
});

describe('a document of another tool', () => {
  const node = (data: object) => [{ id: 'n', type: 'Default', data }];
  it.each<[string, object]>([
    ['a Retell flow', { conversation_flow_id: 'f', nodes: [], start_node_id: 'n' }],
    ['a Retell flow', { start_node_id: 'n', start_speaker: 'agent', nodes: [{ id: 'n' }] }],
    ['a Retell flow', { conversationFlow: { start_speaker: 'agent', start_node_id: 'n' } }],
    ['a Retell flow', { start_node_id: 'n', nodes: [{ id: 'n', instruction: {} }] }],
    ['a Bland pathway', { name: 'P', nodes: node({ modelOptions: {}, text: 'Hi' }), edges: [] }],
    ['a Bland pathway', { name: 'P', nodes: node({ name: 'Start', text: 'Hi' }), edges: [] }],
    ['a Bland pathway', { pathway_id: 'p', nodes: { n: { name: 'x' } } }],
    ['an ElevenLabs workflow', { conversation_config: {}, workflow: { nodes: {}, edges: {} } }],
    ['an ElevenLabs workflow', { workflow: { nodes: { n: { type: 'start', edge_order: [] } } } }],
    ['an ElevenLabs workflow', { nodes: {}, edges: { e: { forward_condition: {} } } }],
    ['a Voiceflow project', { version: {}, diagrams: {} }],
    ['an n8n workflow', { nodes: [{ type: 'x', typeVersion: 1 }], connections: {} }],
  ])('is one error that says so: %s', (found, document) => {
    for (const target of ['squad', 'vapi'] as const) {
      const { status, diagnostics } = compile(document, { target });
      const message = `This is ${found}, not a workflow.`;
      expect([status, diagnostics.map((it) => it.message)]).toEqual(['invalid', [message]]);
    }
  });

  it('is read where an API wraps a single workflow, and named where it wraps several', () => {
    const workflow = exported({ a: 'Help.' });
    for (const [at, wrapped] of Object.entries({
      '/results/0': { results: [workflow], metadata: { totalItems: 1 } },
      '/data': { data: workflow },
      '/data/0': { data: [workflow] },
    })) {
      const { verdict, sourceMap } = squadOf(wrapped);
      expect(verdict).toBe('holds');
      const places = sourceMap.flatMap(({ origin }) => (origin.kind === 'source' ? origin.at : []));
      expect(places.every((it) => it.startsWith(at))).toBe(true);
      expect(readWorkflow(JSON.stringify(wrapped)).dialect).toBe('vapi');
    }
    const messagesOf = (it: object) => compile(it).diagnostics.map(({ message }) => message);
    expect(messagesOf({ results: [workflow, workflow] })).toEqual([
      'This is a list of 2 documents, not a workflow.',
    ]);
    expect(messagesOf({ data: [] })).toEqual(['This is a list of 0 documents, not a workflow.']);
  });

  it.each([
    ["{\n  name: 'x',\n  nodes: [],\n}", 'an object of TypeScript or JavaScript'],
    ["// mine\nexport const flow = { name: 'x' };", 'an object of TypeScript or JavaScript'],
    ['const x: Workflow = {"name": "x"}', 'an object of TypeScript or JavaScript'],
    ["{ // mine\n 'name': 'x' }", 'an object of TypeScript or JavaScript'],
    ['```json\n{"name": "x"}\n```', 'a Markdown code block'],
  ])('is named where it is no JSON: %s', (text, found) => {
    const { workflow, diagnostics } = readWorkflow(text);
    const messages = diagnostics.map(({ message }) => message);
    expect([workflow, messages]).toEqual([null, [`The text is not JSON: it is ${found}.`]]);
  });

  it('is invalid if no node has a text', () => {
    const { status, codes } = squadOf({
      name: 'Empty',
      nodes: [
        { id: 'a', type: 'conversation', data: {} },
        { id: 'b', type: 'conversation', script: 'Help.' },
        { id: 'c', type: 'hangup' },
      ],
      edges: [
        { source: 'a', target: 'b' },
        { source: 'b', target: 'c' },
      ],
    });
    expect([status, codes.includes('shape/no-texts /nodes')]).toEqual(['invalid', true]);
  });
});

describe('the state of an editor', () => {
  const layout = { position: { x: 0, y: 0 }, measured: { width: 9, height: 9 }, selected: false };
  const state = {
    name: 'Canvas',
    nodes: [
      {
        ...layout,
        id: 'n1',
        type: 'custom',
        data: { type: 'conversation', isStart: true, prompt: 'Ask which cake.' },
      },
      {
        ...layout,
        id: 'n2',
        type: 'conversation',
        data: {
          name: 'order',
          prompt: 'Take it.',
          messagePlan: { firstMessage: 'So.' },
          colour: 1,
        },
      },
      { ...layout, id: 'n3', type: 'hangup', data: {} },
    ],
    edges: [
      { id: 'e1', source: 'n1', target: 'n2', type: 'smoothstep', data: { condition: 'named' } },
      { id: 'e2', source: 'n2', target: 'n3', sourceHandle: 's', data: { condition: 'taken' } },
    ],
    viewport: { x: 0, y: 0, zoom: 1 },
  };

  it('is read like the nodes and edges in its data', () => {
    const { verdict, codes, output, ledger } = squadOf(state);
    expect([verdict, codes]).toEqual(['holds', ['shape/unknown-field /nodes/1/data/colour']]);
    const text = JSON.stringify(output);
    for (const said of ['Ask which cake.', 'Take it.', 'So.', 'named', 'taken']) {
      expect(text).toContain(said);
    }
    for (const { at } of ledger) expect(valueAt(state, at), at).toBeDefined();
  });

  it('is refuted where a squad lacks a text of it', () => {
    const { output } = squadOf(state);
    const wrong = JSON.parse(JSON.stringify(output).replace('Take it.', 'Leave it.'));
    expect(verify(state, wrong, { target: 'vapi' }).verdict).toBe('fails');
  });
});

describe('what a node sets for its assistant', () => {
  const idle = { idleMessages: ['Still there?', 'Take your time.'], idleTimeoutSeconds: 15 };
  const plans = { stopSpeakingPlan: { numWords: 2 }, maxDurationSeconds: 1800 };
  const hook = (timeoutSeconds: number, exact: string[], more = {}) => {
    const options = { timeoutSeconds, ...more };
    return { on: 'customer.speech.timeout', options, do: [{ type: 'say', exact }] };
  };
  const two = (a: object, b: object, more = {}) => {
    return exported({ a, b, c: { prompt: 'Do c.' } }, 'a > b: x | a > c: y', more);
  };

  it('is its own, with lines for a silent caller as the hook that says them', () => {
    const result = squadOf(two({ messagePlan: idle, ...plans, silenceTimeoutSeconds: 180 }, {}));
    expect([result.verdict, result.codes.filter((it) => it.startsWith('shape'))]).toEqual([
      'holds',
      ['shape/no-place /nodes/0/silenceTimeoutSeconds'],
    ]);
    const [a, b] = assistantsOf(result);
    expect(a).toMatchObject({ hooks: [hook(15, idle.idleMessages)], ...plans });
    expect(b).not.toHaveProperty('hooks');
  });

  it('stands beside the hooks of the workflow, and before its other plans', () => {
    const ours = { on: 'call.ending', do: [{ type: 'tool', tool: { type: 'endCall' } }] };
    const around = { hooks: [ours], stopSpeakingPlan: { numWords: 1 } };
    const count = { idleMessageMaxSpokenCount: 2 };
    const plan = { idleMessages: ['Hm?'], ...count };
    const result = squadOf(two({ messagePlan: plan, ...plans }, {}, around));
    const more = { triggerMaxCount: 2 };
    const [a, b] = assistantsOf(result);
    expect(a).toMatchObject({ hooks: [ours, hook(10, ['Hm?'], more)], ...plans });
    expect(b).toMatchObject(around);
    expect(result.verdict).toBe('holds');
  });

  it('is looked for word for word', () => {
    const workflow = two({ messagePlan: idle }, {});
    const { output } = squadOf(workflow);
    const wrong = JSON.parse(JSON.stringify(output).replace('Still there?', 'Gone?'));
    expect(verify(workflow, wrong, { target: 'vapi' }).verdict).toBe('fails');
  });

  it('applies to all where the workflow has it', () => {
    const more = { messagePlan: idle, silenceTimeoutSeconds: 30, ...plans };
    const { output, verdict, codes } = squadOf(two({}, {}, more));
    const hooks = [hook(15, idle.idleMessages)];
    expect(output?.['membersOverrides']).toEqual({ hooks, ...plans });
    expect([verdict, codes]).toEqual([
      'holds',
      ['shape/no-place /silenceTimeoutSeconds', 'flow/no-end'],
    ]);
  });

  it('is asked about where two nodes of one assistant differ', () => {
    const workflow = exported({ a: plans, b: { stopSpeakingPlan: { numWords: 5 } } }, 'a > b: x');
    const { questions } = squadOf(workflow);
    expect(questions.map(({ kind }) => kind)).toEqual(['conflicting-settings']);
    expect(questions[0]!.text).toContain('stopSpeakingPlan');
    const policies = { 'conflicting-settings': 'keep-split' };
    const split = squadOf(workflow, { answers: { policies } });
    expect([split.verdict, assistantsOf(split)[1].stopSpeakingPlan]).toEqual([
      'holds',
      { numWords: 5 },
    ]);
  });
});

describe('a node that sets nothing', () => {
  const model = { provider: 'openai', model: 'gpt-4.1', temperature: 0.2 };
  const voice = { provider: '11labs', voiceId: 'voice-1' };
  const line = { prompt: null, messagePlan: { firstMessage: 'Hello.' } };

  it.each<[string, object, object, Record<string, unknown>]>([
    ['only a line', line, { model, voice }, {}],
    [
      'only a line beside a voice of the workflow',
      line,
      { model, voice },
      { voice: { ...voice, voiceId: 'v' } },
    ],
    ['instructions', {}, { model, voice }, {}],
    ['settings of the second kind', { model }, { voice }, {}],
  ])('is no side of a conflict: %s', (_, a, b, more) => {
    const result = squadOf(exported({ a, b }, 'a > b: the caller answers', more));
    expect([result.questions, result.verdict]).toEqual([[], 'holds']);
    const [only] = assistantsOf(result);
    const shared = result.output!['membersOverrides'];
    expect([only.model.model, only.model.temperature, shared]).toEqual(['gpt-4.1', 0.2, { voice }]);
  });

  it('leaves the question to those that differ, and the answer applies to all', () => {
    const other = { ...model, model: 'gpt-4o' };
    const workflow = exported(
      { a: line, b: { model }, c: { model: other } },
      'a > b: x | b > c: y',
    );
    const { questions } = squadOf(workflow);
    expect(questions.map(({ kind }) => kind)).toEqual(['conflicting-settings']);
    expect(questions[0]!.text).not.toMatch(/not set|“a”; /);
    for (const choice of ['first', 'keep-split']) {
      const policies = { 'conflicting-settings': choice };
      const answered = squadOf(workflow, { answers: { policies } });
      expect(answered.verdict).toBe('holds');
    }
  });
});

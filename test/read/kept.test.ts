/** What other programs write into a workflow: it is kept, or a sentence says what became of it. */
import { describe, expect, it } from 'vitest';
import { compile, verify } from '../../src/index.js';
import { assistantsOf, exported, toolsOf } from '../compiler/build.js';

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
    expect(codes).toContain('shape/read-as /serverUrl');
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

  it('says what it is before when it is chosen', () => {
    const [destinations, verdict] = found(
      tool({ description: 'the manager' }, { number: '+12025550124' }),
    );
    expect(destinations.map((it: { description: string }) => it.description)).toEqual([
      'the manager: the caller wants a person',
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
      expect(codes).toContain('flow/not-a-number /nodes/1/tool/destinations/0/number');
      const value = '+12025550199';
      const answers = { answers: { 'missing-destination:b': { choice: 'number', value } } };
      const [destinations, verdict] = found(workflow, { answers });
      expect(destinations[0]).toMatchObject({ number: value, message: 'One moment.' });
      expect(verdict).toBe('holds');
    },
  );

  it.each(['1234', '+49 30 123456', '{{ desk_number }}'])('is carried as written: %s', (number) => {
    const options = { dynamicVariables: ['desk_number'] };
    const [destinations, verdict] = found(tool({ number }), options);
    expect(destinations[0]).toMatchObject({ number, numberE164CheckEnabled: false });
    expect(verdict).toBe('holds');
  });
});

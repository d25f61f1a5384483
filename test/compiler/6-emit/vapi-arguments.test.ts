import { describe, expect, it } from 'vitest';
import { type CompileOptions, type CompileResult, compile } from '../../../src/index.js';
import { compileVapi, handoffsOf, targetsOf } from './vapi-documents.js';
import { order } from './vapi-workflows.js';

const answered = (choices: Readonly<Record<string, string>>) => ({
  criticalVariables: ['order_id'],
  dynamicVariables: ['shop_token', 'receipt'],
  answers: {
    answers: Object.fromEntries(
      Object.entries(choices).map(([name, choice]) => [`critical-variable:${name}`, { choice }]),
    ),
  },
});
const claude = { model: { provider: 'anthropic', model: 'claude-sonnet-4-6' } };
const number = { type: 'string', description: 'the number of the order' };
const reason = { type: 'string', description: 'why', enum: ['late', 'broken'] };

describe('a critical variable that crosses as an argument', () => {
  it('is demanded by the tool, and the plan does without it', () => {
    const options = answered({ order_id: 'argument', reason: 'best-effort' });
    const [cancel, keep] = handoffsOf(compileVapi(order, options).document, 'collect');
    expect(cancel?.function?.parameters).toEqual({
      type: 'object',
      properties: { destination: { type: 'string', enum: ['cancel'] }, order_id: number },
      required: ['destination', 'order_id'],
    });
    expect(cancel?.destinations?.[0]?.['variableExtractionPlan']).toEqual({
      schema: { type: 'object', properties: { reason }, required: ['reason'] },
    });
    expect(keep?.destinations?.[0]).not.toHaveProperty('variableExtractionPlan');
    expect(keep?.function?.parameters).toMatchObject({ required: ['destination', 'order_id'] });
  });

  it('is named with every destination of the tool', () => {
    const options = { ...answered({ order_id: 'argument', reason: 'best-effort' }), ...claude };
    const [tool, ...others] = handoffsOf(compileVapi(order, options).document, 'collect');
    expect(others).toEqual([]);
    expect(tool?.function?.parameters).toMatchObject({
      properties: { destination: { enum: ['cancel', 'keep'] } },
    });
  });

  it('does not block a destination that has no need of it', () => {
    const options = { ...answered({ order_id: 'argument', reason: 'argument' }), ...claude };
    const tools = handoffsOf(compileVapi(order, options).document, 'collect');
    expect(tools.map(targetsOf)).toEqual([['cancel'], ['keep']]);
    expect(tools.map((tool) => tool.function?.parameters)).toMatchObject([
      { properties: { order_id: number, reason } },
      { properties: { order_id: number } },
    ]);
    expect(tools[1]?.function?.parameters).not.toHaveProperty('properties.reason');
  });

  it('leaves the tool without arguments where no variable is', () => {
    const options = answered({ order_id: 'best-effort', reason: 'best-effort' });
    const tools = handoffsOf(compileVapi(order, options).document, 'collect');
    expect(tools.map((tool) => tool.function?.parameters)).toEqual([undefined, undefined]);
  });

  it('crosses to a global node like to any other', () => {
    const talk = (id: string, systemPrompt: string) => ({ id, type: 'conversation', systemPrompt });
    const workflow = {
      name: 'Help',
      nodes: [
        {
          ...talk('ask', 'Ask.'),
          extractVariables: [{ name: 'order_id', ...number }],
        },
        { ...talk('help', 'Help with {{order_id}}.'), isGlobal: true, condition: 'needs help' },
      ],
      edges: [],
    };
    const options = answered({ order_id: 'argument' });
    const [tool] = handoffsOf(compileVapi(workflow, options).document, 'ask');
    expect(tool?.function?.parameters).toMatchObject({ required: ['destination', 'order_id'] });
  });

  it('cannot bear the name of the argument that says where to', () => {
    const text = JSON.stringify(order).replaceAll('order_id', 'destination');
    const run = (answers: CompileOptions['answers'] = {}) =>
      compile(JSON.parse(text), { target: 'vapi', answers });
    const asked = ({ questions }: CompileResult) =>
      questions.find(({ id }) => id === 'critical-variable:destination')?.choices;
    expect(asked(run())?.map(({ key }) => key)).toEqual(['tool', 'best-effort']);
    expect(asked(run({ policies: { 'critical-variable': 'argument' } }))).toBeDefined();
    const single = run({
      answers: { 'critical-variable:destination': { choice: 'argument' } },
    });
    expect(single.status).toBe('invalid');
    expect(single.diagnostics.map(({ code }) => code)).toContain('api/answer-choice');
  });
});

import { describe, expect, it } from 'vitest';
import { toolNameOf } from '../../../src/compiler/5-lower/custom-tools.js';
import { type CompileOptions, compile } from '../../../src/index.js';
import { capturing, codes, compiled, type Plan } from '../build.js';

describe('toolNameOf', () => {
  it('makes a name that a tool can have', () => {
    expect(toolNameOf('confirm')).toBe('confirm');
    expect(toolNameOf('Confirm the order!')).toBe('Confirm_the_order');
    expect(toolNameOf('x'.repeat(80)).length).toBeLessThanOrEqual(40);
  });
});

describe('a tool that an answer asks for', () => {
  const plan: Plan = {
    nodes: { a: capturing('x', 'y: number'), b: 'B', c: 'C', d: 'D' },
    edges: ["a > b: x == '1'", "a > c: y == 2 and x == '3'", 'a > d: else'],
  };
  const [one, other] = compiled(plan).result.questions.map(({ id }) => id);
  const answer = { choice: 'tool', value: { tool: 'confirm' } };
  const { members, result } = compiled(plan, {
    answers: { answers: { [one!]: answer, [other!]: answer } },
  });

  it('is one tool for all that ask for it, with the values of all', () => {
    const functions = members[0]!.tools.filter(({ type }) => type === 'function');
    expect(functions).toHaveLength(1);
    expect(functions[0]).toMatchObject({
      function: {
        name: 'confirm',
        parameters: {
          type: 'object',
          properties: {
            x: { type: 'string', description: 'the x' },
            y: { type: 'number', description: 'the y' },
          },
        },
      },
      variableExtractionPlan: {
        aliases: expect.arrayContaining([
          { key: 'x', value: '{{ $.x }}' },
          { key: 'y', value: '{{ $.y }}' },
        ]),
      },
    });
  });

  it('is on the assistant that judges the conditions, and nowhere else', () => {
    expect(members.slice(1).flatMap(({ tools }) => tools)).toEqual([]);
  });

  it('is told to be provided', () => {
    expect(codes(result.diagnostics)).toContain('lower/tool-to-provide');
  });
});

describe('an operation of an adapter', () => {
  it('stands in for the request, under its name', () => {
    const plan: Plan = {
      nodes: { a: 'A', t: { type: 'apiRequest', name: 'Find bill', systemPrompt: 'Find it.' } },
      edges: ['a > t'],
    };
    const answer = { choice: 'operation', value: { operation: 'bills.get' } };
    const { members, result } = compiled(plan, {
      answers: {
        answers: { 'missing-endpoint:t': answer },
        policies: { 'missing-parameter': 'caller' },
      },
    });
    expect(members[0]!.tools).toMatchObject([
      { type: 'function', function: { name: 'Find_bill', parameters: { type: 'object' } } },
    ]);
    expect(members[0]!.prompt).toContain('Find it.\n- call the tool Find_bill\n');
    expect(codes(result.diagnostics)).toContain('lower/tool-to-provide');
  });

  describe.each(['squad', 'vapi'] as const)('for target %s', (target) => {
    it('keeps what the source says of the tool, and leaves out how the request was sent', () => {
      const { tool, ledger } = withOperation(target, { entry: 'main', limitRecord: 5 });
      expect(tool).toMatchObject({
        function: { name: 'find_bill', description: 'Finds the bill of {{now}}.' },
        messages: [{ type: 'request-start', content: 'One moment.' }],
        rejectionPlan,
        parameters: [
          { key: 'status', value: '1' },
          { key: 'limitRecord', value: 5 },
          { key: 'entry', value: 'main' },
        ],
      });
      expect(tool).not.toHaveProperty('backoffPlan');
      const fates = Object.fromEntries(ledger.map(({ at, status }) => [at, status]));
      expect(fates).toMatchObject({
        '/nodes/1/tool/description': 'converted',
        '/nodes/1/tool/messages': 'converted',
        '/nodes/1/tool/parameters/0/value': 'converted',
        '/nodes/1/tool/parameters/1/value': 'dropped',
        '/nodes/1/tool/backoffPlan': 'dropped',
      });
    });

    it('sends what the answer says under a key that the source fixes too', () => {
      const { tool, ledger } = withOperation(target, { entry: 'main', status: '2' });
      expect(tool).toMatchObject({
        parameters: [
          { key: 'status', value: '2' },
          { key: 'entry', value: 'main' },
        ],
      });
      expect(ledger).toContainEqual(
        expect.objectContaining({ at: '/nodes/1/tool/parameters/0/value', status: 'dropped' }),
      );
    });

    it('says what it is for and when, where it can be called at any time', () => {
      const globalNodePlan = { enabled: true, enterCondition: 'asks for a bill' };
      const { tool } = withOperation(target, { entry: 'main' }, { globalNodePlan });
      expect(tool).toMatchObject({
        function: { description: 'Finds the bill of {{now}}.; or asks for a bill' },
      });
    });
  });
});

const rejectionPlan = { conditions: [{ type: 'liquid', liquid: '{{ closed }}' }] };

/** The tool of a request that an operation stands in for, in an export that says much of it. */
function withOperation(target: 'squad' | 'vapi', bind: object, more: object = {}) {
  const tool = {
    type: 'apiRequest',
    name: 'find_bill',
    description: 'Finds the bill of {{now}}.',
    messages: [{ type: 'request-start', content: 'One moment.' }],
    parameters: [
      { key: 'status', value: '1' },
      { key: 'view', value: 'short' },
    ],
    backoffPlan: { type: 'fixed', maxRetries: 2 },
    rejectionPlan,
  };
  const nodes = [
    { name: 'desk', type: 'conversation', isStart: true, prompt: 'Ask which bill.' },
    { name: 'find', type: 'tool', tool, ...more },
  ];
  const value = { operation: 'bills.list', bind };
  const options: CompileOptions = {
    target,
    dynamicVariables: ['closed'],
    answers: { answers: { 'missing-endpoint:find': { choice: 'operation', value } as never } },
  };
  const document = { name: 'Bills', nodes, edges: [{ from: 'desk', to: 'find' }] };
  const { output, ledger } = compile(document, options);
  const { members } = ((output as { squad?: object })?.squad ?? output) as Squad;
  return { tool: members[0]!.assistant.model.tools[0]!, ledger };
}

interface Squad {
  readonly members: readonly { assistant: { model: { tools: readonly object[] } } }[];
}

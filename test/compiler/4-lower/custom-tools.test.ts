import { describe, expect, it } from 'vitest';
import { toolNameOf } from '../../../src/compiler/4-lower/custom-tools.js';
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
      answers: { answers: { 'missing-endpoint:t': answer } },
    });
    expect(members[0]!.tools).toMatchObject([
      { type: 'function', function: { name: 'Find_bill', parameters: { type: 'object' } } },
    ]);
    expect(members[0]!.prompt).toContain('Find it.\n- call the tool Find_bill\n');
    expect(codes(result.diagnostics)).toContain('lower/tool-to-provide');
  });
});

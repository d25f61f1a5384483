import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../../src/compiler/ir/options.js';
import {
  capturing,
  codes,
  compiled,
  crossings,
  findings,
  type Plan,
  request,
  setter,
} from '../build.js';

const plan = (tool: object): Plan => ({
  nodes: { a: capturing('x', 'y'), t: tool, b: 'B {{y}}', c: 'C' },
  edges: ['a > t: 1', 'a > c: 2', 't > b'],
});
const questions = (it: Plan, options?: CompileOptions) => compiled(it, options).result.questions;
const reading = (method: string) => request({ method, body: { v: '{{x}}' } });

describe('the question critical-variable', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('is asked about what crosses into a %s', (method) => {
    const [question, ...others] = questions(plan(reading(method)));
    expect(others).toEqual([]);
    expect(question).toMatchObject({
      id: 'critical-variable:x',
      at: ['/nodes/0/extractVariables/0', '/nodes/1'],
      proposal: null,
    });
    expect(question!.choices.map(({ key }) => key)).toEqual(['tool', 'best-effort']);
  });

  it('is not asked about a request that only reads, or that another value feeds', () => {
    expect(questions(plan(reading('GET')))).toEqual([]);
    expect(questions(plan(request({ method: 'POST' })))).toEqual([]);
  });

  it('is asked about a variable that is declared critical and crosses', () => {
    const asked = (...criticalVariables: string[]) =>
      questions(plan(request()), { criticalVariables }).map(({ id }) => id);
    expect(asked('y')).toEqual(['critical-variable:y']);
    expect(asked('x', 'z')).toEqual([]);
  });

  it('is not asked about what is captured and used in one assistant', () => {
    const inside: Plan = { nodes: { a: capturing('x'), t: reading('POST') }, edges: ['a > t'] };
    expect(questions(inside)).toEqual([]);
    expect(questions(inside, { criticalVariables: ['x'] })).toEqual([]);
  });

  const answer = (choice: string, value?: object): CompileOptions => ({
    answers: {
      answers: {
        'critical-variable:x': (value === undefined ? { choice } : { choice, value }) as never,
      },
    },
  });

  it('leaves the plan as it is where the best effort is enough', () => {
    const { members, result } = compiled(plan(reading('POST')), answer('best-effort'));
    expect(result.status).toBe('complete');
    expect(crossings(members)[0]).toBe('a > b: x y');
  });

  it('has a tool give the value, and the plan carries it no more', () => {
    const { members, result } = compiled(
      plan(reading('POST')),
      answer('tool', { tool: 'confirm x' }),
    );
    expect(codes(result.diagnostics)).toContain('lower/tool-to-provide');
    expect(crossings(members)[0]).toBe('a > b: y');
    expect(members[0]!.prompt).toContain('- call the tool confirm_x\n');
    expect(members[0]!.tools[0]).toMatchObject({
      type: 'function',
      function: {
        name: 'confirm_x',
        parameters: { properties: { x: { type: 'string', description: 'the x' } } },
      },
      variableExtractionPlan: { aliases: [{ key: 'x', value: '{{ $.x }}' }] },
    });
  });

  it('takes a request of the workflow that sets it, and no other', () => {
    const nodes = { ...plan(reading('POST')).nodes, s: setter('x'), other: setter('z') };
    const edges = [...plan({}).edges!, 'b > s', 'c > other'];
    const [question] = questions({ nodes, edges });
    expect(question).toMatchObject({ proposal: 'tool', proposalValue: { tool: 's' } });
    expect(codes(findings({ nodes, edges }, answer('tool', { tool: 'other' })))).toContain(
      'api/answer-value',
    );
    const { members } = compiled({ nodes, edges }, answer('tool', { tool: 's' }));
    expect(members[0]!.prompt).toContain('- call the tool s\n');
    expect(members[0]!.tools[0]).toMatchObject({ type: 'apiRequest', name: 's' });
  });
});

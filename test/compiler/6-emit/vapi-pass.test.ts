import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../../src/compiler/ir/options.js';
import { type CompileResult, compile } from '../../../src/index.js';
import { capturing, codes, type Plan, request, workflow } from '../build.js';
import { compileVapi, handoffsOf, type Tool, targetsOf } from './vapi-documents.js';
import { order } from './vapi-workflows.js';

const passing: CompileOptions = { pass: 'arguments' };
const claude = { model: { provider: 'anthropic', model: 'claude-sonnet-4-6' } };

/** Per tool: where it leads, and what it demands beside the destination. */
function demands(tools: readonly Tool[]): string[] {
  return tools.map((tool) => {
    const { required } = (tool.function?.parameters ?? { required: [] }) as { required: string[] };
    return `${targetsOf(tool).join('|')}: ${required.filter((it) => it !== 'destination').join()}`;
  });
}

const handoffs = (plan: Plan, from: string, options: CompileOptions = {}) =>
  handoffsOf(compileVapi(workflow(plan), { ...passing, ...options }).document, from);

/** To b cross x and y, to c crosses y, to d nothing, to e what crosses to c. */
const branches: Plan = {
  nodes: {
    a: capturing('x: number', 'y'),
    b: 'B {{x}} {{y}}',
    c: 'C {{y}}',
    d: 'D',
    e: 'E {{y}}',
  },
  edges: ['a > b: 1', 'a > c: 2', 'a > d: 3', 'a > e: 4'],
};

describe('variables that pass as arguments', () => {
  it('are required arguments with the destination, and stand in no plan', () => {
    const [toB, ...others] = handoffs(branches, 'a');
    expect(toB!.function!.parameters).toEqual({
      type: 'object',
      properties: {
        destination: { type: 'string', enum: ['b'] },
        x: { type: 'number', description: 'the x' },
        y: { type: 'string', description: 'the y' },
      },
      required: ['destination', 'x', 'y'],
    });
    expect(demands(others)).toEqual(['c: y', 'e: y', 'd: ']);
    expect(others[2]!.function).not.toHaveProperty('parameters');
    expect(JSON.stringify([toB, ...others])).not.toContain('variableExtractionPlan');
  });

  it('have the type, the description and the choices that they have in a plan', () => {
    const schemaOf = (options: CompileOptions): unknown => {
      const policies = { 'critical-variable': 'best-effort' };
      const all = {
        dynamicVariables: ['shop_token', 'receipt'],
        answers: { policies },
        ...options,
      };
      const [tool] = handoffsOf(compileVapi(order, all).document, 'collect');
      const plan = tool!.destinations![0]!['variableExtractionPlan'] as
        | { schema: object }
        | undefined;
      return plan?.schema ?? tool!.function!.parameters;
    };
    const { properties, required, ...others } = schemaOf({}) as Record<
      'properties' | 'required',
      object
    >;
    expect(schemaOf(passing)).toEqual({
      ...others,
      properties: { destination: { type: 'string', enum: ['cancel'] }, ...properties },
      required: ['destination', ...(required as string[])],
    });
  });

  it.each([
    ['grouped', {}],
    ['auto', claude],
  ] as const)('share a tool only where they are the same: %s', (handoffTools, model) => {
    const tools = handoffs(branches, 'a', { handoffTools, ...model });
    expect(demands(tools)).toEqual(['b: x,y', 'c|e: y', 'd: ']);
    expect(tools.map((tool) => tool.function!.parameters)).toEqual([
      expect.objectContaining({ required: ['destination', 'x', 'y'] }),
      expect.objectContaining({
        properties: expect.objectContaining({
          destination: { type: 'string', enum: ['c', 'e'] },
        }),
      }),
      undefined,
    ]);
  });

  it('are the same in whatever order the edges come to them', () => {
    const entries: Plan = {
      nodes: {
        a: capturing('x', 'y'),
        b: { ...capturing('x'), systemPrompt: 'B {{y}}' },
        b2: 'B2 {{x}} {{y}}',
        c: 'C {{x}} {{y}}',
      },
      edges: ['a > b: 1', 'a > b2: 2', 'b > b2: on', 'b2 > b: back', 'a > c: 3'],
    };
    const answers = { policies: { 'cyclic-stages': 'consolidate' } };
    const tools = handoffs(entries, 'a', { answers, handoffTools: 'grouped' });
    expect(demands(tools)).toEqual(['b|c: y,x']);
  });

  it('are not what extraction passes, which stays the default', () => {
    const plain = compileVapi(workflow(branches)).document;
    expect(compileVapi(workflow(branches), { pass: 'extraction' }).document).toEqual(plain);
    expect(demands(handoffsOf(plain, 'a'))).toEqual(['b: ', 'c: ', 'd: ', 'e: ']);
  });
});

describe('a variable called destination', () => {
  const named: Plan = {
    nodes: { a: capturing('destination', 'day'), b: 'To {{destination}} on {{day}}', c: 'C' },
    edges: ['a > b: 1', 'a > c: 2'],
  };

  it('crosses by the plan, for the argument of this name says where to hand off', () => {
    const [toB] = handoffs(named, 'a');
    expect(toB!.function!.parameters).toMatchObject({
      properties: { destination: { type: 'string', enum: ['b'] }, day: { type: 'string' } },
      required: ['destination', 'day'],
    });
    expect(toB!.destinations![0]!['variableExtractionPlan']).toEqual({
      schema: {
        type: 'object',
        properties: { destination: { type: 'string', description: 'the destination' } },
        required: ['destination'],
      },
    });
  });

  it('is warned about where it is to pass as an argument and crosses', () => {
    const found = (options: CompileOptions, plan = named) =>
      compile(workflow(plan), { target: 'vapi', ...options }).diagnostics.filter(
        ({ code }) => code === 'lower/not-an-argument',
      );
    expect(found(passing)).toMatchObject([
      { severity: 'warning', at: '/nodes/0/extractVariables/0' },
    ]);
    expect(found({})).toEqual([]);
    expect(found(passing, { ...named, nodes: { ...named.nodes, b: 'To {{day}}' } })).toEqual([]);
  });
});

describe('a handoff that a call can come to without the variable', () => {
  /** On the way over m, x is not captured. */
  const plan: Plan = {
    nodes: { s: 'S', a: capturing('x'), m: 'M', o: 'O', b: 'B {{x}}', c: 'C' },
    edges: ['s > a: 1', 's > m: 2', 'a > o', 'm > o', 'o > s: again', 'o > b: 3', 'o > c: 4'],
  };
  const found = (options: CompileOptions, given = plan) => {
    const answers = {
      policies: { 'cyclic-stages': 'consolidate', 'critical-variable': 'argument' },
      answers: { 'ambiguous-start:workflow': { choice: 'node', value: 's' } },
    };
    const { diagnostics } = compile(workflow(given), { target: 'vapi', answers, ...options });
    return diagnostics.filter(({ code }) => code === 'data/may-block');
  };

  it('may be held up by an argument, and says so', () => {
    expect(found(passing)).toMatchObject([
      { severity: 'warning', at: '/nodes/1/extractVariables/0' },
    ]);
  });

  it('is not held up by a plan, and is to be where the variable must never be missing', () => {
    expect(found({})).toEqual([]);
    expect(found({ ...passing, criticalVariables: ['x'] })).toEqual([]);
  });

  it('is none where every visit captures it', () => {
    expect(found(passing, branches)).toEqual([]);
  });
});

describe('the question critical-variable', () => {
  const feeding: Plan = {
    nodes: { a: capturing('x', 'y'), t: request({ method: 'POST', body: { v: '{{x}}' } }), c: 'C' },
    edges: ['a > t: 1', 'a > c: 2', 't > b'],
  };
  const plan: Plan = { ...feeding, nodes: { ...feeding.nodes, b: 'B {{y}}' } };
  const run = (options: CompileOptions, given = plan): CompileResult =>
    compile(workflow(given), { target: 'vapi', ...passing, ...options });
  const answer = (choice: string, value?: object): CompileOptions => ({
    answers: { answers: { 'critical-variable:x': { choice, ...(value && { value }) } as never } },
  });

  it('is not asked about what no handoff can go on without', () => {
    expect(run({ pass: 'extraction' }).questions.map(({ id }) => id)).toEqual([
      'critical-variable:x',
    ]);
    const { status, questions } = run({ criticalVariables: ['y'] });
    expect([status, questions]).toEqual(['complete', []]);
  });

  it.each(['argument', 'best-effort'])('is answered in vain by %s, and says so', (choice) => {
    const { status, diagnostics, output } = run(answer(choice));
    expect(status).toBe('complete');
    expect(codes(diagnostics)).toContain('api/stale-answer');
    expect(output).toEqual(run({}).output);
  });

  it('takes a tool as the answer, and then nothing is demanded', () => {
    const { status, diagnostics, output } = run(answer('tool', { tool: 'confirm x' }));
    expect(status).toBe('complete');
    expect(codes(diagnostics)).not.toContain('api/stale-answer');
    const [tool] = handoffsOf(output as never, 'a');
    expect(demands([tool!])).toEqual(['b: y']);
    expect(codes(run(answer('tool', { tool: '' })).diagnostics)).toContain('api/answer-value');
  });

  it('is asked about a variable that cannot be an argument', () => {
    const text = JSON.stringify(workflow(plan)).replaceAll('"x"', '"destination"');
    const named = JSON.parse(text.replaceAll('{{x}}', '{{destination}}'));
    const { questions } = compile(named, { target: 'vapi', ...passing });
    expect(questions.map(({ id }) => id)).toEqual(['critical-variable:destination']);
  });
});

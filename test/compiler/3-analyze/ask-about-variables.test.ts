import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../../src/compiler/ir/options.js';
import {
  anytime,
  capturing,
  codes,
  compiled,
  end,
  findings,
  type Plan,
  places,
  setter,
} from '../build.js';

const questions = (plan: Plan, options?: CompileOptions) =>
  compiled(plan, options).result.questions;
const asked = (plan: Plan, options?: CompileOptions) =>
  questions(plan, options).map(({ id }) => id);

const chain = (...prompts: string[]): Plan => ({
  nodes: Object.fromEntries(prompts.map((prompt, at) => [`n${at}`, prompt])),
  edges: prompts.slice(1).map((_, at) => `n${at} > n${at + 1}`),
});

describe('the question undefined-variable', () => {
  it('is asked about a read that no capture reaches, at every text that reads it', () => {
    const plan: Plan = {
      nodes: { a: { systemPrompt: '{{x}}', firstMessage: 'Hi {{x}}' }, b: 'B', c: capturing('x') },
      edges: ['a > b: {{x}} is big', 'b > c'],
    };
    const [question, ...others] = questions(plan);
    expect(others).toEqual([]);
    expect(question).toMatchObject({
      id: 'undefined-variable:x',
      at: ['/nodes/0/firstMessage', '/nodes/0/systemPrompt', '/edges/0/condition'],
      proposal: null,
    });
  });

  it('is asked once for a variable, and only about the reads that nothing reaches', () => {
    const plan: Plan = {
      nodes: { a: '{{x}}', b: capturing('x'), c: '{{x}}' },
      edges: ['a > b', 'b > c'],
    };
    const [question, ...others] = questions(plan);
    expect(others).toEqual([]);
    expect(question!.at).toEqual(['/nodes/0/systemPrompt']);
  });

  it('is asked about a global condition that reads what nothing sets', () => {
    const plan: Plan = {
      nodes: { a: 'A', g: { ...anytime('asks for {{x}}'), ...end } },
    };
    expect(questions(plan).map(({ at }) => at)).toEqual([['/nodes/1/condition']]);
  });

  it('is not asked about what is set, supplied, built in, local to Liquid or the own capture', () => {
    expect(asked(chain('A', 'Today is {{now}}; {{customer.number}}.'))).toEqual([]);
    expect(asked(chain('{{x}} {{y}}'), { dynamicVariables: ['x', 'y'] })).toEqual([]);
    expect(asked(chain('{% assign x = 1 %}{{x}}'))).toEqual([]);
    const own = { ...capturing('x'), systemPrompt: 'Ask for {{x}}.' };
    expect(asked({ nodes: { a: own } })).toEqual([]);
    const response = { nodes: { a: 'A', t: setter('x'), b: '{{x}}' }, edges: ['a > t', 't > b'] };
    expect(asked(response)).toEqual([]);
  });

  it('is not asked about nodes that no call reaches', () => {
    expect(asked({ nodes: { a: 'A', b: '{{x}}', c: 'C' }, edges: ['b > c', 'c > b'] })).toEqual([]);
  });

  it('proposes the nearest known name', () => {
    const plan: Plan = {
      nodes: { a: capturing('account_number'), b: 'Bills of {{acount_number}}.' },
      edges: ['a > b'],
    };
    const [question] = questions(plan);
    expect(question).toMatchObject({ proposal: 'rename', proposalValue: 'account_number' });
    expect(question!.choices.map(({ key }) => key)).toEqual(['caller', 'rename', 'captured-at']);
  });

  it('offers the nodes that lead to the read', () => {
    const plan: Plan = {
      nodes: { a: 'A', b: 'B', c: '{{x}}', d: 'D', e: 'E', stop: end },
      edges: ['a > b: 1', 'a > d: 2', 'b > c', 'd > e', 'c > stop'],
    };
    const [question] = questions(plan);
    const choice = question!.choices.find(({ key }) => key === 'captured-at');
    expect(JSON.stringify(choice!.value)).toContain('["a","b","c"]');
    const answer = (value: string) =>
      findings(plan, {
        answers: { answers: { 'undefined-variable:x': { choice: 'captured-at', value } } },
      });
    expect(codes(answer('e'))).toContain('api/answer-value');
    expect(codes(answer('b'))).not.toContain('api/answer-value');
  });

  it('offers every node where the read is in a global node', () => {
    const plan: Plan = {
      nodes: { a: 'A', b: 'B', g: { ...anytime('asks'), systemPrompt: '{{x}}' } },
      edges: ['a > b'],
    };
    const choice = questions(plan)[0]!.choices.find(({ key }) => key === 'captured-at');
    expect(JSON.stringify(choice!.value)).toContain('["a","b","g"]');
  });

  it('does not take the same name for a rename', () => {
    const plan: Plan = { nodes: { a: '{{x}}', b: capturing('x') }, edges: ['a > b'] };
    const answers = { answers: { 'undefined-variable:x': { choice: 'rename', value: 'x' } } };
    expect(codes(findings(plan, { answers }))).toContain('api/answer-value');
  });

  it('is settled by each of its answers', () => {
    const plan: Plan = { nodes: { a: capturing('y'), b: '{{x}}' }, edges: ['a > b'] };
    const settle = (choice: string, value?: string) => {
      const answer = value === undefined ? { choice } : { choice, value };
      const options = { answers: { answers: { 'undefined-variable:x': answer } } };
      const { result, members } = compiled(plan, options);
      return {
        status: result.status,
        codes: codes(result.diagnostics),
        prompt: members[0]!.prompt,
      };
    };
    expect(settle('caller')).toMatchObject({
      status: 'complete',
      codes: ['data/unused-capture', 'lower/supplied-by-caller'],
    });
    expect(settle('rename', 'y').prompt).toContain('{{y}}');
    expect(settle('captured-at', 'a').prompt).toContain('- find out x (string)');
  });
});

describe('the warning data/maybe-unset', () => {
  const nodes = { a: 'A', b: capturing('x'), c: 'C', d: '{{x}}' };
  const rhombus = ['a > b: 1', 'a > c: 2', 'b > d', 'c > d'];

  it('names the shortest walk on which the variable is missing', () => {
    const found = findings({ nodes, edges: rhombus }).filter(
      (it) => it.code === 'data/maybe-unset',
    );
    expect(found).toHaveLength(1);
    expect(found[0]!.at).toBe('/nodes/3');
    expect(found[0]!.message).toMatch(/a.*c.*d/);
  });

  it('is not given where every walk sets the variable', () => {
    const both = { ...nodes, c: { ...capturing('x'), firstMessage: 'C' } };
    expect(codes(findings({ nodes: both, edges: rhombus }))).toEqual([]);
  });

  it('is not given beside the question whether it is set at all', () => {
    const plan: Plan = { nodes: { a: '{{x}}', b: '{{x}} b' }, edges: ['a > b'] };
    expect(places(findings(plan), 'data/maybe-unset')).toEqual([]);
  });

  it('is given for what the conditions of a node read', () => {
    const plan: Plan = {
      nodes: { a: 'A', b: capturing('x'), c: 'C', d: 'D', e: 'E' },
      edges: ['a > b: 1', 'a > c: 2', 'b > d', 'c > d', 'd > e: {{x}} is big'],
    };
    expect(places(findings(plan), 'data/maybe-unset')).toEqual(['/nodes/3']);
  });
});

describe('the warning data/never-set', () => {
  it('tells of reads that an answer leaves without a value', () => {
    const plan: Plan = {
      nodes: { a: '{{x}}', b: 'B', c: '{{x}} c' },
      edges: ['a > b', 'b > c'],
    };
    const answers = { answers: { 'undefined-variable:x': { choice: 'captured-at', value: 'b' } } };
    expect(places(findings(plan, { answers }), 'data/never-set')).toEqual([
      '/nodes/0/systemPrompt',
    ]);
  });
});

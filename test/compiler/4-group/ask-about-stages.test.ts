import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../../src/compiler/ir/options.js';
import { codes, compiled, findings, grouped, type Plan, regionsOf, request } from '../build.js';

const questions = (plan: Plan, options?: CompileOptions) => regionsOf(plan, options).dialogue.open;

const cycle: Plan = {
  nodes: { a: 'A', b: 'B', t: request(), c: 'C', d: 'D', e: 'E' },
  edges: ['a > b', 'b > t', 't > c', 'c > d', 'd > b: again', 'd > e: done'],
};

describe('the question cyclic-stages', () => {
  const [question] = questions(cycle);
  const answer = (choice: string, value?: string[][]): CompileOptions => ({
    answers: {
      answers: { [question!.id]: value === undefined ? { choice } : { choice, value } },
    },
  });

  it('is about the nodes of the cycle, and proposes to consolidate', () => {
    expect(question).toMatchObject({
      kind: 'cyclic-stages',
      at: ['/nodes/1', '/nodes/2', '/nodes/3', '/nodes/4'],
      proposal: 'consolidate',
    });
    expect(question!.choices.map(({ key }) => key)).toEqual(['consolidate', 'keep-split', 'group']);
    expect(question!.id).toMatch(/^cyclic-stages:b~[0-9a-f]{8}$/);
  });

  it('keeps its id when the source is written down in another order', () => {
    const nodes = Object.fromEntries(Object.entries(cycle.nodes).reverse());
    const [other] = questions({ nodes, edges: [...cycle.edges!].reverse() });
    expect(other!.id).toBe(question!.id);
  });

  it('keeps its id when another order of edges changes the walk', () => {
    const nodes = { a: 'A', b: 'B', c: 'C', d: 'D' };
    const edges = ['a > b', 'b > c: 1', 'b > d: 2', 'c > b', 'd > b'];
    const ids = [edges, [...edges].reverse()].map((order) => questions({ nodes, edges: order }));
    expect(ids[0]!.map(({ id }) => id)).toEqual(ids[1]!.map(({ id }) => id));
  });

  it('gets another id when the cycle has other stages', () => {
    const edges = [...cycle.edges!.slice(0, -1), 'd > e: go on', 'e > b: again'];
    expect(questions({ ...cycle, edges })[0]!.id).not.toBe(question!.id);
  });

  it('is not asked about a retry round a tool', () => {
    const nodes = { a: 'A', t: request() };
    expect(questions({ nodes, edges: ['a > t', 't > a: again'] })).toEqual([]);
  });

  it('does as it is told', () => {
    expect(grouped(cycle, answer('consolidate'))).toEqual(['a b t c d e']);
    expect(grouped(cycle, answer('keep-split'))).toEqual(['a', 'b t', 'c', 'd', 'e']);
    expect(grouped(cycle, answer('group', [['c', 'd']]))).toEqual(['a', 'b t', 'c d', 'e']);
    expect(grouped(cycle, answer('group', [['b', 't', 'c'], ['d']]))).toEqual([
      'a',
      'b t c',
      'd',
      'e',
    ]);
  });

  it('takes tools of a group that cannot talk for unnamed ones', () => {
    const nodes = { s: 'S', a: 'A', t: request(), b: 'B', u: request({ method: 'POST' }), c: 'C' };
    const edges = ['s > a', 'a > t: x', 't > b', 'b > a: y', 'a > c: z', 'c > u', 'u > a'];
    const [asked] = questions({ nodes, edges });
    const answers = { [asked!.id]: { choice: 'group', value: [['t', 'u'], ['a']] } };
    expect(grouped({ nodes, edges }, { answers: { answers } })).toEqual(['s', 'a t', 'c u', 'b']);
  });

  it('keeps the groups apart for good, whatever the boundary', () => {
    const options = { ...answer('keep-split'), boundary: 'tools' } as const;
    expect(grouped(cycle, options)).toEqual(['a', 'b t', 'c', 'd e']);
  });

  it.each([
    ['a node outside of the cycle', [['b', 'e']]],
    ['a node that there is not', [['b', 'z']]],
    [
      'a node twice',
      [
        ['b', 'c'],
        ['c', 'd'],
      ],
    ],
  ])('refuses groups that name %s', (_, value) => {
    expect(codes(findings(cycle, answer('group', value)))).toContain('api/answer-value');
    expect(questions(cycle, answer('group', value))).toHaveLength(1);
  });

  it('refuses groups that part equal nodes', () => {
    const plan: Plan = {
      nodes: { a: 'A', b: 'Same.', c: 'Same.', d: 'D' },
      edges: ['a > b: 1', 'a > c: 2', 'b > d', 'c > d', 'd > b: again', 'd > c: once more'],
    };
    const [asked] = questions(plan);
    const value = [['b', 'd'], ['c']];
    const answers = { answers: { [asked!.id]: { choice: 'group', value } } };
    expect(codes(findings(plan, { answers }))).toContain('api/answer-value');
  });

  it('waives item 2 of the checklist by its answer', () => {
    const item = (options: CompileOptions) => compiled(cycle, options).result.checklist[1];
    expect(item(answer('keep-split'))).toMatchObject({ holds: true, waivedBy: question!.id });
    expect(item(answer('consolidate'))).not.toHaveProperty('waivedBy');
  });
});

describe('the question conflicting-settings', () => {
  const voice = (voiceId: string) => ({ voice: { provider: 'p', voiceId } });
  const plan: Plan = {
    nodes: {
      a: { systemPrompt: 'A', ...voice('1') },
      b: { systemPrompt: 'B', ...voice('2') },
      c: 'C',
    },
    edges: ['a > b', 'b > c'],
  };

  it('is asked where nodes of one assistant differ in a setting', () => {
    const [question, ...others] = questions(plan);
    expect(others).toEqual([]);
    expect(question).toMatchObject({
      kind: 'conflicting-settings',
      at: ['/nodes/0', '/nodes/1', '/nodes/2'],
      proposal: 'first',
    });
  });

  it('is asked about effective settings: own, else the workflow’s', () => {
    const own: Plan = {
      nodes: { a: { systemPrompt: 'A', ...voice('1') }, b: 'B' },
      edges: ['a > b'],
    };
    expect(questions(own)).toHaveLength(1);
    expect(questions({ ...own, ...voice('1') })).toEqual([]);
    expect(questions({ ...own, ...voice('2') })).toHaveLength(1);
  });

  it('is not asked where an option settles it, or tools differ', () => {
    expect(questions(plan, { memberOverrides: voice('3') })).toEqual([]);
    const model = (name: string) => ({ model: { provider: 'p', model: name } });
    const models: Plan = {
      nodes: { a: { systemPrompt: 'A', ...model('1') }, b: { systemPrompt: 'B', ...model('2') } },
      edges: ['a > b'],
    };
    expect(questions(models)).toHaveLength(1);
    expect(questions(models, model('3') as CompileOptions)).toEqual([]);
    const tools: Plan = {
      nodes: { a: 'A', t: request(voice('2')) },
      edges: ['a > t'],
    };
    expect(questions(tools)).toEqual([]);
  });

  it('cuts the edges whose ends differ, and no others', () => {
    const policies = { 'conflicting-settings': 'keep-split' };
    const long: Plan = {
      nodes: {
        a: { systemPrompt: 'A', ...voice('1') },
        b: { systemPrompt: 'B', ...voice('1') },
        c: { systemPrompt: 'C', ...voice('2') },
        d: { systemPrompt: 'D', ...voice('2') },
        e: { systemPrompt: 'E', ...voice('1') },
      },
      edges: ['a > b', 'b > c', 'c > d', 'd > e'],
    };
    expect(grouped(long, { answers: { policies } })).toEqual(['a b', 'c d', 'e']);
  });

  it('asks about each assistant by itself', () => {
    const branch: Plan = { ...plan, edges: ['a > b: 1', 'a > c: 2'] };
    expect(questions(branch)).toEqual([]);
  });
});

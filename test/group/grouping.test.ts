/** How many assistants, which nodes are whose, in which order, and by which rule. */
import { describe, expect, it } from 'vitest';
import { type CompileOptions, compile } from '../../src/index.js';
import { flow, globalTool, grouped, regionsOf, says } from './flows.js';

const same = says('The same.');
const voice = (voiceId: string) => ({ voice: { provider: 'p', voiceId } });
const inline = {
  type: 'assistant',
  assistant: {
    model: {
      provider: 'openai',
      model: 'gpt-4o',
      messages: [{ role: 'system', content: 'Help.' }],
    },
  },
};
const saved = (assistantId: string) => ({ type: 'assistant', assistantId });
const plain = (id: string) => ({ type: 'conversation', prompt: `Node ${id}.` });
const keptSplit = { answers: { policies: { 'cyclic-stages': 'keep-split' } } };
const byTools: CompileOptions = { boundary: 'tools' };

type More = Parameters<typeof flow>[1];
type Row = readonly [what: string, edges: string, expected: string, more?: More, CompileOptions?];

function table(rows: readonly Row[]): void {
  it.each(rows.map((row) => ({ what: row[0], row })))('$what', ({ row }) => {
    const [, edges, expected, more = {}, options = {}] = row;
    expect(grouped(flow(edges, more), options)).toBe(expected);
  });
}

describe('chains', () => {
  table([
    ['the worked pattern', 'a > b, b > c: 1, b > d: 2, c > x, d > x', 'a b | c | d'],
    ['an exit is no member, and no other way on', 'a > b: 1, a > x: 2, a > y: 3', 'a b'],
    [
      'through a tool, a condition and parallel edges',
      'a > t, t > b: 1, b > c: 2, b > c',
      'a t b c',
    ],
    ['not where another stage leads there', 'a > b: 1, a > c: 2, b > d, c > d', 'a | b | c | d'],
    ['not into a global node, but out of one', 'a > g, g > b', 'a | g b'],
    ['not into the start', 'a > b, g > a: back', 'a b | g'],
    ['a tool at the head of a branch is the branch’s', 'a > t: 1, a > c: 2, t > b', 'a | t b | c'],
    ['what nothing leads to is nobody’s', 'a > b, c > d, d > c', 'a b'],
  ]);
});

describe('equal nodes', () => {
  const twins = { b: same, c: same };
  table([
    ['are one, and then a chain', 'a > b: 1, a > c: 2, b > d, c > d', 'a b d', twins],
    ['go on alike', 'a > b: 1, a > c: 2, b > d, c > e', 'a | b d | c e', twins],
    ['go on under equal conditions', 'a > b: 1, a > c: 2, b > x: 3, c > x: 4', 'a | b | c', twins],
    ['may be lead-ups to each other', 'a > b: 1, a > c: 2, b > c, c > b', 'a b', twins],
    ['are never the start', 'b > c: 1, b > x: 2, c > c: 3, c > x: 4', 'b c', twins],
    ['are never global', 'a > g1, g2', 'a | g1 | g2', { g1: same, g2: same }],
    [
      'have the same texts, captures and settings',
      'a > b: 1, a > c: 2, a > d: 3',
      'a | b | c | d',
      { b: { ...same, firstMessage: 'Hi.' }, c: { ...same, ...voice('1') }, d: same },
    ],
  ]);

  it('have one as the node that a walk meets first, and say so', () => {
    const [first, ...others] = regionsOf(
      flow('a > b: 1, a > c: 2, b > d: 3, c > d: 3, d > c: 4', twins),
    );
    expect(others.map(({ nodes }) => nodes)).toEqual([]);
    expect(first!.merges.map(({ rule, nodes }) => [rule, ...nodes].join(' '))).toEqual([
      'equal-nodes b c',
      'component b d',
      'chain a b d',
    ]);
  });
});

describe('cycles', () => {
  const edges = 'a > b, b > t, t > c, c > d, d > b: again, d > e: done';
  const [question] = compile(flow(edges)).questions;
  const answer = (choice: string, value?: string[][]): CompileOptions => ({
    answers: { answers: { [question!.id]: { choice, ...(value === undefined ? {} : { value }) } } },
  });
  table([
    ['are one stage while nobody has answered', edges, 'a b t c d e'],
    ['are kept split', edges, 'a | b t | c | d | e', {}, answer('keep-split')],
    ['are grouped', edges, 'a | b t | c d | e', {}, answer('group', [['c', 'd']])],
    [
      'are grouped with a tool',
      edges,
      'a | b t c | d | e',
      {},
      answer('group', [['b', 't', 'c'], ['d']]),
    ],
    [
      'are kept split whatever the boundary',
      edges,
      'a | b t | c | d e',
      {},
      { ...answer('keep-split'), ...byTools },
    ],
    [
      'round a tool or to itself need no answer',
      'a > t, t > a: 1, a > a: 2, a > b: 3',
      'a t b',
      {},
      keptSplit,
    ],
    ['of tools are tools', 'a > t1, t1 > t2, t2 > t1: again, t2 > b, a > b: 1', 'a t1 b t2'],
    [
      'have no groups without a talk node',
      's > a, a > t1: 1, t1 > b, b > a: 2, a > c: 3, c > t2, t2 > a',
      's | a t1 | c t2 | b',
      {},
      keptSplit,
    ],
  ]);

  it('are asked about by the nodes that they hold', () => {
    expect(question).toMatchObject({
      kind: 'cyclic-stages',
      at: ['/nodes/1', '/nodes/2', '/nodes/3', '/nodes/4'],
      proposal: 'consolidate',
    });
    expect(compile(flow('s > a, a > t, t > a: again, a > b: done')).questions).toEqual([]);
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
  ])('are not grouped by %s', (_, value) => {
    const { diagnostics, questions } = compile(flow(edges), answer('group', value));
    expect(diagnostics.map(({ code }) => code)).toContain('api/answer-value');
    expect(questions.map(({ id }) => id)).toEqual([question!.id]);
  });

  it('are not grouped with equal nodes apart', () => {
    const twins = flow('a > b: 1, a > c: 2, b > d, c > d, d > b: again, d > c: more', {
      b: same,
      c: same,
    });
    const id = compile(twins).questions[0]!.id;
    const options = {
      answers: { answers: { [id]: { choice: 'group', value: [['b', 'd'], ['c']] } } },
    };
    expect(compile(twins, options).diagnostics.map(({ code }) => code)).toContain(
      'api/answer-value',
    );
  });
});

describe('tools', () => {
  table([
    [
      'go to each stage that calls them',
      'a > b: 1, a > c: 2, b > t, c > t, c > d: 3, t > d',
      'a | b t | c t | d',
    ],
    [
      'go with the tools that follow them',
      'a > b: 1, a > c: 2, a > d: 3, b > t1, c > t2, t1 > t2, t2 > t3, t3 > t2: again, t3 > d',
      'a | b t1 t2 t3 | c t2 t3 | d',
    ],
    [
      'leave chains that are joined afterwards',
      'a > t1: 1, a > t2: 2, t1 > b, t2 > b',
      'a t1 t2 b',
    ],
    ['at any time are everybody’s', 'a > b: 1, a > c: 2, g', 'a g | b g | c g', { g: globalTool }],
    [
      'at any time head what only they lead to',
      'a > b: 1, a > c: 2, g > d',
      'a | b | c | g d',
      { g: globalTool },
    ],
    ['at the start go to what follows', 't > a, a > b: 1, a > c: 2, g > a', 't a | b | c | g'],
    ['at the start stay before several', 't > a: 1, t > b: 2', 't | a | b'],
    ['at the start stay alone', 't > x', 't'],
  ]);

  it('lead on from each of their copies', () => {
    const steps = regionsOf(flow('a > b: 1, a > c: 2, a > d: 3, b > t, c > t, t > d')).map(
      (region) => region.steps.map(({ kind, from, to }) => `${from} ${kind} ${to}`).join(', '),
    );
    expect(steps).toEqual([
      'a handoff b, a handoff c, a handoff d',
      'b inner t, t handoff d',
      'c inner t, t handoff d',
      '',
    ]);
  });

  it('lead back into a copy’s own stage', () => {
    const cycle = flow('a > b, b > t, c > t, t > b: 1, t > c: 2');
    const steps = regionsOf(cycle, keptSplit).map((region) => region.steps.map(({ kind }) => kind));
    expect(steps).toEqual([
      ['handoff'],
      ['inner', 'inner', 'handoff'],
      ['handoff', 'inner', 'inner'],
    ]);
  });
});

describe('the boundary `tools`', () => {
  const y2 = { y2: { destination: '+14155550199' } };
  table([
    ['joins branches without tools', 'a > b: 1, a > c: 2, b > x', 'a b c', {}, byTools],
    [
      'keeps a branch with other tools',
      'a > t1, t1 > b: 1, t1 > c: 2, b > t2',
      'a t1 c | b t2',
      {},
      byTools,
    ],
    ['joins one with tools to one without', 'a > b: 1, a > c: 2, b > t', 'a b c t', {}, byTools],
    [
      'joins one with the same transfer',
      'a > y: 0, a > b: 1, a > c: 2, b > y',
      'a b c',
      {},
      byTools,
    ],
    [
      'keeps one with another transfer',
      'a > y: 0, a > b: 1, a > c: 2, b > y2',
      'a c | b',
      y2,
      byTools,
    ],
    [
      'compares stages, not what has joined them',
      'a > b: 1, a > c: 2, b > t1, c > d: 3, c > t2: 4, t2 > d',
      'a b c t1 d t2',
      {},
      byTools,
    ],
    [
      'wants one stage before',
      'a > t1, t1 > b: 1, t1 > c: 2, b > t2, t2 > d, c > d',
      'a t1 c | b t2 | d',
      {},
      byTools,
    ],
    ['never joins a global node', 'a > g: 1, a > b: 2', 'a b | g', {}, byTools],
    [
      'overlooks it beside a tool of its own',
      'a > b: 1, a > c: 2, b > t, g',
      'a b c t g',
      { g: globalTool },
      byTools,
    ],
    [
      'overlooks a tool for everybody',
      'a > b: 1, a > c: 2, g',
      'a b c g',
      { g: globalTool },
      byTools,
    ],
  ]);
});

describe('settings', () => {
  const two = { a: voice('1'), b: voice('2') };
  const asked = (workflow: object, options: CompileOptions = {}) =>
    compile(workflow, options).questions.map(({ kind, at }) => [kind, ...at].join(' '));
  it('that differ in one assistant are asked about', () => {
    expect(asked(flow('a > b, b > c', two))).toEqual([
      'conflicting-settings /nodes/0 /nodes/1 /nodes/2',
    ]);
    expect(asked(flow('a > b: 1, a > c: 2', two))).toEqual([]);
    expect(asked(flow('a > b', two), { memberOverrides: voice('3') })).toEqual([]);
    expect(asked(flow('a > t', { a: voice('1'), t: voice('2') }))).toEqual([]);
  });

  it('are those of the node, else of the workflow', () => {
    const one = { a: voice('1') };
    expect(asked(flow('a > b', one))).toHaveLength(1);
    expect(asked({ ...flow('a > b', one), ...voice('1') })).toEqual([]);
  });

  const options = { answers: { policies: { 'conflicting-settings': 'keep-split' } } };
  table([
    [
      'cut the edges whose ends differ',
      'a > b, b > c, c > d, d > e',
      'a b | c d | e',
      { a: voice('1'), b: voice('1'), c: voice('2'), d: voice('2'), e: voice('1') },
      options,
    ],
    ['cut beyond tools', 'a > t, t > b', 'a t | b', two, options],
  ]);
});

describe('a node that is an assistant already', () => {
  const all = (edges: string, more: More) => {
    const plains = Object.fromEntries([...'abcd'].map((id) => [id, plain(id)]));
    return grouped(flow(edges, { ...plains, ...more }));
  };
  it('stays one, and is equal to none unless it is saved', () => {
    expect(all('a > b, b > r, r > c, c > d', { r: inline })).toBe('a b | r | c d');
    expect(all('a > r: 1, a > s: 2', { r: inline, s: inline })).toBe('a | r | s');
    expect(all('a > r: 1, a > s: 2', { r: saved('1'), s: saved('1') })).toBe('a | r');
    expect(all('a > r: 1, a > s: 2', { r: saved('1'), s: saved('2') })).toBe('a | r | s');
    expect(all('a > r, r > a: 1, r > b: 2', { r: inline })).toBe('a | r | b');
  });

  it('takes tools, unless it is saved', () => {
    expect(all('a > b: 1, a > t1: 2, t1 > r, r > t2', { r: inline })).toBe('a | b | t1 r t2');
    const edges = 'a > b: 1, a > t1: 2, t1 > r, r > t2, t2 > c';
    expect(all(edges, { r: saved('1') })).toBe('a t1 | b | r | t2 c');
    expect(all('t1 > r', { r: saved('1') })).toBe('t1 | r');
  });
});

/** Item 2 and its questions: which assistants a workflow comes to, judged by squads of others. */
import { describe, expect, it } from 'vitest';
import type { CompileOptions, JsonObject } from '../../src/index.js';
import { asks, check, flow, type Small, squadOf } from './small.js';

const policy = (kind: string, choice: string): CompileOptions => ({
  answers: { policies: { [kind]: choice } },
});
const kept = policy('cyclic-stages', 'keep-split');
const joined = policy('cyclic-stages', 'consolidate');
const tools: CompileOptions = { boundary: 'tools' };
const voice = (voiceId: string) => ({ voice: { provider: 'p', voiceId } });
const apart = policy('conflicting-settings', 'keep-split');
const same = { systemPrompt: 'Do the same.' };
const diamond = flow('a b c d', 'a>b: x, a>c: y, b>d, c>d');
const cycle = flow('a b c', 'a>b, b>c: x, c>b: y');
const anywhere = { isGlobal: true, condition: 'at any time' };

/** The assistants by name, which is that of their first node. */
function members(squad: JsonObject): string {
  const { members: list } = squad['squad'] as { members: { assistant: { name: string } }[] };
  return list.map(({ assistant }) => assistant.name).join(' ');
}

describe('the assistants of a workflow', () => {
  const twins = { b: same, c: same };
  const given = { g: anywhere };
  const silent = { systemPrompt: '' };
  const gather = { ...silent, type: 'gather' };
  const mute = { ...given, a: silent, b: gather, d: silent, h: gather };
  const others = { b: same, c: { ...same, ...asks('v') } };
  const cases: [string, Small, CompileOptions, string][] = [
    ['a chain is one', flow('a b c', 'a>b: x, b>c'), {}, 'a'],
    ['branches are apart, and where they meet', diamond, {}, 'a b c d'],
    [
      'equal nodes are one',
      flow('a b c d e', 'a>b: x, a>c: y, b>d: m, b>e: n, c>d: m, c>e: n', twins),
      {},
      'a d e',
    ],
    [
      'but not by their ways',
      flow('a b c d e', 'a>b: x, a>c: y, b>d: m, b>e: n, c>d: n, c>e: m', twins),
      {},
      'a b c d e',
    ],
    [
      'a retry round a tool is one',
      flow('a b c d t!', 'a>b, b>t: x, t>b, b>c: y, b>d: z'),
      {},
      'a c d',
    ],
    ['a cycle is one, with what leads only to it', cycle, joined, 'a'],
    ['a cycle that is kept apart is several', cycle, kept, 'a b c'],
    ['a global node is no end of a chain', flow('a g h', 'a>g, g>h', { g: anywhere }), {}, 'a g'],
    ['a tool between goes to who calls it', flow('a b c t!', 'a>t, t>b: x, t>c: y'), {}, 'a b c'],
    ['a global tool goes to all', flow('a b c g!', 'a>b: x, g>c', given), {}, 'a c'],
    ['its ways too', flow('a b d c g!', 'a>b: x, a>d: y, b>c, g>c', given), {}, 'a b d c'],
    ['nor by captures', flow('a b c d', 'a>b: x, a>c: y, b>d, c>d', others), {}, 'a b c d'],
    ['a line goes to what follows', flow('a b c l~', 'a>b: x, a>l: y, l>c'), {}, 'a b c'],
    ['or to who comes to it', flow('a b c d l~', 'a>b: x, a>c: y, b>l, c>l, l>d'), {}, 'a b c d'],
    ['a line at the start', flow('l~ a b c', 'l>a, a>b: x, a>c: y'), {}, 'a b c'],
    [
      'a line with two ways on is one',
      flow('a l~ b c', 'a>l: x, l>b, l>c: y, a>b: z'),
      {},
      'a l b c',
    ],
    ['a tool at the start', flow('t! a b c', 't>a, a>b: x, a>c: y'), {}, 'a b c'],
    [
      'nodes that say nothing are told apart by where they stand',
      flow('s! e! a g! t! b c d p! q! h', 's>e, e>a, a>t, t>b, g>c, g>d, a>p, a>q, p>h', mute),
      {},
      'a b c d',
    ],
    ['boundary tools: without tools all are one', diamond, tools, 'a'],
    [
      'boundary tools: other tools are a reason',
      flow('a b c p! q!', 'a>p: w, p>b, a>c: z, c>q, a>b: y'),
      tools,
      'a c',
    ],
  ];

  it.each(cases)('%s', (_, small, options, expected) => {
    const squad = squadOf(small, options);
    expect(members(squad)).toBe(expected);
    expect(check(small, squad, options).failing).toEqual([]);
  });
});

describe('a squad of other assistants', () => {
  const branch = flow('a b c', 'a>b: 1, a>c: 2');
  const chain = flow('a b c', 'a>b: 1, b>c: 3');
  const cut = flow('a b c', 'a>b: 1, a>c: 2, b>c: 3');
  const twins = (edges: string) =>
    flow('a b c d', `a>b: 1, a>c: 2, ${edges}`, { b: same, c: same });
  const tooled = (edges: string) => flow('a b c t!', edges);
  const shared = tooled('a>b: 1, a>c: 2, b>t, c>t');
  const headed = tooled('a>t: 1, a>c: 2, t>b');
  const cases: [string, Small, CompileOptions, Small, CompileOptions, string][] = [
    ['cuts a chain', chain, {}, cut, {}, '“a” and “b” form a chain.'],
    ['cuts a cycle', cycle, joined, cycle, kept, '“b” and “c” lead to each other.'],
    [
      'cuts what no tools set apart',
      branch,
      tools,
      branch,
      {},
      '“a” and “b” do not differ in their tools.',
    ],
    ['merges branches', branch, {}, branch, tools, '“a” and “b”, which belong to two assistants.'],
    ['merges what is kept apart', cycle, kept, cycle, joined, 'which an answer keeps apart.'],
    [
      'has a line for itself',
      flow('a l~ b', 'a>l: 1, l>b'),
      {},
      flow('a l~ b', 'a>l: 1, a>b: 2, l>b: 3'),
      {},
      '“l” has no conversation or gather node.',
    ],
    ['has equals twice', twins('b>d, c>d'), {}, twins('b>d, c>d: x'), {}, 'behave the same'],
    ['has a tool elsewhere', headed, {}, tooled('a>t: 1, a>c: 2, t>b, c>b'), {}, ' call “t”'],
    ['lacks a tool', shared, {}, tooled('a>b: 1, a>c: 2, b>t'), {}, '“c” does not call “t”'],
  ];

  it.each(cases)('fails where it %s', (_, small, options, other, others, fault) => {
    const { failing, faults } = check(small, squadOf(other, others), options);
    expect(failing).toContain(2);
    expect(faults(2).join()).toContain(fault);
  });
});

describe('questions about stages', () => {
  const round = flow('s b c d', 's>b, b>c: x, c>b: y, c>d: z, d>c: w');
  const settings = flow('a b', 'a>b', { a: voice('1'), b: voice('2') });
  /** An answer to the only question that there is. */
  const group = (value: string[][], small: Small = round): CompileOptions => {
    const [id = ''] = check(small, { squad: { members: [] } })
      .faults(2)
      .flatMap((text) => /The question “(.*)” has/.exec(text)?.[1] ?? []);
    return { answers: { answers: { [id]: { choice: 'group', value } } } };
  };

  it.each([
    ['a cycle', round, kept, 'cyclic-stages:b'],
    ['settings', settings, apart, 'conflicting-settings:a'],
  ])('are waived by an answer that keeps %s apart, and open without it', (_, small, answer, id) => {
    const squad = squadOf(small, answer);
    expect(check(small, squad, answer)).toMatchObject({ holds: true, waived: [id] });
    const { failing, waived, faults } = check(small, squad);
    expect(failing).toContain(2);
    expect(waived).toEqual([]);
    expect(faults(2).join()).toContain(`The question “${id}~`);
  });

  it('are waived for the groups of an answer, and a node that none names is alone', () => {
    const answer = group([['b', 'c']]);
    const squad = squadOf(round, answer);
    expect(members(squad)).toBe('s b d');
    expect(check(round, squad, answer)).toMatchObject({ holds: true, waived: ['cyclic-stages:b'] });
    expect(check(round, squad, group([['c', 'd']])).failing).toContain(2);
  });

  it('stay open where a group names who is not of the cycle', () => {
    const { faults } = check(round, squadOf(round, kept), group([['s', 'b']]));
    expect(faults(2).join()).toContain('The question “cyclic-stages:b~');
  });

  it('stay open where two groups have one each of two equal nodes', () => {
    const edges = 's>b, b>c: x, c>b: y, b>d: m, c>e: n, d>b: r, e>b: r';
    const twins = flow('s b c d e', edges, { d: same, e: same });
    const squad = squadOf(twins, kept);
    const torn = [
      ['b', 'd'],
      ['c', 'e'],
    ];
    expect(check(twins, squad, group(torn, twins)).faults(2).join()).toContain('has no answer');
    expect(check(twins, squad, kept).failing).toEqual([]);
  });
});

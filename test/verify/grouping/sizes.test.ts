/** Workflows far bigger than any that was written by hand: none may cost more than its size. */
import { describe, expect, it } from 'vitest';
import { openDialogue } from '../../../src/compiler/1-read/decide.js';
import { parseWorkflow } from '../../../src/compiler/1-read/parse-workflow.js';
import type { NodeIndex } from '../../../src/compiler/ir/ids.js';
import type { CompileOptions } from '../../../src/compiler/ir/options.js';
import { groupNodes } from '../../../src/verify/grouping/group-nodes.js';
import { readSource } from '../../../src/verify/source-graph.js';
import { settled } from './expected.js';

const talk = (at: number, systemPrompt = `Say ${at}.`) => ({
  id: `n${at}`,
  type: 'conversation',
  systemPrompt,
});
const tool = (at: number, more: object = {}) => ({
  id: `n${at}`,
  type: 'apiRequest',
  url: `https://api.example.com/${at}`,
  method: 'GET',
  ...more,
});
const edge = (from: number, to: number, condition?: string) => ({
  from: `n${from}`,
  to: `n${to}`,
  ...(condition === undefined ? {} : { condition }),
});
const times = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));
const chain = (count: number) => times(count - 1, (at) => edge(at, at + 1));
const anytime = (at: number) => ({ isGlobal: true, condition: `at ${at}` });

const keepSplit: CompileOptions = {
  answers: { policies: { 'cyclic-stages': 'keep-split', 'conflicting-settings': 'keep-split' } },
};

/** How many assistants are expected. */
function count(nodes: object[], edges: object[], options: CompileOptions = {}): number {
  const { workflow } = parseWorkflow({ name: 'Big', nodes, edges });
  const ready = settled(options);
  const source = readSource(workflow!, 0 as NodeIndex);
  return groupNodes(source, ready, openDialogue(ready.answers).decide).stageCount;
}

/** Milliseconds; what grows with the square of the size takes longer. */
const limit = 20_000;

describe('groupNodes', { timeout: limit }, () => {
  const size = 30_000;

  it('takes a chain, and one whose nodes say the same', () => {
    expect(count(times(size, talk), chain(size))).toBe(1);
    const same = times(size, (at) => talk(at, 'Same.'));
    expect(count(same, chain(size))).toBe(1);
  });

  it('takes a star, and one whose leaves are equal', () => {
    const edges = times(size - 1, (at) => edge(0, at + 1, `wants ${at}`));
    expect(count(times(size, talk), edges)).toBe(size);
    const same = times(size, (at) => talk(at, at === 0 ? 'Start.' : 'Same.'));
    expect(count(same, edges)).toBe(1);
  });

  it('takes a cycle, in one and kept apart', () => {
    const edges = [...chain(size), edge(size - 1, 1, 'again')];
    expect(count(times(size, talk), edges)).toBe(1);
    expect(count(times(size, talk), edges, keepSplit)).toBe(size);
  });

  it('takes many small cycles and many settings that are kept apart', () => {
    const pairs = times(5_000, (at) => [2 * at + 1, 2 * at + 2] as const);
    const nodes = times(10_001, (at) => ({ ...talk(at), voice: { voiceId: `${at % 2}` } }));
    const ways = pairs.flatMap(([one, other]) => [edge(0, one, `wants ${one}`), edge(one, other)]);
    expect(count(nodes, ways, keepSplit)).toBe(10_001);
    const back = pairs.map(([one, other]) => edge(other, one, 'back'));
    expect(count(times(10_001, talk), [...ways, ...back], keepSplit)).toBe(10_001);
  });

  it('takes a loop of tools that many call', () => {
    const half = size / 2;
    const nodes = times(size, (at) => (at < half ? talk(at) : tool(at)));
    const calls = times(half - 1, (at) => [
      edge(0, at + 1, `wants ${at}`),
      edge(at + 1, half + at, 'looks up'),
    ]).flat();
    const loop = times(half, (at) => edge(half + at, half + ((at + 1) % half)));
    expect(count(nodes, [...calls, ...loop])).toBe(half);
  });

  it.each(['branch', 'tools'] as const)('takes a tree for the boundary `%s`', (boundary) => {
    const edges = times(size - 1, (at) => edge(Math.floor(at / 3), at + 1, `choice ${at}`));
    expect(count(times(size, talk), edges, { boundary })).toBe(boundary === 'tools' ? 1 : size);
  });

  it('takes a clique', () => {
    const edges = times(500, (from) => times(from, (to) => edge(to, from, `to ${from}`))).flat();
    expect(count(times(500, talk), edges)).toBe(500);
  });

  it('takes many global nodes, and many global tools with many stages', () => {
    const globals = times(700, (at) => ({ ...talk(at), ...(at === 0 ? {} : anytime(at)) }));
    expect(count(globals, [])).toBe(700);
    const half = size / 2;
    const nodes = times(size, (at) => (at < half ? talk(at) : tool(at, anytime(at))));
    const edges = times(half - 1, (at) => [
      edge(0, at + 1, `wants ${at}`),
      edge(half + at, at + 1, 'then'),
    ]).flat();
    expect(count(nodes, edges)).toBe(half);
  });

  it('takes a chain that comes together one stage at a time', () => {
    // All stages hold the tool that leads back to the first; each join takes one step back away.
    const stairs = times(size / 4, (at) => 3 * at);
    const last = 3 * stairs.length;
    const nodes = [
      talk(0),
      ...stairs.flatMap((at) => [tool(at + 1), tool(at + 2), talk(at + 3)]),
      tool(last + 1, anytime(0)),
    ];
    const edges = stairs.flatMap((at) => [
      edge(at, at + 1, 'left'),
      edge(at, at + 2, 'right'),
      edge(at + 1, at + 3),
      edge(at + 2, at + 3),
    ]);
    expect(count(nodes, [...edges, edge(last + 1, 0)])).toBe(1);
  });
});

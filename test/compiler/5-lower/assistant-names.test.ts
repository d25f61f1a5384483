import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../../src/compiler/ir/options.js';
import { compiled, destinations, findings, type Plan, request } from '../build.js';

const names = (plan: Plan, options?: CompileOptions) =>
  compiled(plan, options).members.map(({ name }) => name);
const branch = ['a > b: 1', 'a > c: 2'];
const plan: Plan = { nodes: { a: 'A', b: 'B', c: 'C' }, edges: branch };

describe('names of assistants', () => {
  it('are of the first talk node: its name, else its id', () => {
    const nodes = { a: { name: 'Desk' }, b: 'B', t: request({ name: 'Tool' }), c: 'C' };
    expect(names({ nodes, edges: ['a > b: 1', 'a > t: 2', 't > c'] })).toEqual(['Desk', 'b', 'c']);
  });

  it('are those of the options, by the id of that node', () => {
    const given = { names: { b: 'Billing', a: 'Intake' } };
    expect(names(plan, given)).toEqual(['Intake', 'Billing', 'c']);
    expect(findings(plan, given)).toEqual([]);
  });

  it('of the options are told where there is no such assistant', () => {
    const joined: Plan = { ...plan, edges: ['a > b', 'b > c'] };
    expect(findings(joined, { names: { b: 'B', z: 'Z' } })).toMatchObject([
      { code: 'api/unknown-node', at: '/names/b', in: 'options' },
      { code: 'api/unknown-node', at: '/names/z', in: 'options' },
    ]);
  });

  it('are changed where they cannot be, which is told, and handoffs use the new ones', () => {
    const nodes = { a: 'A', b: { name: 'x'.repeat(60) }, c: { name: 'A', systemPrompt: 'C' } };
    const { members, result } = compiled({ nodes, edges: branch });
    const [first, second, third] = members.map(({ name }) => name);
    expect(first).toBe('a');
    expect(second).toMatch(/^x{31}-[0-9a-f]{8}$/);
    expect(third).toBe('A 2');
    expect(destinations(members[0]!).map((to) => to.assistantName)).toEqual([second, third]);
    expect(result.diagnostics.map(({ code, at }) => [code, at])).toEqual([
      ['lower/renamed', '/nodes/1/name'],
      ['lower/renamed', '/nodes/2/name'],
    ]);
  });

  it('do not depend on what the nodes are called elsewhere', () => {
    const unreachable: Plan = {
      ...plan,
      nodes: { ...plan.nodes, d: { name: 'a' } },
      edges: [...branch, 'd > d'],
    };
    expect(names(unreachable)[0]).toBe('a');
  });
});

describe('names of tools', () => {
  it('are of the node, legal and unique in the whole squad', () => {
    const tool = (name: string) => request({ name, url: `https://api.example.com/${name}` });
    const nodes = {
      a: 'A',
      s: tool('Look up'),
      t: tool('look-up'),
      u: tool('Look_up'),
      b: 'B',
      c: 'C',
    };
    const { members, result } = compiled({
      nodes,
      edges: ['a > s', 's > b: 1', 's > c: 2', 'b > t', 'c > u'],
    });
    expect(members.map(({ tools }) => tools.flatMap((it) => it['name'] ?? []))).toEqual([
      ['Look_up'],
      ['look-up'],
      ['Look_up_2'],
    ]);
    expect(result.diagnostics.filter(({ code }) => code === 'lower/renamed')).toHaveLength(2);
  });

  it('leave the name that an answer gives to the tool that is to be provided', () => {
    const given: Plan = {
      nodes: {
        a: { extractVariables: [{ name: 'x', type: 'string' }] },
        t: request({ name: 'Confirm!' }),
        b: 'B',
        c: 'C',
      },
      edges: ['a > t', "t > b: x == '1'", 't > c: else'],
    };
    const { id } = compiled(given).result.questions[0]!;
    const answer = { choice: 'tool', value: { tool: 'confirm' } };
    const { members } = compiled(given, { answers: { answers: { [id]: answer } } });
    const written = JSON.stringify(members[0]!.tools);
    expect(written).toContain('"name":"Confirm_2"');
    expect(written).toContain('"function":{"name":"confirm"');
  });

  it('are shared by equal requests', () => {
    const nodes = { a: 'A', s: request({ name: 'Same' }), t: request({ name: 'Same' }), b: 'B' };
    const { members } = compiled({ nodes, edges: ['a > s: 1', 'a > t: 2', 's > b', 't > b'] });
    expect(members[0]!.tools.map((tool) => tool['name'])).toEqual(['Same']);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeVariableFlow } from '../../../src/compiler/3-analyze/variables.js';
import type { NodeIndex } from '../../../src/compiler/ir/ids.js';
import { choosing } from '../../../src/testing/answering.js';
import { workflowArbitrary } from '../../../src/testing/workflows.js';
import { readSource } from '../../../src/verify/source-graph.js';
import { listVariables, type Variable } from '../../../src/verify/variables/sites.js';
import {
  anytime,
  captures,
  capturing,
  end,
  type Plan,
  parsed,
  setter,
  transfer,
  workflow,
} from '../../compiler/build.js';
import { runs, seed } from '../../seed.js';
import { answered } from './compiled.js';
import { denseWorkflow } from './dense.js';

/** The sites of `x`, those that are not empty, with nodes by their ids. */
function sites(plan: Plan): Record<string, string> {
  const graph = readSource(parsed(plan), 0 as NodeIndex);
  const variable = listVariables(graph).get('x');
  if (variable === undefined) return {};
  const ids = (nodes: readonly NodeIndex[]) => nodes.map((it) => graph.nodeAt(it).id).join(' ');
  const all = {
    captures: ids(variable.captures.map(({ node }) => node)),
    responses: ids(variable.responses),
    entryReads: ids(variable.entryReads),
    exitReads: ids(variable.exitReads),
    globalReads: ids(variable.globalReads),
    prompt: variable.inGlobalPrompt ? 'yes' : '',
  };
  return Object.fromEntries(Object.entries(all).filter(([, text]) => text !== ''));
}

function isOnlyGiven(variables: ReadonlyMap<string, Variable>, name: string): boolean {
  const {
    captures: set,
    responses,
    entryReads,
    exitReads,
    globalReads,
    givenTo,
  } = variables.get(name)!;
  const lists = [set, responses, entryReads, exitReads, globalReads];
  return givenTo.length > 0 && lists.every((list) => list.length === 0);
}

describe('listVariables', () => {
  it.each<[string, object]>([
    ['first message', { firstMessage: '{{x}}' }],
    ['prompt', { systemPrompt: '{{x.first}} {{ x }}' }],
    ['description', { extractVariables: [{ name: 'z', type: 'string', description: '{{x}}' }] }],
    ['transfer message', transfer({ transferPlan: { message: '{{x}}' } })],
    ['number', transfer({ destination: 'sip:{{x}}@example.com' })],
    ['url', { ...setter('z'), url: 'https://example.com/{{x}}' }],
    ['header', { ...setter('z'), headers: { Authorization: '{{x}}' } }],
    ['body', { ...setter('z'), body: { properties: { a: { value: '{{x[0]}}' } } } }],
    ['last words', { ...end, firstMessage: 'Bye {{x}}' }],
  ])('finds the read of a %s', (_, fields) => {
    expect(sites({ nodes: { a: 'A', b: fields }, edges: ['a > b'] })).toEqual({ entryReads: 'b' });
  });

  it('finds the reads of conditions, and of the prompt of all', () => {
    const nodes = { a: 'A', b: 'B', g: anytime('asks for {{x}}') };
    const edges = ['a > b: {{x}}', 'a > b: not {{x}}', 'b > a'];
    const plan = { nodes, edges, globalPrompt: 'Know {{x}}.' };
    expect(sites(plan)).toEqual({ exitReads: 'a', globalReads: 'g', prompt: 'yes' });
  });

  it('finds captures and what tools set, and nothing where no call comes', () => {
    const nodes = { a: capturing('x'), t: { ...setter('x'), ...captures('x') }, b: setter('x') };
    expect(sites({ nodes, edges: ['a > t'] })).toEqual({ captures: 'a t', responses: 't' });
    expect(sites({ nodes: { a: 'A', b: '{{x}}' } })).toEqual({});
  });

  it('finds what a tool gives for the condition of a global node, which then reads nothing', () => {
    const plan = { nodes: { a: capturing('x'), g: anytime("x == 'y'") } };
    const tool = { choice: 'tool', value: { tool: 'look' } };
    const { graph } = answered(workflow(plan), () => tool);
    const variable = listVariables(readSource(graph.workflow, graph.start)).get('x')!;
    expect(variable).toMatchObject({ globalReads: [], givenTo: [1], responses: [] });
  });

  it('counts the later of two captures of one node', () => {
    const graph = readSource(
      parsed({ nodes: { a: capturing('x', 'y', 'x: number') } }),
      0 as NodeIndex,
    );
    const { captures: found } = listVariables(graph).get('x')!;
    expect(found.map(({ capture }) => capture.type)).toEqual(['number']);
  });

  it('finds what the compiler finds, whatever is answered', () => {
    const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });
    const workflows = fc.oneof(workflowArbitrary({ size: 14 }), denseWorkflow());
    const property = fc.property(workflows, numbers, (workflow, choices) => {
      const { graph } = answered(workflow, choosing(choices));
      const theirs = computeVariableFlow(graph).variables;
      const all = listVariables(readSource(graph.workflow, graph.start));
      // The compiler looks up what a tool gives for a global node where it needs to know.
      const mine = new Map(
        [...all].filter(([name]) => theirs.has(name) || !isOnlyGiven(all, name)),
      );
      expect([...mine.keys()].sort()).toEqual([...theirs.keys()].sort());
      for (const [name, variable] of mine) {
        const other = theirs.get(name)!;
        const pairs = [
          [variable.captures.map(({ node }) => node), other.captures.map(({ node }) => node)],
          [variable.responses, other.responses],
          [variable.entryReads, other.reads],
          [variable.exitReads, other.conditionReads],
          [variable.globalReads, other.globalReads],
        ] as const;
        for (const [one, two] of pairs) expect(new Set(one)).toEqual(new Set(two));
        expect(variable.inGlobalPrompt).toBe(other.readEverywhere);
      }
    });
    fc.assert(property, { seed, numRuns: runs(100) });
  });
});

/** Rewritten workflows look like what the platform has, keep every text, and are told as what they are. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/index.js';
import {
  asRead,
  choosing,
  dialects,
  laws,
  neverThrows,
  rewriteAs,
  type SpecWorkflow,
  settle,
  workflowArbitrary,
} from '../../src/testing.js';
import { runs, seed } from '../seed.js';
import { graph, worked } from './graphs.js';

const [, collect] = worked().nodes;
const ofWorked = (
  ...given: Parameters<typeof rewriteAs> extends [unknown, ...infer R] ? R : never
) => rewriteAs(worked(), ...given) as { nodes: object[]; edges: object[] };

describe('what the dialects hold', () => {
  it('exports: one name for each node, tools inline, conditions for the model', () => {
    const { nodes, edges } = ofWorked('export');
    expect(nodes[0]).toMatchObject({ name: 'greet', isStart: true, prompt: 'Greet the caller.' });
    expect(nodes[1]).toMatchObject({
      variableExtractionPlan: { output: [{ title: 'topic', enum: ['a', 'b'] }, { enum: [] }] },
    });
    expect(nodes[4]).toMatchObject({ type: 'tool', tool: { type: 'endCall' } });
    expect(edges[1]).toMatchObject({ condition: { type: 'ai', prompt: 'the topic is billing' } });
    expect(nodes[0]).not.toHaveProperty('id');
  });

  it('captures as a schema, with sorted names', () => {
    const schema = { type: 'object', properties: { topic: { enum: ['a', 'b'] } } };
    expect(ofWorked('schema').nodes[1]).toMatchObject({ variableExtractionPlan: { schema } });
    const names = asRead(worked(), 'schema').nodes[1]?.extractVariables?.map(({ name }) => name);
    expect(names).toEqual(collect?.extractVariables?.map(({ name }) => name).sort());
  });

  it('responses: ids and names, edges from source to target', () => {
    const { nodes, edges } = ofWorked('response');
    expect(nodes[0]).toMatchObject({ id: 'greet', name: 'greet' });
    expect(edges[0]).toMatchObject({ source: 'greet', target: 'collect' });
  });

  it('tasks: a node that leads to the start, and gather where something is extracted', () => {
    const { nodes, edges } = ofWorked('tasks');
    expect([nodes[0], edges[0]]).toEqual([
      { id: 'start', type: 'start' },
      { from: 'start', to: 'greet' },
    ]);
    expect(nodes[2]).toMatchObject({ id: 'collect', type: 'gather', output: { type: 'object' } });
    expect(nodes[3]).toMatchObject({ type: 'say', prompt: expect.any(String) });
  });

  it('a box around any of them', () => {
    expect(rewriteAs(worked(), 'wrapped', [3])).toEqual({ workflow: ofWorked('tasks', [3]) });
  });

  it('expressions marked as such only where they are nothing else', () => {
    const marked = (condition: string): boolean => {
      const workflow = { ...worked(), edges: [{ from: 'greet', to: 'collect', condition }] };
      return JSON.stringify(rewriteAs(workflow, 'export', [1])).includes('"logic"');
    };
    const conditions = [" tier == 'gold'\n", "{% if a == 'b' %}x{% endif %}", "the a == 'b' fits"];
    expect(conditions.map(marked)).toEqual([true, true, false]);
  });

  it('ids where names are not alone', () => {
    const keys = (...names: string[]): string[] => {
      const nodes = names.map((name, at) => ({
        id: `n${at}`,
        type: 'conversation' as const,
        name,
      }));
      return asRead({ nodes, edges: [] }, 'export').nodes.map(({ id }) => id);
    };
    expect(keys('Desk', 'Desk', 'Bills')).toEqual(['n0', 'n1', 'Bills']);
    expect(keys('__proto__', 'caf\u00e9', 'cafe\u0301')).toEqual(['n0', 'n1', 'n2']);
  });
});

describe.each(dialects)('the dialect `%s`', (dialect) => {
  const numbers = fc.array(fc.nat(99), { maxLength: 8 });
  const workflows = fc.oneof(workflowArbitrary(), workflowArbitrary({ hostile: true }));

  it('keeps every text, changes no argument, and never makes compile throw', () => {
    const property = fc.property(workflows, numbers, (workflow, choices) => {
      const before = JSON.stringify(workflow);
      const document = rewriteAs(workflow, dialect, choices);
      expect(JSON.stringify(workflow)).toBe(before);
      const texts = textsWithin(document);
      expect(textsOf(workflow).filter((text) => !texts.includes(text))).toEqual([]);
      for (const target of ['squad', 'vapi'] as const) neverThrows(document, { target });
    });
    fc.assert(property, { seed, numRuns: runs(100) });
  });

  it('is told to be another than that of the specification', () => {
    const { diagnostics } = compile(rewriteAs(worked(), dialect));
    expect(diagnostics.filter(({ code }) => code === 'shape/dialect')).toHaveLength(1);
  });
});

it('a grouping that tears equal nodes apart is refused alike in another dialect', () => {
  // Both ways round lead back, and the nodes on them are equal: no grouping may part them.
  const workflow = graph('n0>t1 n0>n3 n0>n5 t1>n2 n3>t4 t4>n0 n5>t6 t6>n0');
  for (const node of workflow.nodes) {
    if (/[35]/.test(node.id)) node.systemPrompt = 'The same.';
    if (/[46]/.test(node.id)) node.url = 'https://api.example.com/same';
  }
  const isTorn = (given: readonly number[]): boolean =>
    settle(workflow, {}, choosing(given)).result.status === 'invalid';
  const torn = fc.sample(fc.array(fc.nat(99), { minLength: 4, maxLength: 8 }), {
    seed,
    numRuns: 200,
  });
  const given = torn.filter(isTorn).slice(0, 5);
  expect(given.length).toBeGreaterThan(0);
  for (const each of given) laws.dialectsAgree(workflow, { numbers: each });
});

function textsOf({ nodes, edges }: SpecWorkflow): string[] {
  const texts = [
    ...nodes.flatMap((node) => [
      ...[node.firstMessage, node.systemPrompt, node.condition, node.transferPlan?.message],
      ...(node.extractVariables ?? []).map(({ description }) => description),
    ]),
    ...edges.map(({ condition }) => condition),
  ];
  return texts.filter((text): text is string => text !== undefined && text.trim() !== '');
}

function textsWithin(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(textsWithin)
    : [];
}

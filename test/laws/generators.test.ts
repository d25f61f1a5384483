/** What the generators promise: valid workflows, texts that stand once, every shape there is. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileValue, type SpecWorkflow, workflowArbitrary } from '../../src/testing/index.js';
import { reach, startCandidates } from '../../src/testing/source.js';
import { isExit } from '../../src/testing/spec-workflow.js';
import { runs, seed } from '../seed.js';

const settings = { seed, numRuns: runs(1000) };

describe('workflowArbitrary', () => {
  it('gives nodes with unique ids and edges between them', () => {
    fc.assert(
      fc.property(workflowArbitrary(), ({ nodes, edges }) => {
        const ids = new Set(nodes.map(({ id }) => id));
        expect(ids.size).toBe(nodes.length);
        for (const { from, to } of edges)
          expect([ids.has(from), ids.has(to)]).toEqual([true, true]);
      }),
      settings,
    );
  });

  it('repeats no text unless it may make equal nodes', () => {
    fc.assert(
      fc.property(workflowArbitrary({ equals: false, logical: false }), (workflow) => {
        const texts = textsOf(workflow);
        expect(new Set(texts).size).toBe(texts.length);
      }),
      settings,
    );
  });

  it('has one possible start and reaches every node where nothing is left open', () => {
    const arbitrary = workflowArbitrary({ cycles: false, dead: false, gaps: false });
    fc.assert(
      fc.property(arbitrary, (workflow) => {
        expect(startCandidates(workflow)).toEqual([0]);
        const { nodes, edges } = workflow;
        const globals = nodes.flatMap(({ isGlobal }, index) => (isGlobal ? [index] : []));
        const position = (id: string): number => nodes.findIndex((node) => node.id === id);
        const ends = edges.map(({ from, to }) => ({ from: position(from), to: position(to) }));
        expect(reach([0, ...globals], ends).size).toBe(nodes.length);
      }),
      settings,
    );
  });

  it('comes to every kind of node, edge and gap', () => {
    const found = new Set<string>();
    for (const workflow of fc.sample(workflowArbitrary(), settings)) {
      for (const sign of signsOf(workflow)) found.add(sign);
    }
    expect([...found].sort()).toEqual(allSigns);
  });
});

describe('hostileValue', () => {
  it('gives values of every kind', () => {
    const values = fc.sample(hostileValue(), { seed, numRuns: 500 });
    const kinds = new Set(values.map((value) => (value === null ? 'null' : typeof value)));
    expect([...kinds]).toEqual(expect.arrayContaining(['null', 'object', 'string', 'undefined']));
  });
});

function textsOf({ nodes, edges }: SpecWorkflow): string[] {
  return [
    ...nodes.flatMap(({ firstMessage, systemPrompt, transferPlan, condition }) => [
      firstMessage,
      systemPrompt,
      transferPlan?.message,
      condition,
    ]),
    ...edges.map(({ condition }) => condition),
  ].filter((text) => text !== undefined);
}

function signsOf(workflow: SpecWorkflow): string[] {
  const { nodes, edges } = workflow;
  const exits = new Set(nodes.filter(isExit).map(({ id }) => id));
  const prompts = nodes.flatMap(({ systemPrompt = [] }) => systemPrompt);
  const signs: Record<string, boolean> = {
    'a global tool': nodes.some(({ type, isGlobal }) => isGlobal && type === 'apiRequest'),
    'a global transfer': nodes.some(({ type, isGlobal }) => isGlobal && type === 'transferCall'),
    'a self-loop': edges.some(({ from, to }) => from === to),
    'a tool at the start': nodes[0]?.type === 'apiRequest',
    'an edge out of an exit': edges.some(({ from }) => exits.has(from)),
    'an expression': edges.some(({ condition = '' }) => condition.includes('==')),
    'a response': nodes.some(({ responseVariables }) => responseVariables !== undefined),
    'a missing number': nodes.some((node) => node.type === 'transferCall' && !node.destination),
    'a missing url': nodes.some(({ type, url }) => type === 'apiRequest' && !url),
    'an unknown variable': prompts.some((text) => text.includes('{{omega}}')),
    'equal prompts': new Set(prompts).size < prompts.length,
    'several starts': startCandidates(workflow).length > 1,
    'strange texts': prompts.some((text) => text.includes('𝄞')),
    'no start': startCandidates(workflow).length === 0,
  };
  return Object.keys(signs).filter((sign) => signs[sign]);
}

const allSigns = [
  'a global tool',
  'a global transfer',
  'a missing number',
  'a missing url',
  'a response',
  'a self-loop',
  'a tool at the start',
  'an edge out of an exit',
  'an expression',
  'an unknown variable',
  'equal prompts',
  'no start',
  'several starts',
  'strange texts',
];

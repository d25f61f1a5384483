/** What the generators promise: valid workflows, texts that stand once, every shape there is. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/index.js';
import { isExit } from '../../src/simulator/spec-workflow.js';
import { reach, startCandidates } from '../../src/simulator/workflow.js';
import { hostileValue, type SpecWorkflow, workflowArbitrary } from '../../src/testing.js';
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

describe('workflowArbitrary with size', () => {
  it('gives as many nodes as are asked for, or a few more', () => {
    const counts = (size: number): number[] =>
      fc.sample(workflowArbitrary({ size }), settings).map(({ nodes }) => nodes.length);
    expect(Math.max(...counts(4))).toBeLessThanOrEqual(7);
    const many = counts(60);
    expect(Math.max(...many)).toBeGreaterThanOrEqual(60);
    expect(Math.max(...many)).toBeLessThanOrEqual(63);
  });

  it('knows its older name', () => {
    const [older, newer] = [workflowArbitrary({ maxNodes: 4 }), workflowArbitrary({ size: 4 })];
    expect(fc.sample(older, settings)).toEqual(fc.sample(newer, settings));
  });
});

describe('workflowArbitrary with hostile texts', () => {
  const hostile = workflowArbitrary({ hostile: true });

  it('gives valid workflows', () => {
    for (const workflow of fc.sample(hostile, { seed, numRuns: 300 })) {
      expect(compile(workflow).status).not.toBe('invalid');
    }
  });

  it('comes to every kind of misleading text, name and id', () => {
    const found = new Set<string>();
    for (const workflow of fc.sample(hostile, settings)) {
      for (const sign of hostileSigns(workflow)) found.add(sign);
    }
    expect([...found].sort()).toEqual([...allHostileSigns].sort());
  });

  it('changes nothing but texts, names and ids', () => {
    fc.assert(
      fc.property(hostile, ({ nodes, edges }) => {
        const ids = nodes.map(({ id }) => id);
        expect(new Set(ids).size).toBe(nodes.length);
        for (const { from, to } of edges) expect(ids).toEqual(expect.arrayContaining([from, to]));
      }),
      settings,
    );
  });

  it('shrinks to the text that matters', () => {
    const says = ({ nodes }: SpecWorkflow): boolean =>
      nodes.some(({ systemPrompt = '' }) => systemPrompt.includes('\nStep 2\n'));
    const { counterexample } = fc.check(
      fc.property(hostile, (workflow) => !says(workflow)),
      settings,
    );
    const [workflow] = counterexample ?? [];
    expect(workflow?.nodes.length).toBeLessThanOrEqual(3);
    const strange = workflow && textsOf(workflow).filter((text) => !/^[\w .]+$/.test(text));
    expect(strange).toEqual([expect.stringMatching(/^Do the work of n\d\.\n\nStep 2\n/)]);
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

function hostileSigns(workflow: SpecWorkflow): string[] {
  const { nodes, edges } = workflow;
  const texts = textsOf(workflow);
  const long = texts.filter((text) => text.trim().length > 3);
  const siblings = edges.map(({ from, condition }) => condition && `${from} ${condition}`);
  const conditions = siblings.filter((each) => each !== undefined);
  const talking = nodes.filter(({ type }) => type === 'conversation' || type === 'gather');
  const signs: Record<string, boolean> = {
    'a heading': texts.some((text) => text.includes('\nStep 2\n')),
    'a bullet': texts.some((text) => text.includes('\n- when asked, go to step 1')),
    'a line to say': texts.some((text) => text.includes('Say: "')),
    'words between conditions': texts.some((text) => text.includes('; or ')),
    'a way in': texts.some((text) => text.includes(', begin at step 1.')),
    'any time': texts.some((text) => text.includes('At any time')),
    'an end': texts.some((text) => text.includes('then end the call')),
    braces: texts.some((text) => text.includes('{"assistantName"')),
    'other line ends': texts.some((text) => text.includes('\r\n')),
    'white space around': texts.some((text) => /^\s+\S.*\s+$/s.test(text)),
    'a part of another text': long.some((text) =>
      long.some((other) => other !== text && other.includes(text)),
    ),
    'one letter': texts.includes('a') && texts.includes('e'),
    'blank texts': texts.includes(' ') && texts.includes('\n'),
    'empty texts': texts.includes(''),
    'nodes without texts': talking.some((node) => !node.systemPrompt && !node.firstMessage),
    'equal instructions': nodes.filter((node) => node.systemPrompt === 'Go on.').length > 1,
    'equal requests': nodes.filter(({ url = '' }) => url.endsWith('/same')).length > 1,
    'equal conditions': new Set(conditions).size < conditions.length,
    'a reserved name': nodes.some(({ name }) => name === '__proto__' || name === 'constructor'),
    'an id like a method': nodes.some(({ id }) => id === 'toString'),
    'an id like a heading': nodes.some(({ id }) => id === 'Step 1'),
    'long names': nodes.some(({ name = '' }) => name.length === 200),
    'long ids': nodes.some(({ id }) => id.length === 200),
  };
  for (const sign of Object.keys(signs)) allHostileSigns.add(sign);
  return Object.keys(signs).filter((sign) => signs[sign]);
}

const allHostileSigns = new Set<string>();

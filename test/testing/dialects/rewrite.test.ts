/** Rewritten workflows look like what the platform has: its exports, its responses, older tasks. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  asRead,
  dialects,
  rewriteAs,
  type SpecWorkflow,
  workflowArbitrary,
} from '../../../src/testing/index.js';
import { worked } from '../../laws/graphs.js';
import { seed } from '../../seed.js';
import { clinic } from './clinic.js';

const spare: SpecWorkflow['nodes'] = [
  { id: 'g', type: 'conversation', firstMessage: 'Hello.' },
  { id: 'h', type: 'conversation', systemPrompt: 'Talk.' },
];

const longer: SpecWorkflow = {
  ...clinic,
  nodes: [...clinic.nodes, ...spare],
  edges: [...clinic.edges, { from: 'c', to: 'g' }, { from: 'g', to: 'h' }],
};

/** Nodes or edges of a rewritten document, by position. */
function partsOf(document: Record<string, unknown>, field: 'nodes' | 'edges'): unknown[] {
  return document[field] as unknown[];
}

describe('an export', () => {
  const document = rewriteAs(clinic, 'export');
  const [greeting, ask, request, transfer, end, hangup] = partsOf(document, 'nodes');

  it('keys nodes by name and marks the start', () => {
    expect(greeting).toMatchObject({
      name: 'Greeting',
      type: 'conversation',
      isStart: true,
      prompt: 'Greet.',
      messagePlan: { firstMessage: 'Hi.' },
      metadata: { position: { x: 0, y: 40 } },
    });
    expect(greeting).not.toHaveProperty('id');
    expect(ask).not.toHaveProperty('isStart');
    expect(document).toMatchObject({ name: 'Clinic', voice: { voiceId: 'v1' } });
  });

  it('lists captures, with an empty list of choices where there are none', () => {
    expect(ask).toMatchObject({
      type: 'conversation',
      variableExtractionPlan: {
        output: [
          { title: 'tier', type: 'string', description: 'the tier', enum: ['gold', 'silver'] },
          { title: 'age', type: 'number', description: 'the age', enum: [] },
        ],
      },
    });
  });

  it('holds tools inline', () => {
    const { tool } = request as { tool: object };
    expect(request).toMatchObject({ name: 'c', type: 'tool' });
    expect(tool).toEqual({
      type: 'apiRequest',
      name: 'find_slot',
      url: 'https://api.example.com/slots',
      method: 'POST',
      headers: {
        type: 'object',
        properties: { Authorization: { type: 'string', enum: ['Bearer {{token}}'] } },
      },
      body: { type: 'object', properties: { age: { type: 'number' } } },
      timeoutSeconds: 20,
      variableExtractionPlan: { aliases: [{ key: 'slot', value: '{{ $.data.at }}' }] },
    });
    expect(transfer).toMatchObject({
      type: 'tool',
      tool: {
        type: 'transferCall',
        destinations: [{ type: 'number', number: '+14155550100', message: 'One moment.' }],
      },
      globalNodePlan: { enabled: true, enterCondition: 'the caller wants a human' },
    });
    expect(end).toMatchObject({
      type: 'tool',
      tool: { type: 'endCall', messages: [{ type: 'request-start', content: 'Goodbye.' }] },
    });
    expect(hangup).toMatchObject({
      type: 'hangup',
      messagePlan: { firstMessage: 'We are closed.' },
    });
  });

  it('joins nodes by name, with conditions for the model', () => {
    expect(partsOf(document, 'edges')).toMatchObject([
      { from: 'Greeting', to: 'b' },
      { from: 'b', to: 'c', condition: { type: 'ai', prompt: "tier == 'gold'" } },
      { from: 'b', to: 'f', condition: { type: 'ai', prompt: 'the caller is rude' } },
      { from: 'c', to: 'e' },
    ]);
    expect(partsOf(document, 'edges')[0]).not.toHaveProperty('condition');
  });

  it('may have empty conditions, and expressions marked as such', () => {
    const [way, exact, sentence] = partsOf(rewriteAs(clinic, 'export', [1]), 'edges');
    expect(way).toMatchObject({ condition: { type: 'ai', prompt: '' } });
    expect(exact).toMatchObject({ condition: { type: 'logic', liquid: "tier == 'gold'" } });
    expect(sentence).toMatchObject({ condition: { type: 'ai' } });
  });

  it('is marked as an expression only where it is nothing else', () => {
    const marked = (condition: string): boolean => {
      const [first] = partsOf(
        rewriteAs({ ...worked(), edges: [{ ...edge, condition }] }, 'export', [1]),
        'edges',
      );
      return (first as { condition: { type: string } }).condition.type === 'logic';
    };
    const edge = { from: 'greet', to: 'collect' };
    expect(marked(" tier == 'gold'\n")).toBe(true);
    expect(marked("{% if tier == 'gold' %} true {% endif %}")).toBe(true);
    expect(marked("the tier == 'gold' and {{ age }} fits")).toBe(false);
    expect(marked('{% if a %} true {% endif %} or so')).toBe(false);
  });

  it('equals a workflow whose ids are its names', () => {
    const { nodes, edges } = asRead(clinic, 'export');
    expect(nodes.map(({ id }) => id)).toEqual(['Greeting', 'b', 'c', 'd', 'e', 'f']);
    expect(nodes.map(({ name }) => name)).toEqual([
      undefined,
      undefined,
      'find_slot',
      undefined,
      undefined,
      undefined,
    ]);
    expect(nodes[1]?.type).toBe('conversation');
    expect(edges[0]).toEqual({ from: 'Greeting', to: 'b' });
  });

  it('keeps ids where names are not alone', () => {
    const named = (...names: string[]): SpecWorkflow => ({
      nodes: names.map((name, index) => ({ id: `n${index}`, type: 'conversation', name })),
      edges: [],
    });
    const keys = (workflow: SpecWorkflow): string[] =>
      asRead(workflow, 'export').nodes.map(({ id }) => id);
    expect(keys(named('Desk', 'Desk', 'Bills'))).toEqual(['n0', 'n1', 'Bills']);
    expect(keys(named('n1', 'Desk', ''))).toEqual(['n0', 'Desk', 'n2']);
    expect(keys(named('__proto__', 'caf\u00e9', 'cafe\u0301'))).toEqual(['n0', 'n1', 'n2']);
  });
});

describe('the other dialects', () => {
  it('hold captures as a schema', () => {
    const [, ask] = partsOf(rewriteAs(clinic, 'schema'), 'nodes');
    expect(ask).toMatchObject({
      variableExtractionPlan: {
        schema: {
          type: 'object',
          properties: {
            tier: { type: 'string', description: 'the tier', enum: ['gold', 'silver'] },
            age: { type: 'number', description: 'the age' },
          },
        },
      },
    });
  });

  it('look like a response of the API', () => {
    const document = rewriteAs(clinic, 'response');
    expect(Object.keys(document)).toEqual(
      expect.arrayContaining(['id', 'orgId', 'createdAt', 'updatedAt', 'name', 'nodes', 'edges']),
    );
    expect(partsOf(document, 'nodes')[0]).toMatchObject({ id: 'a', name: 'Greeting' });
    expect(partsOf(document, 'nodes')[1]).toMatchObject({ id: 'b', name: 'b' });
    expect(partsOf(document, 'edges')[0]).toMatchObject({ source: 'a', target: 'b' });
    expect(partsOf(document, 'edges')[0]).not.toHaveProperty('from');
  });

  it('wrap any of them', () => {
    const [first, second] = [0, 3].map((number) => rewriteAs(clinic, 'wrapped', [number]));
    expect(first).toEqual({ workflow: rewriteAs(clinic, 'export', [0]) });
    expect(second).toEqual({ workflow: rewriteAs(clinic, 'tasks', [3]) });
  });
});

describe('older tasks', () => {
  const document = rewriteAs(longer, 'tasks');
  const nodes = partsOf(document, 'nodes');

  it('begin with a node that leads to the start', () => {
    expect(nodes[0]).toEqual({ id: 'start', type: 'start' });
    expect(partsOf(document, 'edges')[0]).toEqual({ from: 'start', to: 'a' });
  });

  it('say, gather, request, transfer and hang up', () => {
    expect(nodes[2]).toMatchObject({
      id: 'b',
      type: 'gather',
      systemPrompt: 'Ask.',
      output: { type: 'object', properties: { age: { type: 'number' } } },
    });
    expect(nodes[3]).toMatchObject({ type: 'apiRequest', mode: 'blocking', method: 'POST' });
    expect(nodes[4]).toMatchObject({
      type: 'transfer',
      destination: { type: 'number', number: '+14155550100', message: 'One moment.' },
    });
    expect(nodes[6]).toMatchObject({ type: 'hangup', firstMessage: 'We are closed.' });
    expect(nodes.slice(7)).toEqual([
      { id: 'g', type: 'say', exact: 'Hello.' },
      { id: 'h', type: 'say', prompt: 'Talk.' },
    ]);
  });

  it('are written with capitals, too', () => {
    const types = partsOf(rewriteAs(clinic, 'tasks', [1]), 'nodes').map(
      (node) => (node as { type: string }).type,
    );
    expect(types).toEqual([
      'start',
      'conversation',
      'Gather',
      'ApiRequest',
      'Transfer',
      'endCall',
      'Hangup',
    ]);
  });

  it('match what is said, or are exact', () => {
    const [, , exact, said] = partsOf(document, 'edges');
    expect(exact).toMatchObject({ condition: { type: 'logic', liquid: "tier == 'gold'" } });
    expect(said).toMatchObject({ condition: { type: 'ai', matches: ['the caller is rude'] } });
  });
});

describe('every rewriter', () => {
  const numbers = fc.array(fc.nat(99), { maxLength: 8 });
  const workflows = fc.oneof(workflowArbitrary(), workflowArbitrary({ hostile: true }));

  it.each(dialects)('%s depends on its arguments alone, and changes none', (dialect) => {
    fc.assert(
      fc.property(workflows, numbers, (workflow, choices) => {
        const before = JSON.stringify(workflow);
        const [first, second] = [0, 1].map(() => rewriteAs(workflow, dialect, choices));
        expect(first).toEqual(second);
        expect(JSON.stringify(workflow)).toBe(before);
      }),
      { seed, numRuns: 100 },
    );
  });

  it.each(dialects)('%s keeps every text', (dialect) => {
    fc.assert(
      fc.property(workflows, numbers, (workflow, choices) => {
        const texts = textsWithin(rewriteAs(workflow, dialect, choices));
        expect(textsOf(workflow).filter((text) => !texts.includes(text))).toEqual([]);
      }),
      { seed, numRuns: 100 },
    );
  });
});

function textsOf({ nodes, edges }: SpecWorkflow): string[] {
  const texts = [
    ...nodes.flatMap((node) => [
      node.firstMessage,
      node.systemPrompt,
      node.condition,
      node.transferPlan?.message,
      node.url,
      ...(node.extractVariables ?? []).map(({ description }) => description),
    ]),
    ...edges.map(({ condition }) => condition),
  ];
  return texts.filter((text) => text !== undefined && text.trim() !== '') as string[];
}

function textsWithin(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsWithin);
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeFlowGraph } from '../../../src/compiler/3-analyze/flow-graph.js';
import { computeRepresentatives } from '../../../src/compiler/4-group/equal-nodes.js';
import type { FlowGraph } from '../../../src/compiler/ir/flow-graph.js';
import type { NodeIndex } from '../../../src/compiler/ir/ids.js';
import { runs, seed } from '../../seed.js';
import { anytime, captures, flowGraph, type Plan, parsed, request, transfer } from '../build.js';

/** Nodes that another one stands for, as `b = a`. */
function equals(plan: Plan): string[] {
  const graph = flowGraph(plan);
  const { nodes } = graph.workflow;
  const representatives = computeRepresentatives(graph);
  return graph.order
    .filter((node) => representatives[node] !== node)
    .map((node) => `${nodes[node]!.id} = ${nodes[representatives[node]!]!.id}`);
}

/** A start that leads to two nodes with these fields. */
const twins = (one: object, other: object): Plan => ({
  nodes: { start: 'Start.', a: { ...one }, b: { ...other } },
  edges: ['start > a: 1', 'start > b: 2'],
});

describe('computeRepresentatives', () => {
  const capture = { name: 'x', type: 'string', description: 'd', enum: ['1'] };
  const same: [string, object][] = [
    ['prompts', { systemPrompt: 'Same.' }],
    ['everything', { firstMessage: 'Hi', systemPrompt: 'S', extractVariables: [capture] }],
    ['transfers', transfer({ transferPlan: { message: 'Soon' } })],
    ['requests', request({ body: { type: 'object' }, timeoutSeconds: 3 })],
    ['settings', { voice: { provider: 'p', voiceId: 'v' } }],
  ];

  it.each(same)('makes one of two nodes with the same %s', (_, fields) => {
    expect(equals(twins(fields, fields))).toEqual(['b = a']);
  });

  it('looks neither at ids, names, nor at the order of keys', () => {
    const one = { name: 'One', voice: { a: 1, b: 2 } };
    const other = { voice: { b: 2, a: 1 }, name: 'Other' };
    expect(equals(twins(one, other))).toEqual(['b = a']);
  });

  const differing: [string, object, object][] = [
    ['type', { type: 'gather' }, { type: 'conversation' }],
    ['first message', { firstMessage: 'Hi' }, { firstMessage: 'Ho' }],
    ['prompt', { systemPrompt: 'Same.' }, { systemPrompt: 'Same. ' }],
    ['capture', captures('x'), captures('y')],
    ['type of a capture', captures('x'), captures('x: number')],
    [
      'description',
      { extractVariables: [capture] },
      { extractVariables: [{ ...capture, description: 'e' }] },
    ],
    ['enum', { extractVariables: [capture] }, { extractVariables: [{ ...capture, enum: ['2'] }] }],
    ['number', transfer(), transfer({ destination: '+14155550199' })],
    ['message', transfer(), transfer({ transferPlan: { message: 'Soon' } })],
    ['url', request(), request({ url: 'https://other.example.com' })],
    ['method', request(), request({ method: 'POST' })],
    ['headers', request(), request({ headers: { Authorization: 'Bearer other' } })],
    ['body', request(), request({ body: { type: 'object' } })],
    ['timeout', request(), request({ timeoutSeconds: 5 })],
    ['responses', request(), request({ responseVariables: [{ name: 'x', path: 'x' }] })],
    ['voice', { voice: { v: 1 } }, { voice: { v: 2 } }],
    ['model', { model: { provider: 'p', model: 'm' } }, {}],
    ['transcriber', { transcriber: { v: 1 } }, {}],
  ];

  it.each(differing)('keeps apart what differs in its %s', (_, one, other) => {
    expect(equals(twins(one, other))).toEqual([]);
  });

  it('keeps apart what goes on differently', () => {
    const nodes = { start: 'S', a: 'Same.', b: 'Same.', c: 'C', d: 'D' };
    const edges = ['start > a: 1', 'start > b: 2'];
    expect(equals({ nodes, edges: [...edges, 'a > c', 'b > d'] })).toEqual([]);
    expect(equals({ nodes, edges: [...edges, 'a > c', 'b > c: x'] })).toEqual([]);
    expect(equals({ nodes, edges: [...edges, 'a > c', 'b > c'] })).toEqual(['b = a']);
    expect(equals({ nodes, edges: [...edges, 'a > c', 'a > d', 'b > c'] })).toEqual([]);
  });

  it('looks at continuations as sets: order and copies say nothing', () => {
    const nodes = { start: 'S', a: 'Same.', b: 'Same.', c: 'C', d: 'Twin.', e: 'Twin.' };
    const edges = [
      'start > a: 1',
      'start > b: 2',
      'a > c: x',
      'a > d',
      'b > e',
      'b > d',
      'b > c: x',
    ];
    expect(equals({ nodes, edges })).toEqual(['b = a', 'e = d']);
  });

  it('finds equal cycles, however long they are written', () => {
    const nodes = { start: 'S', a: 'Same.', b: 'Same.', c: 'Same.' };
    const edges = ['start > a: 1', 'start > b: 2', 'a > a: again', 'b > c: again', 'c > b: again'];
    expect(equals({ nodes, edges })).toEqual(['b = a', 'c = a']);
  });

  it('makes the start and global nodes equal to none', () => {
    const nodes = {
      a: 'Same.',
      b: 'Same.',
      g: { ...anytime('asks'), systemPrompt: 'Same.' },
      h: { ...anytime('asks'), systemPrompt: 'Same.' },
    };
    expect(equals({ nodes, edges: ['a > b'] })).toEqual([]);
  });

  it('makes equal all that lead to equals, a whole level at a time', () => {
    const nodes = Object.fromEntries(
      ['start', 'a', 'b', 'a1', 'b1', 'a2', 'b2'].map((id) => [id, `Level ${id.slice(1)}`]),
    );
    const edges = ['start > a: 1', 'start > b: 2', 'a > a1', 'b > b1', 'a1 > a2', 'b1 > b2'];
    expect(equals({ nodes, edges })).toEqual(['b = a', 'b1 = a1', 'b2 = a2']);
    expect(equals({ nodes: { ...nodes, b2: 'Other.' }, edges })).toEqual([]);
  });

  it('finds the coarsest bisimulation', () => {
    fc.assert(
      fc.property(alike, (graph) => {
        const representatives = computeRepresentatives(graph);
        const related = naiveBisimulation(graph);
        for (const a of graph.order) {
          for (const b of graph.order) {
            expect(representatives[a] === representatives[b], `${a} ${b}`).toBe(related(a, b));
          }
          const first = graph.order.find((b) => related(a, b));
          expect(representatives[a]).toBe(first);
        }
      }),
      { seed, numRuns: runs(1500) },
    );
  });
});

/** Up to eight nodes with two prompts, and edges with at most two conditions: much is equal. */
const alike: fc.Arbitrary<FlowGraph> = fc
  .record({
    prompts: fc.array(fc.nat(1), { minLength: 2, maxLength: 8 }),
    arcs: fc.array(fc.tuple(fc.nat(7), fc.nat(7), fc.nat(1)), { maxLength: 14 }),
    global: fc.nat(9),
  })
  .map(({ prompts, arcs, global }) => {
    const inside = arcs.filter(([from, to]) => from < prompts.length && to < prompts.length);
    const source = parsed({
      nodes: Object.fromEntries(
        prompts.map((prompt, at) => [
          `n${at}`,
          { systemPrompt: `Prompt ${prompt}.`, ...(at === global ? anytime('asks') : {}) },
        ]),
      ),
      edges: inside.map(([from, to, kind]) => `n${from} > n${to}${kind === 0 ? '' : ': x'}`),
    });
    return computeFlowGraph(source, 0 as NodeIndex);
  });

/** Starts with all pairs that look alike, and drops one as long as a step has no answer. */
function naiveBisimulation({ workflow, order, start }: FlowGraph) {
  const key = (a: number, b: number): string => `${a} ${b}`;
  const steps = (node: number) =>
    workflow.edges.filter(({ from }) => from === node).map((it) => [it.to, it.condition?.value]);
  const alone = (node: number) => node === start || workflow.nodes[node]!.global !== null;
  const prompt = (node: number) => workflow.nodes[node]!.systemPrompt?.value;
  const pairs = order.flatMap((a) => order.map((b): [number, number] => [a, b]));
  const related = new Set(
    pairs
      .filter(([a, b]) => a === b || (!alone(a) && !alone(b) && prompt(a) === prompt(b)))
      .map(([a, b]) => key(a, b)),
  );
  const answers = (a: number, b: number): boolean =>
    steps(a).every(([to, condition]) =>
      steps(b).some((it) => it[1] === condition && related.has(key(to as number, it[0] as number))),
    );
  for (let shrunk = true; shrunk; ) {
    const broken = [...related].filter((pair) => {
      const [a, b] = pair.split(' ').map(Number) as [number, number];
      return !answers(a, b) || !answers(b, a);
    });
    for (const pair of broken) related.delete(pair);
    shrunk = broken.length > 0;
  }
  return (a: number, b: number): boolean => related.has(key(a, b));
}

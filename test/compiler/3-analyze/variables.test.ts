import { describe, expect, it } from 'vitest';
import { applyDecisions } from '../../../src/compiler/1-read/apply-answers.js';
import { computeFlowGraph } from '../../../src/compiler/3-analyze/flow-graph.js';
import { computeVariableFlow } from '../../../src/compiler/3-analyze/variables.js';
import type { Condition, Workflow } from '../../../src/compiler/ir/workflow.js';
import {
  anytime,
  capturing,
  ids,
  type Plan,
  parsed,
  request,
  setter,
  transfer,
  variable,
  variableFlow,
} from '../build.js';

/** Where the variable is set and read, by ids. */
function sites(plan: Plan, name: string) {
  const { graph, flow } = variableFlow(plan);
  const { captures, responses, reads, conditionReads, globalReads } = variable(flow, name);
  return {
    captures: ids(
      graph,
      captures.map((it) => it.node),
    ),
    responses: ids(graph, responses),
    reads: ids(graph, reads),
    conditionReads: ids(graph, conditionReads),
    globalReads: ids(graph, globalReads),
  };
}

const nowhere = { captures: [], responses: [], reads: [], conditionReads: [], globalReads: [] };

describe('computeVariableFlow', () => {
  it.each([
    ['first message', { firstMessage: 'Hello {{x}}.' }],
    ['system prompt', { systemPrompt: 'Talk of {{ x }}, {{x}}.' }],
    ['path into it', { systemPrompt: 'Talk of {{x.name[0]}}.' }],
    ['transfer message', transfer({ transferPlan: { message: 'From {{x}}' } })],
    ['destination', transfer({ destination: 'sip:{{x}}@example.com' })],
    ['url', request({ url: 'https://api.example.com/{{x}}' })],
    ['header', request({ headers: { Authorization: 'Bearer {{x}}' } })],
    ['body', request({ body: { type: 'object', properties: { a: { value: '{{x}}' } } } })],
    [
      'description of a capture',
      { extractVariables: [{ name: 'y', type: 'string', description: 'as in {{x}}' }] },
    ],
  ])('sees the read in a %s, once', (_, fields) => {
    const plan = { nodes: { a: 'A', b: fields }, edges: ['a > b'] };
    expect(sites(plan, 'x')).toEqual({ ...nowhere, reads: ['b'] });
  });

  it('sees captures and responses, in walk order', () => {
    const plan = {
      nodes: { z: capturing('x'), a: setter('x'), m: capturing('y', 'x') },
      edges: ['z > a', 'a > m'],
    };
    expect(sites(plan, 'x')).toEqual({ ...nowhere, captures: ['z', 'm'], responses: ['a'] });
  });

  it('puts the read of a condition at the node that the edge leaves', () => {
    const plan = {
      nodes: { a: 'A', b: 'B', c: 'C' },
      edges: ['a > b: {{x}} is known', "a > c: x == 'yes'"],
    };
    expect(sites(plan, 'x')).toEqual({ ...nowhere, conditionReads: ['a'] });
  });

  it('puts the read of a global condition at the global node', () => {
    const plan = { nodes: { a: 'A', g: { ...anytime('asks for {{x}}'), systemPrompt: 'G' } } };
    expect(sites(plan, 'x')).toEqual({ ...nowhere, globalReads: ['g'] });
  });

  it('takes variables in the order in which a walk meets them', () => {
    const plan = { nodes: { z: '{{a}}', b: '{{c}} {{b}}', a: '{{d}}' }, edges: ['z > a', 'z > b'] };
    const { flow } = variableFlow({ ...plan, edges: ['z > a: 1', 'z > b: 2'] });
    expect([...flow.variables.keys()]).toEqual(['a', 'd', 'c', 'b']);
  });

  it('counts neither unreachable nodes nor edges that are left out', () => {
    const plan = {
      nodes: { a: 'A', lost: '{{x}}', found: capturing('x'), b: '{{y}}' },
      edges: ['lost > found', 'found > lost: {{x}}', 'a > b'],
    };
    expect([...variableFlow(plan).flow.variables.keys()]).toEqual(['y']);
  });

  it('takes what a tool gives for a condition as no read, but as set by the node', () => {
    const source = parsed({ nodes: { a: 'A', b: 'B' }, edges: ["a > b: x == 'yes'"] });
    const asked = {
      kind: 'logical-condition',
      id: 'q',
      at: [],
      text: '',
      choices: [],
      proposal: null,
    } as const;
    const inquiry = {
      question: asked,
      subject: { of: 'edge', edge: source.edges[0]!.index },
      allowed: new Map(),
      assumed: { choice: 'prose' },
    } as const;
    const answered = (choice: string): Workflow =>
      applyDecisions(source, [{ inquiry, choice, value: { tool: 't' }, by: 'answer' }]);
    const flowOf = (read: Workflow) =>
      computeVariableFlow(computeFlowGraph(read, read.nodes[0]!.index)).variables.get('x')!;
    expect(flowOf(answered('tool'))).toMatchObject({ conditionReads: [], responses: [0] });
    expect(flowOf(answered('extract'))).toMatchObject({ conditionReads: [0], responses: [] });
    const routed: Condition | null = answered('extract').edges[0]!.condition;
    expect(routed).toMatchObject({ routing: 'extract' });
  });
});

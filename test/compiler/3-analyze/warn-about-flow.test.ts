import { describe, expect, it } from 'vitest';
import {
  warnAboutFlow,
  warnAboutVariables,
} from '../../../src/compiler/3-analyze/warn-about-flow.js';
import {
  anytime,
  captures,
  capturing,
  codes,
  end,
  findings,
  flowGraph,
  type Plan,
  places,
  setter,
  transfer,
  variableFlow,
} from '../build.js';

const found = (plan: Plan) => warnAboutFlow(flowGraph(plan), []);
const aboutVariables = (plan: Plan) => {
  const { graph, flow } = variableFlow(plan);
  return warnAboutVariables(graph, flow);
};

describe('warnAboutFlow', () => {
  it('has nothing to say about a plain workflow', () => {
    expect(
      found({ nodes: { a: 'A', b: 'B', stop: end }, edges: ['a > b: x', 'b > stop'] }),
    ).toEqual([]);
  });

  it('names every node that no call reaches', () => {
    const plan: Plan = { nodes: { a: 'A', b: 'B', c: 'C' }, edges: ['b > c', 'c > b'] };
    expect(places(found(plan), 'flow/unreachable')).toEqual(['/nodes/1', '/nodes/2']);
  });

  it('calls nothing unreachable while nobody has said where a call starts', () => {
    const plan: Plan = { nodes: { a: 'A', b: 'B' } };
    expect(places(findings(plan), 'flow/unreachable')).toEqual([]);
    const answer = { choice: 'node', value: 'b' };
    const answers = { answers: { 'ambiguous-start:workflow': answer } };
    expect(places(findings(plan, { answers }), 'flow/unreachable')).toEqual(['/nodes/0']);
  });

  it('names edges that leave an exit', () => {
    const plan: Plan = { nodes: { a: 'A', x: transfer() }, edges: ['a > x', 'x > a'] };
    expect(places(found(plan), 'flow/edge-out-of-exit')).toEqual(['/edges/1']);
  });

  it('names copies with the edge that they repeat', () => {
    const [warning] = found({ nodes: { a: 'A', b: 'B' }, edges: ['a > b: x', 'a > b: x'] });
    expect(warning).toMatchObject({
      code: 'flow/copied-edge',
      at: '/edges/1',
      related: ['/edges/0'],
    });
  });

  it('names the nodes from which a walk can never end', () => {
    const plan: Plan = {
      nodes: { a: 'A', b: 'B', c: 'C', d: 'D' },
      edges: ['a > b: 1', 'a > d: 2', 'b > c', 'c > b'],
    };
    const [warning, ...others] = found(plan);
    expect(others).toEqual([]);
    expect(warning).toMatchObject({
      code: 'flow/endless',
      at: '/nodes/1',
      related: ['/nodes/2'],
    });
  });

  it('calls nothing endless that a global node can end', () => {
    const nodes = { a: 'A', b: 'B', g: { ...anytime('wants to stop'), ...end } };
    const edges = ['a > b', 'b > a'];
    expect(codes(found({ nodes, edges }))).not.toContain('flow/endless');
    const silent = { ...nodes, g: { ...anytime('asks'), systemPrompt: 'G' } };
    expect(codes(found({ nodes: silent, edges: [...edges, 'g > a'] }))).toContain('flow/endless');
  });

  it('names two edges out of one node with the same condition', () => {
    const plan: Plan = {
      nodes: { a: 'A', b: 'B', c: 'C', d: 'D' },
      edges: ['a > b: x', 'a > c: x', 'a > d', 'b > c: x', 'c > b'],
    };
    const same = found(plan).filter(({ code }) => code === 'flow/same-condition');
    expect(same.map(({ at, related }) => [at, related])).toEqual([['/edges/1', ['/edges/0']]]);
    const plain: Plan = { ...plan, edges: ['a > b', 'a > c', 'a > d: z'] };
    expect(places(found(plain), 'flow/same-condition')).toEqual(['/edges/1']);
  });

  it('names a global node without a condition', () => {
    const plan: Plan = { nodes: { a: 'A', g: { ...anytime(undefined), systemPrompt: 'G' } } };
    expect(places(found(plan), 'flow/global-without-condition')).toEqual(['/nodes/1']);
  });
});

describe('warnAboutVariables', () => {
  it('names a capture that bears the name of a built-in variable', () => {
    const plan: Plan = {
      nodes: { a: capturing('time', 'x'), b: '{{time}} {{x}}' },
      edges: ['a > b'],
    };
    expect(places(aboutVariables(plan), 'data/shadows-builtin')).toEqual([
      '/nodes/0/extractVariables/0',
    ]);
  });

  it('names a capture that nothing reads', () => {
    const nodes = { a: capturing('x', 'y'), b: 'B', c: 'C' };
    const plan: Plan = { nodes, edges: ['a > b: {{x}}', 'a > c'] };
    expect(places(aboutVariables(plan), 'data/unused-capture')).toEqual([
      '/nodes/0/extractVariables/1',
    ]);
    const global = { ...nodes, g: { ...anytime('asks for {{y}}'), ...end } };
    expect(codes(aboutVariables({ nodes: global, edges: plan.edges! }))).toEqual([]);
  });

  it('names texts that read into a captured value', () => {
    const nodes = { a: capturing('x'), b: '{{x.street}} {{x}} {{x[0]}}', c: 'C' };
    const plan: Plan = { nodes, edges: ['a > b', 'b > c: {{x.city}} is near'] };
    expect(places(aboutVariables(plan), 'data/path-into-scalar')).toEqual([
      '/nodes/1/systemPrompt',
      '/edges/1/condition',
    ]);
  });

  it('lets texts read into what a tool sets', () => {
    const nodes = { a: setter('x'), b: { systemPrompt: '{{x.street}}', ...captures('x') } };
    expect(codes(aboutVariables({ nodes, edges: ['a > b'] }))).toEqual([]);
  });
});

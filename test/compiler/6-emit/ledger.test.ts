import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../../src/compiler/ir/options.js';
import type { LedgerEntry } from '../../../src/compiler/ir/result.js';
import { ledgerConserves, workflowArbitrary } from '../../../src/testing/index.js';
import { runs, seed } from '../../seed.js';
import {
  anytime,
  captures,
  capturing,
  compiled,
  end,
  type Plan,
  setter,
  transfer,
} from '../build.js';

const ledger = (plan: Plan, options?: CompileOptions) => compiled(plan, options).result.ledger;
const at = (entries: readonly LedgerEntry[], place: string): LedgerEntry =>
  entries.find((entry) => entry.at === place)!;
const member = (index: number) => `/squad/members/${index}`;
const prompt = (index: number) => `${member(index)}/assistant/model/messages/0/content`;

const plan: Plan = {
  globalPrompt: 'Be kind.',
  voice: { voiceId: 'v' },
  version: 2,
  nodes: {
    a: { firstMessage: 'Hi.', ...capturing('x') },
    b: 'Same {{x}}',
    c: 'Same {{x}}',
    x: transfer({ transferPlan: { message: 'Soon.' } }),
    g: { ...anytime('asks'), firstMessage: 'Gi.', systemPrompt: 'G' },
    lost: { systemPrompt: 'Lost.', ...captures('y') },
    stop: end,
    found: 'Found.',
    d: 'D',
  },
  edges: [
    ...['a > b: 1', 'a > c: 2', 'b > x', 'c > x', 'lost > found: x', 'stop > a', 'a > stop: 3'],
    ...['found > lost: y', 'a > d: 4'],
  ],
};

describe('the ledger of copied edges', () => {
  it('folds the copy of an edge whose exact condition was answered', () => {
    const nodes = { a: capturing('x'), stop: end };
    const twice: Plan = { nodes, edges: ["a > stop: x == 'y'", "a > stop: x == 'y'"] };
    const policies = { 'logical-condition': 'prose' };
    const entries = ledger(twice, { answers: { policies } });
    expect(at(entries, '/edges/1')).toEqual({
      at: '/edges/1',
      kind: 'edge',
      status: 'folded',
      reason: 'same step as /edges/0',
      outputs: [prompt(0)],
    });
  });
});

describe('the ledger of nodes', () => {
  const entries = ledger(plan);

  it('says of a converted node which member it is in', () => {
    expect(at(entries, '/nodes/0')).toEqual({
      at: '/nodes/0',
      kind: 'node',
      status: 'converted',
      outputs: [member(0)],
    });
  });

  it('says of an equal node that it was folded, and where its texts stand', () => {
    expect(at(entries, '/nodes/2')).toMatchObject({ status: 'folded', reason: 'equal to b' });
    expect(at(entries, '/nodes/2/systemPrompt')).toMatchObject({
      status: 'folded',
      outputs: at(entries, '/nodes/1/systemPrompt').outputs,
    });
    expect(at(entries, '/nodes/1/systemPrompt').outputs.length).toBeGreaterThan(0);
  });

  it('says of an exit that it was folded into the assistants before it', () => {
    expect(at(entries, '/nodes/6')).toMatchObject({ status: 'folded', outputs: [member(0)] });
    expect(at(entries, '/nodes/3/transferPlan/message')).toMatchObject({
      kind: 'transfer-message',
    });
  });

  it('says of what no call reaches that it was dropped, with everything in it', () => {
    for (const place of ['', '/systemPrompt', '/extractVariables/0']) {
      expect(at(entries, `/nodes/5${place}`)).toMatchObject({
        status: 'dropped',
        reason: 'unreachable',
        outputs: [],
      });
    }
  });

  it('says where lines, instructions, variables and conditions stand', () => {
    expect(at(entries, '/nodes/0/firstMessage')).toMatchObject({
      kind: 'line',
      outputs: [`${member(0)}/assistant/firstMessage`],
    });
    expect(at(entries, '/nodes/0/systemPrompt')).toMatchObject({
      kind: 'instruction',
      outputs: [prompt(0)],
    });
    const variable = at(entries, '/nodes/0/extractVariables/0');
    expect(variable.kind).toBe('variable');
    expect(variable.outputs).toContain(prompt(0));
    const global = at(entries, '/nodes/4/condition');
    expect(global.kind).toBe('condition');
    expect(global.outputs.some((output) => output.includes('/destinations/'))).toBe(true);
  });

  it('says where a response variable stands', () => {
    const tools = ledger({ nodes: { a: 'A', t: setter('x') }, edges: ['a > t'] });
    expect(at(tools, '/nodes/1/responseVariables/0').outputs).toContain(
      `${member(0)}/assistant/model/tools/0/variableExtractionPlan/aliases/0/value`,
    );
  });
});

describe('the ledger of edges', () => {
  const entries = ledger(plan);
  const destination = `${member(0)}/assistant/model/tools/0/destinations/0`;

  it('says which destination a handoff became', () => {
    expect(at(entries, '/edges/0')).toMatchObject({ status: 'converted' });
    expect(at(entries, '/edges/0').outputs.some((it) => it.startsWith(destination))).toBe(true);
    expect(at(entries, '/edges/0/condition')).toMatchObject({
      kind: 'condition',
      status: 'converted',
    });
  });

  it('says of an edge of an equal node which one it was folded into', () => {
    expect(at(entries, '/edges/3')).toMatchObject({
      status: 'folded',
      reason: 'same step as /edges/2',
    });
  });

  it('says why an edge was dropped', () => {
    expect(at(entries, '/edges/4')).toMatchObject({ status: 'dropped', reason: 'unreachable' });
    expect(at(entries, '/edges/5')).toMatchObject({ status: 'dropped', reason: 'leaves an exit' });
  });

  it('says of an inner edge that it stands in the prompt', () => {
    const inner = ledger({ nodes: { a: 'A', b: 'B' }, edges: ['a > b: on', 'a > b: on'] });
    expect(at(inner, '/edges/0')).toMatchObject({ status: 'converted', outputs: [prompt(0)] });
    expect(at(inner, '/edges/0/condition').outputs).toEqual([prompt(0)]);
    expect(at(inner, '/edges/1')).toMatchObject({
      status: 'folded',
      reason: 'same step as /edges/0',
    });
  });
});

describe('the ledger of the workflow', () => {
  it('holds its prompt, its settings and its unknown fields', () => {
    const entries = ledger(plan);
    expect(at(entries, '/globalPrompt').outputs).toEqual([0, 1, 2, 3].map(prompt));
    expect(at(entries, '/voice')).toMatchObject({ kind: 'setting', status: 'converted' });
    expect(at(entries, '/version')).toMatchObject({ kind: 'field', status: 'dropped' });
  });

  it('says of a setting that another one overrides that it was dropped', () => {
    const entries = ledger(plan, { memberOverrides: { voice: { voiceId: 'w' } } });
    expect(at(entries, '/voice')).toMatchObject({ status: 'dropped', reason: 'overridden' });
  });

  it('says what waits for an answer', () => {
    const entries = ledger({ nodes: { a: 'A', x: { type: 'transferCall' } }, edges: ['a > x'] });
    expect(at(entries, '/nodes/1').status).toBe('needs-answer');
    expect(at(entries, '/nodes/0').status).toBe('converted');
  });

  it('keeps an entry for everything in any workflow', () => {
    fc.assert(
      fc.property(workflowArbitrary({ maxNodes: 6 }), (source) => ledgerConserves(source)),
      { seed, numRuns: runs(100) },
    );
  });
});

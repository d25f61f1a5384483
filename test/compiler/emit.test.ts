import { describe, expect, it } from 'vitest';
import { emit } from '../../src/compiler/emit.js';
import { anytime, capturing, end, type Plan, workflow } from './build.js';

const plan: Plan = {
  nodes: {
    a: capturing('x'),
    b: 'B',
    c: '{{x}}',
    stop: end,
    g: { ...anytime('asks'), systemPrompt: 'G' },
    lost: 'Lost.',
  },
  edges: ['a > b', 'b > c: 1', 'b > stop: 2', 'b > c: 1', 'lost > lost: x'],
};
const emitted = (what: Parameters<typeof emit>[2]) =>
  emit(workflow(plan), { answers: start }, what).document as Record<string, unknown>;
const start = { answers: { 'ambiguous-start:workflow': { choice: 'node', value: 'a' } } };

describe('emit', () => {
  it('shows the flow graph by ids and pointers', () => {
    expect(emitted('flow-graph')).toEqual({
      start: 'a',
      globals: ['g'],
      order: [
        { id: 'a', role: 'talk', successors: ['b'], edges: ['/edges/0'] },
        { id: 'b', role: 'talk', successors: ['c', 'stop'], edges: ['/edges/1', '/edges/2'] },
        { id: 'c', role: 'talk', successors: [], edges: [] },
        { id: 'stop', role: 'exit', successors: [], edges: [] },
        { id: 'g', role: 'talk', successors: [], edges: [] },
      ],
      leftOut: [
        { edge: '/edges/3', reason: 'copy' },
        { edge: '/edges/4', reason: 'unreachable' },
      ],
    });
  });

  it('shows the regions with the rules that made them', () => {
    const [first, second] = (emitted('regions')['regions'] ?? []) as object[];
    expect(first).toMatchObject({
      assistant: 'a',
      first: 'a',
      nodes: ['a', 'b', 'c'],
      entries: ['a'],
      merges: [{ rule: 'chain', nodes: ['a', 'b', 'c'] }],
    });
    expect(second).toMatchObject({ assistant: 'g', globals: ['g'], entries: ['g'] });
  });

  it('shows the squad before it has a target’s shape', () => {
    const { assistants } = emitted('squad-ir') as { assistants: { name: { value: string } }[] };
    expect(assistants.map(({ name }) => name.value)).toEqual(['a', 'g']);
  });

  it.each(['flow-graph', 'regions', 'squad-ir'] as const)('shows %s as plain JSON', (what) => {
    const document = emitted(what);
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it('shows nothing of an input that is invalid, and the result beside it', () => {
    const { document, result } = emit({}, {}, 'regions');
    expect([document, result.status]).toEqual([null, 'invalid']);
    expect(emit(workflow(plan), { answers: start }, 'regions').result.status).toBe('complete');
  });
});

/** Workflows far bigger than any that was written by hand: no depth or width costs the stack. */
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/compiler/compile.js';
import type { CompileResult } from '../../src/compiler/ir/result.js';

const talk = (at: number, systemPrompt = `Say ${at}.`) => ({
  id: `n${at}`,
  type: 'conversation',
  systemPrompt,
});
const nodes = (count: number, prompt?: string) =>
  Array.from({ length: count }, (_, at) => talk(at, prompt));
const chain = (count: number) =>
  Array.from({ length: count - 1 }, (_, at) => ({ from: `n${at}`, to: `n${at + 1}` }));

/** Reads everything that is made when it is first read. */
function finish(result: CompileResult): CompileResult {
  expect(result.ledger.length).toBeGreaterThan(0);
  expect(result.checklist).toHaveLength(9);
  return result;
}

describe('compile', () => {
  it('takes a chain of 10,000 nodes', () => {
    const result = finish(compile({ name: 'x', nodes: nodes(10_000), edges: chain(10_000) }));
    expect(result).toMatchObject({ status: 'complete', stats: { assistants: 1 } });
  });

  it('takes a cycle of 10,000 nodes', () => {
    const edges = [...chain(10_000), { from: 'n9999', to: 'n1', condition: 'again' }];
    const result = finish(compile({ name: 'x', nodes: nodes(10_000), edges }));
    expect(result).toMatchObject({ status: 'needs-answers', stats: { assistants: 1 } });
    expect(result.questions.map(({ kind }) => kind)).toEqual(['cyclic-stages']);
  });

  it('takes a chain of 10,000 nodes with one text', () => {
    const same = nodes(10_000, 'Same.');
    const result = finish(compile({ name: 'x', nodes: same, edges: chain(10_000) }));
    expect(result).toMatchObject({ status: 'complete', stats: { assistants: 1 } });
  });

  it('takes a star of 5,000 branches', () => {
    const edges = Array.from({ length: 5000 }, (_, at) => ({
      from: 'n0',
      to: `n${at + 1}`,
      condition: `wants ${at}`,
    }));
    const result = finish(compile({ name: 'x', nodes: nodes(5001), edges }));
    expect(result).toMatchObject({
      status: 'complete',
      stats: { assistants: 5001, handoffs: 5000 },
    });
  });

  it('takes 5,000 branches that come together again', () => {
    const out = Array.from({ length: 5000 }, (_, at) => ({
      from: 'n0',
      to: `n${at + 1}`,
      condition: `wants ${at}`,
    }));
    const back = out.map(({ to }) => ({ from: to, to: 'n5001' }));
    const result = finish(compile({ name: 'x', nodes: nodes(5002), edges: [...out, ...back] }));
    expect(result).toMatchObject({ status: 'complete', stats: { assistants: 5002 } });
  });

  it('takes a chain of 3,000 nodes that each read what nothing sets', () => {
    const reading = Array.from({ length: 3000 }, (_, at) => talk(at, `Talk of {{v${at}}}.`));
    const result = finish(compile({ name: 'x', nodes: reading, edges: chain(3000) }));
    expect(result.questions).toHaveLength(3000);
  });
});

import { describe, expect, it } from 'vitest';
import { capturing, compiled, end, type Plan, transfer } from '../build.js';

const bullets = (plan: Plan, options = {}): string[] =>
  compiled(plan, options)
    .members[0]!.prompt.split('\n')
    .filter((line) => line.startsWith('- '));

describe('the ways on from a step', () => {
  it('stand under it, one each, in the order of the edges', () => {
    const plan: Plan = {
      nodes: { a: 'A', b: 'B', c: 'C', d: 'D', stop: end, x: transfer() },
      edges: ['a > stop: 1', 'a > b: 2', 'a > x: 3', 'a > c: 4', 'a > a: 5', 'a > d'],
    };
    expect(bullets(plan)).toEqual([
      '- when 1, then end the call',
      '- when 2, hand off to "b"',
      '- when 3, then transfer the call to +14155550100',
      '- when 4, hand off to "c"',
      '- when 5, go to step 1',
      '- otherwise, when done with a, hand off to "d"',
    ]);
  });

  it('are "when done" and "otherwise" inside the assistant', () => {
    const plan: Plan = { nodes: { a: 'A', b: 'B' }, edges: ['a > b', 'b > b: again', 'b > a'] };
    const answers = { policies: { 'cyclic-stages': 'consolidate' } };
    const start = { 'ambiguous-start:workflow': { choice: 'node', value: 'a' } };
    expect(bullets(plan, { answers: { ...answers, answers: start } })).toEqual([
      '- when done, go to step 2',
      '- when again, go to step 2',
      '- otherwise, go to step 1',
    ]);
  });

  it('use the name that the other assistant was given', () => {
    const plan: Plan = {
      nodes: { a: capturing('x'), b: { name: 'Bills & more' }, c: 'C' },
      edges: ['a > b', 'a > c: 2'],
    };
    expect(bullets(plan, { names: { c: 'Care' } }).slice(1)).toEqual([
      '- otherwise, after collecting x, hand off to "Bills & more"',
      '- when 2, hand off to "Care"',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../../src/compiler/ir/options.js';
import {
  anytime,
  captures,
  capturing,
  codes,
  compiled,
  crossings,
  findings,
  type Plan,
  setter,
  transfer,
} from '../build.js';

const carry = (plan: Plan, options?: CompileOptions): string[] =>
  crossings(compiled(plan, options).members);
const branch = ['a > b: 1', 'a > c: 2'];
const consolidate = { answers: { policies: { 'cyclic-stages': 'consolidate' } } };

describe('a plan', () => {
  it('carries what the other assistant reads, and to no other', () => {
    expect(carry({ nodes: { a: capturing('x', 'y'), b: '{{x}}', c: 'C' }, edges: branch })).toEqual(
      ['a > b: x', 'a > c:'],
    );
  });

  it.each<[string, object]>([
    ['first message', { firstMessage: '{{x}}' }],
    ['path into it', { systemPrompt: '{{x.first}}' }],
    ['description', { extractVariables: [{ name: 'z', type: 'string', description: '{{x}}' }] }],
  ])('carries what a %s reads', (_, fields) => {
    expect(carry({ nodes: { a: capturing('x'), b: fields, c: 'C' }, edges: branch })[0]).toBe(
      'a > b: x',
    );
  });

  it('carries what conditions, transfers and later assistants read', () => {
    const nodes = { a: capturing('x', 'y', 'z'), b: 'B', c: 'C', d: '{{z}}', e: 'E' };
    const x = transfer({ transferPlan: { message: '{{y}}' } });
    const edges = [...branch, 'b > d: {{x}} is big', 'b > e: 2', 'c > x'];
    expect(carry({ nodes: { ...nodes, x }, edges })).toEqual([
      'a > b: x z',
      'a > c: y',
      'b > d:',
      'b > e:',
    ]);
  });

  it('carries nothing that is only used to choose the branch, or only read inside', () => {
    const nodes = { a: capturing('x'), a2: '{{x}}', b: 'B', c: 'C' };
    const edges = ['a > a2', 'a2 > b: {{x}} is big', 'a2 > c: {{x}} is small'];
    expect(carry({ nodes, edges })).toEqual(['a > b:', 'a > c:']);
  });

  it('carries nothing that is set again before it is read', () => {
    const again = { nodes: { a: capturing('x'), b: capturing('x'), b2: '{{x}}', c: 'C' } };
    expect(carry({ ...again, edges: [...branch, 'b > b2'] })[0]).toBe('a > b:');
    const before = { ...again.nodes, b: { ...capturing('x'), systemPrompt: 'Not {{x}}?' } };
    expect(carry({ nodes: before, edges: [...branch, 'b > b2'] })[0]).toBe('a > b: x');
  });

  it('carries nothing that a tool sets, and a capture that comes after', () => {
    const nodes = { a: capturing('x'), t: setter('x'), d: 'D', b: '{{x}}', c: 'C' };
    const edges = ['a > t', 't > d', 'd > b: 1', 'd > c: 2'];
    expect(carry({ nodes, edges })).toEqual(['a > b:', 'a > c:']);
    const after = { ...nodes, d: capturing('x') };
    expect(carry({ nodes: after, edges })).toEqual(['a > b: x', 'a > c:']);
  });

  it('carries what some walk inside captures, and says that others miss it', () => {
    const nodes = { a: 'A', b: capturing('x'), c: 'C', d: '{{x}}', e: 'E' };
    const edges = ['a > b: 1', 'a > c: 2', 'b > c', 'c > a: again', 'c > d: 3', 'c > e: 4'];
    expect(carry({ nodes, edges }, { ...consolidate })).toEqual(['a > d: x', 'a > e:']);
  });

  it('carries nothing past another assistant that captures nothing', () => {
    const nodes = { a: capturing('x'), b: 'B', c: 'C', d: '{{x}}', e: 'E' };
    const edges = [...branch, 'b > d: 3', 'b > e: 4', 'c > e'];
    expect(carry({ nodes, edges })).toEqual(['a > b: x', 'a > c:', 'b > d:', 'b > e:', 'c > e:']);
  });

  it('carries to a global node what is captured anywhere inside', () => {
    const g = { ...anytime('asks'), systemPrompt: '{{x}} {{y}}' };
    const nodes = { a: capturing('x'), a2: capturing('y'), b: 'B', c: 'C', g };
    const edges = ['a > a2', 'a2 > b: 1', 'a2 > c: 2'];
    expect(carry({ nodes, edges })).toEqual([
      'a > b: x y',
      'a > c: x y',
      'a > g: x y',
      'b > g:',
      'c > g:',
    ]);
  });

  it('carries what its own global node brings back into it', () => {
    const g = { ...anytime('asks'), ...capturing('x') };
    const nodes = { a: 'A', b: 'B', c: '{{x}}', g };
    const plan: Plan = { nodes, edges: ['a > g', 'g > a', 'a > b: 1', 'a > c: 2'] };
    expect(carry(plan, { answers: { ...consolidate.answers, answers: start } })).toContain(
      'a > c: x',
    );
  });

  const start = { 'ambiguous-start:workflow': { choice: 'node', value: 'a' } };

  it('is the union where several edges share a destination', () => {
    const nodes = { a: capturing('x'), b: 'B', c: '{{x}}', d: '{{y}} d', e: 'E' };
    const plan: Plan = {
      nodes: { ...nodes, a: capturing('x', 'y') },
      edges: ['a > c: 1', 'a > d: 2', 'c > d: 3', 'd > c: 4', 'a > b: 5'],
    };
    expect(carry(plan, consolidate)[0]).toBe('a > c: x y');
  });
});

describe('warnings about plans', () => {
  it('tell of a handoff that a capture and a response reach', () => {
    const plan: Plan = {
      nodes: { a: 'A', b: capturing('x'), t: setter('x'), d: 'D', e: '{{x}}', f: 'F' },
      edges: ['a > b: 1', 'a > t: 2', 'b > d', 't > d', 'd > a: again', 'd > e: 3', 'd > f: 4'],
    };
    const options: CompileOptions = {
      answers: {
        ...consolidate.answers,
        answers: { 'ambiguous-start:workflow': { choice: 'node', value: 'a' } },
      },
    };
    expect(codes(findings(plan, options))).toContain('data/mixed-source');
    expect(carry(plan, options)).toContain('a > e: x');
  });

  it('tell of captures with different types, which cross as texts', () => {
    const plan: Plan = {
      nodes: {
        a: 'A',
        a1: { ...capturing('x: number') },
        a2: { systemPrompt: 'Or:', ...captures('x: boolean') },
        b: '{{x}}',
        c: 'C',
      },
      edges: ['a > a1', 'a1 > a: again', 'a1 > a2: other', 'a2 > a', 'a > b: 1', 'a > c: 2'],
    };
    const answers = {
      ...consolidate.answers,
      answers: { 'ambiguous-start:workflow': { choice: 'node', value: 'a' } },
    };
    const { result, squad } = compiled(plan, { answers });
    expect(codes(result.diagnostics)).toContain('data/type-conflict');
    expect(JSON.stringify(squad)).toContain('"x":{"type":"string","description":"the x"}');
  });

  it('tell of an earlier value that may be lost, when the whole context does not cross', () => {
    const plan: Plan = {
      nodes: { a: capturing('x'), b: 'B', c: '{{x}}', d: capturing('x'), e: 'E' },
      edges: ['a > b: 1', 'a > e: 2', 'b > d: 3', 'd > b: again', 'b > c: 4', 'b > e: 5'],
    };
    const lastFew = { ...consolidate, context: { type: 'lastNMessages', maxMessages: 3 } } as const;
    expect(codes(findings(plan, lastFew))).toContain('data/may-overwrite');
    expect(codes(findings(plan, consolidate))).not.toContain('data/may-overwrite');
  });
});

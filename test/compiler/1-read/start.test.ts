import { describe, expect, it } from 'vitest';
import { findStart } from '../../../src/compiler/1-read/start.js';
import type { NodeIndex } from '../../../src/compiler/ir/ids.js';
import { anytime, end, hangup, type Plan, parsed, request, transfer } from '../build.js';

function start(plan: Plan) {
  const source = parsed(plan);
  const found = findStart(source);
  const id = (node: NodeIndex) => source.nodes[node]!.id;
  return found.kind === 'ambiguous'
    ? { proposal: id(found.proposal), candidates: found.candidates.map(id) }
    : `${found.kind} ${id(found.node)}`;
}

const g = { ...anytime('asks'), systemPrompt: 'G' };

describe('findStart', () => {
  it('takes the only node without a way in, wherever it stands', () => {
    expect(start({ nodes: { b: 'B', a: 'A' }, edges: ['a > b'] })).toBe('found a');
    expect(start({ nodes: { only: 'Only.' } })).toBe('found only');
    expect(start({ nodes: { t: request(), a: 'A' }, edges: ['t > a'] })).toBe('found t');
  });

  it('counts neither self-loops nor edges that leave exits', () => {
    const nodes = { b: 'B', a: 'A', stop: end, x: transfer(), h: hangup };
    const edges = [
      'a > b',
      'a > a: again',
      'stop > a',
      'x > a',
      'h > a',
      'b > stop',
      'b > x',
      'b > h',
    ];
    expect(start({ nodes, edges })).toBe('found a');
  });

  it('takes neither a global node nor an exit', () => {
    expect(start({ nodes: { g, stop: end, a: 'A' } })).toBe('found a');
  });

  it('asks where several have no way in, and proposes the first listed', () => {
    const nodes = { c: 'C', b: 'B', a: 'A', g };
    expect(start({ nodes, edges: ['a > c'] })).toEqual({ proposal: 'b', candidates: ['b', 'a'] });
  });

  it('asks where every node has a way in', () => {
    const nodes = { stop: end, b: 'B', a: 'A' };
    const edges = ['a > b', 'b > a', 'a > stop'];
    expect(start({ nodes, edges })).toEqual({ proposal: 'b', candidates: ['b', 'a'] });
  });

  it('asks where all are global, and proposes one that is not where there is one', () => {
    expect(start({ nodes: { g, h: g } })).toEqual({ proposal: 'g', candidates: ['g', 'h'] });
    const nodes = { g, a: 'A' };
    expect(start({ nodes, edges: ['g > a: back'] })).toEqual({
      proposal: 'a',
      candidates: ['g', 'a'],
    });
  });

  it('finds nothing but exits', () => {
    expect(start({ nodes: { stop: end } })).toBe('exit stop');
    expect(start({ nodes: { x: transfer(), stop: { ...anytime('stop'), ...end } } })).toBe(
      'exit x',
    );
  });

  it('goes by the mark of a dialect that has one', () => {
    const source = parsed({ nodes: { a: 'A', b: 'B', stop: end }, edges: ['a > b'] });
    const marked = (node: number) => findStart({ ...source, markedStart: node as NodeIndex });
    expect(marked(1)).toEqual({ kind: 'found', node: 1 });
    expect(marked(2)).toEqual({ kind: 'exit', node: 2 });
  });
});

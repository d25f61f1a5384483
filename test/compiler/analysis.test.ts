import { describe, expect, it } from 'vitest';
import type { ReadReview } from '../../src/compiler/3-analyze/review-reads.js';
import { reviewReads } from '../../src/compiler/3-analyze/review-reads.js';
import { analyze, analyzeAgain, graphAgain, reviewAgain } from '../../src/compiler/analysis.js';
import { capturing, flowGraph, type Plan } from './build.js';

const plan: Plan = {
  nodes: { a: 'A', b: capturing('x'), c: '{{x}} {{y}}' },
  edges: ['a > b: 1', 'a > c: 2', 'b > c'],
};
const graph = flowGraph(plan);
const known = analyze(graph);
const namesOf = (reviews: readonly ReadReview[]) => reviews.map(({ variable }) => variable.name);

describe('analyzeAgain', () => {
  it('keeps what is known of a workflow that is the same', () => {
    expect(analyzeAgain(known, graph.workflow)).toBe(known);
    expect(graphAgain(graph, graph.workflow)).toBe(graph);
  });

  it('looks anew at one that an answer changed', () => {
    const nodes = graph.workflow.nodes.map((node) => ({ ...node, captures: [] }));
    const again = analyzeAgain(known, { ...graph.workflow, nodes });
    expect(again.graph.workflow.nodes).toBe(nodes);
    expect(known.flow.variables.get('x')!.captures).toHaveLength(1);
    expect(again.flow.variables.get('x')!.captures).toEqual([]);
  });
});

describe('reviewAgain', () => {
  it('leaves out of a former review what is supplied by now', () => {
    const reviews = reviewReads(known.graph, known.flow, new Set());
    expect(namesOf(reviews)).toEqual(['x', 'y']);
    expect(namesOf(reviewAgain({ ...known, reviews }, new Set(['y'])))).toEqual(['x']);
  });

  it('reviews what was not reviewed', () => {
    expect(namesOf(reviewAgain(known, new Set(['x'])))).toEqual(['y']);
  });
});

/** The reference grouping on graphs small enough to group by hand, and its independence of order. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Question } from '../../src/compiler/ir/result.js';
import { startCandidates } from '../../src/simulator/workflow.js';
import type { Answered } from '../../src/testing/answered.js';
import { referenceGrouping, type SpecWorkflow, workflowArbitrary } from '../../src/testing.js';
import { runs, seed } from '../seed.js';
import { graph, worked } from './graphs.js';

const nothing: Answered = { asked: [], answers: {} };

function groups(
  workflow: SpecWorkflow,
  boundary: 'branch' | 'tools' = 'branch',
  answered = nothing,
  numbers: readonly number[] = [],
): string[] {
  const found = referenceGrouping(workflow, { settlement: answered, boundary, numbers }) ?? [];
  return found.map((ids) => ids.sort().join(' ')).sort();
}

/** Answers about every component at once, and about the start where it needs one. */
function answer(workflow: SpecWorkflow, choice: string, value?: string[][]): Answered {
  const base = { text: '', choices: [], proposal: null };
  const at = workflow.nodes.map((_, index) => `/nodes/${index}`);
  const asked: Question[] = [
    { ...base, id: 'cycle', kind: 'cyclic-stages', at },
    { ...base, id: 'start', kind: 'ambiguous-start', at: [] },
  ];
  const first = workflow.nodes[startCandidates(workflow)[0] ?? 0]?.id ?? '';
  return {
    asked,
    answers: {
      cycle: value === undefined ? { choice } : { choice, value },
      start: { choice: 'node', value: first },
    },
  };
}

describe('the reference grouping', () => {
  it('gives the three groups of the worked pattern', () => {
    expect(groups(worked())).toEqual(['billing end', 'collect greet', 'end support']);
  });

  it('merges a chain, its tools and its end', () => {
    expect(groups(graph('a>t a>e t>b b>e'))).toEqual(['a b e t']);
    expect(groups(graph('a>b b>t t>c c>e'))).toEqual(['a b c e t']);
  });

  it('gives a tool at the head of a branch to the branch', () => {
    expect(groups(graph('a>t a>b t>c'))).toEqual(['a', 'b', 'c t']);
  });

  it('gives the tools of a diamond to the stage before it', () => {
    expect(groups(graph('a>t1 a>t2 t1>b t2>b'))).toEqual(['a b t1 t2']);
    expect(groups(graph('a>t1 a>c t1>b c>b'))).toEqual(['a t1', 'b', 'c']);
  });

  it('gives a tool with several predecessors to each', () => {
    expect(groups(graph('a>b a>c b>t c>t'))).toEqual(['a', 'b t', 'c t']);
  });

  it('merges a tool at the start with its only successor', () => {
    expect(groups(graph('t>a a>b'))).toEqual(['a b t']);
    expect(groups(graph('t>a t>b'))).toEqual(['a', 'b', 't']);
  });

  it('keeps a cycle together, or apart where an answer says so', () => {
    const cycle = graph('s>a a>b b>a');
    expect(groups(cycle)).toEqual(['a b s']);
    expect(groups(cycle, 'branch', answer(cycle, 'keep-split'))).toEqual(['a', 'b', 's']);
    const longer = graph('s>a a>t t>b b>c c>a');
    expect(groups(longer, 'branch', answer(longer, 'group', [['a', 'b']]))).toEqual([
      'a b t',
      'c',
      's',
    ]);
    expect(groups(longer, 'branch', answer(longer, 'keep-split'))).toEqual(['a t', 'b', 'c', 's']);
  });

  it('merges equal stages', () => {
    const twins = graph('a>b a>c b>d c>d a>d');
    for (const id of ['b', 'c']) {
      const node = twins.nodes.find((each) => each.id === id);
      if (node) node.systemPrompt = 'The same.';
    }
    expect(groups(twins)).toEqual(['a', 'b c', 'd']);
  });

  it('lets a global node stand alone, and gives a global tool to all', () => {
    expect(groups(graph('a>b *g b>g'))).toEqual(['a b', 'g']);
    expect(groups(graph('a>b a>c *t'))).toEqual(['a t', 'b t', 'c t']);
    expect(groups(graph('a>b *e'))).toEqual(['a b e']);
  });

  it('joins branches whose tools do not differ for the boundary `tools`', () => {
    expect(groups(graph('a>b a>c b>t c>d'), 'tools')).toEqual(['a b c d t']);
    expect(groups(graph('a>b a>c a>t b>t2'), 'tools')).toEqual(['a c t', 'b t2']);
  });

  it('does not depend on the order of the steps', () => {
    const order = fc.array(fc.nat(30), { minLength: 1, maxLength: 12 });
    const choice = fc.constantFrom('consolidate', 'keep-split');
    const boundary = fc.constantFrom<('branch' | 'tools')[]>('branch', 'tools');
    const property = fc.property(
      workflowArbitrary({ captures: false, settings: false }),
      fc.tuple(order, choice, boundary),
      (workflow, [numbers, chosen, split]) => {
        const answered = answer(workflow, chosen);
        expect(groups(workflow, split, answered, numbers)).toEqual(
          groups(workflow, split, answered),
        );
      },
    );
    fc.assert(property, { seed, numRuns: runs(1000) });
  });
});

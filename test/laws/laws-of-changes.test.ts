/** The laws of changed workflows; and that they find something to change. */
import { afterAll, expect, it, vi } from 'vitest';
import { type SpecWorkflow, workflowArbitrary } from '../../src/testing/index.js';
import { runs } from '../seed.js';
import { lawsOfChanges, tryLaws } from './try-laws.js';

/** Ids of nodes that laws add, and how many workflows were compiled with them. */
const added = vi.hoisted(() => ({ inserted: 0, second: 0, island: 0 }));

vi.mock('../../src/index.js', async (original) => {
  const actual = await original<typeof import('../../src/index.js')>();
  const compile = (workflow: SpecWorkflow, options?: object) => {
    for (const name of Object.keys(added) as (keyof typeof added)[]) {
      if (workflow.nodes.some(({ id }) => id === name)) added[name] += 1;
    }
    return actual.compile(workflow, options);
  };
  return { ...actual, compile };
});

const count = 400;

tryLaws(lawsOfChanges, workflowArbitrary(), { count });

it('finds nodes to split, and edges to put nodes on, often enough to mean something', () => {
  expect(added.island).toBeGreaterThanOrEqual(runs(count));
  expect(added.second).toBeGreaterThan(runs(count) / 2);
  expect(added.inserted).toBeGreaterThan(runs(count) / 8);
});

afterAll(() => vi.restoreAllMocks());

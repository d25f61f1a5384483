/** Some laws on workflows of their own: with much to carry, and for the boundary `tools`. */
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { laws, workflowArbitrary } from '../../src/testing/index.js';
import { runs, seed } from '../seed.js';

const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });

describe.each(['plansSound', 'plansMinimal'] as const)('%s', (name) => {
  it('holds where much is captured and read', () => {
    const arbitrary = workflowArbitrary({ captures: 'many', gaps: false, settings: false });
    const property = fc.property(arbitrary, numbers, (workflow, choices) =>
      laws[name](workflow, { numbers: choices }),
    );
    fc.assert(property, { seed, numRuns: runs(1000) });
  });
});

const ofGrouping = ['partitionCovers', 'groupingCanonical', 'plansSound'] as const;

describe.each(ofGrouping)('%s', (name) => {
  it('holds for the boundary `tools`', () => {
    const property = fc.property(workflowArbitrary(), numbers, (workflow, choices) =>
      laws[name](workflow, { numbers: choices, compile: { boundary: 'tools' } }),
    );
    fc.assert(property, { seed, numRuns: runs(300) });
  });
});

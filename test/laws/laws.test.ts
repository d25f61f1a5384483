/** The laws of the compiler, each on generated workflows with generated answers. */
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { type Law, laws, workflowArbitrary } from '../../src/testing/index.js';
import { runs, seed } from '../seed.js';

const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });

describe.each(Object.entries(laws))('%s', (_name, law: Law) => {
  it('holds', () => {
    const property = fc.property(workflowArbitrary(), numbers, (workflow, choices) =>
      law(workflow, { numbers: choices }),
    );
    fc.assert(property, { seed, numRuns: runs(1000) });
  });
});

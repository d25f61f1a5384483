/** `compile` is total: workflows, options and answers of any kind give a result. */
import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import { hostileValue, neverThrows, workflowArbitrary } from '../../src/testing.js';
import { runs, seed } from '../seed.js';

const optionNames = [
  'answers',
  'target',
  'model',
  'memberOverrides',
  'handoffTools',
  'pass',
  'context',
  'boundary',
  'names',
  'dynamicVariables',
  'criticalVariables',
];
const settings = { seed, numRuns: runs(1000) };

describe('neverThrows', () => {
  it('holds for whatever may be given as a workflow', () => {
    fc.assert(
      fc.property(hostileValue(), (value) => neverThrows(value)),
      settings,
    );
  });

  it('holds for the target vapi', () => {
    fc.assert(
      fc.property(fc.oneof(hostileValue(), workflowArbitrary()), (value) =>
        neverThrows(value, { target: 'vapi' }),
      ),
      settings,
    );
  });

  it('holds for whatever may be given as options', () => {
    const option = fc.constantFrom(...optionNames);
    const property = fc.property(
      workflowArbitrary({ size: 5 }),
      fc.dictionary(option, hostileValue()),
      (workflow, options) => neverThrows(workflow, options as CompileOptions),
    );
    fc.assert(property, { seed, numRuns: runs(300) });
  });
});

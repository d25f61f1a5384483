/** Laws tried together, each with a test of its own. */
import fc from 'fast-check';
import { beforeAll, it } from 'vitest';
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import { type LawOptions, laws, type SpecWorkflow } from '../../src/testing/index.js';
import { runs, seed } from '../seed.js';

export type LawName = keyof typeof laws;

/** Laws that compare a workflow with a changed one. */
export const lawsOfChanges: readonly LawName[] = [
  'permutationStable',
  'renamingStable',
  'unreachableIgnored',
  'copiedEdgeFolded',
  'captureAdded',
  'insertedStepAdded',
  'splitStepAdded',
];

/** All others. */
export const lawsOfOne = (Object.keys(laws) as LawName[]).filter(
  (name) => !lawsOfChanges.includes(name),
);

const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });

/**
 * Tries the laws one after the other on each workflow, because laws share what they compile. A law
 * that has failed is tried no further; its test makes the workflow small.
 */
export function tryLaws(
  names: readonly LawName[],
  workflows: fc.Arbitrary<SpecWorkflow>,
  { count, compile }: { readonly count: number; readonly compile?: CompileOptions },
): void {
  const failures = new Map<LawName, unknown>();
  const parameters = { seed, numRuns: runs(count) };
  const each = (attempt: (workflow: SpecWorkflow, options: LawOptions) => void) =>
    fc.property(workflows, numbers, (workflow, choices) => {
      attempt(workflow, { numbers: choices, ...(compile && { compile }) });
    });

  beforeAll(() => {
    const property = each((workflow, options) => {
      for (const name of names) {
        if (failures.has(name)) continue;
        try {
          laws[name](workflow, options);
        } catch (error) {
          failures.set(name, error);
        }
      }
    });
    fc.assert(property, parameters);
  }, 300_000);

  it.each(names)('%s holds', (name) => {
    if (!failures.has(name)) return;
    fc.assert(
      each((workflow, options) => laws[name](workflow, options)),
      parameters,
    );
    throw failures.get(name);
  });
}

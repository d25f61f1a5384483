/** The laws that do not depend on the grouping, on workflows whose nodes want different settings. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/index.js';
import { type Law, laws, type SpecWorkflow, workflowArbitrary } from '../../src/testing/index.js';
import { runs, seed } from '../seed.js';

const voices = [
  undefined,
  { provider: 'acme', voiceId: 'v1' },
  { provider: 'acme', voiceId: 'v2' },
];
const models = [
  undefined,
  { provider: 'openai', model: 'm1' },
  { provider: 'anthropic', model: 'm2' },
];
const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });

const withSettings = fc
  .tuple(workflowArbitrary(), fc.array(fc.nat(8), { minLength: 1, maxLength: 12 }))
  .map(([workflow, picks]): SpecWorkflow => {
    const nodes = workflow.nodes.map((node, at) => {
      const pick = picks[at % picks.length] ?? 0;
      const voice = voices[pick % 3];
      const model = models[Math.floor(pick / 3)];
      return { ...node, ...(voice && { voice }), ...(model && { model }) };
    });
    return { ...workflow, nodes };
  });

const names = [
  'deterministic',
  'inputNotMutated',
  'ledgerConserves',
  'partitionCovers',
  'questionsTerminate',
  'sourceMapCovers',
  'staleAnswersReported',
  'textsStandWordForWord',
] as const satisfies readonly (keyof typeof laws)[];

describe('with settings that differ', () => {
  it.each(names)('%s holds', (name) => {
    const law: Law = laws[name];
    const property = fc.property(withSettings, numbers, (workflow, choices) =>
      law(workflow, { numbers: choices }),
    );
    fc.assert(property, { seed, numRuns: runs(1000) });
  });

  it('asks about them often enough to mean something', () => {
    const asked = fc
      .sample(withSettings, { seed, numRuns: 300 })
      .filter((workflow) =>
        compile(workflow).questions.some(({ kind }) => kind === 'conflicting-settings'),
      );
    expect(asked.length).toBeGreaterThan(30);
  });
});

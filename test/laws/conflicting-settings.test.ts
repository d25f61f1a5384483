/** The laws that do not depend on the grouping, on workflows whose nodes want different settings. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/index.js';
import { type SpecWorkflow, workflowArbitrary } from '../../src/testing/index.js';
import { seed } from '../seed.js';
import { lawsOfChanges, lawsOfOne, tryLaws } from './try-laws.js';

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

const ofGrouping = ['groupingCanonical', 'groupingMinimal'];
const names = [...lawsOfOne, ...lawsOfChanges].filter((name) => !ofGrouping.includes(name));

describe('with settings that differ', () => {
  tryLaws(names, withSettings, { count: 180 });

  it('asks about them often enough to mean something', () => {
    const asked = fc
      .sample(withSettings, { seed, numRuns: 300 })
      .filter((workflow) =>
        compile(workflow).questions.some(({ kind }) => kind === 'conflicting-settings'),
      );
    expect(asked.length).toBeGreaterThan(30);
  });
});

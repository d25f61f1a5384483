import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeBy } from '../../../src/compiler/5-lower/pens.js';
import { run } from '../../../src/compiler/compile.js';
import { fromSource, synthesized } from '../../../src/compiler/ir/provenance.js';
import { choosing, settle } from '../../../src/testing/answering.js';
import { workflowArbitrary } from '../../../src/testing/workflows.js';
import { runs, seed } from '../../seed.js';

describe('composeBy', () => {
  const composition = composeBy((pen, at) => {
    pen.words('Say: ');
    pen.quote({ value: 'Hi.', at, uses: [] });
    pen.derive('x', { at: '/b' }, ({ at }) => synthesized('rule', [at]));
  }, '/a');

  it('writes the text', () => {
    expect(composition.text).toBe('Say: Hi.x');
  });

  it('tells the pieces apart when they are asked for', () => {
    expect(composition.segments).toEqual([
      { text: 'Say: ', origin: synthesized('wording') },
      { text: 'Hi.', origin: fromSource('/a') },
      { text: 'x', origin: synthesized('rule', ['/b']) },
    ]);
  });
});

describe('the prompts of a squad', () => {
  it('are the same as texts and in pieces', () => {
    const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });
    const property = fc.property(workflowArbitrary(), numbers, (workflow, choices) => {
      const compilation = run(workflow, settle(workflow, {}, choosing(choices)).options);
      if ('status' in compilation) return;
      for (const { prompt } of compilation.squad.assistants) {
        expect(prompt.segments.map(({ text }) => text).join('')).toBe(prompt.text);
      }
    });
    fc.assert(property, { seed, numRuns: runs(60) });
  });
});

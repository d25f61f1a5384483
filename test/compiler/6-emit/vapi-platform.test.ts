/**
 * Squads for target vapi against the platform's own schema of the create-squad call, which is not
 * part of this project: SQUADC_PLATFORM_SCHEMAS names the folder that holds it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../../src/compiler/ir/options.js';
import { choosing, settle } from '../../../src/testing/answering.js';
import { workflowArbitrary } from '../../../src/testing/workflows.js';
import { listFolders, readCase } from '../../golden/cases.js';
import { runs, seed } from '../../seed.js';
import { withoutSettings } from './vapi-documents.js';
import { exact, order, reception } from './vapi-workflows.js';

const folder = process.env['SQUADC_PLATFORM_SCHEMAS'] ?? '';
const file = join(folder, 'create-squad.schema.json');
const isThere = folder !== '' && existsSync(file);
if (!isThere) {
  console.warn('skipped: SQUADC_PLATFORM_SCHEMAS names no folder with create-squad.schema.json');
}

describe.skipIf(!isThere)('the platform’s schema', () => {
  let validate: ValidateFunction;
  beforeAll(() => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    validate = ajv.compile(JSON.parse(readFileSync(file, 'utf8')));
  });

  /** Compiles for the platform, every question answered by number; says whether it came out. */
  function check(workflow: unknown, options: CompileOptions, numbers: readonly number[]): boolean {
    const { output } = settle(workflow, { ...options, target: 'vapi' }, choosing(numbers)).result;
    if (output === null) return false;
    validate(withoutSettings(output));
    expect(validate.errors ?? []).toEqual([]);
    return true;
  }

  it('is one that can refuse', () => {
    expect(validate({ members: [], memberOverrides: {} })).toBe(false);
    expect(validate({ members: [{ assistant: { model: { provider: 'openai' } } }] })).toBe(false);
  });

  it.each([
    ['a reception', reception],
    ['exact conditions', exact],
    ['an order', order],
  ])('takes %s', (_name, workflow) => {
    for (const number of [0, 1, 2, 3]) expect(check(workflow, {}, [number])).toBe(true);
  });

  const cases = listFolders().flatMap((name) => readCase(name) ?? []);
  it.each(cases.filter(({ input }) => input === 'input.json'))('takes golden/$name', (golden) => {
    const { answers: _, ...options } = golden.options;
    for (const model of models) check(golden.reading.workflow, { ...options, ...model }, [0, 1]);
  });

  it('takes whatever comes out', () => {
    let complete = 0;
    const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });
    const property = fc.property(
      workflowArbitrary(),
      numbers,
      fc.constantFrom(...models),
      (workflow, choices, model) => {
        if (check(workflow, model, choices)) complete += 1;
      },
    );
    fc.assert(property, { seed, numRuns: runs(300) });
    expect(complete).toBeGreaterThan(100);
  });
});

const models: readonly { model: { provider: string; model: string } }[] = [
  { model: { provider: 'openai', model: 'gpt-4o' } },
  { model: { provider: 'anthropic', model: 'claude-sonnet-4-6' } },
];

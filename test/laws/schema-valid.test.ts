/** Every squad is valid by the published schema of its target. */
import { readFileSync } from 'node:fs';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Target } from '../../src/compiler/ir/options.js';
import { choosing, settle, workflowArbitrary } from '../../src/testing.js';
import { runs, seed } from '../seed.js';

const schemas: readonly (readonly [Target, string])[] = [
  ['squad', 'squad.schema.json'],
  ['vapi', 'vapi-squad.schema.json'],
];

describe.each(schemas)('the output for target %s', (target, file) => {
  it('is valid by its schema', () => {
    const ajv = new Ajv2020({ strict: false });
    for (const [, each] of schemas) ajv.addSchema(readSchema(each), each);
    const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });
    const property = fc.property(workflowArbitrary(), numbers, (workflow, choices) => {
      const { result } = settle(workflow, { target }, choosing(choices));
      if (result.output === null) return;
      ajv.validate(file, result.output);
      expect(ajv.errors).toBeNull();
    });
    fc.assert(property, { seed, numRuns: runs(1000) });
  });
});

function readSchema(file: string): AnySchemaObject {
  return JSON.parse(readFileSync(new URL(`../../schemas/${file}`, import.meta.url), 'utf8'));
}

/**
 * Rewritten workflows against the platform's own schema of the create-workflow call, which is not
 * part of this project: SQUADC_PLATFORM_SCHEMAS names the folder that holds it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { isTalk } from '../../src/simulator/spec-workflow.js';
import {
  rewriteAs,
  type SpecNode,
  type SpecWorkflow,
  workflowArbitrary,
} from '../../src/testing.js';
import { runs, seed } from '../seed.js';

const folder = process.env['SQUADC_PLATFORM_SCHEMAS'] ?? '';
const file = join(folder, 'create-workflow.schema.json');
const isThere = folder !== '' && existsSync(file);
if (!isThere) {
  console.warn('skipped: SQUADC_PLATFORM_SCHEMAS names no folder with create-workflow.schema.json');
}

const workflows = workflowArbitrary({ settings: false, gaps: false });

describe.skipIf(!isThere)('the platform’s schema of workflows', () => {
  let validate: ValidateFunction;
  beforeAll(() => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    validate = ajv.compile(JSON.parse(readFileSync(file, 'utf8')));
  });

  it('is one that can refuse', () => {
    const [workflow] = fc.sample(workflows, { seed, numRuns: 1 });
    expect(validate(workflow)).toBe(false);
  });

  it.each([
    ['schema', (node: SpecNode) => node],
    ['export', ({ extractVariables: _, ...node }: SpecNode) => node],
  ] as const)('takes the form `%s`', (dialect, change) => {
    const property = fc.property(workflows, (workflow) => {
      const nodes = workflow.nodes.map((node) => change(creatable(node)));
      validate(rewriteAs({ ...workflow, nodes }, dialect));
      expect(validate.errors ?? []).toEqual([]);
    });
    fc.assert(property, { seed, numRuns: runs(100) });
  });
});

/**
 * What the call takes of a node: today's conversations have no first message, and tools neither
 * instructions nor a condition to enter them from anywhere. Documents that it once took have.
 */
function creatable(node: SpecNode): SpecWorkflow['nodes'][number] {
  const { firstMessage, systemPrompt, isGlobal: _, condition: __, ...rest } = node;
  if (!isTalk(node)) {
    const line = node.type === 'apiRequest' || firstMessage === undefined ? {} : { firstMessage };
    return { ...rest, ...line, type: node.type === 'hangup' ? 'endCall' : node.type };
  }
  const { firstMessage: ___, ...talk } = node;
  return talk;
}

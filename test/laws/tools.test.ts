/** Requests that are bound to operations: whatever the workflow, the verifier finds the squad right. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolsByName } from '../../src/adapters/tools/handler/tools-by-name.js';
import { toolDefinitions } from '../../src/adapters/tools/table/definitions.js';
import type { CompileOptions, Target, Tools } from '../../src/index.js';
import { choosing, settle, workflowArbitrary } from '../../src/testing/index.js';
import type { SpecWorkflow } from '../../src/testing/spec-workflow.js';
import { runs, seed } from '../seed.js';

const settings = fc.record({
  target: fc.constantFrom<Target>('squad', 'vapi'),
  tools: fc.constantFrom<Tools>('server', 'direct'),
  numbers: fc.array(fc.nat(99), { minLength: 1, maxLength: 8 }),
});

interface Settings {
  readonly target: Target;
  readonly tools: Tools;
  readonly numbers: readonly number[];
}

/** Every request calls an operation, some of them with the same one, and something of it is fixed. */
function bindAll({ nodes }: SpecWorkflow, { target, tools, numbers }: Settings): CompileOptions {
  const all = Object.values(toolDefinitions).filter(({ direct }) => direct || tools === 'server');
  const requests = nodes.filter(({ type }) => type === 'apiRequest');
  const bindings = requests.map(({ id }, index) => {
    const { operation, parameters } = all[(numbers[index % numbers.length]! + index) % all.length]!;
    const [first] = parameters;
    const bind = index % 2 === 0 ? {} : { [first!.name]: `{{v${index % 3}}}` };
    return [id, { operation, bind }] as const;
  });
  const reach =
    tools === 'server'
      ? { toolServer: { url: 'https://tools.example.com' } }
      : { serviceUrls: { bills: 'https://b.example.com', documents: 'https://d.example.com' } };
  return { target, tools, ...reach, bindings: Object.fromEntries(bindings) };
}

describe('a squad whose requests call operations', () => {
  it('comes through its own check, and a server takes its tools', () => {
    let bound = 0;
    const property = fc.property(workflowArbitrary(), settings, (workflow, given) => {
      const options = bindAll(workflow, given);
      const { result } = settle(workflow, options, choosing(given.numbers));
      if (result.output === null) return;
      const text = JSON.stringify(result.output);
      const served = toolsByName(result.toolBindings);
      for (const [name, { operation }] of Object.entries(result.toolBindings ?? {})) {
        expect(text).toContain(`"name":"${name}"`);
        expect(served.get(name)?.definition.operation).toBe(operation);
        bound += 1;
      }
    });
    fc.assert(property, { seed, numRuns: runs(150) });
    expect(bound).toBeGreaterThan(10);
  });
});

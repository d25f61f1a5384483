/** Requests that are bound to operations: whatever the workflow, the verifier finds the squad right. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BoundOptions, bindFor } from '../../src/adapters/tools/bind/compile-bound.js';
import { toolsByName } from '../../src/adapters/tools/handler/tools-by-name.js';
import { toolDefinitions } from '../../src/adapters/tools/table/definitions.js';
import type { Target } from '../../src/index.js';
import type { SpecWorkflow } from '../../src/testing.js';
import { choosing, settle, workflowArbitrary } from '../../src/testing.js';
import { runs, seed } from '../seed.js';

const settings = fc.record({
  target: fc.constantFrom<Target>('squad', 'vapi'),
  tools: fc.constantFrom<'server' | 'direct'>('server', 'direct'),
  numbers: fc.array(fc.nat(99), { minLength: 1, maxLength: 8 }),
});

interface Settings {
  readonly target: Target;
  readonly tools: 'server' | 'direct';
  readonly numbers: readonly number[];
}

/** Every request calls an operation, some of them with the same one, and something of it is fixed. */
function bindAll({ nodes }: SpecWorkflow, { target, tools, numbers }: Settings): BoundOptions {
  const all = Object.values(toolDefinitions).filter(({ direct }) => direct || tools === 'server');
  const requests = nodes.filter(({ type }) => type === 'apiRequest');
  const bindings = requests.map(({ id }, index) => {
    const { operation, parameters } = all[(numbers[index % numbers.length]! + index) % all.length]!;
    const [first] = parameters;
    const own = parameters.filter(({ from, required }) => from === 'binding' && required);
    const fixed = own.map(({ name }) => [name, '{{given}}']);
    const bind = {
      ...Object.fromEntries(fixed),
      ...(index % 2 === 0 ? {} : { [first!.name]: `{{v${index % 3}}}` }),
    };
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
    let count = 0;
    const property = fc.property(workflowArbitrary(), settings, (workflow, given) => {
      const options = bindAll(workflow, given);
      const bound = bindFor(workflow, options);
      if (bound.diagnostics.some(({ severity }) => severity === 'error')) return;
      const { result } = settle(bound.workflow as object, bound.options, choosing(given.numbers));
      if (result.output === null) return;
      const text = JSON.stringify(result.output);
      const served = toolsByName(bound.toolBindings);
      for (const [name, { operation }] of Object.entries(bound.toolBindings)) {
        // A node that nothing leads to has no tool, and equal nodes have one.
        if (!text.includes(`"name":"${name}"`)) continue;
        expect(served.get(name)?.definition.operation).toBe(operation);
        count += 1;
      }
    });
    fc.assert(property, { seed, numRuns: runs(150) });
    expect(count).toBeGreaterThan(10);
  });
});

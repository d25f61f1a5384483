/**
 * One rule of the compiler broken at a time: what it then makes is what it made before, or it
 * refuses its own output. The verifier shares none of the patched modules.
 */
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import { choosing, settle } from '../../src/testing/answering.js';
import type { SpecWorkflow } from '../../src/testing/spec-workflow.js';
import { workflowArbitrary } from '../../src/testing/workflows.js';
import { seed } from '../seed.js';
import { type Module, type Patch, patches } from './compiler-patches.js';
import { clinic } from './migration.js';

const compiler = '../../src/compiler';

interface Case {
  readonly workflow: SpecWorkflow;
  readonly options: CompileOptions;
  readonly output: string;
}

const cases: Case[] = [];
/** The patch that is in force, and the module that it is for. */
let broken: { readonly module: string; readonly patch: Patch } | null = null;
let compile: typeof import('../../src/compiler/compile.js').compile;

// A compiler that is loaded once can be broken many times, and runs warm.
beforeAll(async () => {
  vi.resetModules();
  for (const module of new Set(patches.map(([, name]) => name))) {
    vi.doMock(`${compiler}/${module}`, async (load) => breakable(module, (await load()) as Module));
  }
  ({ compile } = await import('../../src/compiler/compile.js'));
});

beforeAll(() => {
  const arbitrary = fc.tuple(
    workflowArbitrary({ captures: 'many' }),
    fc.array(fc.nat(20), { maxLength: 6 }),
    fc.constantFrom<CompileOptions>(
      { target: 'squad' },
      { target: 'vapi' },
      { target: 'vapi', pass: 'arguments' },
    ),
  );
  for (const [workflow, numbers, options] of fc.sample(arbitrary, { seed, numRuns: 80 })) {
    note(workflow, settle(workflow, options, choosing(numbers)));
  }
  const names = { billing: 'Accounts', greeting: 'Front desk' };
  note(clinic, settle(clinic, { dynamicVariables: ['secret'], names }));
});

function note(workflow: SpecWorkflow, { result, options }: ReturnType<typeof settle>): void {
  if (result.output === null) return;
  cases.push({ workflow, options, output: JSON.stringify(result.output) });
}

afterEach(() => {
  broken = null;
});

/** The module with functions that are looked up at each call: the patch's, or its own. */
function breakable(module: string, original: Module): Module {
  const patched = new Map<Patch, Module>();
  const current = (): Module => {
    if (broken?.module !== module) return original;
    const { patch } = broken;
    const known = patched.get(patch) ?? { ...original, ...patch(original) };
    patched.set(patch, known);
    return known;
  };
  return Object.fromEntries(
    Object.entries(original).map(([name, value]) => {
      if (typeof value !== 'function') return [name, value];
      return [name, isClass(value) ? breakableClass(value, () => current()[name]) : delegate(name)];
    }),
  );

  function delegate(name: string) {
    return (...given: unknown[]) => current()[name](...given);
  }
}

function isClass(value: object): boolean {
  return /^class\b/.test(String(value));
}

/** A class whose methods are looked up at each call: others extend it once and for all. */
function breakableClass(original: Module[string], current: () => Module[string]): unknown {
  const breakable = class extends original {};
  const names = Object.getOwnPropertyNames(original.prototype);
  for (const name of names.filter((each) => each !== 'constructor')) {
    breakable.prototype[name] = function (...given: unknown[]) {
      return current().prototype[name].apply(this, given);
    };
  }
  return breakable;
}

describe('a broken compiler', () => {
  it.each(patches)('refuses its output where %s', (_rule, module, patch) => {
    broken = { module, patch };
    let refused = 0;
    for (const { workflow, options, output } of cases) {
      const made = attempt(() => compile(workflow, options));
      if (made === 'VerificationRefuted') refused += 1;
      // A broken grouping may ask something else, and a broken invariant stops it earlier.
      else if (made !== 'null' && made !== 'CompilerBug') expect(made).toBe(output);
    }
    expect(refused).toBeGreaterThan(0);
  });

  it('is mended again by the next test', () => {
    for (const { workflow, options, output } of cases) {
      expect(attempt(() => compile(workflow, options))).toBe(output);
    }
  });
});

/** The output as text, or the name of the bug. */
function attempt(run: () => { readonly output: unknown }): string {
  try {
    return JSON.stringify(run().output);
  } catch (error) {
    return (error as Error).name;
  }
}

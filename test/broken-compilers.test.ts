/**
 * One rule of the compiler broken at a time: it refuses its own output, or it makes what it made.
 *
 * A patch is a text in a file of the compiler and what takes its place while the compiler is bundled;
 * nothing is written to disk. `from` has to stand in the file exactly once, so a patch that has lost
 * its place says so. The verifier shares none of the patched files.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { compile as Compile, CompileOptions } from '../src/index.js';
import { choosing, settle, workflowArbitrary } from '../src/testing.js';
import { listFolders, readCase } from './golden/cases.js';
import { seed } from './seed.js';

interface Patch {
  /** What is broken. */
  readonly rule: string;
  /** A file below src/compiler/. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const patches: readonly Patch[] = [
  {
    rule: 'a plan forgets its first variable',
    file: '5-lower/plans.ts',
    from: 'ofStep: (step) => of(step),',
    to: 'ofStep: (step) => of(step).slice(1),',
  },
  {
    rule: 'handoffs to global nodes have no plans',
    file: '5-lower/plans.ts',
    from: 'ofGlobal: (region, global) => of(keyOf(region, global)),',
    to: 'ofGlobal: () => [],',
  },
  {
    rule: 'every variable is live everywhere',
    file: '3-analyze/liveness.ts',
    from: 'return new Set(asked.filter(isLive));',
    to: 'return new Set(asked.filter(() => isLive !== null));',
  },
  {
    rule: 'no variable is live anywhere',
    file: '3-analyze/liveness.ts',
    from: 'return new Set(asked.filter(isLive));',
    to: 'return new Set(asked.filter(() => isLive === null));',
  },
  {
    rule: 'properties of plans are all texts',
    file: '5-lower/handoffs.ts',
    from: "type: isOne ? first.type : 'string',",
    to: "type: 'string',",
  },
  {
    rule: 'what is to be demanded stands in plans',
    file: '5-lower/handoffs.ts',
    from: 'plan: properties.filter(({ name }) => !isArgument(name)),',
    to: 'plan: properties,',
  },
  {
    rule: 'arguments may be left out',
    file: '6-emit/handoffs.ts',
    from: "fixed(['destination', ...demanded.map((it) => it.name)])",
    to: "fixed(['destination'])",
  },
  {
    rule: 'global nodes are not spoken of',
    file: '5-lower/prompt.ts',
    from: 'anyTime: graph.globals.map((it) => wayToGlobal(squad, member, it)),',
    to: 'anyTime: graph.globals.slice(0, 0).map((it) => wayToGlobal(squad, member, it)),',
  },
  {
    rule: 'global nodes have no handoffs',
    file: '5-lower/handoffs.ts',
    from: 'if (to === undefined || member.numbers.has(global)) return [];',
    to: 'if (to === undefined || !member.numbers.has(-1)) return [];',
  },
  {
    rule: 'the last handoff of a node is skipped',
    file: '5-lower/handoffs.ts',
    from: 'return arrange(squad, member, from, ways);',
    to: 'return arrange(squad, member, from, ways).slice(0, -1);',
  },
  {
    rule: 'chains are left apart',
    file: '4-group/partition.ts',
    from: 'if (!isEntered(within, before[to]!)) joining.join(from, to);',
    to: '',
  },
  {
    rule: 'stages are merged across a boundary',
    file: '4-group/partition.ts',
    from: 'if (to === undefined || others.length > 0 || predecessors[to]!.length > 1) continue;',
    to: 'if (to === undefined || predecessors[to]!.length > 1) continue;',
  },
  {
    rule: 'equal nodes are left apart',
    file: '4-group/equal-nodes.ts',
    from: 'firstOf.get(classes[index]!) ?? index',
    to: 'index',
  },
  {
    rule: 'lines are lost',
    file: '5-lower/prompt.ts',
    from: 'line: member.spoken === node.index ? null : node.firstMessage,',
    to: 'line: null,',
  },
  {
    rule: 'calls of tools are lost',
    file: '5-lower/prompt.ts',
    from: '...(own === undefined ? [] : [own.value]), ',
    to: '',
  },
  {
    rule: 'instructions lose their white space',
    file: '5-lower/prompt.ts',
    from: 'instructions: node.systemPrompt,',
    to: "instructions: node.systemPrompt && { ...node.systemPrompt, value: node.systemPrompt.value.replaceAll(/\\s+/g, ' ').trim() },",
  },
  {
    rule: 'instructions lose their last word',
    file: '5-lower/prompt.ts',
    from: 'instructions: node.systemPrompt,',
    to: "instructions: node.systemPrompt && { ...node.systemPrompt, value: node.systemPrompt.value.replace(/\\s\\S+$/, '') },",
  },
  {
    rule: 'conditions of handoffs are reworded',
    file: '5-lower/handoffs.ts',
    from: "when.kind === 'done' ? [] : [when.text]",
    to: "when.kind === 'done' ? [] : [{ ...when.text, value: 'probably ' + when.text.value }]",
  },
  {
    rule: 'transfers are lost',
    file: '5-lower/tools.ts',
    from: 'return [...byExit, ...globals.map((node) => [node, []] as const)].map(',
    to: 'return [...byExit, ...globals.map((node) => [node, []] as const)].slice(0, 0).map(',
  },
  {
    rule: 'the prompt names another number',
    file: '5-lower/prompt.ts',
    from: 'value.sipUri : value.number',
    to: "value.sipUri : '+14155550199'",
  },
  {
    rule: 'a name that was given is ignored',
    file: '5-lower/names.ts',
    from: 'const option = names.get(node.id);',
    to: "const option = node.id === 'n0' ? undefined : names.get(node.id);",
  },
  {
    rule: 'requests are lost',
    file: '5-lower/tools.ts',
    from: 'return Array.from(requests, (',
    to: 'return Array.from([...requests].slice(1), (',
  },
  {
    rule: 'exact conditions are not guarded',
    file: '5-lower/guards.ts',
    from: 'export function refusalsOf(conditions: readonly (Condition | null)[]): readonly Traced<string>[] {',
    to: 'export function refusalsOf(conditions: readonly (Condition | null)[]): readonly Traced<string>[] {\n  if (conditions.length >= 0) return [];',
  },
  {
    rule: 'settings are forgotten',
    file: '5-lower/settings.ts',
    from: 'return { shared: shared.sort(byKey), own, models };',
    to: 'return { shared: [], own: own.map(() => []), models };',
  },
  {
    rule: 'answers about conditions are not carried out',
    file: '5-lower/tools.ts',
    from: 'const asked = calls.filter(({ call }) => call.node === null);',
    to: 'const asked = calls.filter(() => false);',
  },
];

interface Case {
  readonly workflow: unknown;
  readonly options: CompileOptions;
  readonly output: string;
}

/** The compiler with the patch in force, bundled into memory. */
async function bundle(patch: Patch | null): Promise<typeof Compile> {
  const path = patch && resolve('src/compiler', patch.file);
  const { outputFiles } = await build({
    entryPoints: ['src/index.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'squadc',
    platform: 'node',
    mainFields: ['module', 'main'],
    logLevel: 'silent',
    plugins: [
      {
        name: 'patch',
        setup({ onLoad }) {
          onLoad({ filter: /\.ts$/ }, (file) => {
            if (patch === null || file.path !== path) return undefined;
            const [before, after, ...more] = readFileSync(file.path, 'utf8').split(patch.from);
            if (after === undefined || more.length > 0) throw new Error(`not once: ${patch.from}`);
            return { contents: before + patch.to + after, loader: 'ts' };
          });
        },
      },
    ],
  });
  const [file] = outputFiles;
  return new Function('require', `${file?.text}; return squadc.compile;`)(
    createRequire(import.meta.url),
  );
}

/** The output as text, or the name of the bug. */
function attempt(run: () => { readonly output: unknown }): string {
  try {
    return JSON.stringify(run().output);
  } catch (error) {
    return (error as Error).name;
  }
}

describe('a broken compiler', () => {
  const cases: Case[] = [];
  /** Notes what the whole compiler makes; a workflow that it makes nothing of shows nothing. */
  const add = (workflow: unknown, options: CompileOptions, compile: typeof Compile): void => {
    const output = attempt(() => compile(workflow, options));
    if (output.startsWith('{')) cases.push({ workflow, options, output });
  };

  beforeAll(async () => {
    const compile = await bundle(null);
    const drawn = fc.tuple(
      workflowArbitrary({ captures: 'many' }),
      fc.array(fc.nat(20), { maxLength: 6 }),
      fc.constantFrom<CompileOptions>(
        { target: 'squad', names: { n0: 'Front desk' } },
        { target: 'vapi' },
        { target: 'vapi', pass: 'arguments' },
      ),
    );
    for (const [workflow, numbers, options] of fc.sample(drawn, { seed, numRuns: 80 })) {
      add(workflow, settle(workflow, options, choosing(numbers)).options, compile);
    }
    for (const name of listFolders()) {
      const golden = readCase(name);
      if (golden === null || golden.reading.diagnostics.length > 0) continue;
      const { workflow } = golden.reading;
      add(workflow, golden.options, compile);
    }
  }, 120_000);

  it.each(patches.map((patch) => [patch.rule, patch] as const))(
    'refuses its output where %s',
    async (_, patch) => {
      const compile = await bundle(patch);
      let refused = 0;
      for (const { workflow, options, output } of cases) {
        const made = attempt(() => compile(workflow, options));
        if (made === 'VerificationRefuted') refused += 1;
        // A broken grouping may ask something else, and a broken invariant stops it earlier.
        else if (made !== 'null' && made !== 'CompilerBug') expect(made).toBe(output);
      }
      expect(refused).toBeGreaterThan(0);
    },
  );
});

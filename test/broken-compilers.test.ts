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
    file: '5-lower/handoffs.ts',
    from: 'for (const crossing of crossings.get(way) ?? []) {',
    to: 'for (const crossing of crossings.get(way)?.slice(1) ?? []) {',
  },
  {
    rule: 'handoffs to global nodes have no plans',
    file: '5-lower/handoffs.ts',
    from: 'for (const crossing of crossings.get(way) ?? []) {',
    to: 'for (const crossing of way.from === null ? [] : (crossings.get(way) ?? [])) {',
  },
  {
    rule: 'every variable is live everywhere',
    file: '3-analyze/reads.ts',
    from: 'return new Set(asked.filter(isLive));',
    to: 'return new Set(asked.filter(() => isLive !== null));',
  },
  {
    rule: 'no variable is live anywhere',
    file: '3-analyze/reads.ts',
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
    file: '6-emit/assemble.ts',
    from: "fixed(['destination', ...demanded.map((it) => it.name)])",
    to: "fixed(['destination'])",
  },
  {
    rule: 'global nodes are not spoken of',
    file: '5-lower/prompt.ts',
    from: 'anyTime: waysOf(null),',
    to: 'anyTime: [],',
  },
  {
    rule: 'global nodes have no handoffs',
    file: '5-lower/tools.ts',
    from: 'const places = [...member.nodes, null];',
    to: 'const places = [...member.nodes];',
  },
  {
    rule: 'the last handoff of a node is skipped',
    file: '5-lower/handoffs.ts',
    from: 'if (isSeparate) return alike.flat();',
    to: 'if (alike.length > 0) return alike.flat().slice(0, -1);',
  },
  {
    rule: 'chains are left apart',
    file: '4-group/partition.ts',
    from: 'if (!before[to]!.isEntered) joining.join(from, to);',
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
    file: '4-group/stages.ts',
    from: 'firstOf.get(classes[index]!) ?? index',
    to: 'index',
  },
  {
    rule: 'lines are lost',
    file: '5-lower/prompt.ts',
    from: 'line: spoken === node ? null : node.firstMessage,',
    to: 'line: null,',
  },
  {
    rule: 'calls of tools are lost',
    file: '5-lower/prompt.ts',
    from: 'calls: own === undefined ? called : [own.value, ...called],',
    to: 'calls: called,',
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
    from: 'const transfers = ways.filter(({ to }) => to.transfer !== null);',
    to: 'const transfers = ways.slice(0, 0);',
  },
  {
    rule: 'the prompt names another number',
    file: '5-lower/prompt.ts',
    from: 'value.sipUri : value.number',
    to: "value.sipUri : '+14155550199'",
  },
  {
    rule: 'a name that was given is ignored',
    file: '5-lower/members.ts',
    from: 'const option = names.get(id);',
    to: "const option = id === 'n0' ? undefined : names.get(id);",
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
    from: 'for (const { condition } of ways) {',
    to: 'for (const { condition } of ways.slice(0, 0)) {',
  },
  {
    rule: 'settings are forgotten',
    file: '5-lower/settings.ts',
    from: 'return { shared, own, models };',
    to: 'return { shared: [], own: own.map(() => []), models };',
  },
  {
    rule: 'answers about conditions are not carried out',
    file: '5-lower/tools.ts',
    from: 'const provided = calls.filter(({ call }) => call.node === null);',
    to: 'const provided = calls.filter(() => false);',
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

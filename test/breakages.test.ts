/**
 * The breakage table: one line of the compiler is broken at a time, also for the verifier, which is
 * bundled with it. No squad that differs from the sound one may be accepted.
 *
 * A sample runs here; `npm run breakages` runs all rows and prints the table.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CompileOptions, compile, readWorkflow } from '../src/index.js';
import { attempt, breakCompiler } from './breakages/broken.js';
import { ofSharedFiles, ofStructure, ofValues } from './breakages/rows.js';
import { listFolders, readCase } from './golden/cases.js';

const isWhole = process.env['SQUADC_BREAKAGES'] === 'all';
const corpus = process.env['SQUADC_CORPUS'];

/** Answers for the workflows of the corpus. */
const policies = {
  ...{ 'missing-auth': 'none', 'undefined-variable': 'caller', 'cyclic-stages': 'consolidate' },
  ...{ 'global-returns': 'consolidate', 'conflicting-settings': 'first' },
  ...{ 'logical-condition': 'prose', 'critical-variable': 'best-effort' },
};

const goldens = listFolders().flatMap((name) => {
  const golden = readCase(name);
  return golden === null ? [] : [{ workflow: golden.reading.workflow, options: golden.options }];
});
const found = !isWhole || corpus === undefined ? [] : readdirSync(corpus);
const real = found
  .filter((name) => name.endsWith('.json'))
  .map((name) => readWorkflow(readFileSync(join(corpus!, name), 'utf8')).workflow)
  .map((workflow) => ({ workflow, options: { answers: { policies } } }));

/** Every ninth row of the shared files: a fixed sample of ten. */
const sample = ofSharedFiles.filter((_, at) => at % 9 === 4);
const rows = isWhole ? [...ofSharedFiles, ...ofStructure, ...ofValues] : sample;

describe('a compiler and verifier that share a fault', () => {
  const cases: { workflow: unknown; options: CompileOptions; output: string }[] = [];

  beforeAll(() => {
    for (const target of isWhole ? (['squad', 'vapi'] as const) : (['vapi'] as const)) {
      for (const { workflow, options } of [...goldens, ...real]) {
        const given = { ...options, target };
        const output = attempt(() => compile(workflow, given));
        if (output.startsWith('{')) cases.push({ workflow, options: given, output });
      }
    }
  }, 120_000);

  it.each(rows)('$file: $rule', { timeout: 120_000 }, async (row) => {
    const broken = await breakCompiler(row);
    const made = cases.map(({ workflow, options }) =>
      attempt(() => broken.compile(workflow, options)),
    );
    // A broken reader may ask something else.
    const changed = made.filter((it, at) => it !== cases[at]!.output && it !== 'null');
    const accepted = changed.filter((it) => it.startsWith('{'));
    if (isWhole) {
      const refuted = changed.length - accepted.length;
      const counts = `changed ${changed.length}, refuted ${refuted}, accepted ${accepted.length}`;
      console.log(`${row.file}: ${row.rule}: ${counts}`);
    }
    expect(changed.length).toBeGreaterThan(0);
    expect(accepted).toEqual([]);
  });
});

/**
 * The table of breakages: with one line of the compiler broken, no squad that differs from the sound
 * one is accepted. The verifier is bundled with the compiler, so a line that they share is broken for
 * both. Damage to single parts of squads is in test/mutants.
 *
 * The rows are in breakages/rows.txt; at its end are those whose squads are accepted, and why.
 * Ten of the others run here, on the goldens for one target; `npm run breakages` runs all, on both
 * targets and the corpus, and prints the table. What only changes names, or the order of steps and
 * tools, is no row.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CompileOptions, readWorkflow } from '../src/index.js';
import { laws, type SpecWorkflow, settle } from '../src/testing.js';
import { canonicalJson } from '../src/text/json.js';
import { type Broken, breakCompiler, readBreakages } from './breakages/broken.js';
import { workflows } from './breakages/workflows.js';
import { listFolders, readCase } from './golden/cases.js';
import { runs } from './seed.js';

const rows = readBreakages();
const isWhole = runs(10) >= rows.length;
const closed = rows.filter(({ isAccepted }) => !isAccepted);
const sample = isWhole
  ? rows
  : closed.filter((_, at) => at % Math.ceil(closed.length / runs(10)) === 0);
/** Phases that the verifier does not import. */
const isShared = (file: string) => !/^compiler\/(?:3-analyze\/flow\.|[456]-)/.test(file);

interface Case {
  readonly name: string;
  readonly workflow: unknown;
  readonly options: CompileOptions;
  /** The sound squad. */
  readonly output: string;
}

function listCases(): Case[] {
  const goldens = listFolders().flatMap((name) => {
    const golden = readCase(name);
    const { reading, options } = golden ?? {};
    return golden === null ? [] : [{ name, workflow: reading!.workflow, options: options! }];
  });
  const folder = process.env.SQUADC_CORPUS;
  const files = folder === undefined || !isWhole ? [] : readdirSync(folder);
  const real = files
    .filter((file) => file.endsWith('.json'))
    .map((name) => {
      const { workflow } = readWorkflow(readFileSync(join(folder!, name), 'utf8'));
      return { name, workflow, options: {} };
    });
  const small = Object.entries(workflows).map(([name, workflow]) => {
    return { name, workflow, options: optionsOf(name) };
  });
  const targets = isWhole ? (['squad', 'vapi'] as const) : (['vapi'] as const);
  return targets.flatMap((target) =>
    [...goldens, ...real, ...small].flatMap(({ name, workflow, options: given }) => {
      const { result, options } = settle(workflow, { ...given, target });
      if (result.output === null) return [];
      return [{ name: `${name} for ${target}`, workflow, options, output: textOf(result.output) }];
    }),
  );
}

/** The order of keys has no meaning. */
const textOf = (output: object) => canonicalJson(output);

function optionsOf(name: string): CompileOptions {
  const policies = { 'cyclic-stages': 'keep-split', 'missing-auth': 'none' };
  return name === 'a return' ? { answers: { policies } } : {};
}

/** What is said of the squad; null for one that does not differ. */
function judge(broken: Broken, { workflow, options, output }: Case) {
  try {
    const { output: made } = broken.compile(workflow, options);
    // A broken reader may ask something else.
    if (made === null || textOf(made) === output) return null;
    return broken.verify(workflow, made, options).verdict;
  } catch {
    return 'thrown' as const;
  }
}

describe('a compiler with a broken line', () => {
  let cases: readonly Case[] = [];
  const table = ['refuted | thrown | undecided | accepted | in files | file | rule'];
  beforeAll(() => {
    cases = listCases();
  }, 120_000);
  afterAll(() => {
    if (isWhole) console.log(table.join('\n'));
  });

  it.each(sample)('gives no squad that is accepted if $rule ($file)', async (row) => {
    const broken = await breakCompiler(row);
    const judged = cases.map((it) => ({ name: it.name, verdict: judge(broken, it) }));
    const namesOf = (wanted: string) =>
      judged.flatMap(({ name, verdict }) => (verdict === wanted ? name : []));
    const verdicts = ['fails', 'thrown', 'undecided', 'holds'];
    const accepted = namesOf('holds');
    const counts = verdicts.map((it) => namesOf(it).length);
    table.push([...counts, isShared(row.file) ? 'shared' : 'own', row.file, row.rule].join(' | '));
    if (row.isAccepted) expect(accepted).not.toEqual([]);
    else expect(accepted).toEqual([]);
    // Some only show for the other target, or in real workflows.
    if (isWhole) expect(judged.some(({ verdict }) => verdict !== null)).toBe(true);
  });
});

/** The laws play calls and know no rules, so they and the verifier check each other. */
it.each(sample.filter(({ shownBy }) => shownBy !== ''))(
  'the laws of values and lines notice if $rule',
  async (row) => {
    const workflow = workflows[row.shownBy];
    const options = { compile: optionsOf(row.shownBy) };
    const hold = (by: Pick<Broken, 'valuesHold' | 'linesSpoken'>) => {
      by.valuesHold(structuredClone(workflow) as SpecWorkflow, options);
      by.linesSpoken(structuredClone(workflow) as SpecWorkflow, options);
    };
    expect(() => hold(laws)).not.toThrow();
    const broken = await breakCompiler(row);
    expect(() => hold(broken)).toThrow();
  },
);

it('names lines that stand in their files once', () => {
  const others = rows.filter(({ file, from }) => {
    return readFileSync(join('src', file), 'utf8').split(from).length !== 2;
  });
  expect(others.map(({ rule }) => rule)).toEqual([]);
});

it('has many rows in files that the verifier shares, and in others', () => {
  const shared = rows.filter(({ file }) => isShared(file));
  expect(shared.length).toBeGreaterThanOrEqual(40);
  expect(rows.length - shared.length).toBeGreaterThanOrEqual(40);
});

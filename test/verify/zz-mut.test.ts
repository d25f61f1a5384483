import { expect, it } from 'vitest';
import { parseWorkflow } from '../../src/compiler/1-parse/parse-workflow.js';
import { readOptions } from '../../src/compiler/1-parse/read-options.js';
import { checks } from '../../src/verify/checklist.js';
import { findSettingFaults } from '../../src/verify/settings.js';
import { compareMigration, faultsOf } from './migration.js';
import { drawTrials, mutantsOf } from '../../src/testing/index.js';
import { seed } from '../seed.js';
function faults(input: any): string[] {
  const comparison = compareMigration(input);
  return [...checks.slice(4).flatMap((c) => faultsOf(c(comparison))), ...findSettingFaults(comparison, comparison.grouping.decisions).map(({text}) => typeof text === 'string' ? text : text())];
}
function others(input: any): string[] {
  const comparison = compareMigration(input);
  return checks.slice(0,4).flatMap((c) => faultsOf(c(comparison)));
}
it('mutants', () => {
  const seen = new Map<string, { mine: number; all: number; missed: string[] }>();
  for (const trial of drawTrials(60, seed) as any) {
    const { workflow, squad, options = {} } = trial;
    const base = { source: parseWorkflow(workflow).workflow!, options: readOptions(options).options };
    for (const { name, squad: damaged, at, text } of mutantsOf(squad, workflow, 2) as any) {
      const e = seen.get(name) ?? { mine: 0, all: 0, missed: [] };
      seen.set(name, e);
      e.all++;
      const input = { ...base, document: damaged };
      try {
      if (faults(input).length > 0) e.mine++;
      else if (others(input).length === 0) e.missed.push(`${at} ${text} ${options.target ?? ''}`);
      } catch (x: any) { e.missed.push('THROWS ' + x.stack.slice(0, 400)); }
    }
  }
  for (const [name, e] of seen) console.log(name, `${e.mine}/${e.all}`, e.missed.length, e.missed.slice(0, 2));
  expect(1).toBe(1);
}, 200000);

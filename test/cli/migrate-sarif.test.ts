/** `summary.sarif` of a run that finds more than services take in one file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lines, migrate, put, workflow } from '../batch/migrating.js';
import { temporaryFolder } from './temporary-folder.js';

/** A workflow with so many warnings: fields that nobody knows. */
function withWarnings(name: string, amount: number): object {
  const fields = Array.from({ length: amount }, (_, number) => [`unknown${number}`, 0]);
  return { ...workflow(name), ...Object.fromEntries(fields) };
}

it('cuts at 25,000 results, keeps the errors, and says what it left out', async () => {
  const { folder: cwd } = temporaryFolder();
  const many = ['Alpha', 'Beta', 'Gamma'].map((name) => withWarnings(name, 8_400));
  put(cwd, 'in.jsonl', lines(...many, workflow('Omega', 'broken')));
  const args = ['in.jsonl', '-o', 'out', '--no-report'];
  expect((await migrate(args, { cwd })).exitCode).toBe(1);
  const { runs } = JSON.parse(readFileSync(join(cwd, 'out/summary.sarif'), 'utf8'));
  const [{ results, invocations, properties }] = runs;
  expect(results).toHaveLength(25_000);
  expect(results[0]).toMatchObject({ ruleId: 'flow/missing-node', level: 'error' });
  expect(results[0].locations[0].physicalLocation.region.startLine).toBe(4);
  const levels = new Set(results.slice(1).map(({ level }: { level: string }) => level));
  expect([...levels]).toEqual(['warning']);
  expect(properties.results).toBeGreaterThan(25_200);
  const [{ message }] = invocations[0].toolExecutionNotifications;
  expect(message.text).toContain(
    `25000 of ${properties.results} results are shown, errors first; ${properties.results - 25_000} were left out.`,
  );
}, 120_000);

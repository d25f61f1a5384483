/**
 * The public surface, as a report of each entry beside this file: what a change adds, renames or
 * takes away shows up as a change of a report. `npm run api-report` writes them anew.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildOnce } from '../build-once.js';
import { wantsUpdate } from '../golden/compare.js';
import { reportOf } from './report-of.js';

const entries = ['index', 'testing', 'bills', 'documents', 'tools'];
const scratch = mkdtempSync(join(tmpdir(), 'squadc-api-'));

describe('the public surface', { timeout: 120_000 }, () => {
  beforeAll(buildOnce, 180_000);
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  it.each(entries)('%s is as reported, and every export has a docstring', (entry) => {
    const now = reportOf(entry, scratch);
    const file = resolve('test/api', `${entry}.api.md`);
    if (wantsUpdate(process.env)) writeFileSync(file, now);
    expect(undocumented(now)).toEqual([]);
    const reported = existsSync(file) ? readFileSync(file, 'utf8') : '';
    expect(now).toBe(reported.replaceAll('\r\n', '\n'));
  });

  it('a missing docstring is found', () => {
    const lines = ['// @public (undocumented)', 'export type Sort = "up";', '', '// @public'];
    expect(undocumented([...lines, 'export type Other = 1;'].join('\n'))).toEqual([
      'export type Sort = "up";',
    ]);
  });
});

/** First lines of the exports that have no docstring. */
function undocumented(report: string): string[] {
  return [...report.matchAll(/^\/\/ @public \(undocumented\)\n(export .*)/gm)].map(
    ([, line = '']) => line,
  );
}

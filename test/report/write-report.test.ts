/** The pages of a run: which are written, what they are made of, and what is in the way. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NotASummary } from '../../src/report/read-summary.js';
import { type WriteOutcome, writeReport } from '../../src/report/write-report.js';
import { temporaryFolder } from '../cli/fake-io.js';
import { putRun, putSummary } from './example-run.js';
import { rowWith } from './rows.js';

const golden = (name: string) => ({
  source: `${name}.json`,
  text: readFileSync(`golden/${name}/input.json`, 'utf8'),
});

const failed = rowWith({
  key: 'gone-0badcafe',
  folder: 'gone-0badcafe',
  status: 'failed',
  failure: { code: 'batch/vanished', message: 'it is gone' },
});

async function report(
  out: string,
  pages: 'all' | 'none' = 'all',
  outcome: WriteOutcome = 'written',
) {
  const written = new Map<string, string>();
  const done: number[] = [];
  const result = await writeReport(out, {
    pages,
    writeFile(path, text) {
      written.set(path, text);
      if (outcome === 'written') writeFileSync(join(out, path), text);
      return outcome;
    },
    onPage: (count) => done.push(count),
  });
  return { result, written, done };
}

describe('the report of a run', () => {
  it('is a page for each workflow that has a result, and one for all', async () => {
    const { folder } = temporaryFolder();
    const [pattern, cycle] = await putRun(
      folder,
      [golden('worked-pattern'), golden('cycle-open')],
      [failed],
    );
    const { result, written, done } = await report(folder);
    const keys = [pattern!, cycle!].map((each) => each.result.key);
    expect([...written.keys()]).toEqual([
      ...keys.map((key) => `${key}/report.html`),
      'squadc.js',
      'summary.html',
    ]);
    expect(result).toEqual({ workflows: 3, pages: 2, foreign: [], unread: [] });
    expect(done).toEqual([1, 2, 3]);
    expect(written.get(`${keys[0]}/report.html`)).toContain('href="../summary.html"');
    expect(written.get(`${keys[1]}/report.html`)).toContain('Squad (draft)');
  });

  it('is the same bytes each time, and holds no path and no time', async () => {
    const { folder } = temporaryFolder();
    await putRun(folder, [golden('worked-pattern'), golden('guard')]);
    const first = await report(folder);
    const second = await report(folder);
    expect(second.written).toEqual(first.written);
    const all = [...first.written.values()].join('');
    expect(all).not.toContain(folder);
    expect(all).not.toContain(process.cwd());
    expect(all).not.toMatch(/\b\d{4}-\d\d-\d\dT\d\d:/);
  });

  it('links the result where there is no page, and nothing where there is neither', async () => {
    const { folder } = temporaryFolder();
    const [pattern] = await putRun(folder, [golden('worked-pattern')], [failed]);
    const { key } = pattern!.result;
    const { written } = await report(folder, 'none');
    expect([...written.keys()]).toEqual(['squadc.js', 'summary.html']);
    expect(written.get('summary.html')).toContain(`href="./${key}/result.json"`);
    expect(written.get('summary.html')).not.toContain('./gone-0badcafe');
    const again = await report(folder);
    expect(again.written.get('summary.html')).toContain(`href="./${key}/report.html"`);
  });

  it('names the results that cannot be read, and goes on', async () => {
    const { folder } = temporaryFolder();
    const names = ['worked-pattern', 'cycle-open', 'guard', 'plain-chain'];
    const made = await putRun(folder, names.map(golden));
    const [pattern, cycle, guard] = made.map(({ result }) => result.key);
    rmSync(join(folder, pattern!, 'squad.json'));
    writeFileSync(join(folder, cycle!, 'result.json'), '{"half": ');
    writeFileSync(join(folder, guard!, 'result.json'), '{"key": "other"}');
    const { result } = await report(folder);
    expect(result.pages).toBe(1);
    expect(result.unread).toEqual([
      { key: pattern, reason: 'squad.json cannot be read' },
      { key: cycle, reason: 'result.json cannot be read' },
      { key: guard, reason: 'result.json was not written by squadc' },
    ]);
  });

  it('names the files that are in the way', async () => {
    const { folder } = temporaryFolder();
    const [pattern] = await putRun(folder, [golden('worked-pattern')]);
    const { result } = await report(folder, 'all', 'foreign');
    expect(result.foreign).toEqual([
      `${pattern!.result.key}/report.html`,
      'squadc.js',
      'summary.html',
    ]);
  });

  it('reads and writes nothing outside of the folder', async () => {
    const { folder } = temporaryFolder();
    for (const other of ['..', '../elsewhere', 'a/../..', '/etc', '', 'A b', 'ab/c/d']) {
      await putSummary(folder, [rowWith({ folder: other })]);
      await expect(report(folder)).rejects.toThrow(NotASummary);
    }
  });

  it('says where there is no summary', async () => {
    const { folder, put } = temporaryFolder();
    put('summary.json', '{"other": 1}');
    await expect(report(folder)).rejects.toThrow(NotASummary);
    put('summary.json', '{\n"squadc":"0.1.0",\n"workflows":[\n]\n}\n');
    await expect(report(folder)).rejects.toThrow(NotASummary);
  });
});

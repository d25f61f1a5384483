import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeSummaries } from '../../src/report/merge-summaries.js';
import { mostResults } from '../../src/report/sarif-findings.js';
import { summaryNames } from '../../src/report/summary-names.js';
import { anyRows, rowWith } from './rows.js';
import { newFolder, type RunItem, writeRun, writeShards } from './shards.js';

async function merged(folders: readonly string[]): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const named = folders.map((path, at) => ({ path, name: `out-${at + 1}` }));
  await mergeSummaries(named, (name, pieces) => void files.set(name, [...pieces].join('')));
  return files;
}

function filesOf(folder: string): Map<string, string> {
  return new Map(summaryNames.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

const severities = ['error', 'warning', 'info'] as const;

const item = (index: number, findings = 1): RunItem => ({
  row: rowWith({ index, key: `w-${index.toString(16).padStart(8, '0')}` }),
  findings: Array.from({ length: findings }, (_, at) => ({
    code: 'flow/unreachable',
    severity: severities[(index + at) % 3] ?? 'info',
    message: 'No call can reach it.',
    at: `/nodes/${at}`,
  })),
});

const items = (amount: number) => Array.from({ length: amount }, (_, index) => item(index));

describe('the summaries of shards together', () => {
  it('are those of the run that was not cut, byte for byte', async () => {
    const base = newFolder();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        anyRows(9),
        fc.array(fc.nat(2), { minLength: 9, maxLength: 9 }),
        async (rows, choices) => {
          runs += 1;
          const all = rows.map((row) => ({
            row,
            findings: item(row.index, row.index % 3).findings,
          }));
          const whole = await writeRun(join(base, `${runs}`), all);
          const shards = await writeShards(
            join(base, `${runs}-cut`),
            all,
            (_, at) => choices[at] ?? 0,
            3,
          );
          expect(await merged(shards)).toEqual(filesOf(whole));
          expect(await merged(shards.toReversed())).toEqual(filesOf(whole));
        },
      ),
      { numRuns: 25 },
    );
  });

  it('have as many results as one run may have, the same ones', async () => {
    const base = newFolder();
    const all = Array.from({ length: 3 }, (_, index) => item(index, 12_000));
    const whole = await writeRun(join(base, 'whole'), all);
    const shards = await writeShards(base, all, ({ row }) => row.index % 2, 2);
    const files = await merged(shards);
    expect(files).toEqual(filesOf(whole));
    const [run] = JSON.parse(files.get('summary.sarif') ?? '').runs;
    expect(run.results).toHaveLength(mostResults);
    expect(run.properties).toEqual({ results: 36_000 });
  });

  it('may hold a workflow that failed because of its key', async () => {
    const base = newFolder();
    const failure = { code: 'batch/same-key', message: 'x' };
    const twin = {
      ...item(1),
      row: { ...item(0).row, index: 1, status: 'failed' as const, failure },
    };
    const whole = await writeRun(join(base, 'whole'), [item(0), twin, item(2)]);
    const shards = await writeShards(
      base,
      [item(0), twin, item(2)],
      (_, at) => Math.floor(at / 2),
      2,
    );
    expect(await merged(shards)).toEqual(filesOf(whole));
  });
});

describe('it is refused', () => {
  const base = newFolder();
  const folder = (name: string) => join(base, name);
  const shard = (index: number, count = 2) => ({ shard: { index, count } });

  it('where the versions differ', async () => {
    const one = await writeRun(folder('v1'), [item(0)], shard(1));
    const other = await writeRun(folder('v2'), [item(1)], { ...shard(2), squadc: '1.3.0' });
    await expect(merged([one, other])).rejects.toThrow(
      'out-1 was made by squadc 1.2.3, out-2 by 1.3.0',
    );
  });

  it('where the options differ', async () => {
    const one = await writeRun(folder('o1'), [item(0)], shard(1));
    const other = await writeRun(folder('o2'), [item(1)], { ...shard(2), options: {} });
    await expect(merged([one, other])).rejects.toThrow('made with different options');
  });

  it('where a shard is missing, is there twice, or is of another run', async () => {
    const [first, second, third] = await writeShards(folder('s'), items(3), (_, at) => at, 3);
    await expect(merged([first!, second!])).rejects.toThrow('shard 3 of 3 is missing');
    await expect(merged([first!, first!, third!])).rejects.toThrow(
      'out-1 and out-2 are both shard 1 of 3',
    );
    const other = await writeRun(folder('s-other'), [item(1)], shard(2, 2));
    await expect(merged([first!, other])).rejects.toThrow('are not parts of one run');
    const whole = await writeRun(folder('s-whole'), [item(1)]);
    await expect(merged([first!, whole])).rejects.toThrow('are not parts of one run');
    await expect(merged([])).rejects.toThrow('nothing to merge');
  });

  it('where a workflow is in none, or in two of them', async () => {
    const gap = await writeRun(folder('g1'), [item(0), item(2)]);
    const late = await writeRun(folder('g2'), [item(3)]);
    await expect(merged([gap, late])).rejects.toThrow(
      'the workflow with index 1 is in none of the summaries',
    );
    const twice = await writeRun(folder('g3'), [item(0)]);
    await expect(merged([gap, twice])).rejects.toThrow(
      'the workflow with index 0 is there twice, again in out-2',
    );
    const sameKey = await writeRun(folder('g4'), [
      { ...item(1), row: { ...item(0).row, index: 1 } },
    ]);
    await expect(merged([gap, sameKey])).rejects.toThrow(
      'the workflow w-00000000 is both in out-1 and in out-2',
    );
  });

  it.each<[why: string, file: string, change: (text: string) => string, says: string]>([
    ['it was cut off', 'summary.json', (text) => text.slice(0, -40), 'line that is not JSON'],
    ['it ends early', 'summary.json', (text) => text.replace(/\n\]\n\}\n$/, '\n'), 'ends before'],
    [
      'it was laid out anew',
      'summary.json',
      (text) => JSON.stringify(JSON.parse(text)),
      'not in the form',
    ],
    ['it is empty', 'summary.json', () => '', 'not in the form'],
    ['it is something else', 'summary.json', () => '{}\n', 'not in the form'],
    [
      'a row has more',
      'summary.json',
      (text) => text.replace('"warnings":0,"q', '"more":1,"q'),
      'another form',
    ],
    [
      'a row has no index',
      'summary.json',
      (text) => text.replace('{"index":0,', '{'),
      'without its index',
    ],
    [
      'the head has less',
      'summary.json',
      (text) => text.replace('"minutes":5,"errors', '"errors'),
      'another form',
    ],
    [
      'there is no count',
      'summary.sarif',
      (text) => text.replace('{"results":1}', '{}'),
      'does not say',
    ],
    [
      'a result has no level',
      'summary.sarif',
      (text) => text.replace('"level":"error",', ''),
      'another form',
    ],
  ])('where %s', async (why, file, change, says) => {
    const broken = await writeRun(folder(`b ${why}`), [item(0)]);
    const path = join(broken, file);
    const before = readFileSync(path, 'utf8');
    const after = change(before);
    expect(after).not.toBe(before);
    writeFileSync(path, after);
    await expect(merged([broken])).rejects.toThrow(says);
  });

  it('before anything is written', async () => {
    const gap = await writeRun(folder('n1'), [item(1)]);
    const names: string[] = [];
    const run = mergeSummaries([{ path: gap, name: 'out' }], (name) => void names.push(name));
    await expect(run).rejects.toThrow('index 0');
    expect(names).toEqual([]);
  });
});

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ExitCode, Refusal } from '../../src/cli/exit.js';
import { addMergeCommand } from '../../src/cli/merge.js';
import { summaryNames } from '../../src/report/summary-names.js';
import { rowWith } from '../report/rows.js';
import { newFolder, type RunItem, writeRun, writeShards } from '../report/shards.js';
import { type FakeIo, fakeIo } from './fake-io.js';

const folder = newFolder();

const items: readonly RunItem[] = Array.from({ length: 6 }, (_, index) => ({
  row: rowWith({ index, key: `w-${index.toString(16).padStart(8, '0')}` }),
  findings: [
    { code: 'flow/endless', severity: 'warning', message: 'It can never end.', at: '/nodes/0' },
  ],
}));

beforeAll(async () => {
  await writeRun(join(folder, 'whole'), items);
  await writeShards(folder, items, ({ row }) => row.index % 2, 2);
});

async function merge(...argv: string[]): Promise<FakeIo> {
  const io = fakeIo({ cwd: folder });
  const loadApi = () => Promise.reject(new Error('not needed'));
  const program = new Command('squadc').exitOverride().configureOutput({ writeErr: () => {} });
  addMergeCommand(program, { io, loadApi, exitCode: 0 as ExitCode });
  await program.parseAsync(['merge', ...argv], { from: 'user' });
  return io;
}

/** The refusal of a command that is to be refused. */
async function refusal(...argv: string[]): Promise<Refusal> {
  const error: unknown = await merge(...argv).then(
    () => null,
    (thrown) => thrown,
  );
  if (error instanceof Refusal) return error;
  throw new Error(`not refused: ${error}`);
}

const read = (name: string, file: string) => readFileSync(join(folder, name, file), 'utf8');

describe('squadc merge', () => {
  it('writes what one machine would have written, as often as it is run', async () => {
    const io = await merge('shard-1', 'shard-2', '-o', 'new/merged');
    expect(io.err()).toBe('merged: 6 workflows of 2 folders\n');
    expect(io.out()).toBe('');
    for (const name of summaryNames) expect(read('new/merged', name)).toBe(read('whole', name));
    await merge('shard-2', 'shard-1', '-o', 'new/merged');
    for (const name of summaryNames) expect(read('new/merged', name)).toBe(read('whole', name));
    expect(readdirSync(join(folder, 'new/merged')).sort()).toEqual([...summaryNames].sort());
  });

  it('writes the JSON alone to a file', async () => {
    const io = await merge('shard-1', 'shard-2', '-o', 'file/all.json', '--json');
    expect(readFileSync(join(folder, 'file/all.json'), 'utf8')).toBe(read('whole', 'summary.json'));
    expect(readdirSync(join(folder, 'file'))).toEqual(['all.json']);
    expect(JSON.parse(io.out())).toEqual(JSON.parse(read('whole', 'summary.json')).totals);
  });

  it('overwrites a file of somebody else only where it is told to', async () => {
    const other = join(folder, 'other');
    await merge('shard-1', 'shard-2', '-o', 'other');
    writeFileSync(join(other, 'summary.md'), '# My notes\n');
    const { message, exitCode } = await refusal('shard-1', 'shard-2', '-o', 'other');
    expect(exitCode).toBe(64);
    expect(message).toContain('summary.md is not a file that squadc wrote; --force overwrites it');
    expect(read('other', 'summary.md')).toBe('# My notes\n');
    await merge('shard-1', 'shard-2', '-o', 'other', '--force');
    expect(read('other', 'summary.md')).toBe(read('whole', 'summary.md'));
  });

  it('leaves nothing behind where the shards do not belong together', async () => {
    const { message, exitCode } = await refusal('shard-1', '-o', 'nothing');
    expect(message).toBe('cannot merge: shard 2 of 2 is missing');
    expect(exitCode).toBe(1);
    expect(existsSync(join(folder, 'nothing'))).toBe(false);
  });

  it('names a folder without a summary', async () => {
    const { message, exitCode } = await refusal('shard-1', 'nowhere', '-o', 'nothing');
    expect(message).toBe('cannot merge: nowhere/summary.json: no such file or directory');
    expect(exitCode).toBe(1);
  });

  it('says so where it cannot write', async () => {
    writeFileSync(join(folder, 'plain'), '');
    const { message, exitCode } = await refusal('shard-1', 'shard-2', '-o', 'plain/in');
    expect(message).toMatch(/^cannot merge: .*plain/);
    expect(exitCode).toBe(1);
  });

  it('does not merge into one of the shards', async () => {
    const before = read('shard-1', 'summary.json');
    for (const output of ['shard-1', './shard-1/', 'shard-1/summary.json']) {
      expect((await refusal('shard-1', 'shard-2', '-o', output)).exitCode).toBe(64);
    }
    expect(read('shard-1', 'summary.json')).toBe(before);
  });
});

/** What others have put where files would be, and which exit code comes of it all. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lines, put, tree, workflow } from '../migrating.js';
import { faulty } from './faulty.js';

const { at, different, ends, folderOf, migrate, read, rows, three } = faulty();

describe('what stands in the way in the output', () => {
  it('is left alone, and the workflow fails: a folder, a file of somebody else', async () => {
    await three();
    const [alpha, gamma] = [folderOf('Alpha', 'calm'), folderOf('Gamma', 'calm')].map((path) =>
      path.replace('calm', 'out'),
    ) as [string, string];
    mkdirSync(at(alpha, 'squad.json'), { recursive: true });
    put(at(), join(gamma, 'result.json'), 'mine');
    const { code, err } = await migrate('in', '-o', 'out');
    expect([code, err]).toEqual([74, expect.stringContaining('2 failed (2 batch/foreign-file)')]);
    expect(ends().map(([, end]) => end)).toEqual([
      'batch/foreign-file',
      'needs-answers',
      'batch/foreign-file',
    ]);
    expect(rows()[2]?.failure?.message).toContain('result.json already exists');
    expect(read(gamma, 'result.json')).toBe('mine');
    expect([...tree(at('out')).keys()]).toContain(`${rows()[0]?.folder}/squad.json/`);
    expect((await migrate('in', '-o', 'out')).code).toBe(74);
    rmSync(at(alpha, 'squad.json'), { recursive: true });
    rmSync(at(gamma, 'result.json'));
    expect((await migrate('in', '-o', 'out')).code).toBe(2);
    expect(different('out', 'calm')).toEqual([]);
  });

  it('is an edited squad: kept, and overwritten with --force alone', async () => {
    await three();
    await migrate('in', '-o', 'out');
    const path = join(folderOf('Alpha'), 'squad.json');
    const edited = read(path).replace('Ask for Alpha', 'Ask for Omega');
    put(at(), path, edited);
    expect((await migrate('in', '-o', 'out')).code).toBe(74);
    expect(ends()[0]).toEqual(['Alpha', 'batch/foreign-file']);
    expect(read(path)).toBe(edited);
    expect((await migrate('in', '-o', 'out', '--force')).code).toBe(2);
    expect(different('out', 'calm')).toEqual([]);
  });
});

describe('two workflows with one id', () => {
  it('are one, the first, and one that fails and says which the first is', async () => {
    const same = (name: string) => ({ ...workflow(name), id: 'same' });
    put(at(), 'in.jsonl', lines(same('Alpha'), workflow('Beta'), same('Alpha')));
    const { code } = await migrate('in.jsonl', '-o', 'out');
    expect(code).toBe(74);
    expect(rows().map(({ line, failure }) => [line, failure?.code])).toEqual([
      [1, undefined],
      [2, undefined],
      [3, 'batch/same-key'],
    ]);
    expect(rows()[2]?.failure?.message).toContain('in.jsonl');
    expect(rows()[2]?.key).toBe(rows()[0]?.key);
    expect(JSON.parse(read(folderOf('Alpha'), 'result.json')).status).toBe('complete');
  });
});

describe('the exit code', () => {
  it('is that of the worst', async () => {
    const step = async (name: string, text: string) => {
      put(at(), `in/${name}`, text);
      return (await migrate('in', '-o', 'out')).code;
    };
    expect(await step('a.json', JSON.stringify(workflow('Alpha')))).toBe(0);
    expect(await step('b.json', JSON.stringify(workflow('Beta', 'open')))).toBe(2);
    expect(await step('c.json', JSON.stringify(workflow('Gamma', 'broken')))).toBe(1);
    expect(await step('d.jsonl', lines(workflow('Delta'), workflow('Delta')))).toBe(74);
    expect((await migrate('in', '-o', 'out', '--shard', '3/2')).code).toBe(64);
  });
});

/** What `squadc migrate` shows where it writes nothing: --dry-run and --diff. */
import { existsSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { migrate, put, rowsOf, tree, workflow } from '../batch/migrating.js';
import { temporaryFolder } from './temporary-folder.js';

let cwd = '';
let out = '';
beforeEach(() => {
  cwd = temporaryFolder().folder;
  out = join(cwd, 'out');
  give('Alpha');
  give('Beta');
});

const give = (name: string, kind?: 'open', more: object = {}) =>
  put(cwd, `in/${name}.json`, JSON.stringify({ ...workflow(name, kind), ...more }));
const run = (...args: string[]) => migrate(['in', '-o', 'out', ...args], { cwd });
const squadOf = (name: string) => {
  const row = rowsOf(out).find((each) => each.name === name);
  return `${row?.folder}/squad.json`;
};

describe.each(['--dry-run', '--diff'])('%s', (flag) => {
  it('makes no pages, where a run would', async () => {
    expect((await run(flag)).exitCode).toBe(0);
    expect(existsSync(out)).toBe(false);
    await run();
    const before = tree(out);
    give('Alpha', undefined, { globalPrompt: 'Be kind.' });
    await run(flag);
    expect(tree(out)).toEqual(before);
  });

  it('prunes nothing, and names what would go', async () => {
    await run();
    const before = tree(out);
    rmSync(join(cwd, 'in/Beta.json'));
    const gone = squadOf('Beta').replace('/squad.json', '');
    const { err } = await run(flag, '--prune');
    expect(tree(out)).toEqual(before);
    expect(err).toContain(`would be removed, as it is gone from the sources: ${gone}\n`);
    expect(err).not.toContain('batch/orphan');
    expect((await run(flag)).err).toContain(`its files stay (--prune removes them): ${gone}\n`);
  });
});

describe('--diff', () => {
  it('names a squad that comes and one that would go, and shows one that changes', async () => {
    await run();
    const [alpha, beta] = [squadOf('Alpha'), squadOf('Beta')];
    give('Alpha', 'open');
    give('Beta', undefined, { globalPrompt: 'Be kind.' });
    give('Gamma');
    const { out: shown, err } = await run('--diff');
    expect(err).toContain(`would be removed, as it is outdated: ${alpha}\n`);
    expect(err).toMatch(/^new: gamma-[0-9a-f]{8}\/squad\.json$/m);
    expect(shown.match(/^--- .*$/gm)).toEqual([`--- a/${beta}`]);
    expect(shown).toMatch(/^\+.*Be kind\./m);
  });

  it('shows nothing of a squad that comes out the same', async () => {
    await run();
    // Touched, it is looked at again.
    utimesSync(join(out, squadOf('Alpha')), 1, 1);
    const { out: shown, err } = await run('--diff');
    expect(shown).toBe('');
    expect(err).not.toContain(squadOf('Alpha'));
  });
});

import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { run } from '../../src/cli/run.js';
import type { SpecWorkflow } from '../../src/testing.js';
import { fakeIo, type Surroundings, temporaryFolder } from './fake-io.js';

const { folder, put } = temporaryFolder();
const repaired = vi.hoisted(() => ({ current: false }));

/** Laws about the workflows themselves, so that it is known which workflows break them. */
vi.mock('../../src/testing.js', async (original) => {
  const actual = await original<typeof import('../../src/testing.js')>();
  const laws = {
    holds: () => {},
    noEdges: ({ edges }: SpecWorkflow) => {
      if (edges.length > 0 && !repaired.current)
        throw new Error(`an edge:\n\u001b[31m${'x'.repeat(500)}`);
    },
    fewGlobals: ({ nodes }: SpecWorkflow) => {
      if (nodes.filter(({ isGlobal }) => isGlobal).length > 1) throw new Error('two globals');
    },
  };
  return { ...actual, laws };
});

async function fuzz(flags: string, surroundings: Surroundings = {}) {
  const io = fakeIo({ cwd: folder, ...surroundings });
  const exitCode = await run(['fuzz', ...flags.split(' ')], io);
  return { exitCode, out: io.out(), err: io.err() };
}

const usual = '--runs 100 --seed 7';
const files = (path: string) => readdirSync(path).filter((name) => name.startsWith('squadc-fuzz-'));
const read = (...path: string[]) => JSON.parse(readFileSync(join(folder, ...path), 'utf8'));

describe('squadc fuzz', () => {
  it('exits 0 where all laws hold', async () => {
    const out = '100 runs of 1 law, seed 7: no law failed\n';
    expect(await fuzz(`${usual} --laws holds`)).toEqual({ exitCode: 0, out, err: '' });
  });

  it('makes a failure small and writes it to a file, the same each time', async () => {
    const { exitCode, out } = await fuzz(`${usual} --out found`);
    expect(exitCode).toBe(1);
    expect(out).toMatch(/: 2 laws failed\n$/);
    expect(out).toContain('\\u001b[31mxxx');
    expect(out).not.toContain('\u001b');
    const names = files(join(folder, 'found'));
    expect(names.map((name) => /^squadc-fuzz-(\w+)-\d+\.json$/.exec(name)?.[1])).toEqual([
      'fewGlobals',
      'noEdges',
    ]);
    const { workflow, law, options, message, squadc } = read('found', names[1] ?? '');
    // One shape is left, and no shape has more edges.
    expect(law).toBe('noEdges');
    expect(workflow.edges.length).toBeLessThanOrEqual(4);
    expect(typeof squadc).toBe('string');
    expect(options.numbers.length).toBeGreaterThan(0);
    expect(message).toMatch(/^an edge:/);
    for (const name of names) expect(out).toContain(`squadc fuzz --replay found/${name}\n`);
    const again = await fuzz(`${usual} --out again`);
    expect(again.out).toBe(out.replaceAll('found/', 'again/'));
    for (const name of names) expect(read('again', name)).toEqual(read('found', name));
  });

  it('makes other runs with another seed', async () => {
    const failed = async (seed: number) =>
      (await fuzz(`--seed ${seed} --runs 100 --laws fewGlobals`)).out.match(
        /failed in run \d+/,
      )?.[0];
    expect(await failed(1)).not.toBe(await failed(2));
  });

  it('tries the laws that it is told to, and no others', async () => {
    const { exitCode, out } = await fuzz(`${usual} --laws fewGlobals,holds`);
    expect(exitCode).toBe(1);
    expect(out).not.toContain('noEdges');
    const { err } = await fuzz('--laws noEdgs');
    expect(err).toContain("unknown law 'noEdgs'\n(Did you mean noEdges?)");
    expect((await fuzz('--laws x')).err).toContain('\n(laws: holds, noEdges, fewGlobals)');
  });

  it('ends with what was done so far where it is stopped', async () => {
    const onInterrupt = (stop: () => void) => {
      setTimeout(stop, 100);
      return () => {};
    };
    const { exitCode, out } = await fuzz('--runs 100000 --seed 7', { onInterrupt });
    expect(exitCode).toBe(1);
    expect(out).toMatch(/^stopped after \d+ runs, seed 7: no law failed\n$/);
  });
});

describe('--replay', () => {
  it('tries just the failure in the file again', async () => {
    mkdirSync(join(folder, 'replayed'));
    await fuzz(`${usual} --laws noEdges --out replayed`);
    const replay = `--replay ${join('replayed', files(join(folder, 'replayed'))[0] ?? '')}`;
    const fails = await fuzz(replay);
    expect([fails.exitCode, fails.err]).toEqual([1, '']);
    expect(fails.out).toMatch(/^noEdges fails:\nan edge:\n\\u001b\[31mx+\n$/);
    repaired.current = true;
    expect(await fuzz(replay)).toMatchObject({ exitCode: 0, out: 'noEdges holds\n' });
    repaired.current = false;
  });

  it.each([
    ['{', 'was not written by squadc fuzz\n  help: Pass a file that squadc fuzz wrote'],
    ['[]', 'was not written by squadc fuzz'],
    ['{"law":"noEdges","workflow":null,"options":{}}', 'was not written by squadc fuzz'],
    ['{"law":"constructor","workflow":{},"options":{}}', "the law 'constructor' no longer exists"],
  ])('refuses other files: %s', async (text, message) => {
    const { exitCode, err } = await fuzz(`--replay ${put('other.json', text)}`);
    expect(exitCode).toBe(1);
    expect(err).toContain(message);
  });
});

it.each(['--runs 0', '--runs 1.5', '--runs 1e3', '--seed -1', '--laws ,', '--replay x --runs 3'])(
  'checks its arguments: %s',
  async (flags) => {
    const { exitCode, err } = await fuzz(flags);
    expect(exitCode).toBe(64);
    expect(err).toMatch(/^squadc: option/);
  },
);

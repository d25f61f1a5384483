import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { fuzzCommand, type OpenFuzzWorkers } from '../../src/cli/fuzz.js';
import type { FuzzFlags } from '../../src/cli/fuzz-options.js';
import { seedOf } from '../../src/cli/fuzz-runs.js';
import { doFuzzTask } from '../../src/cli/fuzz-worker.js';
import { run } from '../../src/cli/run.js';
import type { SpecWorkflow } from '../../src/testing.js';
import { buildBinary } from './built-binary.js';
import { fakeIo, type Surroundings } from './fake-io.js';
import { temporaryFolder } from './temporary-folder.js';

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

const here: OpenFuzzWorkers = async () => ({
  run: async (task) => doFuzzTask(structuredClone(task)),
  close: async () => {},
});

async function fuzz(
  flags: Partial<FuzzFlags> = {},
  surroundings: Surroundings = {},
  open: OpenFuzzWorkers = here,
) {
  const io = fakeIo({ cwd: folder, ...surroundings });
  const given = { runs: 100, seed: 7, size: 9, out: '.', jobs: 2, ...flags };
  const exitCode = await fuzzCommand(given, io, open);
  return { exitCode, out: io.out(), err: io.err() };
}

const files = (path: string) => readdirSync(path).filter((name) => name.startsWith('squadc-fuzz-'));
const read = (...path: string[]) => JSON.parse(readFileSync(join(folder, ...path), 'utf8'));

describe('squadc fuzz', () => {
  it('exits 0 where all laws hold', async () => {
    const { exitCode, out } = await fuzz({ laws: ['holds'] });
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^holds +\d\.\d\d ms\/run +\d+%\n/);
    expect(out).toMatch(/\n100 runs of 1 law, seed 7, 2 threads, \d+ runs\/s: no law failed\n$/);
  });

  it('makes a failure small and writes it to a file', async () => {
    mkdirSync(join(folder, 'found'));
    const { exitCode, out } = await fuzz({ out: 'found' });
    expect(exitCode).toBe(1);
    expect(out).toMatch(/: 2 laws failed\n$/);
    const names = files(join(folder, 'found'));
    expect(names.map((name) => /^squadc-fuzz-(\w+)-\d+\.json$/.exec(name)?.[1])).toEqual([
      'fewGlobals',
      'noEdges',
    ]);
    const { workflow, law, options, seed, path, message, squadc } = read('found', names[1] ?? '');
    // One shape is left, and no shape has more edges.
    expect(law).toBe('noEdges');
    expect(workflow.edges.length).toBeLessThanOrEqual(4);
    expect([typeof seed, typeof path, typeof squadc]).toEqual(['number', 'string', 'string']);
    expect(options.numbers.length).toBeGreaterThan(0);
    expect(message).toMatch(/^an edge:/);
    const globals = read('found', names[0] ?? '').workflow.nodes.filter(
      ({ isGlobal }: { isGlobal?: boolean }) => isGlobal,
    );
    expect(globals).toHaveLength(2);
    for (const name of names) expect(out).toContain(`squadc fuzz --replay found/${name}\n`);
  });

  it('makes the same runs on however many threads', async () => {
    const made = async (jobs: number) => {
      const out = `jobs-${jobs}`;
      mkdirSync(join(folder, out));
      const printed = await fuzz({ jobs, out, runs: 95 });
      const counted = printed.out.match(/failed \d+ times, first in run \d+/g);
      return [counted, files(join(folder, out)).map((name) => [name, read(out, name)])];
    };
    const one = await made(1);
    const three = await made(3);
    expect(one).toEqual(three);
    expect(one[0]).toHaveLength(2);
  });

  it('makes other runs with another seed', async () => {
    const made = async (seed: number) => (await fuzz({ seed, laws: ['fewGlobals'] })).out;
    const counted = (out: string) => out.match(/failed \d+/)?.[0];
    expect(counted(await made(1))).not.toBe(counted(await made(2)));
  });

  it('tries the laws that it is told to, and no others', async () => {
    const { exitCode, out } = await fuzz({ laws: ['fewGlobals', 'holds'] });
    expect(exitCode).toBe(1);
    expect(out).not.toContain('noEdges');
    await expect(fuzz({ laws: ['noEdgs'] })).rejects.toThrow(
      "unknown law 'noEdgs'\n(Did you mean noEdges?)\nLaws: holds, noEdges, fewGlobals",
    );
  });

  it('makes workflows of the size that it is told', async () => {
    const runs = { runs: 60, laws: ['fewGlobals'] };
    const small = await fuzz({ ...runs, size: 2 });
    const large = await fuzz({ ...runs, size: 20 });
    const times = ({ out }: { out: string }) => Number(/failed (\d+) time/.exec(out)?.[1] ?? 0);
    expect(times(small)).toBeLessThan(times(large));
  });

  it('shows what a law says without letting it steer the terminal, within its width', async () => {
    const { out } = await fuzz({ laws: ['noEdges'] }, { columns: 40 });
    expect(out).toContain('\\u001b[31mxxx');
    expect(out).not.toContain('\u001b');
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
  });

  it('shows on a terminal how far it is, and elsewhere not where it is done at once', async () => {
    const { err } = await fuzz({ laws: ['holds'] });
    expect(err).toBe('');
    const { err: bar } = await fuzz({ laws: ['holds'] }, { isTTY: true, columns: 40 });
    expect(bar).toContain('████ 100/100 runs, ');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the bar is removed at the end
    expect(bar).toMatch(/\u001b\[1G\u001b\[2K$/);
    const { err: dumb } = await fuzz({ laws: ['holds'] }, { isTTY: true, env: { TERM: 'dumb' } });
    expect(dumb).not.toContain('\u001b');
  });
});

describe('a stop', () => {
  it('ends with what was done so far', async () => {
    let stop = () => {};
    const onInterrupt = (given: () => void) => {
      stop = given;
      return () => {};
    };
    const open: OpenFuzzWorkers = async () => ({
      run: async (task) => {
        const outcome = doFuzzTask(task);
        if (task.kind === 'runs' && task.block.from >= 20) stop();
        return outcome;
      },
      close: async () => {},
    });
    const { exitCode, out } = await fuzz({ runs: 1000, jobs: 1 }, { onInterrupt }, open);
    expect(exitCode).toBe(1);
    expect(out).toMatch(/\nstopped after 30 of 1000 runs of 3 laws, seed 7, /);
    expect(out).toMatch(/squadc fuzz --replay squadc-fuzz-noEdges-\d+\.json\n/);
  });

  it('does not wait for a run that does not end', async () => {
    const onInterrupt = (stop: () => void) => {
      setTimeout(stop, 10);
      return () => {};
    };
    const close = vi.fn(async () => {});
    const open: OpenFuzzWorkers = async () => ({ run: () => new Promise(() => {}), close });
    const { exitCode, out } = await fuzz({}, { onInterrupt }, open);
    expect(exitCode).toBe(1);
    expect(out).toContain('\nstopped after 0 of 100 runs');
    expect(close).toHaveBeenCalledOnce();
  }, 10_000);

  it('by a thread that breaks closes the others', async () => {
    const close = vi.fn(async () => {});
    const open: OpenFuzzWorkers = async () => ({
      run: () => Promise.reject(new Error('out')),
      close,
    });
    await expect(fuzz({}, {}, open)).rejects.toThrow('out');
    expect(close).toHaveBeenCalledOnce();
  });
});

describe('--replay', () => {
  it('tries just the failure in the file again', async () => {
    mkdirSync(join(folder, 'again'));
    await fuzz({ laws: ['noEdges'], out: 'again' });
    const [file = ''] = files(join(folder, 'again'));
    const fails = await fuzz({ replay: join('again', file) });
    expect([fails.exitCode, fails.err]).toEqual([1, '']);
    expect(fails.out).toMatch(/^noEdges fails:\nan edge:\n\\u001b\[31mx+\n$/);
    repaired.current = true;
    expect(await fuzz({ replay: join('again', file) })).toMatchObject({
      exitCode: 0,
      out: 'noEdges holds\n',
    });
    repaired.current = false;
  });

  it.each([
    ['{', 'is no file of squadc fuzz\n  help: Give one that squadc fuzz wrote'],
    ['[]', 'is no file of squadc fuzz'],
    ['{"law":"noEdges","workflow":null,"options":{}}', 'is no file of squadc fuzz'],
    ['{"law":"gone","workflow":{},"options":{}}', "there is no law 'gone' any more"],
    ['{"law":"constructor","workflow":{},"options":{}}', "there is no law 'constructor' any more"],
  ])('refuses other files: %s', async (text, message) => {
    await expect(fuzz({ replay: put('other.json', text) })).rejects.toThrow(message);
  });

  it('survives a workflow that somebody has edited', async () => {
    const text = '{"law":"noEdges","workflow":{"edges":7},"options":{}}';
    expect(await fuzz({ replay: put('edited.json', text) })).toMatchObject({ exitCode: 0 });
    const broken = '{"law":"noEdges","workflow":{},"options":{}}';
    expect(await fuzz({ replay: put('edited.json', broken) })).toMatchObject({ exitCode: 1 });
  });
});

describe('the arguments', () => {
  it.each([
    ['--runs', '0'],
    ['--runs', '1.5'],
    ['--runs', '1e3'],
    ['--seed', '-1'],
    ['--jobs', '0'],
    ['--size', 'x'],
    ['--laws', ','],
    ['--replay', 'x', '--runs', '3'],
  ])('are checked: %s %s', async (...flags) => {
    const io = fakeIo();
    expect(await run(['fuzz', ...flags], io)).toBe(64);
    expect(io.err()).toMatch(/^squadc: option/);
  });

  it('have help', async () => {
    const io = fakeIo();
    expect(await run(['fuzz', '--help'], io)).toBe(0);
    expect(io.out()).toMatch(/--size <number>.*\(default: 9\).*Exit codes:.*Example:/s);
  });
});

it('gives every run a seed of its own', () => {
  const seeds = Array.from({ length: 100_000 }, (_, at) => seedOf(7, at));
  expect(new Set(seeds).size).toBe(seeds.length);
  expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0)).toBe(true);
  expect(seedOf(8, 0)).not.toBe(seedOf(7, 0));
});

describe('the binary', () => {
  /** Bundled as the build does it, with the packages that the binary needs and those given. */
  async function install(...packages: string[]): Promise<string> {
    const target = join(folder, `install-${packages.length}`);
    mkdirSync(join(target, 'node_modules'), { recursive: true });
    cpSync('package.json', join(target, 'package.json'));
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    for (const name of [...Object.keys(dependencies), ...packages]) {
      mkdirSync(dirname(join(target, 'node_modules', name)), { recursive: true });
      symlinkSync(join(process.cwd(), 'node_modules', name), join(target, 'node_modules', name));
    }
    await buildBinary(join(target, 'dist'), { 'fuzz-worker': 'src/cli/fuzz-worker.ts' });
    return join(target, 'dist', 'cli.js');
  }

  function squadc(binary: string, ...argv: string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [binary, 'fuzz', ...argv], {
      encoding: 'utf8',
      cwd: folder,
      env: { PATH: process.env.PATH },
    });
    return { exitCode: status, out: stdout, err: stderr };
  }

  it('makes runs in threads', async () => {
    const flags = ['--runs', '40', '--seed', '7', '--jobs', '2', '--laws', 'inputNotMutated'];
    const { exitCode, out } = squadc(await install('fast-check'), ...flags);
    expect(out).toMatch(
      /^inputNotMutated.*\n\n40 runs of 1 law, seed 7, 2 threads, .*: no law failed\n$/,
    );
    expect(exitCode).toBe(0);
  });

  it('says what to install where fast-check is missing', async () => {
    const { exitCode, out, err } = squadc(await install());
    expect([exitCode, out]).toEqual([64, '']);
    expect(err).toMatch(
      /^squadc: fuzz needs fast-check.*\n\(npm install --save-dev fast-check@4\)\n$/,
    );
  });
});

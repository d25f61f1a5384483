/** The built binary where the system does not do as it should: it is killed, or has no room or rights. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, type TestContext } from 'vitest';
import { runs } from '../seed.js';
import { builtMigrate } from './built-migrate.js';
import { differences, lines, put, rowsOf, tree, workflow } from './migrating.js';

const { at, binary, squadc, squadcAfter } = builtMigrate();
const args = (out: string) => {
  return ['migrate', 'in', '-o', out, '--no-report', '--jobs', '2', '--verbose'];
};
const migrate = (out = 'out') => squadc(...args(out));
const different = (one = 'out', other = 'calm') => differences(tree(at(one)), tree(at(other)));
const ends = () =>
  rowsOf(at('out')).map(({ name, status, failure }) => [name, failure?.code ?? status]);

let acts: (() => void)[] = [];
const undoAll = () => {
  for (const each of acts) each();
  acts = [];
};
afterEach(undoAll);

/** Runs a command of the system; where it may not, the test is skipped. */
function orSkip({ skip }: TestContext, program: string, ...args: readonly string[]): void {
  try {
    execFileSync(program, args, { stdio: 'pipe' });
  } catch {
    skip(`${program} ${args.join(' ')}: not possible here`);
  }
}

/** Not even the superuser writes there; for others, rights are enough. */
function makeReadOnly(path: string, context: TestContext): void {
  if (process.getuid?.() === 0) {
    orSkip(context, 'chattr', '+i', path);
    acts.push(() => execFileSync('chattr', ['-i', path]));
  } else {
    chmodSync(path, 0o555);
    acts.push(() => chmodSync(path, 0o755));
  }
}

describe('a run', () => {
  const kinds = ['complete', 'complete', 'open', 'broken'] as const;
  /** `npm run kills`: 100 of 2,000. */
  const count = runs(60);
  const kills = Math.floor(count / 20);

  beforeEach(() => {
    const all = Array.from({ length: count }, (_, at) => workflow(`W${at}`, kinds[at % 4]));
    for (let from = 0; from < all.length; from += 10) {
      put(at(), `in/lines-${from}.jsonl`, lines(...all.slice(from, from + 10)));
    }
  });

  /** How many folders of workflows are there; -1 where there is no output yet. */
  const folders = () => {
    try {
      return readdirSync(at('out')).filter((name) => /-[0-9a-f]{8}$/.test(name)).length;
    } catch {
      return -1;
    }
  };

  /** Starts a run, and ends it at a moment. */
  async function stopWhen(signal: NodeJS.Signals, moment: () => boolean) {
    const child = spawn(process.execPath, [binary, ...args('out')], { cwd: at() });
    const ended = once(child, 'exit');
    let err = '';
    child.stderr.on('data', (piece) => {
      err += piece;
    });
    while (child.exitCode === null && !moment()) await sleep(1);
    child.kill(signal);
    await ended;
    return { ...child, err };
  }

  it('that is killed and run again leaves the same files as an undisturbed run', async () => {
    await migrate('calm');
    const expectCalm = async () => {
      expect((await migrate()).code).toBe(1);
      expect(different()).toEqual([]);
      const own = ['summaries.json', 'tmp'];
      expect(readdirSync(at('out/.squadc'), { recursive: true }).sort()).toEqual(own);
    };
    let killed = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      // Moments all over the run; one that is over already is that of the start.
      const most = ((kill * 0.618) % 1) * count;
      const { signalCode } = await stopWhen('SIGKILL', () => folders() >= most);
      if (signalCode === 'SIGKILL') killed += 1;
      if (kill % 3 < 2) continue;
      await expectCalm();
      rmSync(at('out'), { recursive: true });
    }
    expect(killed).toBeGreaterThan(kills / 2);
    await stopWhen(
      'SIGKILL',
      () => folders() > 0 && readdirSync(at('out')).includes('summary.csv'),
    );
    await expectCalm();
  }, 3_600_000);

  it('stopped by Ctrl-C says how to go on, and goes on when it is run again', async () => {
    const { exitCode, err } = await stopWhen('SIGINT', () => folders() > 5);
    // What was begun may have been all there was.
    if (exitCode !== 1)
      expect([exitCode, err]).toEqual([130, expect.stringContaining('continues\n')]);
    expect((await migrate()).code).toBe(1);
    await migrate('calm');
    expect(different()).toEqual([]);
  }, 120_000);

  it('keeps a second run out until it has ended', async () => {
    const child = spawn(process.execPath, [binary, ...args('out')], { cwd: at() });
    const ended = once(child, 'exit');
    while (folders() < 1) await sleep(1);
    child.kill('SIGSTOP');
    acts.push(() => child.kill('SIGCONT'));
    const { code, err } = await migrate();
    expect([code, err]).toEqual([
      64,
      expect.stringContaining(`out is in use: process ${child.pid}`),
    ]);
    undoAll();
    await ended;
    expect((await migrate()).code).toBe(1);
  }, 120_000);
});

describe('a disk', () => {
  it('that is full is reported for each workflow, and the next run writes the rest', async (context) => {
    mkdirSync(at('out'));
    orSkip(context, 'mount', '-t', 'tmpfs', '-o', 'size=200k', 'tmpfs', at('out'));
    acts.push(() => execFileSync('umount', [at('out')]));
    put(at(), 'in/a.jsonl', lines(...Array.from({ length: 60 }, (_, at) => workflow(`W${at}`))));
    const { code, err } = await migrate();
    expect([code, err]).toEqual([74, expect.stringContaining('no space left on device')]);
    expect(err).not.toContain('internal error');
    const made = new Set([...tree(at('out')).keys()].map((path) => path.split('/')[0]));
    expect(made.size).toBeGreaterThan(1);
    orSkip(context, 'mount', '-o', 'remount,size=50m', at('out'));
    await migrate();
    await migrate('calm');
    expect(different()).toEqual([]);
  });

  it('with a limit on the size of files fails only the workflows above it', async () => {
    const long = { ...workflow('Long'), globalPrompt: 'Be brief. '.repeat(20_000) };
    put(at(), 'in/a.jsonl', lines(workflow('Alpha'), long, workflow('Gamma')));
    const { code, err } = await squadcAfter('ulimit -f 150', ...args('out'));
    expect([code, err]).toEqual([74, expect.stringContaining('1 failed\n')]);
    expect(ends().map(([, end]) => end)).toEqual(['complete', 'batch/write-failed', 'complete']);
    expect(rowsOf(at('out'))[1]?.failure?.message).toMatch(/^cannot write long-.*file too large/);
  });
});

describe('a read-only folder', () => {
  const give = (name: string, more: object = {}) =>
    put(at(), `in/${name}.json`, JSON.stringify({ ...workflow(name), ...more }));

  it('is refused by name when it is the output folder, as is a file in its place', async (context) => {
    give('Alpha');
    put(at(), 'out', 'mine');
    const refused = [74, expect.stringMatching(/^squadc: cannot write to out: /m)];
    const { code, err } = await migrate();
    expect([code, err]).toEqual(refused);
    rmSync(at('out'));
    mkdirSync(at('out'));
    makeReadOnly(at('out'), context);
    const again = await migrate();
    expect([again.code, again.err]).toEqual(refused);
  });

  it('of one workflow fails only that workflow, until it can be written', async (context) => {
    for (const name of ['Alpha', 'Beta']) give(name);
    await migrate();
    const before = tree(at('out'));
    const [{ folder } = { folder: '' }] = rowsOf(at('out'));
    makeReadOnly(at('out', folder), context);
    for (const name of ['Alpha', 'Beta']) give(name, { globalPrompt: 'Be kind.' });
    expect((await migrate()).code).toBe(74);
    expect(ends()).toEqual([
      ['Alpha', 'batch/write-failed'],
      ['Beta', 'complete'],
    ]);
    for (const name of ['squad.json', 'result.json']) {
      expect(tree(at('out')).get(`${folder}/${name}`)).toBe(before.get(`${folder}/${name}`));
    }
    undoAll();
    expect(await migrate()).toMatchObject({ code: 0 });
    await migrate('calm');
    expect(different()).toEqual([]);
  });
});

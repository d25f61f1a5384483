import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { run as runCommand } from '../../src/cli/run.js';
import { compile } from '../../src/index.js';
import { fakeIo } from '../cli/fake-io.js';
import {
  type Disturbance,
  here,
  lines,
  migrate,
  put,
  rowsOf,
  tree,
  workflow,
} from './migrating.js';

const root = mkdtempSync(join(tmpdir(), 'squadc-batch-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let cwd = '';
let out = '';
let count = 0;
beforeEach(() => {
  cwd = join(root, `${count++}`);
  mkdirSync(cwd);
  out = join(cwd, 'out');
});

const three = () => {
  put(cwd, 'in/a.json', JSON.stringify(workflow('Alpha')));
  put(cwd, 'in/b.json', JSON.stringify(workflow('Beta', 'open')));
  put(cwd, 'in/c.json', JSON.stringify(workflow('Gamma', 'broken')));
};
const run = (...args: string[]) => migrate(['in', '-o', 'out', '--no-report', ...args], { cwd });
const keys = () => rowsOf(out).map(({ key }) => key);
const folder = (name: string) => rowsOf(out).find((row) => row.name === name)?.folder ?? '?';
const names = (name: string) => readdirSync(join(out, folder(name))).sort();

/** What is looked at of a place in SARIF. */
interface SarifLocation {
  readonly physicalLocation: { readonly region: { readonly startLine: number } };
}

/** Runs, and says which of the workflows were compiled. */
async function runWatched(...args: string[]): Promise<(string | null)[]> {
  const compiled: (string | null)[] = [];
  const after: Disturbance['after'] = (outcomes) => {
    for (const outcome of outcomes) if (outcome?.staged) compiled.push(outcome.row.name);
  };
  await migrate(['in', '-o', 'out', '--no-report', ...args], { cwd }, here({ after }));
  return compiled;
}

describe('a run', () => {
  it('writes a folder for each workflow, and the summaries', async () => {
    three();
    const { exitCode, err, out: printed } = await run();
    expect(printed).toBe('');
    expect(rowsOf(out).map(({ name, status, index }) => [index, name, status])).toEqual([
      [0, 'Alpha', 'complete'],
      [1, 'Beta', 'needs-answers'],
      [2, 'Gamma', 'invalid'],
    ]);
    expect(rowsOf(out).map(({ firstError }) => firstError?.at)).toEqual([
      undefined,
      undefined,
      '/edges/0/to',
    ]);
    expect(readFileSync(join(out, 'summary.md'), 'utf8')).toContain(
      'invalid: This edge leads to “nowhere”, but no node has that id. (/edges/0/to)',
    );
    expect(exitCode).toBe(1);
    expect(keys()[0]).toMatch(/^alpha-[0-9a-f]{8}$/);
    expect(names('Alpha')).toEqual(['result.json', 'squad.json']);
    expect(names('Beta')).toEqual(['questions.md', 'result.json']);
    expect(names('Gamma')).toEqual(['result.json']);
    expect(readdirSync(out).filter((name) => name.startsWith('summary'))).toEqual([
      'summary.csv',
      'summary.json',
      'summary.md',
      'summary.sarif',
    ]);
    expect(err).toContain('1 complete\n');
    expect(err).toContain('1 with open questions\n');
    expect(err).toContain('1 invalid\n');
    expect(err).toContain('1 question: 1 undefined-variable\n');
    expect(err).toContain('next: squadc answer out\n');
  });

  it('puts out what squadc compile does', async () => {
    three();
    await run();
    const { output } = compile(workflow('Alpha'));
    const text = readFileSync(join(out, folder('Alpha'), 'squad.json'), 'utf8');
    expect(text).toBe(`${JSON.stringify(output, null, 2)}\n`);
    const result = JSON.parse(readFileSync(join(out, folder('Gamma'), 'result.json'), 'utf8'));
    expect(result.diagnostics[0]).toMatchObject({ code: 'flow/missing-node', line: 1 });
  });

  it('gives the same bytes the second time, by however many threads', async () => {
    three();
    put(cwd, 'in/many.jsonl', lines(...Array.from({ length: 40 }, (_, at) => workflow(`W${at}`))));
    await run('--jobs', '1');
    const first = tree(out);
    await run('--jobs', '3');
    expect(tree(out)).toEqual(first);
    rmSync(out, { recursive: true });
    await run('--jobs', '3');
    expect(tree(out)).toEqual(first);
  });

  it('compiles and writes nothing that has not changed', async () => {
    three();
    expect(await runWatched()).toEqual(['Alpha', 'Beta', 'Gamma']);
    const times = () => [...tree(out).keys()].map((path) => statSync(join(out, path)).ctimeMs);
    const before = times();
    expect(await runWatched()).toEqual([]);
    expect(times()).toEqual(before);
    put(cwd, 'in/b.json', JSON.stringify(workflow('Beta')));
    expect(await runWatched()).toEqual(['Beta']);
  });

  it('looks again at what was touched, and does what was changed or is missing', async () => {
    three();
    await run();
    const squad = join(out, folder('Alpha'), 'squad.json');
    const text = readFileSync(squad);
    writeFileSync(squad, text);
    expect(await runWatched()).toEqual([]);
    rmSync(squad);
    expect(await runWatched()).toEqual(['Alpha']);
    expect(readFileSync(squad)).toEqual(text);
    put(
      out,
      `${folder('Beta')}/questions.md`,
      'x'.repeat(statSync(join(out, folder('Beta'), 'questions.md')).size),
    );
    expect((await run()).exitCode).toBe(74);
    expect(rowsOf(out)[1]?.failure?.message).toContain('questions.md already exists');
  });

  it('does a workflow again whose text, options, policies or answers have changed', async () => {
    three();
    await run();
    const squad = () => readFileSync(join(out, folder('Alpha'), 'squad.json'), 'utf8');
    const first = squad();
    await run('--target', 'vapi');
    expect(squad()).not.toBe(first);
    await run('--defaults');
    expect(squad()).toBe(first);
    put(cwd, 'in/a.json', JSON.stringify({ ...workflow('Alpha'), globalPrompt: 'Be kind.' }));
    await run();
    expect(squad()).toContain('Be kind.');
    await run('--policy', 'undefined-variable=caller');
    expect(rowsOf(out)[1]?.status).toBe('complete');
    await run('--defaults');
    expect(rowsOf(out)[1]?.status).toBe('needs-answers');
    const result = JSON.parse(readFileSync(join(out, folder('Beta'), 'result.json'), 'utf8'));
    const [{ id, subject }] = result.questions;
    const answers = { [id]: { choice: 'caller', subject } };
    put(cwd, 'answers.json', JSON.stringify({ workflows: { [result.key]: { answers } } }));
    await run('--answers', 'answers.json');
    expect(rowsOf(out)[1]?.status).toBe('complete');
    expect(names('Beta')).toEqual(['result.json', 'squad.json']);
  });

  it('remembers its options, and says what is used and what changes', async () => {
    three();
    await run('--target', 'vapi', '--policy', 'undefined-variable=caller');
    const first = tree(out);
    const { err } = await run();
    expect(err).toContain(
      'as in the last run: --policy undefined-variable=caller, --target vapi\n',
    );
    expect(tree(out)).toEqual(first);
    const { err: other } = await run('--target', 'squad');
    expect(other).toContain('changed: --target squad (before: vapi)\n');
    expect(rowsOf(out)[1]?.status).toBe('complete');
    await run('--defaults');
    expect(rowsOf(out)[1]?.status).toBe('needs-answers');
    expect((await run()).err).not.toContain('as in the last run');
  });

  it('reads the answers that lie in the folder, and those of the last run before them', async () => {
    three();
    await run();
    const { key } = rowsOf(out)[1]!;
    const result = JSON.parse(readFileSync(join(out, key, 'result.json'), 'utf8'));
    const answers = { [result.questions[0].id]: { choice: 'caller' } };
    put(out, 'answers.json', JSON.stringify({ workflows: { [key]: { answers } } }));
    await run();
    expect(rowsOf(out)[1]?.status).toBe('complete');
    put(cwd, 'other.json', JSON.stringify({ policies: { 'cyclic-stages': 'keep-split' } }));
    await run('--answers', 'other.json');
    expect(rowsOf(out)[1]?.status).toBe('needs-answers');
    expect((await run()).err).toContain('as in the last run: --answers other.json\n');
    expect(rowsOf(out)[1]?.status).toBe('complete');
  });

  it('takes an array in a file as many workflows', async () => {
    const text = JSON.stringify([workflow('One'), workflow('T "], [{')], null, 2);
    const second = text.slice(0, text.indexOf('"name": "T')).split('\n').length - 1;
    put(cwd, 'in/all.json', text);
    put(cwd, 'in/none.json', ' []');
    const { exitCode, err } = await run();
    expect(rowsOf(out).map(({ name, line, status }) => [name, line, status])).toEqual([
      ['One', 2, 'complete'],
      ['T "], [{', second, 'complete'],
    ]);
    expect([exitCode, err]).toEqual([74, expect.stringContaining('batch/empty: in/none.json: ')]);
  });

  it('names answers for a workflow that is not there', async () => {
    three();
    put(cwd, 'answers.json', JSON.stringify({ workflows: { nobody: { answers: {} } } }));
    const { err } = await run('--answers', 'answers.json');
    expect(err).toContain('batch/unknown-workflow');
    const { err: partly } = await run('--answers', 'answers.json', '--shard', '1/2');
    expect(partly).not.toContain('batch/unknown-workflow');
  });

  it('removes a squad that is no longer complete, and names it', async () => {
    three();
    await run();
    put(cwd, 'in/a.json', JSON.stringify(workflow('Alpha', 'open')));
    const { err } = await run();
    expect(names('Alpha')).toEqual(['questions.md', 'result.json']);
    expect(err).toContain(`removed because it is outdated: ${folder('Alpha')}/squad.json`);
    put(cwd, 'in/a.json', JSON.stringify(workflow('Alpha')));
    await run();
    expect(names('Alpha')).toEqual(['result.json', 'squad.json']);
  });

  it('reads standard input', async () => {
    const stdin = lines(workflow('One'), workflow('Two'));
    const { exitCode } = await migrate(['-', '-o', 'out', '--no-report'], { cwd, stdin });
    expect(exitCode).toBe(0);
    expect(rowsOf(out).map(({ source, line }) => [source, line])).toEqual([
      ['stdin', 1],
      ['stdin', 2],
    ]);
    expect(existsSync(join(out, '.squadc/stdin'))).toBe(false);
  });
});

describe('one broken workflow', () => {
  it('among lines has a row, as each other has', async () => {
    const notUtf8 = Buffer.from([0x7b, 0xff, 0x7d, 0x0a]);
    const text = `${lines(workflow('Alpha'))}not json\n  \n[]\nnull\n"text"\n{"nodes":\n`;
    const rest = `${lines(workflow('Beta', 'broken'))}{}\n${lines(workflow('Gamma'))}`;
    put(cwd, 'in/x.jsonl', Buffer.concat([Buffer.from(text), notUtf8, Buffer.from(rest)]));
    expect((await run()).exitCode).toBe(1);
    const [first, ...others] = rowsOf(out).map(({ line, status }) => `${line} ${status}`);
    expect([first, others.pop()]).toEqual(['1 complete', '11 complete']);
    expect(others).toEqual([2, 4, 5, 6, 7, 8, 9, 10].map((line) => `${line} invalid`));
    const { runs } = JSON.parse(readFileSync(join(out, 'summary.sarif'), 'utf8'));
    const places = runs[0].results.map(
      ({ ruleId, locations }: { ruleId: string; locations: SarifLocation[] }) =>
        `${ruleId} ${locations[0]?.physicalLocation.region.startLine}`,
    );
    for (const place of ['shape/not-json 2', 'batch/not-utf8 8', 'flow/missing-node 9']) {
      expect(places).toContain(place);
    }
  });

  it('whose file goes, shrinks or is a pipe is failed, and the others are done', async () => {
    three();
    put(cwd, 'in/d.jsonl', lines(workflow('Third'), workflow('Fourth')));
    execFileSync('/bin/sh', ['-c', 'mkfifo in/pipe.json pipe.json'], { cwd });
    put(cwd, 'in/empty.jsonl', '');
    const change = () => {
      rmSync(join(cwd, 'in/a.json'), { force: true });
      put(cwd, 'in/d.jsonl', lines(workflow('Third')));
    };
    const args = ['in', 'pipe.json', '-o', 'out', '--no-report'];
    const { exitCode, err } = await migrate(args, { cwd }, here({ before: change }));
    expect([exitCode, err]).toEqual([74, expect.stringContaining('batch/unreadable: pipe.json')]);
    expect(err).toContain('batch/empty: in/empty.jsonl: ');
    expect(rowsOf(out).map(({ status, failure }) => failure?.code ?? status)).toEqual([
      'batch/vanished',
      'needs-answers',
      'invalid',
      'complete',
      'batch/vanished',
    ]);
  });

  it('that makes a thread die is failed alone', async () => {
    three();
    const dying = here({
      before: (items) => {
        if (items.some(({ source }) => source === 'in/b.json')) throw new Error('out of memory');
      },
    });
    const args = ['in', '-o', 'out', '--no-report'];
    const { exitCode } = await migrate(args, { cwd }, dying);
    expect(exitCode).toBe(70);
    expect(rowsOf(out).map(({ status, failure }) => failure?.code ?? status)).toEqual([
      'complete',
      'batch/internal-error',
      'invalid',
    ]);
  });

  it('that makes a thread die leaves alone what was written before', async () => {
    three();
    let times = 0;
    const dying = here({
      after: () => {
        times += 1;
        if (times === 1) throw new Error('out of memory');
      },
    });
    await migrate(['in', '-o', 'out', '--no-report'], { cwd }, dying);
    expect(times).toBe(4);
    expect(rowsOf(out).map(({ status }) => status)).toEqual([
      'complete',
      'needs-answers',
      'invalid',
    ]);
  });
});

describe('files that squadc did not write', () => {
  const foreign = () => put(out, `${folder('Alpha')}/squad.json`, 'mine');

  it('stay where a squad would be, and the workflow is failed', async () => {
    three();
    await run();
    foreign();
    const { exitCode } = await run();
    expect(exitCode).toBe(74);
    expect(rowsOf(out)[0]?.failure?.code).toBe('batch/foreign-file');
    expect(readFileSync(join(out, folder('Alpha'), 'squad.json'), 'utf8')).toBe('mine');
    const again = await run();
    expect(again.exitCode).toBe(74);
    expect(readFileSync(join(out, folder('Alpha'), 'squad.json'), 'utf8')).toBe('mine');
  });

  it('are overwritten with --force', async () => {
    three();
    await run();
    const before = tree(out);
    foreign();
    await run('--force');
    expect(tree(out)).toEqual(before);
  });

  it('are not removed as outdated', async () => {
    three();
    await run();
    foreign();
    put(cwd, 'in/a.json', JSON.stringify(workflow('Alpha', 'open')));
    const { err } = await run();
    expect(err).toContain('outdated, but kept because it was changed');
    expect(readFileSync(join(out, folder('Alpha'), 'squad.json'), 'utf8')).toBe('mine');
  });
});

describe('what stands where a folder or a file of ours would', () => {
  it.each<[what: string, stand: (path: string) => void]>([
    ['a file', (path) => writeFileSync(path, 'mine')],
    ['a folder', (path) => mkdirSync(join(path, 'squad.json'), { recursive: true })],
    ['a result of somebody else', (path) => put(path, 'result.json', 'mine')],
    ['a link', (path) => symlinkSync(join(cwd, 'in'), path)],
  ])('%s: fails that workflow alone, until it is gone', async (_, stand) => {
    three();
    await run();
    const whole = tree(out);
    const alpha = folder('Alpha');
    rmSync(join(out, alpha), { recursive: true });
    stand(join(out, alpha));
    const before = tree(cwd);
    const { exitCode, err } = await run();
    expect([exitCode, err]).toEqual([
      74,
      expect.stringContaining('1 failed (1 batch/foreign-file'),
    ]);
    expect(rowsOf(out).map(({ failure }) => failure?.code)).toEqual([
      'batch/foreign-file',
      undefined,
      undefined,
    ]);
    for (const [path, text] of before) {
      if (!/^out\/(?:summary|\.squadc)/.test(path))
        expect([path, tree(cwd).get(path)]).toEqual([path, text]);
    }
    rmSync(join(out, alpha), { recursive: true, force: true });
    await run();
    expect(tree(out)).toEqual(whole);
  });
});

describe('a summary', () => {
  it('where another file stands fails alone, and --force overwrites the file', async () => {
    three();
    put(out, 'summary.csv', 'mine');
    mkdirSync(join(out, 'summary.md'));
    const { exitCode, err } = await run();
    expect([exitCode, err]).toEqual([74, expect.stringContaining('summary.csv already exists')]);
    expect(err).toContain('batch/foreign-file: summary.md already exists');
    expect(readFileSync(join(out, 'summary.csv'), 'utf8')).toBe('mine');
    expect(rowsOf(out)).toHaveLength(3);
    rmSync(join(out, 'summary.md'), { recursive: true });
    expect((await run('--force')).exitCode).toBe(1);
    expect(readFileSync(join(out, 'summary.csv'), 'utf8')).toContain('Alpha');
  });

  it('that cannot be written is named, and shown whole where that was asked for', async () => {
    three();
    const full = here({
      after: () => {
        rmSync(join(out, '.squadc/tmp/all'), { recursive: true, force: true });
        writeFileSync(join(out, '.squadc/tmp/all'), 'no folder');
      },
    });
    const args = ['in', '-o', 'out', '--no-report', '--json'];
    const migrated = await migrate(args, { cwd }, full);
    expect([migrated.exitCode, JSON.parse(migrated.out).workflows.length]).toEqual([74, 3]);
    expect(migrated.err).toContain('batch/write-failed: cannot write summary.json: ');
    expect(migrated.err).toMatch(/^batch\/write-failed: alpha-\w+ \(in\/a\.json\): /m);
  });
});

describe('a part of a run', () => {
  it('has no summary until squadc report makes it of all parts', async () => {
    three();
    put(cwd, 'in/many.jsonl', lines(...Array.from({ length: 20 }, (_, at) => workflow(`W${at}`))));
    await run();
    const whole = tree(out);
    for (const shard of ['1/3', '2/3', '3/3']) {
      const { err } = await run('--shard', shard);
      expect(err).toContain('next: squadc report out');
      expect(err).not.toContain('gone');
    }
    expect(readdirSync(out).filter((name) => name.startsWith('summary'))).toEqual([]);
    const io = { ...fakeIo({ cwd }), threads: here() };
    expect(await runCommand(['report', 'out', '--no-pages'], io)).toBe(0);
    const isPage = (path: string) => path === 'summary.html' || path === 'squadc.js';
    const made = [...tree(out)].filter(([path]) => !isPage(path));
    expect(new Map(made)).toEqual(whole);
  });

  it('is done before the others: each key is of one shard', async () => {
    three();
    const done = async (shard: string) => (await runWatched('--shard', shard)).length;
    expect((await done('1/2')) + (await done('2/2'))).toBe(3);
    expect(await done('1/2')).toBe(0);
  });
});

describe('two workflows with the same key', () => {
  const same = (text: string) => ({ ...workflow('Same'), globalPrompt: text });

  it('give it to the first of the input, whichever was done first', async () => {
    const one = lines(same('one'), workflow('Other'), same('two'));
    const filler = Array.from({ length: 400 }, (_, at) => ({
      name: `W${at}`,
      text: 'x'.repeat(3000),
    }));
    put(cwd, 'in/a.jsonl', one + lines(...filler) + lines(same('three')));
    await run('--jobs', '2');
    const rows = rowsOf(out).filter(({ name }) => name === 'Same');
    expect(rows.map(({ line, failure }) => [line, failure?.code])).toEqual([
      [1, undefined],
      [3, 'batch/same-key'],
      [404, 'batch/same-key'],
    ]);
    expect(readFileSync(join(out, folder('Same'), 'squad.json'), 'utf8')).toContain('one');
    const first = tree(out);
    await run();
    expect(tree(out)).toEqual(first);
    put(cwd, 'in/a.jsonl', lines(workflow('Other'), same('two')) + lines(...filler));
    await run();
    expect(rowsOf(out)[1]).toMatchObject({ status: 'complete', name: 'Same' });
    expect(readFileSync(join(out, folder('Same'), 'squad.json'), 'utf8')).toContain('two');
  }, 120_000);
});

describe('a workflow that is gone from the sources', () => {
  it('keeps its files and is named, but for one whose source cannot be read', async () => {
    three();
    await run();
    const alpha = folder('Alpha');
    rmSync(join(cwd, 'in/a.json'));
    const gone = `batch/orphan: gone from the sources, its files stay: ${alpha}\n`;
    expect((await run()).err).toContain(gone);
    expect(existsSync(join(out, alpha, 'squad.json'))).toBe(true);
    put(cwd, 'in/a.json', JSON.stringify(workflow('Alpha')));
    const vanish = here({ before: () => rmSync(join(cwd, 'in/a.json'), { force: true }) });
    const { err } = await migrate(['in', '-o', 'out', '--no-report'], { cwd }, vanish);
    expect(err).toContain('1 failed (1 batch/vanished)');
    expect(err).not.toContain('gone from the sources');
  });
});

describe('a run that writes nothing', () => {
  it('shows the summary with --dry-run', async () => {
    three();
    const { exitCode, out: printed } = await run('--dry-run');
    expect(exitCode).toBe(1);
    expect(printed).toContain('# Summary of the migration');
    expect(existsSync(out)).toBe(false);
    const { out: json } = await run('--dry-run', '--json');
    expect(JSON.parse(json).workflows).toHaveLength(3);
    await run();
    const before = tree(out);
    await run('--dry-run', '--target', 'vapi');
    expect(tree(out)).toEqual(before);
  });
});

describe('wrong usage', () => {
  it('is refused before anything is done', async () => {
    three();
    put(cwd, 'bad.json', '{"policies":{"nothing":"such"}}');
    expect((await run('--answers', 'bad.json')).exitCode).toBe(1);
    expect((await run('--shard', '4/3')).exitCode).toBe(64);
    expect((await run('--overrides', 'bad.json', '--answers', 'none.json')).exitCode).toBe(1);
    expect(existsSync(out)).toBe(false);
  });

  it('names sources that are not there, and does the others', async () => {
    three();
    const args = ['in', 'none', '-o', 'out', '--no-report'];
    const { exitCode, err } = await migrate(args, { cwd });
    expect(exitCode).toBe(74);
    expect(err).toContain('batch/missing: none');
    expect(rowsOf(out)).toHaveLength(3);
  });
});

describe('secrets', () => {
  it('stand in the squad alone', async () => {
    const secret = 'Bearer s3cr3t-value-of-mine';
    const nodes = [
      { id: 'ask', type: 'conversation', systemPrompt: `Say ${secret} never.` },
      {
        id: 'call',
        type: 'apiRequest',
        url: 'https://a.example/x',
        method: 'GET',
        headers: { Authorization: secret },
      },
      { id: 'bye', type: 'endCall' },
    ];
    const edges = [
      { from: 'ask', to: 'call' },
      { from: 'call', to: 'bye' },
    ];
    put(cwd, 'in/a.json', JSON.stringify({ name: 'Secret', nodes, edges }));
    await run();
    expect(rowsOf(out)[0]?.status).toBe('complete');
    for (const [path, text] of tree(out)) {
      expect([path, text.includes('s3cr3t')]).toEqual([path, path.endsWith('squad.json')]);
    }
  });
});

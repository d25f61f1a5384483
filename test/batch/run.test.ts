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
import { compile } from '../../src/index.js';
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

/** What is looked at of a result of SARIF. */
interface SarifLocated {
  readonly ruleId: string;
  readonly locations: readonly {
    readonly physicalLocation: { readonly region: { readonly startLine: number } };
  }[];
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

  it('leaves no trace of the machine outside of .squadc', async () => {
    three();
    await run();
    for (const [path, text] of tree(out)) {
      expect(`${path}: ${text.includes(root)}`).toBe(`${path}: false`);
    }
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

  it('reads lines of JSONL, and knows their numbers', async () => {
    const broken = JSON.stringify(workflow('Second', 'broken'));
    put(cwd, 'in/x.jsonl', `${lines(workflow('First'))}\n  \n${broken}\nnot json\n`);
    await run();
    expect(rowsOf(out).map(({ line, status }) => [line, status])).toEqual([
      [1, 'complete'],
      [4, 'invalid'],
      [5, 'invalid'],
    ]);
    const sarif = JSON.parse(readFileSync(join(out, 'summary.sarif'), 'utf8'));
    const places = sarif.runs[0].results.map((result: SarifLocated) => [
      result.ruleId,
      result.locations[0]?.physicalLocation.region.startLine,
    ]);
    expect(places).toContainEqual(['flow/missing-node', 4]);
    expect(places).toContainEqual(['shape/not-json', 5]);
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
  it('that is not UTF-8 is invalid', async () => {
    three();
    put(cwd, 'in/d.json', new Uint8Array([0x7b, 0xff, 0x7d]));
    const { exitCode } = await run();
    expect(exitCode).toBe(1);
    expect(rowsOf(out)[3]).toMatchObject({ status: 'invalid', name: null, errors: 1 });
  });

  it('that is too large is failed, and so is a file that is gone', async () => {
    three();
    put(cwd, 'in/d.json', JSON.stringify(workflow('x'.repeat(5000))));
    const gone = here({
      before: () => rmSync(join(cwd, 'in/a.json'), { force: true }),
    });
    const args = ['in', '-o', 'out', '--no-report', '--max-bytes', '4kB'];
    const { exitCode, err } = await migrate(args, { cwd }, gone);
    expect(exitCode).toBe(74);
    expect(rowsOf(out).map(({ status, failure }) => failure?.code ?? status)).toEqual([
      'batch/vanished',
      'needs-answers',
      'invalid',
      'batch/too-large',
    ]);
    expect(err).toContain('2 failed (1 batch/vanished, 1 batch/too-large)');
  });

  it('makes the files of a source that cannot be read now neither gone nor pruned', async () => {
    three();
    await run();
    const [alpha, beta] = [folder('Alpha'), folder('Beta')];
    put(cwd, 'in/a.json', JSON.stringify(workflow('x'.repeat(5000))));
    const { err } = await run('--max-bytes', '4kB', '--prune');
    expect(err).not.toContain('gone from the sources');
    expect(existsSync(join(out, alpha, 'squad.json'))).toBe(true);
    rmSync(join(cwd, 'in/b.json'));
    const { err: again } = await run('--max-bytes', '4kB', '--prune');
    expect(again).toContain(`its files stay, as not all sources could be read: ${beta}\n`);
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

  it('stops a run that fails fast, which says how to go on', async () => {
    put(cwd, 'in/a.jsonl', lines(workflow('Gamma', 'broken')));
    for (let at = 0; at < 9; at += 1) put(cwd, `in/b${at}.jsonl`, lines(workflow(`W${at}`)));
    const { exitCode, err } = await run('--fail-fast', '--jobs', '1');
    expect(err).toContain('run the same command again');
    expect(err).toMatch(/^invalid: gamma-\w+ \(in\/a\.jsonl:1\)$/m);
    expect(exitCode).toBe(1);
    expect(existsSync(join(out, 'summary.json'))).toBe(false);
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

  it('refuse the run where a summary would be', async () => {
    three();
    put(out, 'summary.csv', 'mine');
    const { exitCode, err } = await run();
    expect(exitCode).toBe(64);
    expect(err).toContain('summary.csv');
    expect(readdirSync(out).sort()).toEqual(['.squadc', 'summary.csv']);
    const { exitCode: forced } = await run('--force');
    expect(forced).toBe(1);
    expect(readFileSync(join(out, 'summary.csv'), 'utf8')).toContain('Alpha');
  });

  it('stand behind a link, and are not written through it', async () => {
    three();
    await run();
    const alpha = folder('Alpha');
    rmSync(out, { recursive: true });
    mkdirSync(join(cwd, 'elsewhere'));
    mkdirSync(out);
    symlinkSync(join(cwd, 'elsewhere'), join(out, alpha));
    await run();
    expect(rowsOf(out)[0]?.failure?.code).toBe('batch/foreign-file');
    expect(readdirSync(join(cwd, 'elsewhere'))).toEqual([]);
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
  it('keeps its files and is named; --prune removes what is ours', async () => {
    three();
    await run();
    const [alpha, beta] = [folder('Alpha'), folder('Beta')];
    rmSync(join(cwd, 'in/a.json'));
    rmSync(join(cwd, 'in/b.json'));
    put(out, `${beta}/notes.txt`, 'mine');
    const { err } = await run();
    expect(err).toContain(
      `batch/orphan: gone from the sources, its files stay (--prune removes them): ${alpha}`,
    );
    expect(existsSync(join(out, alpha, 'squad.json'))).toBe(true);
    const { err: pruned } = await run('--prune');
    expect(pruned).toContain(`removed, as it is gone from the sources: ${alpha}`);
    expect(existsSync(join(out, alpha))).toBe(false);
    expect(readdirSync(join(out, beta))).toEqual(['notes.txt']);
    const { err: after } = await run();
    expect(after).not.toContain('gone from the sources');
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

describe('a part of a run', () => {
  it('with --only does the workflows that ended so, and keeps the rows of the others', async () => {
    three();
    await run();
    put(cwd, 'in/a.json', JSON.stringify({ ...workflow('Alpha'), globalPrompt: 'Be kind.' }));
    put(cwd, 'in/d.json', JSON.stringify(workflow('Delta')));
    await run('--only', 'needs-answers', '--policy', 'undefined-variable=caller');
    expect(rowsOf(out).map(({ name, status }) => [name, status])).toEqual([
      ['Alpha', 'complete'],
      ['Beta', 'complete'],
      ['Gamma', 'invalid'],
    ]);
    expect(readFileSync(join(out, folder('Alpha'), 'squad.json'), 'utf8')).not.toContain(
      'Be kind.',
    );
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

describe('the pages of the report', () => {
  const pages = () => [...tree(out).keys()].filter((path) => path.endsWith('report.html')).sort();

  it('are written, and go where what they were made of changes', async () => {
    three();
    const withPages = () => migrate(['in', '-o', 'out'], { cwd });
    await withPages();
    expect(pages()).toEqual(rowsOf(out).map((row) => `${row.folder}/report.html`));
    expect(existsSync(join(out, 'summary.html'))).toBe(true);
    const whole = tree(out);
    await withPages();
    expect(tree(out)).toEqual(whole);
    put(cwd, 'in/a.json', JSON.stringify({ ...workflow('Alpha'), globalPrompt: 'Be kind.' }));
    await run();
    expect(pages()).toEqual([`${folder('Beta')}/report.html`, `${folder('Gamma')}/report.html`]);
    put(out, `${folder('Beta')}/report.html`, 'mine');
    const { exitCode } = await withPages();
    expect(exitCode).toBe(74);
    expect(pages()).toHaveLength(3);
    expect(tree(out).get(`${folder('Beta')}/report.html`)).toBe('mine');
  }, 60_000);
});

/** Runs in a folder, one after another: what is given, and what each must leave, say and end with. */
import {
  appendFileSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { OpenThreads } from '../../src/batch/run.js';
import { run as runCommand } from '../../src/cli/run.js';
import { codes, compile, VerificationRefuted, verify } from '../../src/index.js';
import { fakeIo } from '../cli/fake-io.js';
import {
  here,
  lines,
  makePipe,
  newScene,
  type Scene,
  type Step,
  tree,
  workflow,
} from './migrating.js';

const three = {
  'in/a.json': workflow('Alpha'),
  'in/b.json': workflow('Beta', 'open'),
  'in/c.json': workflow('Gamma', 'broken'),
};
const ends = ['Alpha complete', 'Beta needs-answers', 'Gamma invalid'];
const answered = ['Alpha complete', 'Beta complete', 'Gamma invalid'];
const kind = { ...workflow('Alpha'), globalPrompt: 'Be kind.' };
const many = (amount: number) => Array.from({ length: amount }, (_, at) => workflow(`W${at}`));
const squadOf = (name: string, options = {}) =>
  `${JSON.stringify(compile(workflow(name), options).output, null, 2)}\n`;
const alpha = { 'in/a.json': workflow('Alpha') };

/** Saved answers to the question of Beta. */
function answersOf(scene: Scene, answer: object, file = 'answers.json') {
  const { key, questions } = scene.resultOf('Beta');
  const answers = { [questions[0]!.id]: answer };
  return { [file]: { workflows: { [key]: { answers } } } };
}

/** Threads for which the answers of a workflow are a trap when it is compiled. */
function withTrap(error: Error): OpenThreads {
  let times = 0;
  const get = () => {
    times += 1;
    if (times > 1) throw error;
  };
  return ({ request, ...setup }, jobs) => {
    const workflows = Object.assign(new Map(), { get });
    const answers = { ...request.answers, workflows };
    return here()({ ...setup, request: { ...request, answers } }, jobs);
  };
}

/** Threads of which the first is done last. */
function firstLast(): OpenThreads {
  let begun = 0;
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  return async (setup, jobs) => {
    const threads = await here()(setup, jobs);
    return {
      ...threads,
      run: async (items) => {
        begun += 1;
        if (begun === 1) await held;
        else release();
        return threads.run(items);
      },
    };
  };
}

/** What may stand where the folder of a workflow would. */
const foreign: Readonly<Record<string, (path: string) => void>> = {
  'a file': (path) => writeFileSync(path, 'mine'),
  'a folder': (path) => mkdirSync(`${path}/squad.json`, { recursive: true }),
  'a result of somebody else': (path) => {
    mkdirSync(path);
    writeFileSync(`${path}/result.json`, 'mine');
  },
  'a link': (path) => symlinkSync('../in', path),
};

const dies = (when: (source: string) => boolean) => () => ({
  before: (items: readonly { source: string }[]) => {
    if (items.some(({ source }) => when(source))) throw new Error('out of memory');
  },
});

const cases: Readonly<Record<string, readonly Step[]>> = {
  'writes a folder for each workflow, as squadc compile does, and the summaries': [
    {
      files: three,
      code: 1,
      prints: /^$/,
      ends,
      says: [
        '1 complete\n',
        '1 with open questions\n',
        '1 invalid\n',
        '1 question: 1 undefined-variable\n',
        'next: squadc answer out\n',
      ],
      leaves: {
        out: [
          '.squadc',
          ...['{Alpha}', '{Beta}', '{Gamma}'],
          ...['summary.csv', 'summary.json', 'summary.md', 'summary.sarif'],
        ],
        'out/{Alpha}': ['result.json', 'squad.json'],
        'out/{Alpha}/squad.json': squadOf('Alpha'),
        'out/{Beta}': ['questions.md', 'result.json'],
        'out/{Gamma}': ['result.json'],
        'out/{Gamma}/result.json': /"code":\s*"flow\/missing-node"[^}]*"line":\s*1\b/,
        'out/summary.json':
          /"key":"alpha-[0-9a-f]{8}"[\s\S]*"index":2[\s\S]*"firstError":[^}]*"at":"\/edges\/0\/to"/,
        'out/summary.md':
          'invalid: This edge leads to “nowhere”, but no node has that id. (/edges/0/to)',
      },
    },
  ],
  'gives the same bytes again, by however many threads': [
    { files: { ...three, 'in/many.jsonl': lines(...many(40)) }, args: '--jobs 1' },
    { args: '--jobs 3', compiled: [], as: 0 },
    { files: { out: null }, args: '--jobs 3', as: 0 },
  ],
  'compiles what has changed, is touched and changed, or is missing': [
    { files: three, compiled: ['Alpha', 'Beta', 'Gamma'] },
    { compiled: [], as: 0 },
    { files: { 'out/{Alpha}/squad.json': squadOf('Alpha') }, compiled: [], as: 0 },
    { files: { 'out/{Alpha}/squad.json': null }, compiled: ['Alpha'], as: 0 },
    { files: { 'in/b.json': workflow('Beta') }, compiled: ['Beta'], ends: answered },
    {
      files: {
        // As long as what was there.
        'out/{Beta}/squad.json': squadOf('Beta').replaceAll(/./g, 'x'),
        'out/{Gamma}/result.json': (path: string) => appendFileSync(path, 'mine'),
      },
      code: 74,
      ends: ['Alpha complete', 'Beta batch/foreign-file', 'Gamma batch/foreign-file'],
      leaves: { 'out/summary.json': 'squad.json already exists' },
    },
  ],
  'does a workflow again whose text, options, policies or answers have changed': [
    { files: three },
    {
      args: '--target vapi',
      leaves: { 'out/{Alpha}/squad.json': squadOf('Alpha', { target: 'vapi' }) },
    },
    { args: '--defaults', as: 0 },
    { files: { 'in/a.json': kind }, leaves: { 'out/{Alpha}/squad.json': 'Be kind.' } },
    { args: '--policy undefined-variable=caller', ends: answered },
    { args: '--defaults', ends, as: 3 },
    {
      files: (scene) => answersOf(scene, { choice: 'caller', subject: '0'.repeat(16) }),
      args: '--answers answers.json',
      ends,
      leaves: { 'out/{Beta}/result.json': 'batch/subject-changed' },
    },
    {
      files: (scene) => {
        const { subject } = scene.resultOf('Beta').questions[0]!;
        return answersOf(scene, { choice: 'caller', subject });
      },
      ends: answered,
      leaves: { 'out/{Beta}': ['result.json', 'squad.json'] },
    },
  ],
  'remembers its options, and says what is used and what changes': [
    { files: three, args: '--target vapi --policy undefined-variable=caller', ends: answered },
    { says: ['as in the last run: --target vapi, --policy undefined-variable=caller\n'], as: 0 },
    { args: '--target squad', says: ['changed: --target squad (before: vapi)\n'], ends: answered },
    { args: '--defaults', ends },
    { saysNot: ['as in the last run'], ends },
  ],
  'reads the answers that lie in the folder, and those of the last run before them': [
    { files: three },
    {
      files: (scene) => answersOf(scene, { choice: 'caller' }, 'out/answers.json'),
      ends: answered,
    },
    {
      files: { 'other.json': { policies: { 'cyclic-stages': 'keep-split' } } },
      args: '--answers other.json',
      ends,
    },
    { says: ['as in the last run: --answers other.json\n'], ends: answered },
  ],
  'takes an array in a file as many workflows': [
    {
      files: {
        'in/all.json': JSON.stringify([workflow('One'), workflow('T "], [{')], null, 1),
        'in/none.json': ' []',
      },
      code: 74,
      says: ['batch/empty: in/none.json: '],
      ends: ['One complete', 'T "], [{ complete'],
      leaves: { 'out/summary.json': /"line":2,[\s\S]*"line":23,/ },
    },
  ],
  'takes the other elements of an array if the text of one is very long': [
    {
      files: {
        'in/all.json': JSON.stringify([
          { ...workflow('Long'), globalPrompt: 'x'.repeat(10_000_000) },
          workflow('Two'),
        ]),
      },
      ends: ['Long invalid', 'Two complete'],
    },
  ],
  'takes over what has only moved to another line': [
    { files: { 'in/a.jsonl': lines(workflow('One'), workflow('Two')) } },
    {
      files: { 'in/a.jsonl': `\n${lines(workflow('One'), workflow('Two'))}` },
      leaves: { 'out/summary.json': /"line":2,.*\n.*"line":3,/ },
    },
    { files: { out: null }, as: 1 },
  ],
  'names answers for a workflow that is not there, if it does them all': [
    {
      files: { ...three, 'answers.json': { workflows: { nobody: { answers: {} } } } },
      args: '--answers answers.json',
      says: ['batch/unknown-workflow'],
    },
    { args: '--answers answers.json --shard 1/2', saysNot: ['batch/unknown-workflow'] },
  ],
  'removes a squad that is no longer complete, and names it': [
    { files: three },
    {
      files: { 'in/a.json': workflow('Alpha', 'open') },
      says: [/^removed because it is outdated: alpha-[0-9a-f]{8}\/squad\.json$/m],
      leaves: { 'out/{Alpha}': ['questions.md', 'result.json'] },
    },
    { files: alpha, as: 0 },
  ],
  'reads standard input': [
    {
      args: '-',
      stdin: lines(workflow('One'), workflow('Two')),
      code: 0,
      ends: ['One complete', 'Two complete'],
      leaves: {
        'out/summary.json': /"line":1,.*"source":"stdin".*\n.*"line":2,/,
        'out/.squadc/stdin.json': null,
        'out/.squadc/tmp': [],
      },
    },
  ],
  'gives each line a row, however broken it is': [
    {
      files: {
        'in/x.jsonl': Buffer.concat([
          Buffer.from(`${lines(workflow('Alpha'))}not json\n  \n[]\nnull\n"text"\n{"nodes":\n`),
          Buffer.from([0x7b, 0xff, 0x7d, 0x0a]),
          Buffer.from(lines(workflow('Beta', 'broken'), {}, workflow('Gamma'))),
        ]),
      },
      code: 1,
      ends: [
        'Alpha complete',
        ...[2, 4, 5, 6, 7, 8].map((line) => `${line} invalid`),
        ...['Beta invalid', '10 invalid', 'Gamma complete'],
      ],
      leaves: {
        'out/summary.sarif':
          /not-json"[\s\S]*?"startLine":\s*2\b[\s\S]*not-utf8"[\s\S]*?"startLine":\s*8\b[\s\S]*missing-node"[\s\S]*?"startLine":\s*9\b/,
      },
    },
  ],
  'fails what goes, shrinks or is a pipe, and does the others': [
    {
      files: {
        ...three,
        'in/d.jsonl': lines(workflow('Third'), workflow('Fourth')),
        'in/empty.jsonl': '',
        'in/pipe.json': makePipe,
        'pipe.json': makePipe,
      },
      args: 'in pipe.json none',
      meanwhile: (scene) => ({
        before: () => {
          rmSync(scene.at('in/a.json'), { force: true });
          writeFileSync(scene.at('in/d.jsonl'), lines(workflow('Third')));
        },
      }),
      code: 74,
      says: ['batch/missing: none', 'batch/unreadable: pipe.json', 'batch/empty: in/empty.jsonl: '],
      ends: [
        ...['undefined batch/vanished', 'Beta needs-answers', 'Gamma invalid'],
        ...['Third complete', '2 batch/vanished'],
      ],
    },
  ],
  'fails what is too large': [
    {
      files: { 'in/a.json': `{"name":"${'x'.repeat(64 * 1024 * 1024)}"}` },
      code: 74,
      ends: ['undefined batch/too-large'],
    },
  ],
  'fails the workflow alone that makes a thread die': [
    {
      files: three,
      meanwhile: dies((source) => source === 'in/b.json'),
      code: 70,
      ends: ['Alpha complete', 'undefined batch/internal-error', 'Gamma invalid'],
    },
  ],
  'fails a workflow at which the compiler does': [
    {
      files: alpha,
      meanwhile: () => withTrap(new TypeError('no such thing')),
      code: 70,
      ends: ['Alpha batch/internal-error'],
    },
    {
      meanwhile: () => {
        const one = workflow('Alpha');
        const report = verify(one, compile(workflow('Beta')).output);
        return withTrap(new VerificationRefuted(one, {}, report));
      },
      code: 70,
      ends: ['Alpha batch/refuted'],
    },
  ],
  'leaves a squad of others where it is, unless it is told not to': [
    { files: three },
    {
      files: { 'out/{Alpha}/squad.json': 'mine' },
      code: 74,
      ends: ['Alpha batch/foreign-file', 'Beta needs-answers', 'Gamma invalid'],
      leaves: { 'out/{Alpha}/squad.json': /^mine$/ },
    },
    { code: 74, leaves: { 'out/{Alpha}/squad.json': /^mine$/ } },
    { args: '--force', as: 0 },
    {
      files: { 'out/{Alpha}/squad.json': 'mine', 'in/a.json': workflow('Alpha', 'open') },
      says: ['outdated, but kept because it was changed'],
      leaves: { 'out/{Alpha}/squad.json': /^mine$/ },
    },
  ],
  'fails a summary alone that stands where another file does, and --force overwrites it': [
    {
      files: {
        ...three,
        'out/summary.csv': 'mine',
        'out/summary.md': (path: string) => mkdirSync(path),
      },
      code: 74,
      says: ['summary.csv already exists', 'batch/foreign-file: summary.md already exists'],
      ends,
      leaves: { 'out/summary.csv': /^mine$/ },
    },
    {
      files: { 'out/summary.md': null },
      args: '--force',
      code: 1,
      leaves: { 'out/summary.csv': 'Alpha' },
    },
  ],
  'names a summary that it cannot write, and shows it whole': [
    {
      files: three,
      args: '--json',
      meanwhile: (scene) => ({
        after: () => {
          rmSync(scene.at('out/.squadc/tmp/all'), { recursive: true, force: true });
          writeFileSync(scene.at('out/.squadc/tmp/all'), 'no folder');
        },
      }),
      code: 74,
      prints: /"name":"Alpha"[\s\S]*"name":"Beta"[\s\S]*"name":"Gamma"[\s\S]*\}\s*$/,
      says: [
        'batch/write-failed: cannot write summary.json: ',
        /^batch\/write-failed: alpha-\w+ \(in\/a\.json\): /m,
      ],
    },
  ],
  'gives a key to the first of the input, whichever is done first': [
    {
      files: {
        'in/a.jsonl': lines(
          { ...workflow('Same'), globalPrompt: 'one' },
          { ...workflow('Same'), globalPrompt: 'two' },
          ...many(20),
          { ...workflow('Same'), globalPrompt: 'three' },
        ),
      },
      meanwhile: firstLast,
      ends: [
        ...['Same complete', 'Same batch/same-key'],
        ...Array.from({ length: 20 }, (_, at) => `W${at} complete`),
        'Same batch/same-key',
      ],
      leaves: { 'out/{Same}/squad.json': 'one' },
    },
    // Who lost the key is compiled again: next time it may be the first.
    { compiled: ['Same', 'Same'], as: 0 },
    {
      files: {
        'in/a.jsonl': lines(workflow('Other'), { ...workflow('Same'), globalPrompt: 'two' }),
      },
      ends: ['Other complete', 'Same complete'],
      leaves: { 'out/{Same}/squad.json': 'two' },
    },
  ],
  'refuses wrong usage before it does anything': [
    {
      files: { ...three, 'bad.json': { policies: { nothing: 'such' } } },
      args: '--answers bad.json',
      code: 1,
    },
    { args: '--shard 4/3', code: 64 },
    {
      files: { 'plain.json': { answers: {} }, 'more.json': { workflow: {} } },
      args: '--answers plain.json --answers more.json',
      says: ['batch/plain-answers', 'batch/answers-shape'],
      code: 1,
    },
    { args: '--overrides bad.json --answers none.json', code: 1, leaves: { out: null } },
  ],
  'makes a page where a workflow has changed, and none for more than 1,000': [
    { files: three },
    { hasPages: true, compiled: ['Alpha', 'Beta', 'Gamma'] },
    { hasPages: true, compiled: [], as: 1 },
    {
      files: { 'in/a.json': kind },
      hasPages: true,
      compiled: ['Alpha'],
      leaves: { 'out/{Alpha}/report.html': 'Be kind.' },
    },
    {
      files: {
        out: null,
        'in/many.jsonl': lines(...Array.from({ length: 998 }, (_, id) => ({ id: `${id}` }))),
      },
      hasPages: true,
      leaves: {
        'out/{Alpha}': ['result.json', 'squad.json'],
        'out/summary.html': /href="\.\/alpha-[0-9a-f]{8}\/result\.json"/,
      },
    },
  ],
};

describe('a run', () => {
  const named = new Set<string>();
  const left = new Set(Object.keys(cases));

  it.each(Object.entries(cases))('%s', async (title, steps) => {
    const scene = newScene();
    for (const step of steps) await scene.run(step);
    for (const code of scene.named) named.add(code);
    left.delete(title);
  });

  it('names every code of a run in these cases', ({ skip }) => {
    if (left.size > 0) skip('not all cases were run');
    expect([...named].sort()).toEqual(codes().filter((code) => code.startsWith('batch/')));
  });

  it.each(Object.entries(foreign))(
    'fails the workflow alone whose place is taken by %s, until it is gone',
    async (_, stand) => {
      const scene = newScene();
      const others = () =>
        [...tree(scene.at(''))].filter(([path]) => !/^out\/(?:summary|\.squadc)/.test(path));
      await scene.run({ files: three });
      rmSync(scene.at('out/{Alpha}'), { recursive: true });
      stand(scene.at('out/{Alpha}'));
      const before = others();
      await scene.run({
        code: 74,
        says: ['1 failed\n', /^batch\/foreign-file: alpha-/m],
        ends: ['Alpha batch/foreign-file', 'Beta needs-answers', 'Gamma invalid'],
        leaves: { 'out/.squadc/tmp': [] },
      });
      expect(others()).toEqual(before);
      await scene.run({ files: { 'out/{Alpha}': null }, as: 0 });
    },
  );

  it('writes nothing where nothing has changed', async () => {
    const scene = newScene();
    await scene.run({ files: three });
    const paths = [...tree(scene.at('out')).keys()].map((path) => scene.at(`out/${path}`));
    for (const path of paths) utimesSync(path, 1, 1);
    const times = () => paths.map((path) => statSync(path).ctimeMs);
    const before = times();
    await scene.run({});
    expect(times()).toEqual(before);
  });

  it('is done in parts, of which squadc report makes the summary', async () => {
    const scene = newScene();
    await scene.run({ files: { ...three, 'in/many.jsonl': lines(...many(20)) } });
    const whole = tree(scene.at('out'));
    await scene.run({ args: '--shard 1/3', leaves: { 'out/summary.json': null } });
    await scene.run({ files: { out: null }, args: '--shard 1/3' });
    for (const shard of ['2/3', '3/3', '1/3']) {
      const says = ['next: squadc report out'];
      await scene.run({ args: `--shard ${shard}`, says });
    }
    await scene.run({ args: '--shard 1/3', compiled: [], leaves: { 'out/summary.json': null } });
    const io = { ...fakeIo({ cwd: scene.at('') }), threads: here() };
    expect(await runCommand(['report', 'out', '--no-pages'], io)).toBe(0);
    const made = [...tree(scene.at('out'))].filter(([path]) => !/^summary\.html$|\.js$/.test(path));
    expect(new Map(made)).toEqual(whole);
  });
});

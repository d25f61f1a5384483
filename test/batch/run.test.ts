/**
 * Runs in a folder, one after another: what is given. The transcripts in `expected/` show what each
 * said and left; UPDATE_GOLDENS=1 writes them anew.
 */
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OpenThreads } from '../../src/batch/run.js';
import { codes, compile, VerificationRefuted, verify } from '../../src/index.js';
import {
  answersTo,
  here,
  itRuns,
  lines,
  makePipe,
  Scene,
  type Step,
  tree,
  workflow,
} from './migrating.js';

const three = {
  'in/a.json': workflow('Alpha'),
  'in/b.json': workflow('Beta', 'open'),
  'in/c.json': workflow('Gamma', 'broken'),
};
const kind = { ...workflow('Alpha'), globalPrompt: 'Be kind.' };
const many = (amount: number) => Array.from({ length: amount }, (_, at) => workflow(`W${at}`));
const squadOf = (name: string, options = {}) =>
  `${JSON.stringify(compile(workflow(name), options).output, null, 2)}\n`;
/** What Beta asks. */
const code = 'undefined-variable:unknown_code';
const alpha = { 'in/a.json': workflow('Alpha') };

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
const foreign: Readonly<Record<string, Step['files']>> = {
  'a file': { 'out/{Alpha}': 'mine' },
  'a folder': { 'out/{Alpha}': null, 'out/{Alpha}/squad.json/mine': '' },
  'a result that squadc did not write': { 'out/{Alpha}': null, 'out/{Alpha}/result.json': 'mine' },
  'a link': {
    'out/{Alpha}': (path) => {
      rmSync(path, { recursive: true });
      symlinkSync('../in', path);
    },
  },
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
      leaves: {
        'out/{Alpha}/squad.json': squadOf('Alpha'),
        'out/{Gamma}/result.json': /"code":\s*"flow\/missing-node"[^}]*"line":\s*1\b/,
        'out/summary.json':
          /"key":"alpha-[0-9a-f]{8}"[\s\S]*"index":2[\s\S]*"firstError":[^}]*"at":"\/edges\/0\/to"/,
        'out/summary.md':
          'invalid: This edge leads to “nowhere”, but no node has that id. (/edges/0/to)',
      },
    },
  ],
  'writes the same bytes with any number of threads': [
    { files: { ...three, 'in/many.jsonl': lines(...many(40)) }, args: '--jobs 1' },
    { args: '--jobs 3' },
    { files: { out: null }, args: '--jobs 3' },
  ],
  'compiles only what has changed or is missing': [
    { files: three },
    {},
    { files: { 'out/{Alpha}/squad.json': squadOf('Alpha') } },
    { files: { 'out/{Alpha}/squad.json': null } },
    { files: { 'in/b.json': workflow('Beta') } },
    {
      files: {
        // As long as what was there.
        'out/{Beta}/squad.json': squadOf('Beta').replaceAll(/./g, 'x'),
        'out/{Gamma}/result.json': (path: string) => appendFileSync(path, 'mine'),
      },
    },
  ],
  'compiles a workflow again when its text, options, policies or answers have changed': [
    { files: three },
    {
      args: '--target vapi',
      leaves: { 'out/{Alpha}/squad.json': squadOf('Alpha', { target: 'vapi' }) },
    },
    { files: { 'in/a.json': kind }, leaves: { 'out/{Alpha}/squad.json': 'Be kind.' } },
    { args: '--policy undefined-variable=caller' },
    {},
    {
      files: answersTo('Beta', { [code]: { choice: 'caller', subject: '0'.repeat(16) } }),
      args: '--answers answers.json',
    },
    {
      files: answersTo('Beta', { [code]: { choice: 'caller' } }),
      args: '--answers answers.json',
    },
  ],
  'takes options and answers from squadc.config.json, which flags override': [
    {
      files: {
        ...three,
        'squadc.config.json': '{ // the team\n "target": "vapi", "answers": "team.json" }',
      },
      leaves: { 'out/{Alpha}/squad.json': squadOf('Alpha', { target: 'vapi' }) },
    },
    {
      files: { 'team.json': { policies: { 'undefined-variable': 'caller' } } },
      args: '--target squad',
    },
    { files: { 'squadc.config.json': '{\n  "target": "vappi",\n  "pss": 1 }' } },
  ],
  'reads answers.json in the folder, unless others are given': [
    { files: three },
    {
      files: (scene) => {
        const { key } = scene.resultOf('Beta');
        const answers = { [code]: { choice: 'caller' } };
        return { 'out/answers.json': { workflows: { [key]: { answers } } } };
      },
    },
    {
      files: { 'other.json': { policies: { 'cyclic-stages': 'keep-split' } } },
      args: '--answers other.json',
    },
    {},
  ],
  'reads an array in a file as many workflows': [
    {
      files: {
        'in/all.json': JSON.stringify([workflow('One'), workflow('T "], [{')], null, 1),
        'in/none.json': ' []',
      },
    },
  ],
  'reads the other elements of an array when one is very long': [
    {
      files: {
        'in/all.json': JSON.stringify([
          { ...workflow('Long'), globalPrompt: 'x'.repeat(10_000_000) },
          workflow('Two'),
        ]),
      },
    },
  ],
  'keeps the result of a workflow that has only moved to another line': [
    { files: { 'in/a.jsonl': lines(workflow('One'), workflow('Two')) } },
    { files: { 'in/a.jsonl': `\n${lines(workflow('One'), workflow('Two'))}` } },
    { files: { out: null } },
  ],
  'removes a squad that is no longer complete, and reports it': [
    { files: three },
    { files: { 'in/a.json': workflow('Alpha', 'open') } },
    { files: alpha },
  ],
  'reads standard input': [{ args: '-', stdin: lines(workflow('One'), workflow('Two')) }],
  'gives each line a row, however broken it is': [
    {
      files: {
        'in/x.jsonl': Buffer.concat([
          Buffer.from(`${lines(workflow('Alpha'))}not json\n  \n[]\nnull\n"text"\n{"nodes":\n`),
          Buffer.from([0x7b, 0xff, 0x7d, 0x0a]),
          Buffer.from(lines(workflow('Beta', 'broken'), {}, workflow('Gamma'))),
        ]),
      },
      leaves: {
        'out/summary.sarif':
          /not-json"[\s\S]*?"startLine":\s*2\b[\s\S]*not-utf8"[\s\S]*?"startLine":\s*8\b[\s\S]*missing-node"[\s\S]*?"startLine":\s*9\b/,
      },
    },
  ],
  'fails only files that vanish, shrink or are pipes': [
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
    },
  ],
  'fails a file that is too large': [
    { files: { 'in/a.json': `{"name":"${'x'.repeat(64 * 1024 * 1024)}"}` } },
  ],
  'fails only the workflow whose thread dies': [
    { files: three, meanwhile: dies((source) => source === 'in/b.json') },
  ],
  'fails a workflow on which the compiler fails': [
    { files: alpha, meanwhile: () => withTrap(new TypeError('no such thing')) },
    {
      meanwhile: () => {
        const one = workflow('Alpha');
        const report = verify(one, compile(workflow('Beta')).output);
        return withTrap(new VerificationRefuted(one, {}, report));
      },
    },
  ],
  'keeps a squad that squadc did not write, unless --force is given': [
    { files: three },
    { files: { 'out/{Alpha}/squad.json': 'mine' } },
    {},
    { args: '--force' },
    { files: { 'out/{Alpha}/squad.json': 'mine', 'in/a.json': workflow('Alpha', 'open') } },
  ],
  'fails only a summary whose name is taken by another file, unless --force is given': [
    {
      files: {
        ...three,
        'out/summary.csv': 'mine',
        'out/summary.md': (path: string) => mkdirSync(path),
      },
    },
    { files: { 'out/summary.md': null }, args: '--force' },
  ],
  'reports a summary that cannot be written, and still prints it': [
    {
      files: three,
      args: '--json',
      meanwhile: (scene) => ({
        after: () => {
          rmSync(scene.at('out/.squadc/tmp/all'), { recursive: true, force: true });
          writeFileSync(scene.at('out/.squadc/tmp/all'), 'no folder');
        },
      }),
    },
  ],
  'gives a key to the first workflow of the input, whichever is finished first': [
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
      leaves: { 'out/{Same}/squad.json': 'one' },
    },
    // Who lost the key is compiled again: next time it may be the first.
    {},
    {
      files: {
        'in/a.jsonl': lines(workflow('Other'), { ...workflow('Same'), globalPrompt: 'two' }),
      },
      leaves: { 'out/{Same}/squad.json': 'two' },
    },
  ],
  'refuses wrong usage before it writes anything': [
    {
      files: { ...three, 'bad.json': { policies: { nothing: 'such' } } },
      args: '--answers bad.json',
    },
    { args: '--shard 4/3' },
    { args: '--answers none.json' },
  ],
  'writes a page for each changed workflow, and none for more than 1,000 workflows': [
    { files: three },
    { hasPages: true },
    { hasPages: true },
    {
      files: { 'in/a.json': kind },
      hasPages: true,
      leaves: { 'out/{Alpha}/report.html': 'Be kind.' },
    },
    {
      files: {
        out: null,
        'in/many.jsonl': lines(...Array.from({ length: 998 }, (_, id) => ({ id: `${id}` }))),
      },
      hasPages: true,
      leaves: { 'out/summary.html': /href="\.\/alpha-[0-9a-f]{8}\/result\.json"/ },
    },
  ],
  'adds pages to a finished run, except for results that cannot be read': [
    { files: three },
    {
      squadc: 'report out --no-pages',
      leaves: { 'out/summary.html': /href="\.\/alpha-\w+\/result\.json"/ },
    },
    { squadc: 'report out', leaves: { 'out/summary.html': /href="\.\/alpha-\w+\/report\.html"/ } },
    { squadc: 'report out' },
    { hasPages: true },
    {
      files: { 'out/{Alpha}/squad.json': null, 'out/{Gamma}/report.html': 'mine' },
      squadc: 'report out',
    },
    { squadc: 'report out --force' },
  ],
  'runs in shards, from which squadc report makes the summary': [
    { files: { ...three, 'in/many.jsonl': lines(...many(20)) } },
    { args: '--shard 1/3' },
    { files: { out: null }, args: '--shard 1/3' },
    ...['2/3', '3/3', '1/3'].map((shard) => ({ args: `--shard ${shard}` })),
    { squadc: 'report out --no-pages' },
  ],
  ...Object.fromEntries(
    Object.entries(foreign).map(([what, files]) => [
      `fails only the workflow whose folder is blocked by ${what}, until that is gone`,
      [{ files: three }, { files: files! }, { files: { 'out/{Alpha}': null } }],
    ]),
  ),
};

describe('a run', () => {
  const isFailing = (name: string) => /^(?:fails|refuses|reports a summary)/.test(name);
  const named = (wanted: boolean) =>
    Object.fromEntries(Object.entries(cases).filter(([name]) => isFailing(name) === wanted));
  itRuns('test/batch/expected/run', named(false));
  itRuns('test/batch/expected/failures', named(true));

  it('reports every code of a run in a transcript', () => {
    const folder = 'test/batch/expected';
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const texts = files
      .filter((path) => path.endsWith('.txt'))
      .map((path) => readFileSync(join(folder, path), 'utf8'));
    const inRuns = codes().filter((code) => code.startsWith('batch/'));
    expect(inRuns.filter((code) => !texts.join('').includes(code))).toEqual([]);
  });

  it('writes nothing when nothing has changed', async () => {
    const scene = new Scene();
    await scene.run({ files: three });
    const paths = [...tree(scene.at('out')).keys()].map((path) => scene.at(`out/${path}`));
    for (const path of paths) utimesSync(path, 1, 1);
    const times = () => paths.map((path) => statSync(path).ctimeMs);
    const before = times();
    await scene.run({});
    expect(times()).toEqual(before);
  });
});

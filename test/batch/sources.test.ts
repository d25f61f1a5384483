import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Plan, planSources, type SourceOptions } from '../../src/batch/sources.js';
import { testFolder } from './folder.js';

const { at, put, putPipe } = testFolder();
const isWindows = process.platform === 'win32';
const spool = () => at('out', '.squadc', 'stdin');

function plan(
  args: readonly string[],
  options: Partial<Omit<SourceOptions, 'stdin'>> & { stdin?: readonly string[] } = {},
): Promise<Plan> {
  const { stdin = [], out = 'out', ...others } = options;
  return planSources(args, {
    cwd: at(),
    out: resolve(options.cwd ?? at(), out),
    spool: spool(),
    async *stdin() {
      for (const chunk of stdin) yield Buffer.from(chunk, 'latin1');
    },
    ...others,
  });
}

const names = ({ sources }: Plan) => sources.map(({ name }) => name);
const faults = (found: Plan) => found.faults.map(({ name, code }) => [name, code]);

describe('sources', () => {
  it('are files, whatever they are called', async () => {
    put('a.json', '{"a":1}');
    put('b.jsonl', '{}\n');
    put('c.NDJSON', '{}\n');
    put('d', '');
    const found = await plan(['d', 'c.NDJSON', 'b.jsonl', './a.json']);
    expect(found.sources).toEqual([
      { path: at('d'), name: 'd', form: 'document', bytes: 0 },
      { path: at('c.NDJSON'), name: 'c.NDJSON', form: 'lines', bytes: 3 },
      { path: at('b.jsonl'), name: 'b.jsonl', form: 'lines', bytes: 3 },
      { path: at('a.json'), name: 'a.json', form: 'document', bytes: 7 },
    ]);
  });

  it('are what a folder holds, in the order of names', async () => {
    for (const name of ['b.json', 'a.json', 'a/z.json', 'B.json', 'a/y.jsonl', 'ä.json', '.c.json'])
      put(`in/${name}`);
    for (const name of ['readme.md', 'x.json.bak', 'node_modules/p/a.json', 'a/.git/b.json'])
      put(`in/${name}`);
    expect(names(await plan(['in']))).toEqual([
      'in/.c.json',
      'in/B.json',
      'in/a/y.jsonl',
      'in/a/z.json',
      'in/a.json',
      'in/b.json',
      'in/ä.json',
    ]);
  });

  it('have names from the working folder on, or from the argument on', async () => {
    put('in/a/b.json');
    const options = { cwd: at('in', 'a') };
    expect(names(await plan(['.'], options))).toEqual(['b.json']);
    expect(names(await plan([at('in', 'a', 'b.json')], options))).toEqual(['b.json']);
    const other = { cwd: at('other') };
    expect(names(await plan([at('in')], other))).toEqual(['in/a/b.json']);
    expect(names(await plan(['../in/a'], other))).toEqual(['a/b.json']);
    expect(names(await plan(['../in/a/b.json'], other))).toEqual(['b.json']);
    expect(names(await plan(['../in/*/b.json'], other))).toEqual(['in/a/b.json']);
  });

  it('have names that are composed in one way', async () => {
    put('in/Cafe\u0301.json');
    const { sources } = await plan(['in']);
    expect(sources[0]?.name).toBe('in/Caf\u00e9.json');
    expect(existsSync(sources[0]?.path ?? '')).toBe(true);
  });

  it('are read once', async () => {
    for (const name of ['a/b.json', 'a/c.json', 'd.json']) put(name);
    linkSync(at('d.json'), at('e.json'));
    const args = ['a/c.json', './a/c.json', 'a', 'a', '*/c.json', '**/*.json', at('a', 'b.json')];
    const found = await plan(args);
    expect(names(found)).toEqual(['a/c.json', 'a/b.json', 'd.json', 'e.json']);
    expect(found.faults).toEqual([]);
  });

  it('leave out the output folder, and what squadc keeps', async () => {
    for (const name of ['a.json', 'out/k/squad.json', 'other/.squadc/journal.jsonl']) put(name);
    expect(names(await plan(['.']))).toEqual(['a.json']);
    expect(names(await plan(['**/*.json*']))).toEqual(['a.json']);
    expect(names(await plan(['.'], { out: at('out') }))).toEqual(['a.json']);
    expect(names(await plan(['out/k/squad.json']))).toEqual(['out/k/squad.json']);
    symlinkSync('out/k/squad.json', at('newest.json'));
    expect(names(await plan(['.']))).toEqual(['a.json']);
    expect(names(await plan(['*.json']))).toEqual(['a.json']);
    symlinkSync(at('out'), at('link'));
    const found = await plan(['.'], { out: 'link' });
    expect(names(found)).toEqual(['a.json']);
    expect(found.faults).toEqual([]);
  });

  it('say where the output folder is the only source', async () => {
    put('out/a.json');
    expect((await plan(['out'])).faults).toEqual([
      { name: 'out', code: 'batch/empty', message: 'it is the output folder' },
    ]);
    expect((await plan(['.'], { out: '.' })).faults).toEqual([
      { name: '.', code: 'batch/empty', message: 'it is the output folder' },
    ]);
  });
});

describe('what is no source', () => {
  it('is said, and the rest goes on', async () => {
    put('a.json');
    put('empty/readme.md');
    const args = ['gone.json', 'empty', 'gone/*.json', 'a.json', ''];
    const found = await plan([...args, 'a.json/b.json', `${'x'.repeat(10_000)}`, 'em*.md']);
    expect(names(found)).toEqual(['a.json']);
    expect(faults(found)).toEqual([
      ['gone.json', 'batch/missing'],
      ['empty', 'batch/empty'],
      ['gone/*.json', 'batch/missing'],
      ['', 'batch/missing'],
      ['a.json/b.json', 'batch/missing'],
      ['x'.repeat(10_000), 'batch/unreadable'],
      ['em*.md', 'batch/missing'],
    ]);
    for (const { message } of found.faults) expect(message).not.toContain(at());
  });

  it.skipIf(isWindows)('is a pipe', async () => {
    mkdirSync(at('in'));
    putPipe('in/pipe.json');
    expect(faults(await plan(['in/pipe.json']))).toEqual([['in/pipe.json', 'batch/unreadable']]);
    put('in/a.json');
    const found = await plan(['in']);
    expect([names(found), found.faults]).toEqual([['in/a.json'], []]);
  });
});

describe('symbolic links', () => {
  it('are followed where they are given', async () => {
    put('real/a.json');
    symlinkSync(at('real'), at('folder'));
    symlinkSync(at('real', 'a.json'), at('file.json'));
    expect(names(await plan(['folder']))).toEqual(['folder/a.json']);
    expect(names(await plan(['file.json', 'real']))).toEqual(['file.json']);
  });

  it('are not followed out of a folder, which is said where it may matter', async () => {
    put('in/a.json');
    put('outside/secret.json');
    symlinkSync(at('outside'), at('in', 'folder'));
    symlinkSync(at('outside', 'secret.json'), at('in', 'file.json'));
    symlinkSync(at('outside', 'secret.json'), at('in', 'readme.md'));
    symlinkSync('nowhere', at('in', 'gone.json'));
    symlinkSync('nowhere', at('in', 'gone.md'));
    symlinkSync(at('outside'), at('in', 'node_modules'));
    symlinkSync(at('in'), at('in', 'loop'));
    const found = await plan(['in']);
    expect(names(found)).toEqual(['in/a.json']);
    expect(faults(found)).toEqual([
      ['in/file.json', 'batch/unreadable'],
      ['in/folder', 'batch/unreadable'],
      ['in/gone.json', 'batch/missing'],
    ]);
    const matched = await plan(['in/**/*.json']);
    expect(names(matched)).toEqual(['in/a.json']);
    expect(faults(matched)).toEqual([
      ['in/file.json', 'batch/unreadable'],
      ['in/folder', 'batch/unreadable'],
      ['in/gone.json', 'batch/missing'],
    ]);
  });

  it('are the name of a file that is met in no other way', async () => {
    // As Kubernetes lays out what it mounts, and git-annex what it keeps.
    put('in/..2025_01_31.1/b.json');
    put('in/..2025_01_31.1/a.json');
    put('in/.git/annex/12ab');
    symlinkSync('..2025_01_31.1', at('in', '..data'));
    symlinkSync('..data/a.json', at('in', 'a.json'));
    symlinkSync('..data/b.json', at('in', 'b.json'));
    symlinkSync('.git/annex/12ab', at('in', 'c.json'));
    symlinkSync('.git/annex/12ab', at('in', 'd.json'));
    put('in/aa.json');
    const expected = ['in/a.json', 'in/aa.json', 'in/b.json', 'in/c.json'];
    expect(names(await plan(['in']))).toEqual(expected);
    expect(names(await plan(['in/*.json']))).toEqual(expected);
  });
});

describe('patterns', () => {
  it('match files', async () => {
    for (const name of ['b.json', 'a.json', 'a/c.json', 'a/d.txt', 'x.json/e.json', '.h.json'])
      put(`in/${name}`);
    expect(names(await plan(['in/*.json']))).toEqual(['in/a.json', 'in/b.json']);
    expect(names(await plan(['in/**/*.json']))).toEqual([
      'in/a/c.json',
      'in/a.json',
      'in/b.json',
      'in/x.json/e.json',
    ]);
    expect(names(await plan(['in/{a,b}.json']))).toEqual(['in/a.json', 'in/b.json']);
    expect(names(await plan(['in/{a/c,b}.json']))).toEqual(['in/a/c.json', 'in/b.json']);
    expect(names(await plan(['in/a/!(d)*']))).toEqual(['in/a/c.json']);
    expect(names(await plan(['in/a/*']))).toEqual(['in/a/c.json', 'in/a/d.txt']);
    expect(names(await plan([at('in', '?.json')]))).toEqual(['in/a.json', 'in/b.json']);
  });

  it('are paths where there is such a path', async () => {
    for (const name of ['[draft].json', 'd.json', 'a (1).json', 'a*.json', 'ab.json', '{x}/y.json'])
      put(name);
    const args = ['[draft].json', 'a (1).json', 'a*.json', '{x}'];
    expect(names(await plan(args))).toEqual([
      '[draft].json',
      'a (1).json',
      'a*.json',
      '{x}/y.json',
    ]);
    expect(names(await plan(['[d].json']))).toEqual(['d.json']);
    expect(names(await plan(['\\[draft\\].jso?']))).toEqual(['[draft].json']);
  });

  it('turn nothing round', async () => {
    for (const name of ['a.json', 'b.json', '!a.json']) put(name);
    expect(names(await plan(['!a*.json']))).toEqual(['!a.json']);
    expect(names(await plan(['./!a*.json']))).toEqual(['!a.json']);
  });
});

describe('standard input', () => {
  const forms: readonly [string, 'document' | 'lines', string][] = [
    ['one value', 'document', '{"nodes":[]}'],
    ['one value with an end', 'document', '{"nodes":[]}\r\n\n'],
    ['one that is laid out', 'document', '{\n  "nodes": [\n{}\n]\n}\n'],
    ['one after a mark', 'document', '\xef\xbb\xbf{\n}\n'],
    ['a list', 'document', '[\n{},\n{}\n]'],
    ['a value a line', 'lines', '{}\n{}\n'],
    ['a value a line, with blank ones', 'lines', '\n{}\r\n\r\n{}'],
    ['a value a line after a mark', 'lines', '\xef\xbb\xbf{}\n{}\n'],
    ['lines of which the first is broken', 'lines', '{"a":\n{"b":1}\n{"c":1}\n'],
    ['lines of which another is broken', 'lines', '{"b":1}\n{"c":\n'],
    ['a broken document', 'document', '{\n  "a": [\n    {"b": 1}\n  ],\n  "c": }\n'],
    ['no JSON at all', 'document', 'Hello\nthere\n'],
    ['no text at all', 'document', '\xff\xfe{\0}\0\n\0'],
    ['lines after one that is too large', 'lines', `{"a":"${'x'.repeat(2000)}"}\n{}\n`],
    ['a document that is too large', 'document', `{\n"a":"${'x'.repeat(2000)}"\n}\n`],
  ];
  it.each(forms)('is read as %s', async (_, form, text) => {
    const found = await plan(['-'], { stdin: [text] });
    expect(found.sources).toEqual([{ path: spool(), name: 'stdin', form, bytes: text.length }]);
    expect(readFileSync(spool(), 'latin1')).toBe(text);
  });

  it('is kept piece by piece, for nobody else to read', async () => {
    put('out/.squadc/stdin', 'of an earlier run that was longer');
    const found = await plan(['-', '-'], { stdin: ['{"a"', '', ':1}\n{', '}'] });
    expect(readFileSync(spool(), 'utf8')).toBe('{"a":1}\n{}');
    expect(names(found)).toEqual(['stdin']);
    if (!isWindows) expect(statSync(spool()).mode & 0o077).toBe(0);
  });

  it('may be empty, or not be kept', async () => {
    expect(faults(await plan(['-']))).toEqual([['stdin', 'batch/empty']]);
    expect(faults(await plan(['-'], { stdin: ['\n \n'] }))).toEqual([]);
    rmSync(at('out'), { recursive: true });
    put('out', 'a file');
    const found = await plan(['-'], { stdin: ['{}'] });
    expect(faults(found)).toEqual([['stdin', 'batch/unreadable']]);
    expect(found.faults[0]?.message).not.toContain(at());
  });
});

describe('workflows that were fetched', () => {
  it('come last', async () => {
    put('a.json');
    put('out/.squadc/pulled/wf-1.json', '{}');
    const pulled = { folder: at('out', '.squadc', 'pulled'), ids: ['wf-1', 'wf-2'] };
    const found = await plan(['a.json'], { pulled });
    expect(names(found)).toEqual(['a.json', 'pull/wf-1.json']);
    expect(faults(found)).toEqual([['pull/wf-2.json', 'batch/missing']]);
  });
});

/** Which files are the sources of a run, what they are called, and the keys of their workflows. */
import { createHash } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { workflowKey } from '../../src/batch/key.js';
import { planSources, type SourceOptions } from '../../src/batch/sources.js';
import { runs, seed } from '../seed.js';
import { makePipe, put, Scene } from './migrating.js';

interface Given extends Partial<Omit<SourceOptions, 'stdin'>> {
  readonly stdin?: readonly string[];
}

/** The plan for arguments in a folder; `cwd` and `out` are below it. */
function planIn(folder: string, args: readonly string[], given: Given = {}) {
  const { stdin = [], cwd = '', out = 'out', ...others } = given;
  return planSources(args, {
    cwd: join(folder, cwd),
    out: resolve(folder, cwd, out),
    spool: join(folder, 'out/.squadc/stdin'),
    async *stdin() {
      for (const chunk of stdin) yield Buffer.from(chunk, 'latin1');
    },
    ...others,
  });
}

/**
 * Files, and links as `link>target`; below, `arguments => sources`, with faults after `!`, all in that
 * folder and with a space between them.
 */
const cases = `
files, in the order of arguments
  a.json b.jsonl c.NDJSON d
  d c.NDJSON b.jsonl ./a.json => d c.NDJSON b.jsonl a.json
what a folder holds, in the order of names
  in/b.json in/a.json in/a/z.json in/B.json in/a/y.jsonl in/ä.json
  in/.c.json in/readme.md in/x.json.bak in/node_modules/p/a.json in/a/.git/b.json
  in => in/.c.json in/B.json in/a/y.jsonl in/a/z.json in/a.json in/b.json in/ä.json
names from the working folder on, or from the argument on
  in/a/b.json
  cwd=in/a . => b.json
  cwd=in/a ../a/b.json => b.json
  cwd=other ../in => in/a/b.json
  cwd=other ../in/*/b.json => in/a/b.json
names that are composed in one way
  in/Cafe\u0301.json
  in => in/Caf\u00e9.json
each file once
  a/b.json a/c.json d.json
  a/c.json ./a/c.json a a */c.json **/*.json => a/c.json a/b.json d.json
no output, and nothing that squadc keeps
  a.json out/k/squad.json other/.squadc/journal.jsonl
  . => a.json
  **/*.json* => a.json
  out/k/squad.json => out/k/squad.json
no output through a link
  a.json out/k/squad.json newest.json>out/k/squad.json link>out
  out=link . => a.json
an output folder that is the only source
  out/a.json
  out => ! empty out
  out=. . => ! empty .
  out/*.json => ! missing out/*.json
a folder of the output
  out/k/a.json b.json
  out/k => ! empty out/k
  out/k/*.json out/*/a.json => ! missing out/k/*.json, missing out/*/a.json
  out/k b.json => b.json ! empty out/k
no source, which is reported, and the others
  a.json empty/readme.md
  gone.json empty a.json => a.json ! missing gone.json, empty empty
  gone/*.json  a.json/b.json em*.md => ! missing gone/*.json, missing , missing a.json/b.json, missing em*.md
  ${'x'.repeat(10_000)} => ! unreadable ${'x'.repeat(10_000)}
links that are given
  real/a.json folder>real file.json>real/a.json
  folder => folder/a.json
  file.json real => file.json
no links out of a folder, which is reported where it may matter
  in/a.json outside/secret.json in/folder>../outside in/file.json>../outside/secret.json
  in/readme.md>../outside/secret.json in/gone.json>nowhere in/gone.md>nowhere in/node_modules>../outside in/loop>.
  in => in/a.json ! unreadable in/file.json, missing in/gone.json
links that are the only name of a file, as Kubernetes mounts them
  in/..2025_01_31.1/b.json in/..2025_01_31.1/a.json in/aa.json
  in/..data>..2025_01_31.1 in/a.json>..data/a.json in/b.json>..data/b.json
  in => in/a.json in/aa.json in/b.json
links that are the only name of a file, as git-annex keeps them
  in/.git/annex/12ab in/c.json>.git/annex/12ab in/d.json>.git/annex/12ab
  in => in/c.json
files that patterns match
  in/b.json in/a.json in/a/c.json in/a/d.txt in/x.json/e.json in/.h.json
  in/**/*.json => in/a/c.json in/a.json in/b.json in/x.json/e.json
  in/{a/c,b}.json => in/a/c.json in/b.json
  in/a/!(d)* => in/a/c.json
paths, where there is such a path
  [draft].json d.json a*.json ab.json {x}/y.json
  [draft].json a*.json {x} => [draft].json a*.json {x}/y.json
  [d].json => d.json
  \\[draft\\].jso? => [draft].json
no files but those that a pattern matches
  a.json b.json !a.json
  !a*.json => !a.json
  ./!a*.json => !a.json
`;

describe('sources are', () => {
  it.each(
    cases
      .trim()
      .split(/\n(?! )/)
      .map((each) => each.split('\n  ')),
  )('%s', async (_, ...given) => {
    const folder = new Scene().at('');
    const files = given.filter((line) => !line.includes(' => '));
    for (const file of files.join(' ').split(' ')) {
      const [name = '', target] = file.split('>');
      put(folder, name, target === undefined ? '{}' : (path: string) => symlinkSync(target, path));
    }
    for (const line of given.slice(files.length)) {
      const [, key = 'cwd', value = '', args = '', expected] =
        /^(?:(cwd|out)=(\S+) )?(.*) => (.*)$/.exec(line) ?? [];
      const options = value === '' ? {} : { [key]: value };
      const { sources, faults } = await planIn(folder, args.split(' '), options);
      const names = sources.map(({ name }) => name).join(' ');
      const told = faults.map(({ name, code }) => `${code.replace('batch/', '')} ${name}`);
      const found = `${names}${told.length > 0 ? ` ! ${told.join(', ')}` : ''}`.trimStart();
      expect([args, found]).toEqual([args, expected]);
      for (const { message } of faults) expect(message).not.toContain(folder);
      for (const { path } of sources) expect([path, existsSync(path)]).toEqual([path, true]);
    }
  });

  it('two names of one file as two sources, and no pipes', async () => {
    const folder = new Scene().at('');
    put(folder, 'in/a.json', '{}');
    put(folder, 'in/b.json', (path: string) => linkSync(join(folder, 'in/a.json'), path));
    put(folder, 'in/pipe.json', makePipe);
    const found = await planIn(folder, ['in']);
    expect(found.sources.map(({ name }) => name)).toEqual(['in/a.json', 'in/b.json']);
    expect(found.faults).toEqual([]);
    const { faults } = await planIn(folder, ['in/pipe.json']);
    expect(faults).toMatchObject([{ name: 'in/pipe.json', code: 'batch/unreadable' }]);
  });
});

describe('standard input', () => {
  it.each<[what: string, form: 'document' | 'lines', text: string]>([
    ['one that is laid out', 'document', '{\n  "nodes": [\n{}\n]\n}\n'],
    ['one after a mark', 'document', '\xef\xbb\xbf{\n}\n'],
    ['a list', 'document', '[\n{},\n{}\n]'],
    ['a value a line, with blank ones', 'lines', '\n{}\r\n\r\n{}'],
    ['lines of which the first is broken', 'lines', '{"a":\n{"b":1}\n{"c":1}\n'],
    ['lines of which another is broken', 'lines', '{"b":1}\n{"c":\n'],
    ['a broken document', 'document', '{\n  "a": [\n    {"b": 1}\n  ],\n  "c": }\n'],
    ['no text at all', 'document', '\xff\xfe{\0}\0\n\0'],
  ])('is read as %s', async (_, form, text) => {
    const folder = new Scene().at('');
    const path = join(folder, 'out/.squadc/stdin');
    const { sources } = await planIn(folder, ['-'], { stdin: [text] });
    expect(sources).toEqual([{ path, name: 'stdin', form, bytes: text.length }]);
    expect(readFileSync(path, 'latin1')).toBe(text);
  });

  it('is read as an array, however long it is', async () => {
    const stdin = ['[', ' '.repeat(64 * 1024 * 1024), '{}]'];
    const { sources } = await planIn(new Scene().at(''), ['-'], { stdin });
    expect(sources).toMatchObject([{ form: 'document' }]);
  });

  it('is saved once, piece by piece, in a file that nobody else can read', async () => {
    const folder = new Scene().at('');
    const spool = 'out/.squadc/stdin';
    put(folder, spool, 'of an earlier run that was longer');
    const stdin = ['{"a"', '', ':1}\n{', '}'];
    const { sources } = await planIn(folder, ['-', '-'], { stdin });
    expect(readFileSync(join(folder, spool), 'utf8')).toBe('{"a":1}\n{}');
    expect(sources.map(({ name }) => name)).toEqual(['stdin']);
    const isWindows = process.platform === 'win32';
    if (!isWindows) expect(statSync(join(folder, spool)).mode & 0o077).toBe(0);
  });

  it('may be empty, or impossible to save', async () => {
    const folder = new Scene().at('');
    const faults = async (...stdin: string[]) => (await planIn(folder, ['-'], { stdin })).faults;
    expect(await faults()).toMatchObject([{ name: 'stdin', code: 'batch/empty' }]);
    expect(await faults('\n \n')).toEqual([]);
    rmSync(join(folder, 'out'), { recursive: true });
    put(folder, 'out', 'a file');
    const [fault] = await faults('{}');
    expect(fault).toMatchObject({ name: 'stdin', code: 'batch/unreadable' });
    expect(fault?.message).not.toContain(folder);
  });
});

describe('the key of a workflow', () => {
  const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex');
  const hash = (key: string) => key.slice(-8);
  const bytes = new TextEncoder().encode('{}');

  /** The name that it begins with, and what it is a hash of beside the source. */
  it.each<[name: string, identity: string, document: unknown, part?: Uint8Array]>([
    ['front-desk', 'wf-1', { id: 'wf-1', name: ' Front -- DESK! ' }],
    ['n', 'n', { id: 7, name: 'n' }],
    ['n', 'i', { workflow: { id: 'i', name: 'n' } }],
    ['n', 'j', { name: 'n', workflow: { id: 'j' } }],
    ['night-line', '', [{ id: 'i' }]],
    ['night-line', '', Object.create({ id: 'i', name: 'n' })],
    ['night-line', `line:${sha256(bytes)}`, {}, bytes],
    ['i', 'i', { id: 'i' }, bytes],
    ['uber-cafe', 'Über Café', { name: 'Über Café' }],
    ['wf-9', 'wf_9', { id: 'wf_9', name: '日本' }],
    ['etc-passwd', '../../etc/passwd', { name: '../../etc/passwd' }],
    ['a'.repeat(40), 'a'.repeat(10_000), { name: 'a'.repeat(10_000) }],
  ])('is %s, and a hash of %j: %j', (name, identity, document, part) => {
    const source = 'teams/Night.Line.JSON';
    const expected = `${name}-${sha256(`${source}\0${identity}`).slice(0, 8)}`;
    expect(workflowKey(source, document, part ?? null)).toBe(expected);
  });

  it('is one for a name in two compositions, and others for ids that are no whole characters', () => {
    const keys = (documents: readonly object[]) =>
      new Set(documents.map((document) => workflowKey('a.json', document, null)));
    expect(keys(['Café', 'Cafe\u0301'].map((name) => ({ id: 'i', name }))).size).toBe(1);
    expect(keys(['\ud800', '\ud801', '\ufffd'].map((id) => ({ id }))).size).toBe(3);
  });

  it('is a safe name everywhere, of its source, whatever the document says', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom('..', '/', '\\', 'NUL', 'com1.txt', 'Aux', '-', '__proto__', 'a\u0301\u0302'),
    );
    const documents = fc.oneof(fc.record({ id: texts, name: texts }), fc.jsonValue());
    fc.assert(
      fc.property(texts, texts, documents, (source, other, document) => {
        const key = workflowKey(source, document, null);
        expect(key).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*-[0-9a-f]{8}$/);
        expect(key.length).toBeLessThanOrEqual(49);
        expect(key).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)$/);
        expect(workflowKey(source, structuredClone(document), null)).toBe(key);
        if (source.toWellFormed() === other.toWellFormed()) return;
        expect(hash(workflowKey(other, document, null))).not.toBe(hash(key));
      }),
      { seed, numRuns: runs(500) },
    );
  });
});

/** Runs `squadc migrate` in this process, on threads that are none, and looks at what it wrote. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Item } from '../../src/batch/items.js';
import type { OpenThreads } from '../../src/batch/run.js';
import { type Outcome, Work } from '../../src/batch/work.js';
import type { Io } from '../../src/cli/io.js';
import { run } from '../../src/cli/run.js';
import { explain } from '../../src/index.js';
import type { ResultFile, WorkflowRow } from '../../src/report/model.js';
import { fakeIo, type Ran, type Surroundings } from '../cli/fake-io.js';

/** What a test does to the work of a thread. */
export interface Disturbance {
  readonly before?: (items: readonly Item[]) => void;
  readonly after?: (outcomes: readonly (Outcome | null)[]) => void;
}

export function here(disturbance: Disturbance = {}): OpenThreads {
  return async (setup) => {
    const work = new Work(setup);
    return {
      run: async (items) => {
        disturbance.before?.(items);
        const outcomes = structuredClone(await work.do(structuredClone(items)));
        disturbance.after?.(outcomes);
        return outcomes;
      },
      close: async () => {},
    };
  };
}

/** `args` as they stand on the command line, without `migrate`. */
export async function migrate(
  args: readonly string[],
  { network, ...surroundings }: Surroundings & Pick<Io, 'network'>,
  open: OpenThreads = here(),
): Promise<Ran> {
  const io = { ...fakeIo(surroundings), threads: open, ...(network && { network }) };
  const exitCode = await run(['migrate', ...args], io);
  return { exitCode, out: io.out(), err: io.err() };
}

/** Every file below the folder with its text, `.squadc` aside; folders without files end in `/`. */
export function tree(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (path === '.squadc' || path.startsWith('.squadc/')) continue;
    const full = join(folder, path);
    if (statSync(full).isFile()) found.set(path, readFileSync(full, 'utf8'));
    else if (readdirSync(full).length === 0) found.set(`${path}/`, '');
  }
  return found;
}

/** The paths at which two outputs differ. */
export function differences(one: Map<string, string>, other: Map<string, string>): string[] {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].filter((path) => one.get(path) !== other.get(path)).sort();
}

export function rowsOf(out: string): WorkflowRow[] {
  return JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')).workflows;
}

/** What comes to a path: bytes, a value as JSON, nothing any more, or what a function does there. */
export type Content = string | Uint8Array | object | null | ((path: string) => void);

export function put(folder: string, path: string, content: Content): void {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  if (content === null) rmSync(full, { recursive: true });
  else if (typeof content === 'function') content(full);
  else if (typeof content === 'string' || content instanceof Uint8Array)
    writeFileSync(full, content);
  else writeFileSync(full, JSON.stringify(content));
}

/** Puts a pipe there, into which nobody writes. */
export function makePipe(path: string): void {
  execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', path]);
}

/** A workflow that is complete; `open` gives it a question, `broken` an error. */
export function workflow(name: string, kind: 'complete' | 'open' | 'broken' = 'complete'): object {
  const reads = kind === 'open' ? ' Their code is {{unknown_code}}.' : '';
  const to = kind === 'broken' ? 'nowhere' : 'bye';
  return {
    name,
    nodes: [
      { id: 'ask', type: 'conversation', systemPrompt: `Ask for ${name}.${reads}` },
      { id: 'bye', type: 'endCall' },
    ],
    edges: [{ from: 'ask', to, condition: 'they are done' }],
  };
}

export function lines(...workflows: readonly unknown[]): string {
  return workflows.map((each) => `${JSON.stringify(each)}\n`).join('');
}

/** By path below the working folder; `{Alpha}` is the folder of that workflow. */
type ByPath<T> = Readonly<Record<string, T>>;

/** A run, in a folder where others may have been before: what is given, and how it must end. */
export interface Step {
  readonly files?: ByPath<Content> | ((scene: Scene) => ByPath<Content>);
  /** More arguments; the source is `in` unless they begin with another. */
  readonly args?: string;
  readonly stdin?: string;
  readonly hasPages?: true;
  readonly meanwhile?: (scene: Scene) => Disturbance | OpenThreads;
  readonly code?: number;
  readonly says?: readonly (string | RegExp)[];
  readonly saysNot?: readonly string[];
  readonly prints?: string | RegExp;
  /** A row as `name status`, or line and code of the failure where there is no such thing. */
  readonly ends?: readonly string[];
  /** Names of the workflows that are not taken over from the run before. */
  readonly compiled?: readonly string[];
  /** What a file holds or is; the names in a folder; null where nothing is. */
  readonly leaves?: ByPath<string | RegExp | readonly string[] | null>;
  /** The step, from 0, after which the output was the same. */
  readonly as?: number;
}

export interface Scene {
  at(path: string): string;
  resultOf(name: string): ResultFile;
  run(step: Step): Promise<Ran>;
  /** The codes of runs that were named. */
  readonly named: ReadonlySet<string>;
}

/** A folder for the runs of a test, which goes with it. */
export function newScene(): Scene {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'squadc-batch-')));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const out = join(cwd, 'out');
  const folders = new Map<string, string>();
  const trees: Map<string, string>[] = [];
  const named = new Set<string>();
  const expand = (path: string) => {
    return path.replaceAll(/\{(\w+)\}/g, (_, name) => folders.get(name) ?? name);
  };
  const resultIn = (folder: string): ResultFile =>
    JSON.parse(readFileSync(join(out, folder, 'result.json'), 'utf8'));
  const scene: Scene = {
    named,
    at: (path) => join(cwd, expand(path)),
    resultOf: (name) => resultIn(expand(`{${name}}`)),
    async run(step) {
      const files = typeof step.files === 'function' ? step.files(scene) : (step.files ?? {});
      for (const [path, content] of Object.entries(files)) put(cwd, expand(path), content);
      const compiled: (string | null)[] = [];
      const meanwhile = step.meanwhile?.(scene) ?? {};
      const after: Disturbance['after'] = (outcomes) => {
        for (const each of outcomes) if (each?.staged) compiled.push(each.row.name);
        if (typeof meanwhile === 'object') meanwhile.after?.(outcomes);
      };
      const open = typeof meanwhile === 'function' ? meanwhile : here({ ...meanwhile, after });
      const more = step.args?.split(' ') ?? [];
      const sources = more[0] === undefined || more[0].startsWith('--') ? ['in'] : [];
      const pages = step.hasPages ? [] : ['--no-report'];
      const args = [...sources, ...more, '-o', 'out', ...pages];
      const migrated = await migrate(args, { cwd, stdin: step.stdin ?? '' }, open);
      const rows = existsSync(join(out, 'summary.json')) ? rowsOf(out) : [];
      for (const { name, folder } of rows) if (name !== null) folders.set(name, folder);
      trees.push(existsSync(out) ? tree(out) : new Map());
      const written = rows.filter(({ failure }) => failure === undefined);
      const results = written.map(({ folder }) => resultIn(folder));
      for (const code of expectCodes(migrated.err, rows, results)) named.add(code);
      expectEnd(step, migrated, rows);
      if (step.compiled !== undefined) expect(compiled).toEqual(step.compiled);
      for (const [path, what] of Object.entries(step.leaves ?? {})) {
        const full = join(cwd, expand(path));
        if (what === null) expect([path, existsSync(full)]).toEqual([path, false]);
        else if (typeof what === 'string') expect(readFileSync(full, 'utf8')).toContain(what);
        else if (what instanceof RegExp) expect(readFileSync(full, 'utf8')).toMatch(what);
        else expect(readdirSync(full).sort()).toEqual(what.map(expand).sort());
      }
      if (step.as !== undefined) expect(trees.at(-1)).toEqual(trees[step.as]);
      return migrated;
    },
  };
  return scene;
}

function expectEnd(step: Step, { exitCode, out, err }: Ran, rows: WorkflowRow[]): void {
  if (step.code !== undefined) expect(exitCode, err).toBe(step.code);
  if (step.prints !== undefined) expect(out).toMatch(step.prints);
  for (const text of step.says ?? []) expect(err).toMatch(text);
  for (const text of step.saysNot ?? []) expect(err).not.toContain(text);
  if (step.ends === undefined) return;
  const ends = rows.map(({ name, line, status, failure }) => {
    return `${name ?? line} ${failure?.code ?? status}`;
  });
  expect(ends).toEqual(step.ends);
}

/** The codes of runs that are named, each with what the catalogue says. */
function expectCodes(
  err: string,
  rows: readonly WorkflowRow[],
  results: readonly ResultFile[],
): string[] {
  const said = err.split('\n');
  for (const [index, line] of said.entries()) {
    const isOfSource = /^batch\/(?:missing|empty|unreadable): \S+: /.test(line);
    if (isOfSource) expect(said[index + 1]).toMatch(/^ {2}help: [A-Z].*\.$/);
  }
  const found = results
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ code }) => code.startsWith('batch/'));
  for (const { code, severity, help } of found) {
    expect({ severity, help }).toMatchObject({
      severity: explain(code)?.severity,
      help: explain(code)?.help,
    });
  }
  return [
    ...Array.from(err.matchAll(/\bbatch\/[a-z0-9-]+/g), ([code]) => code),
    ...rows.flatMap(({ failure }) => failure?.code ?? []),
    ...found.map(({ code }) => code),
  ];
}

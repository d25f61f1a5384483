/** Runs `squadc migrate` in this process, without threads, and looks at what it wrote. */
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
import { expect, it, onTestFinished } from 'vitest';
import type { Item } from '../../src/batch/items.js';
import type { OpenThreads } from '../../src/batch/run.js';
import { type Outcome, Work } from '../../src/batch/work.js';
import type { ResultFile, WorkflowRow } from '../../src/report/model.js';
import { type Ran, type Surroundings, squadc } from '../cli/fake-io.js';
import { expectFile } from '../golden/compare.js';

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
export function migrate(args: readonly string[], surroundings: Surroundings): Promise<Ran> {
  return squadc(['migrate', ...args], { threads: here(), ...surroundings });
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
  if (typeof content === 'function') {
    content(full);
    return;
  }
  rmSync(full, { recursive: true, force: true });
  if (content === null) return;
  const isText = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(full, isText ? content : JSON.stringify(content));
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

type ByPath<T> = Readonly<Record<string, T>>;

/** A run, in a folder where others may have been before. In paths, `{Alpha}` is a workflow's folder. */
export interface Step {
  readonly files?: ByPath<Content> | ((scene: Scene) => ByPath<Content>);
  /** More arguments of `migrate`; the source is `in` unless they begin with another. */
  readonly args?: string;
  /** A command line in place of `migrate`. */
  readonly squadc?: string;
  readonly stdin?: string;
  readonly hasPages?: true;
  readonly meanwhile?: (scene: Scene) => Disturbance | OpenThreads;
  /** What files contain afterwards, beside what the transcript shows. */
  readonly leaves?: ByPath<string | RegExp>;
}

/** A folder for the runs of a test, which is deleted with it. */
export class Scene {
  private readonly cwd = realpathSync(mkdtempSync(join(tmpdir(), 'squadc-batch-')));
  private readonly folders = new Map<string, string>();
  private readonly trees: Map<string, string>[] = [];
  private said = '';
  /** A line for each workflow. */
  private found: readonly string[] = [];
  /** By question, the subject when it was last asked about. */
  readonly subjects = new Map<string, string>();
  /** For each run: what was given, what it said and found unless the run before did, what it changed. */
  readonly transcript: string[] = [];

  constructor() {
    onTestFinished(() => rmSync(this.cwd, { recursive: true, force: true }));
  }

  at(path: string): string {
    return join(this.cwd, this.expand(path));
  }

  private expand(path: string): string {
    return path.replaceAll(/\{([^}]+)\}/g, (_, name) => this.folders.get(name) ?? name);
  }

  /** By the name of the workflow, or its folder. */
  resultOf(name: string): ResultFile {
    const folder = this.folders.get(name) ?? name;
    return JSON.parse(readFileSync(this.at(`out/${folder}/result.json`), 'utf8'));
  }

  async run(step: Step): Promise<void> {
    const files = Object.entries(
      typeof step.files === 'function' ? step.files(this) : (step.files ?? {}),
    );
    for (const [path, content] of files) put(this.cwd, this.expand(path), content);
    const before = this.tree();
    const compiled: string[] = [];
    const meanwhile = step.meanwhile?.(this) ?? {};
    const after: Disturbance['after'] = (outcomes) => {
      for (const each of outcomes) if (each?.staged) compiled.push(each.row.name ?? each.row.key);
      if (typeof meanwhile === 'object') meanwhile.after?.(outcomes);
    };
    const threads = typeof meanwhile === 'function' ? meanwhile : here({ ...meanwhile, after });
    const line = step.squadc ?? migrateLine(step);
    const { cwd } = this;
    const { exitCode, out, err } = await squadc(line, { cwd, stdin: step.stdin ?? '', threads });
    const rows = existsSync(this.at('out/summary.json')) ? rowsOf(this.at('out')) : [];
    for (const { name, folder } of rows) if (name !== null) this.folders.set(name, folder);
    for (const [path, what] of Object.entries(step.leaves ?? {})) {
      expect(readFileSync(this.at(path), 'utf8')).toMatch(what);
    }
    const { said, found } = this;
    // Progress depends on the clock.
    this.said = err.replaceAll(/^[\d,]+\/[\d,]+ workflows.*\n/gm, '').trimEnd();
    this.found = rows.map((row) => this.rowOf(row));
    this.transcript.push(
      ...listed(
        'given: ',
        files.map(([path, content]) => (content === null ? `no ${path}` : path)),
      ),
      `$ squadc ${line}`,
      ...(out === '' ? [] : [`a summary of ${JSON.parse(out).workflows.length} workflows`]),
      this.said === said ? '(says the same)' : this.said,
      `exit code ${exitCode}`,
      ...firstOf(this.found.filter((each) => !found.includes(each))),
      ...listed('compiled: ', compiled.sort()),
      ...this.changesSince(before),
      '',
    );
  }

  /** As the summary has it, and what was found, answered and asked according to the result. */
  private rowOf({ folder, name, source, line, status, failure }: WorkflowRow): string {
    const row = `${line === undefined ? source : `${source}:${line}`} ${name ?? '–'}: ${status}`;
    if (failure !== undefined) return `${row} ${failure.code}`;
    const { diagnostics, answers, questions } = this.resultOf(folder);
    for (const { id, subject } of questions) this.subjects.set(id, subject);
    const codes = new Set(
      diagnostics.map(({ code, at }) =>
        code.startsWith('api/') || code.startsWith('batch/') ? `${code} ${at}` : code,
      ),
    );
    return [
      [row, ...codes].join(' '),
      ...Object.entries(answers).map(([id, { choice }]) => `  answered: ${id} = ${choice}`),
      ...questions.map(({ id }) => `  asks: ${id}`),
    ].join('\n');
  }

  /** What the run has done to the output, and what it has forgotten among its own files. */
  private changesSince(before: Map<string, string>): string[] {
    const now = this.tree();
    const isOfReport = (path: string) => path === 'summary.html' || path === 'squadc.js';
    const same = this.trees.findIndex((each) => differences(each, now).every(isOfReport)) + 1;
    this.trees.push(now);
    const state = this.at('out/.squadc');
    const all = existsSync(state) ? readdirSync(state, { recursive: true }).map(String) : [];
    const left = all.filter((path) => !/^(?:summaries\.json|tmp)$/.test(path));
    const changed = differences(before, now);
    const signOf = (path: string) => (before.has(path) ? (now.has(path) ? '~' : '-') : '+');
    const bySign = ['+', '~', '-'].flatMap((sign) => {
      return listed(
        `${sign} `,
        changed.filter((path) => signOf(path) === sign),
      );
    });
    return [
      ...(same > 0 ? [`the output of run ${same}`] : bySign),
      ...listed('left behind: ', left),
    ];
  }

  private tree(): Map<string, string> {
    return existsSync(this.at('out')) ? tree(this.at('out')) : new Map();
  }
}

/** Answers to questions of a workflow, each with the subject that was asked about unless it says another. */
export function answersTo(
  name: string,
  given: Readonly<Record<string, object>>,
): (scene: Scene) => ByPath<Content> {
  return (scene) => {
    const answers = Object.entries(given).map(([id, answer]) => {
      return [id, { subject: scene.subjects.get(id), ...answer }] as const;
    });
    const { key } = scene.resultOf(name);
    return {
      'answers.json': { workflows: { [key]: { answers: Object.fromEntries(answers) } } },
    };
  };
}

/** Compares the transcripts of runs with those in a folder. */
export function itRuns(folder: string, cases: Readonly<Record<string, readonly Step[]>>): void {
  const fileOf = (title: string) => join(folder, `${title.replaceAll(/\W+/g, '-')}.txt`);

  it.each(Object.entries(cases))('%s', async (title, steps) => {
    const scene = new Scene();
    for (const step of steps) await scene.run(step);
    expectFile(fileOf(title), scene.transcript.join('\n'));
  });

  it('has transcripts of these cases only', () => {
    const files = readdirSync(folder).map((name) => join(folder, name));
    expect(files).toEqual(Object.keys(cases).map(fileOf).sort());
  });
}

function migrateLine({ args = '', hasPages }: Step): string {
  const given = args === '' || args.startsWith('--') ? `in ${args}` : args;
  return `migrate ${given.trimEnd()} -o out${hasPages ? '' : ' --no-report'}`;
}

/** On one line; none if there is nothing. */
function listed(what: string, all: readonly string[]): string[] {
  return all.length === 0 ? [] : [`${what}${firstOf(all).join(', ')}`];
}

function firstOf(lines: readonly string[]): readonly string[] {
  const most = 12;
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most), `… ${lines.length - most} more`];
}

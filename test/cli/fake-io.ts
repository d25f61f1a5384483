/** The harness of the commands: a folder of files in, a command line, what is said and how it ends. */

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect } from 'vitest';
import type { Api } from '../../src/cli/command.js';
import type { Io } from '../../src/cli/io.js';
import { run } from '../../src/cli/run.js';
import { emptyResult } from '../../src/compiler/ir/result.js';
import type {
  CompileOptions,
  CompileResult,
  Diagnostic,
  Question,
  Verification,
  VerifyOptions,
} from '../../src/index.js';
import * as library from '../../src/index.js';

/** A process around a command that keeps what was written. */
export interface FakeIo extends Io {
  out(): string;
  err(): string;
}

export interface Surroundings
  extends Partial<Pick<Io, 'onInterrupt' | 'network' | 'terminal' | 'threads'>> {
  readonly stdin?: string | Uint8Array;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export function fakeIo({
  stdin = '',
  isTTY = false,
  columns,
  env = {},
  cwd = '/',
  onInterrupt = () => () => {},
  ...others
}: Surroundings = {}): FakeIo {
  const written = { out: '', err: '' };
  const output = (stream: 'out' | 'err') => ({
    isTTY,
    columns,
    write: (text: string) => {
      written[stream] += text;
    },
  });
  return {
    readStdin: async () => (typeof stdin === 'string' ? new TextEncoder().encode(stdin) : stdin),
    onInterrupt,
    stdout: output('out'),
    stderr: output('err'),
    env,
    cwd,
    ...others,
    out: () => written.out,
    err: () => written.err,
  };
}

export interface Ran {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line, whose words stand one space apart, or the words themselves. */
export async function squadc(
  line: string | readonly string[],
  surroundings: Surroundings = {},
  load?: StubApi['load'],
): Promise<Ran> {
  const io = fakeIo(surroundings);
  const exitCode = await run(typeof line === 'string' ? line.split(' ') : line, io, load);
  return { exitCode, out: io.out(), err: io.err() };
}

/** A folder with functions that put a file there and return its name, read one, and run a command. */
export function temporaryFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'squadc-cli-')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    put(name: string, content: string | Uint8Array | object): string {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      const isText = typeof content === 'string' || content instanceof Uint8Array;
      writeFileSync(join(folder, name), isText ? content : JSON.stringify(content));
      return name;
    },
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    squadc: (line: string | readonly string[], given?: Surroundings, load?: StubApi['load']) =>
      squadc(line, { cwd: folder, ...given }, load),
  };
}

/** A text that holds this one. */
export const has = (text: string) => expect.stringContaining(text) as string;

/** The library with a compiler and a verifier that answer what a test wants. */
export interface StubApi {
  readonly load: () => Promise<Api>;
  /** What the compiler was called with, call by call. */
  readonly calls: { readonly workflow: unknown; readonly options: CompileOptions }[];
  /** What the verifier was called with, call by call. */
  readonly checks: {
    readonly workflow: unknown;
    readonly squad: unknown;
    readonly options: VerifyOptions;
  }[];
}

export function stubApi(
  compile: (options: CompileOptions) => CompileResult = () => exampleResult(),
  verify: () => Verification = () => exampleVerification(),
): StubApi {
  const calls: StubApi['calls'] = [];
  const checks: StubApi['checks'] = [];
  const api: Api = {
    ...library,
    compile: (workflow, options = {}) => {
      calls.push({ workflow, options });
      return compile(options);
    },
    verify: (workflow, squad, options = {}) => {
      checks.push({ workflow, squad, options });
      return verify();
    },
    emit: (_, options, what) => ({ document: { what }, result: compile(options) }),
  };
  return { load: async () => api, calls, checks };
}

export function exampleResult(parts: Partial<CompileResult> = {}): CompileResult {
  const stats = { ...emptyResult.stats, nodes: 5, edges: 5, assistants: 3, handoffs: 2 };
  return { ...emptyResult, status: 'complete', stats: { ...stats, extractions: 1 }, ...parts };
}

export function exampleVerification(parts: Partial<Verification> = {}): Verification {
  return { holds: true, checklist: [], counterexamples: [], diagnostics: [], ...parts };
}

export function exampleDiagnostic(parts: Partial<Diagnostic> = {}): Diagnostic {
  return {
    code: 'shape/no-name',
    severity: 'warning',
    message: 'The workflow has no name.',
    at: '',
    related: [],
    help: 'Add a name.',
    ...parts,
  };
}

export function exampleQuestion(parts: Partial<Question> = {}): Question {
  return {
    id: 'missing-destination:transfer',
    kind: 'missing-destination',
    at: ['/nodes/0'],
    text: 'Where does the transfer lead?',
    choices: [
      { key: 'number', label: 'A number', effect: '…', value: { type: 'string' } },
      { key: 'sip', label: 'A SIP address', effect: '…', value: { type: 'string' } },
    ],
    proposal: null,
    ...parts,
  };
}

export const cyclicQuestion = exampleQuestion({
  id: 'cyclic-stages:a,b',
  kind: 'cyclic-stages',
  choices: [
    { key: 'consolidate', label: 'One assistant', effect: '…' },
    { key: 'keep-split', label: 'Two assistants', effect: '…' },
  ],
  proposal: 'consolidate',
});

/** `squadc serve` or `squadc sandbox` under way, until a test ends it. */
export interface Serving {
  readonly io: FakeIo;
  readonly ended: Promise<number>;
  readonly interrupt: () => void;
  /** Whether anybody still listens for the end. */
  readonly listening: () => boolean;
}

export function serving(line: string, surroundings: Surroundings = {}): Serving {
  const stops = new Set<() => void>();
  const io = fakeIo({
    ...surroundings,
    onInterrupt: (stop) => {
      stops.add(stop);
      return () => stops.delete(stop);
    },
  });
  const ended = run(line.split(' '), io);
  const interrupt = () => {
    for (const stop of [...stops]) stop();
  };
  return { io, ended, interrupt, listening: () => stops.size > 0 };
}

/** Where it serves this, once it listens; throws where it has ended instead. */
export async function addressOf({ io, ended }: Serving, service = 'tools'): Promise<string> {
  let code: number | undefined;
  ended.then((it) => {
    code = it;
  });
  for (;;) {
    const said = io.err() + io.out();
    const found = new RegExp(`^${service} +(http:\\S+)$`, 'm').exec(said)?.[1];
    if (found !== undefined && said.includes('Press Ctrl-C')) return found;
    if (code !== undefined) throw new Error(`ended with ${code}: ${io.err()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The result of one call, as it is sent back. */
export interface Result {
  readonly toolCallId: string;
  readonly name: string;
  readonly result?: string;
  readonly error?: string;
}

export async function sendCalls(
  url: string,
  toolCallList: readonly object[],
  { callId = 'call-1', headers = {} }: { callId?: string; headers?: Record<string, string> } = {},
): Promise<Result[]> {
  const message = { type: 'tool-calls', call: { id: callId }, toolCallList };
  const body = JSON.stringify({ message });
  const response = await fetch(url, { method: 'POST', headers, body });
  if (response.status !== 200) throw new Error(`answered with ${response.status}`);
  return ((await response.json()) as { results: Result[] }).results;
}

/** The harness of the commands: a folder of files in, a command line, what is said and how it ends. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Io } from '../../src/cli/io.js';
import { run } from '../../src/cli/run.js';
import type { Question } from '../../src/index.js';

type LoadApi = Parameters<typeof run>[2];

/** A process around a command that keeps what was written. */
export interface FakeIo extends Io {
  out(): string;
  err(): string;
}

export interface Surroundings
  extends Partial<Pick<Io, 'onInterrupt' | 'network' | 'terminal' | 'threads'>> {
  readonly stdin?: string | Uint8Array;
  /** Standard input in pieces. */
  readonly pieces?: () => AsyncIterable<Uint8Array>;
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
  pieces,
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
    async *stdin() {
      if (pieces) yield* pieces();
      else yield typeof stdin === 'string' ? new TextEncoder().encode(stdin) : stdin;
    },
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

/** Steers no terminal. */
export const plain = /^(?:[^\p{Cc}\p{Bidi_C}\u2028]|\n)*$/u;

/** Runs a command line, whose words stand one space apart, or the words themselves. */
export async function squadc(
  line: string | readonly string[],
  surroundings: Surroundings = {},
  load?: LoadApi,
): Promise<Ran> {
  const io = fakeIo(surroundings);
  const exitCode = await run(typeof line === 'string' ? line.split(' ') : line, io, load);
  const err = io.err();
  // Whatever is read, what is said of it is plain.
  const { isTTY, env } = surroundings;
  if (!isTTY && env?.['FORCE_COLOR'] === undefined) {
    expect(err).toMatch(plain);
  }
  return { exitCode, out: io.out(), err };
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
    squadc: (line: string | readonly string[], given?: Surroundings, load?: LoadApi) =>
      squadc(line, { cwd: folder, ...given }, load),
  };
}

/** Matches where this text stands; `…` is any text. */
export function somewhere(text: string): RegExp {
  const parts = text.split('…').map((part) => part.replaceAll(/[^\w\s]/g, '\\$&'));
  return new RegExp(parts.join('[\\s\\S]*'));
}

/** A text in which this one stands somewhere. */
export const has = (text: string) => expect.stringMatching(somewhere(text)) as string;

function expectText(said: string, text: string): void {
  if (text.startsWith('as test/')) expect(said).toBe(readFileSync(text.slice(3), 'utf8'));
  else expect(said).toMatch(somewhere(text));
}

/**
 * Runs the commands of a transcript, one after another in one folder, each as a test of its own.
 *
 *     compile wrong.json => 1     exits with 1 and says on standard error:
 *       | invalid: 2 errors       a text that stands somewhere in it; without one, nothing is said
 *       > "squad": {              the same of standard output, if it fails
 *       + kept.json as it was     this file has that text afterwards
 *       - never.json              this file is not there
 *
 * One text may stand behind the exit code, that of standard error without its mark. `…` is any text,
 * and `as test/…` all that is in that file.
 */
export function transcript(
  { folder, read, squadc }: ReturnType<typeof temporaryFolder>,
  text: string,
  { load, ...given }: Surroundings & { readonly load?: LoadApi } = {},
): void {
  const commands = text
    .trim()
    .split(/\n(?= *[^|>+\s-])/)
    .map((command) => [/^.*=> \d+/.exec(command)?.[0].trim() ?? command, command] as const);
  it.each(commands)('squadc %s', async (head, command) => {
    const [line = '', code] = head.replaceAll(/ +/g, ' ').split(/ ?=> /);
    const [, first = '|', behind] = /^.*=> \d+ (?:([|>+-]) )?(.+)/.exec(command) ?? [];
    const marked = command.matchAll(/\n *([|>+-]) (.*)/g);
    const rest = Array.from(marked, ([, mark = '', what = '']) => [mark, what] as const);
    const texts = behind === undefined ? rest : [[first, behind] as const, ...rest];
    const ran = await squadc(line === '' ? [] : line, given, load);
    expect(ran.exitCode, ran.out + ran.err).toBe(Number(code));
    const marks = new Set(texts.map(([mark]) => mark));
    if (!marks.has('|')) expect(ran.err).toBe('');
    if (!marks.has('>') && ran.exitCode !== 0) expect(ran.out).toBe('');
    for (const [mark, what] of texts) {
      const [name = '', ...words] = what.split(' ');
      if (mark === '|') expectText(ran.err, what);
      else if (mark === '>') expectText(ran.out, what);
      else if (mark === '+') expectText(read(name), words.join(' '));
      else expect([name, existsSync(join(folder, name))]).toEqual([name, false]);
    }
  });
}

/** The text of an example in `golden/`: its workflow, unless another file is named. */
export const golden = (name: string, file = 'input.json') =>
  readFileSync(`golden/${name}/${file}`, 'utf8');

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
export function serving(line: string, surroundings: Surroundings = {}) {
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
export async function addressOf(
  { io, ended }: ReturnType<typeof serving>,
  service = 'tools',
): Promise<string> {
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

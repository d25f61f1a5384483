/**
 * Every code that `squadc explain` lists, met where users meet it: on the command line.
 *
 * Each finding is read aloud: which fault, in a sentence; where, with file, line and column; what to
 * do, in a sentence.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { type CompileOptions, codes } from '../../src/index.js';
import { listFolders, readCase } from '../golden/cases.js';
import { provocations } from '../golden/provocations.js';
import { fakeIo } from './fake-io.js';

/** Codes that are not met here, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'api/unknown-node': 'the option `names` is for programs',
  'api/unknown-option': 'the argument parser refuses an unknown option',
};

/** Codes of runs over many workflows have a test of their own, test/batch/codes.test.ts. */
const isOfRuns = (code: string) => code.startsWith('batch/');

/** Those of bound operations too, test/adapters/tools/bind-operations.test.ts. */
const isOfBindings = (code: string) => code.startsWith('tools/');

/** These only repeat the items and the calls that a check shows above them. */
const shownAsJson = ['check/item-fails', 'check/walk'];

const root = mkdtempSync(join(tmpdir(), 'squadc-tour-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const met = new Set<string>();

/** What is written of each finding; their codes and kinds are noted down. */
async function squadc(argv: readonly string[], cwd: string) {
  const io = fakeIo({ cwd, columns: 100_000 });
  const exitCode = await run(argv, io);
  const texts = (argv[0] === 'check' ? io.out() : io.err()).split('\n\n');
  const findings = texts.filter((text) => /^(?:error|warning|info)\[/.test(text));
  for (const text of texts) {
    const [, code] = /^\w+\[([^\]:]+)/.exec(text) ?? [];
    if (code !== undefined) met.add(code);
  }
  if (argv[0] === 'check') await noteJson(argv, cwd);
  return { exitCode, findings };
}

async function noteJson(argv: readonly string[], cwd: string): Promise<void> {
  const io = fakeIo({ cwd });
  await run([...argv, '--json'], io);
  const { diagnostics } = JSON.parse(io.out());
  for (const { code } of diagnostics) if (shownAsJson.includes(code)) met.add(code);
}

const sentence = /^[A-Z“{].*\.$/;
/** A line of a file; or the option, where what is wrong stood on the command line. */
const place = /^ *--> (?:\S+\.json:\d+:\d+|options \/\S*|--[a-z-]+(?: \S+)?)$/;

function expectReadable(finding: string): void {
  const [headline = '', where, ...rest] = finding.split('\n');
  expect(headline.replace(/^\w+\[[a-z]+\/[a-z0-9-]+\]: /, '')).toMatch(sentence);
  expect(where).toMatch(place);
  const help = rest.find((line) => line.includes('= help: ')) ?? '';
  expect(help.replace(/^ *= help: /, '')).toMatch(sentence);
  expect(finding).not.toMatch(/undefined(?!-)|\[object|NaN|\bnull\b|must NOT/);
}

/** One command line; `prepare` writes the files that it names. */
interface Stop {
  readonly name: string;
  prepare(put: Put): readonly string[];
}

/** Options that the argument parser refuses by itself, so that no code is given. */
const refusedByParser: ReadonlySet<string> = new Set(['wrong-options']);

const goldens: readonly Stop[] = listFolders()
  .filter((name) => !refusedByParser.has(name))
  .flatMap((name) => {
    const golden = readCase(name);
    if (golden === null) return [];
    const text = readFileSync(join(golden.folder, golden.input), 'utf8');
    return { name, prepare: (put) => compile(put, text, golden.options) };
  });

/** These hold what no file can. */
const notAsFiles = ['shape/not-json'];

const provoked: readonly Stop[] = Object.entries(provocations)
  .filter(([code]) => !notAsFiles.includes(code))
  .map(([name, provoke]) => ({
    name,
    prepare(put) {
      const { workflow, options, squad } = provoke();
      if (squad === undefined) return compile(put, workflow, options);
      const files = [put('workflow.json', workflow), put('squad.json', squad)];
      return ['check', ...files, '--verbose', ...flagsOf(options ?? {}, put)];
    },
  }));

const own: readonly Stop[] = [
  {
    name: 'nested too deeply',
    prepare: (put) => compile(put, '['.repeat(600) + ']'.repeat(600)),
  },
  {
    name: 'api/option',
    prepare: (put) =>
      compile(put, '{"name":"x","nodes":[]}', { memberOverrides: ['voice'] as never }),
  },
];

function compile(put: Put, workflow: unknown, options = {}): readonly string[] {
  return ['compile', put('workflow.json', workflow), '--verbose', ...flagsOf(options, put)];
}

const stops: readonly Stop[] = [...goldens, ...provoked, ...own];

/** Puts a file into the folder that the command starts from, and returns its name. */
type Put = (name: string, content: unknown) => string;

/** Options that no flag gives. */
const withoutFlag: readonly string[] = ['names', 'tagret'];

/** Which flag an option is, and how its value is written. */
const flags: Readonly<Record<string, (value: never, put: Put) => readonly string[]>> = {
  target: (target: string) => ['--target', target],
  boundary: (rule: string) => ['--boundary', rule],
  handoffTools: (form: string) => ['--handoff-tools', form],
  pass: (way: string) => ['--pass', way],
  tools: (way: string) => ['--tools', way],
  context: ({ type, maxMessages }: { type: string; maxMessages?: number }) => [
    '--context',
    type === 'lastNMessages' ? `last:${maxMessages}` : type,
  ],
  dynamicVariables: (names: readonly string[]) => ['--dynamic', ...names],
  criticalVariables: (names: readonly string[]) => ['--critical', ...names],
  memberOverrides: (value: object, put) => ['--overrides', put('overrides.json', value)],
  toolNames: (value: object, put) => ['--tool-names', put('tool-names.json', value)],
  bindings: (value: object, put) => ['--bindings', put('bindings.json', value)],
  answers: (value: object, put) => ['--answers', put('answers.json', value)],
  toolServer: ({ url, credentialId }: { url: string; credentialId: string }) => [
    ...['--tool-server', url, '--tool-credential', credentialId],
  ],
};

/** Options without a flag are left out; one that nobody knows is a fault of this table. */
function flagsOf(options: CompileOptions, put: Put): string[] {
  return Object.entries(options).flatMap(([option, value]) => {
    if (withoutFlag.includes(option)) return [];
    const flag = flags[option];
    if (flag === undefined) throw new Error(`no flag is known for the option ${option}`);
    return flag(value as never, put);
  });
}

describe.each(stops)('$name', ({ name, prepare }) => {
  it('says which, where, why and what to do', async () => {
    const cwd = join(root, name.replace('/', '-'));
    mkdirSync(cwd);
    const put: Put = (file, content) => {
      writeFileSync(
        join(cwd, file),
        typeof content === 'string' ? content : JSON.stringify(content, null, 2),
      );
      return file;
    };
    const argv = prepare(put);
    const { exitCode, findings } = await squadc(argv, cwd);
    for (const finding of findings) expectReadable(finding);
    const hasErrors = findings.some((finding) => finding.startsWith('error'));
    if (argv[0] === 'compile') expect(exitCode === 1).toBe(hasErrors);
  });
});

describe('the tour', () => {
  it.each(codes().filter((code) => !isOfRuns(code) && !isOfBindings(code)))(
    'comes to %s',
    (code) => {
      const isExcepted = Object.hasOwn(exceptions, code);
      expect(met.has(code)).toBe(!isExcepted);
    },
  );
});

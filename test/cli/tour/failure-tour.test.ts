/**
 * Every code that `squadc explain` lists, met where users meet it: on the command line.
 *
 * Each finding is read aloud: which fault, in a sentence; where, with file, line and column; what to
 * do, in a sentence.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/run.js';
import { codes } from '../../../src/index.js';
import { fakeIo } from '../fake-io.js';
import type { Put } from './flags-of.js';
import { stops } from './stops.js';

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

/**
 * README and the pages beside the code tell the truth: their commands exit as stated, their programs
 * type-check and run, and what they lead to is there.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildOnce } from './build-once.js';
import {
  type JourneyPlatform,
  journeySecret as secret,
  startJourneyPlatform,
} from './cli/platform-server.js';
import { type CodeBlock, codeBlocks } from './readme/code-blocks.mjs';
import {
  asksInTerminal,
  callsSquadc,
  commandsOf,
  type Ground,
  runCommand,
  writeShim,
} from './readme/commands.js';
import { missingFiles } from './readme/links.js';
import { linkPackages, runProgram, typeFaults, writeProgram } from './readme/programs.js';
import { answerInTerminal } from './readme/terminal.js';

interface PageBlock extends CodeBlock {
  readonly page: string;
}

const pages = ['README.md', 'src/ARCHITECTURE.md', 'src/adapters/README.md'];
const blocks: readonly PageBlock[] = pages.flatMap((page) =>
  codeBlocks(readFileSync(page, 'utf8')).map((block) => ({ ...block, page })),
);
const shells = blocks.filter(({ language }) => language === 'sh');
const programs = blocks.filter(({ language }) => language === 'ts' || language === 'js');
const documents = blocks.filter(({ language }) => language === 'json');

/** The commands stand in one folder one after the other: later ones may read what earlier wrote. */
const folder = mkdtempSync(join(tmpdir(), 'squadc-readme-'));
const bin = join(folder, 'bin');
const work = join(folder, 'work');

/** The pages speak of `workflow.json`, the worked pattern, and of a program in `app`. */
function prepareFolder(): void {
  mkdirSync(bin, { recursive: true });
  mkdirSync(join(work, 'app'), { recursive: true });
  writeShim(bin);
  linkPackages(work);
  cpSync('golden', join(work, 'golden'), { recursive: true });
  cpSync('golden/worked-pattern/input.json', join(work, 'workflow.json'));
  writeFileSync(join(work, 'app/start.js'), "calls.create({ workflowId: 'wf-clinic' });\n");
}

let platform: JourneyPlatform | undefined;

function ground(): Ground {
  const found = platform && { address: platform.baseUrl, key: secret };
  return { cwd: work, bin, ...(found && { platform: found }) };
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a page', () => {
  beforeAll(async () => {
    await buildOnce();
    prepareFolder();
    platform = await startJourneyPlatform();
  }, 600_000);
  afterAll(() => platform?.close());

  it('opens with the two commands for a new machine, one line each', () => {
    const [first = '', second = ''] = shells.map(({ code }) => code);
    expect(freshMachineFaults(first, second)).toEqual([]);
  });

  for (const { page, code, line } of shells.slice(2)) {
    for (const command of commandsOf(code).filter(callsSquadc)) {
      it(`${page}:${line}: ${command.text} exits with ${command.exit}`, async () => {
        const { exit, printed } = await (asksInTerminal(command)
          ? answerInTerminal(command, work)
          : runCommand(command, ground()));
        expect(exit, printed).toBe(command.exit);
        expect(printed).not.toContain(secret);
      });
    }
  }

  it('has programs without type errors', () => {
    const files = programs.map((block) => writeProgram(work, programName(block), block.code));
    const faults = [...typeFaults(files)].filter(([, each]) => each.length > 0);
    expect(faults).toEqual([]);
  });

  for (const block of programs) {
    it(`${block.page}:${block.line}: the program runs`, () => {
      expect(runProgram(work, programName(block), block.code)).toBe('ran');
    });
  }

  it.each(pages)('%s names files that are there', (page) => {
    expect(missingFiles(page)).toEqual([]);
  });

  for (const { page, code, line } of documents) {
    it(`${page}:${line}: is JSON`, () => expect(() => JSON.parse(code)).not.toThrow());
  }
});

/** Named by its place, so that a fault tells where to look. */
function programName({ page, line, language }: PageBlock): string {
  return `${page.replaceAll(/\W+/g, '-')}-line-${line}.${language}`;
}

/** What is wrong with the commands that a reader types on a new machine, and the check repeats. */
function freshMachineFaults(first: string, second: string): string[] {
  const wanted: readonly (readonly [what: string, holds: boolean])[] = [
    ['the first block is one line', /^\S[^\n]*$/.test(first)],
    ['it installs', /\bnpm (?:ci|install)\b/.test(first)],
    ['then builds', /\bnpm (?:ci|install)\b.*\bnpm run build\b/.test(first)],
    ['then compiles', /\bnpm run build\b.*(?:\bsquadc|\bdist\/cli\.js) compile\b/.test(first)],
    ['the second block is one line', /^\S[^\n]*$/.test(second)],
    ['it installs and tests', /\bnpm (?:ci|install)\b.*\bnpm (?:run )?test\b/.test(second)],
  ];
  return wanted.filter(([, holds]) => !holds).map(([what]) => what);
}

describe('the reading of README', () => {
  it('finds blocks of every fence, with their language and line', () => {
    const sample = [
      '# Title',
      '```sh',
      'a',
      '',
      'b',
      '```',
      'text with ```inline``` code',
      '1. item',
      '   ~~~~json title="x"',
      '   { "a":',
      '     1 }',
      '   ~~~',
      '   ~~~~',
      '````',
      '```ts',
      '````',
      '```ts',
      'never closed',
    ].join('\n');
    expect(codeBlocks(sample)).toEqual([
      { language: 'sh', code: 'a\n\nb', line: 3 },
      { language: 'json', code: '{ "a":\n  1 }\n~~~', line: 10 },
      { language: '', code: '```ts', line: 15 },
      { language: 'ts', code: 'never closed', line: 18 },
    ]);
  });

  it('reads commands, their continuation and the exit code they state', () => {
    const code = [
      '# a remark',
      'npm install squadc',
      '$ npx squadc compile a.json   # exit 2: questions are open',
      'squadc compile a.json \\',
      '  --answers "b#c.json" > out.json',
      'cat a.json | npx squadc compile -',
    ].join('\n');
    const commands = commandsOf(code);
    expect(commands).toEqual([
      { text: 'npm install squadc', exit: 0 },
      { text: 'squadc compile a.json', exit: 2 },
      { text: 'squadc compile a.json --answers "b#c.json" > out.json', exit: 0 },
      { text: 'cat a.json | squadc compile -', exit: 0 },
    ]);
    expect(commands.map(callsSquadc)).toEqual([false, true, true, true]);
    const asking = commandsOf('squadc answer out\nsquadc answer out --json # exit 2');
    expect(asking.map(asksInTerminal)).toEqual([true, false]);
  });
});

describe('the running of README', () => {
  it('tells programs with type errors and programs that throw', () => {
    const place = mkdtempSync(join(folder, 'programs-'));
    linkPackages(place);
    const good = "import { sep } from 'node:path';\nconst a: string = sep;\nconsole.log(a);";
    const wrong = 'const a: number = "1";';
    const thrown = 'throw new Error("no");';
    const files = [good, wrong, thrown].map((code, i) => writeProgram(place, `p${i}.ts`, code));
    expect([...typeFaults(files).values()]).toEqual([
      [],
      ["1: Type 'string' is not assignable to type 'number'."],
      [],
    ]);
    expect(runProgram(place, 'p0.ts', good)).toBe('ran');
    expect(runProgram(place, 'p2.ts', thrown)).toContain('Error: no');
  });
});

/** Tries what the pages say: runs commands and programs, and checks that linked files exist. */
import { exec, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { run } from '../../src/cli/run.js';
import { fakeTerminal, keys, type Step } from '../cli/answering.js';
import { fakeIo } from '../cli/fake-io.js';

export interface Command {
  /** The line without `npx` and without its comment. */
  readonly text: string;
  /** The code that a trailing `# exit 2` states; otherwise 0. */
  readonly exit: number;
}

/**
 * The commands of a block that call squadc, one per line; a backslash at the end of a line continues
 * it. Other commands are not run here.
 */
export function commandsOf(code: string): Command[] {
  const lines = code.replace(/\\\n\s*/g, '').split('\n');
  return lines
    .map((line) => {
      const [, text = line, comment = ''] = /^(.*?)\s+(#.*)$/.exec(line) ?? [];
      const exit = Number(/\bexit (\d+)/.exec(comment)?.[1] ?? 0);
      return { text: text.replace(/\bnpx (?=squadc\b)/g, '').trim(), exit };
    })
    .filter(({ text }) => /(?:^|[|;&]\s*)squadc\b/.test(text));
}

/** Where commands run: `bin` holds a `squadc` that runs dist/cli.js. */
export interface Ground {
  readonly work: string;
  readonly bin: string;
  /** The local server that replaces the platform. */
  readonly platform?: { readonly address: string; readonly key: string };
}

interface Ended {
  readonly exit: number;
  readonly printed: string;
}

/** Makes the folders, with the package and what its users have beside it installed. */
export function prepareGround({ work, bin }: Ground): void {
  const modules = join(work, 'node_modules');
  for (const each of [bin, join(modules, '@types')]) mkdirSync(each, { recursive: true });
  symlinkSync(resolve('.'), join(modules, 'squadc'), 'junction');
  for (const name of ['@types/node', 'fast-check', 'graphology', 'graphology-types']) {
    symlinkSync(resolve('node_modules', name), join(modules, name), 'junction');
  }
  writeFileSync(join(work, 'package.json'), '{ "type": "module" }\n');
  const shim = join(bin, 'squadc');
  writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${resolve('dist/cli.js')}" "$@"\n`);
  chmodSync(shim, 0o755);
}

/** Runs one line in a shell, as a reader would; returns its exit code and output. */
export function runCommand({ text }: Command, { work, bin, platform }: Ground): Promise<Ended> {
  if (/^squadc answer (?!.*--json)/.test(text)) return answerInTerminal(text, work);
  const path = `${bin}${delimiter}${process.env.PATH ?? ''}`;
  const env = { ...process.env, PATH: path, NO_COLOR: '1', VAPI_API_KEY: platform?.key };
  const calls = /^squadc (?:pull|push|rollback)\b/.test(text);
  const line = platform && calls ? `${text} --base-url ${platform.address}` : text;
  return new Promise((done) => {
    const child = exec(line, { cwd: work, env, timeout: 60_000 }, (error, out, err) => {
      done({ exit: error === null ? 0 : (error.code ?? -1), printed: `${out}${err}` });
    });
    child.stdin?.end();
  });
}

/** The open questions of the platform's workflows: values after the call, and a misspelt name. */
const steps: readonly Step[] = [
  ['Report them after the call', keys.enter],
  ['proposed: “customer_name”', keys.enter],
  ['The name of a variable', keys.enter],
  ['Report them after the call', keys.enter],
];

/** Answers as a user at a terminal would, with the proposals. */
async function answerInTerminal(text: string, cwd: string): Promise<Ended> {
  const terminal = fakeTerminal(steps);
  const io = { ...fakeIo({ cwd, isTTY: true, env: { NO_COLOR: '1' } }), terminal };
  const exit = await run(text.split(' ').slice(1), io);
  return { exit, printed: terminal.screen() + io.err() };
}

/** The type errors of programs, by name, with the built package. */
export function typeFaults(folder: string, programs: ReadonlyMap<string, string>): string[] {
  const files = [...programs].map(([name, code]) => {
    writeFileSync(join(folder, name), `${code}\nexport {};\n`);
    return join(folder, name);
  });
  const program = ts.createProgram(files, {
    strict: true,
    allowJs: true,
    checkJs: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.NodeNext,
    types: ['node'],
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    return `${file?.fileName}:${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

/** Runs the program with its types stripped; returns the error if it fails. */
export function runProgram(folder: string, name: string, code: string): string {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  const script = `${name}.run.mjs`;
  writeFileSync(join(folder, script), outputText);
  const options = { cwd: folder, encoding: 'utf8', timeout: 30_000 } as const;
  const { status, stderr } = spawnSync(process.execPath, [script], options);
  return status === 0 ? 'ran' : `exit ${status}: ${stderr}`;
}

/** Links and images, in Markdown or HTML, to files of this repository. */
const links = /(?:\]\(|\b(?:src|srcset|href)=")(?!https?:)([^)"\s]+)/g;
/** Paths of this repository between backticks. */
const paths = /`((?:src|test|golden|schemas|bench)\/[\w./-]*\w)\/?`/g;

/** The links, images and paths of the page that do not exist. */
export function missingFiles(page: string): string[] {
  const text = readFileSync(page, 'utf8');
  const isThere = (target: string) => {
    const [file = '', heading] = target.split('#');
    const path = file === '' ? page : join(dirname(page), file);
    return existsSync(path) && (heading === undefined || headingsOf(path).includes(heading));
  };
  return [
    ...[...text.matchAll(links)].map(([, target = '']) => target).filter((each) => !isThere(each)),
    ...[...text.matchAll(paths)].map(([, path = '']) => path).filter((each) => !existsSync(each)),
  ];
}

/** The anchors of a page's headings. */
function headingsOf(page: string): string[] {
  const headings = readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, words = '']) =>
    words
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** README's `ts` and `js` blocks: type-checked against the built package, then run. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import ts from 'typescript';

/** Links the package and what its users have beside it, so that `import 'squadc'` finds dist/. */
export function linkPackages(folder: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@types'), { recursive: true });
  symlinkSync(resolve('.'), join(modules, 'squadc'), 'junction');
  for (const name of ['@types/node', 'fast-check', 'graphology', 'graphology-types']) {
    symlinkSync(resolve('node_modules', name), join(modules, name), 'junction');
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
}

/** Writes the block as a program of its own and returns its path. */
export function writeProgram(folder: string, name: string, code: string): string {
  const file = join(folder, name);
  writeFileSync(file, `${code}\nexport {};\n`);
  return file;
}

/** What the type checker says to each program, by its path, with line numbers of the block. */
export function typeFaults(files: readonly string[]): Map<string, string[]> {
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
  const faults = new Map<string, string[]>(files.map((file) => [file, []]));
  for (const { file, start = 0, messageText } of ts.getPreEmitDiagnostics(program)) {
    const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    const text = `${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    const known = file ? faults.get(resolve(file.fileName)) : undefined;
    if (known) known.push(text);
    else faults.set(file?.fileName ?? '', [text]);
  }
  return faults;
}

/** Runs the program with its types stripped, in the folder that it stands in. */
export function runProgram(folder: string, file: string, code: string): string {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  const script = `${basename(file)}.run.mjs`;
  writeFileSync(join(folder, script), outputText);
  const { status, stderr } = spawnSync(process.execPath, [script], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 30_000,
  });
  return status === 0 ? 'ran' : `exit ${status}: ${stderr}`;
}

/** TypeScript's word on programs that exist only here. */
import { join, resolve } from 'node:path';
import ts from 'typescript';

const folder = resolve(import.meta.dirname, 'virtual');

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
};

/** Program → what is wrong with it; programs without a fault are not in it. */
export function findTypeErrors(programs: ReadonlyMap<string, string>): Map<string, string[]> {
  // Names of programs are no names of files.
  const names = [...programs.keys()];
  const files = new Map(names.map((name, at) => [join(folder, `${at}.ts`), name]));
  const found = new Map<string, string[]>();
  for (const { file, messageText, start = 0 } of diagnosticsOf(files, programs)) {
    const name = files.get(file?.fileName ?? '') ?? 'the types themselves';
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
    const words = ts.flattenDiagnosticMessageText(messageText, '\n');
    found.set(name, [...(found.get(name) ?? []), `line ${line}: ${words}`]);
  }
  return found;
}

function diagnosticsOf(
  files: ReadonlyMap<string, string>,
  programs: ReadonlyMap<string, string>,
): readonly ts.Diagnostic[] {
  const textOf = (file: string) => programs.get(files.get(file) ?? '');
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.readFile = (file) => textOf(file) ?? readFile(file);
  host.getSourceFile = (file, language, ...rest) => {
    const text = textOf(file);
    return text === undefined
      ? getSourceFile.call(host, file, language, ...rest)
      : ts.createSourceFile(file, text, language);
  };
  return ts.getPreEmitDiagnostics(ts.createProgram([...files.keys()], options, host));
}

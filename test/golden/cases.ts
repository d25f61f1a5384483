/** The folders of golden/, read into cases. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CompileOptions, readWorkflow } from '../../src/index.js';

const goldenFolder = 'golden';

/** One folder: a workflow, the options to compile it with, and the expected files. */
export interface GoldenCase {
  readonly name: string;
  readonly folder: string;
  /** `input.txt` is text with faults; `input.json` is read without findings. */
  readonly input: 'input.json' | 'input.txt';
  /** How many lines the input has; a case shows one thing. */
  readonly lines: number;
  readonly reading: ReturnType<typeof readWorkflow>;
  readonly options: CompileOptions;
}

/** The names of all folders in golden/, sorted. */
export function listFolders(): string[] {
  return readdirSync(goldenFolder, { withFileTypes: true })
    .map((entry) => (entry.isDirectory() ? entry.name : `${entry.name} (no folder)`))
    .sort();
}

/** Reads a case; null if the folder has no input. */
export function readCase(name: string): GoldenCase | null {
  const folder = join(goldenFolder, name);
  const input = (['input.json', 'input.txt'] as const).find((it) => existsSync(join(folder, it)));
  if (input === undefined) return null;
  const options = readJson(join(folder, 'options.json')) ?? {};
  const answers = readJson(join(folder, 'answers.json'));
  const text = readFileSync(join(folder, input), 'utf8');
  return {
    name,
    folder,
    input,
    lines: text.split('\n').length,
    reading: readWorkflow(text),
    options: answers === undefined ? options : { ...options, answers },
  };
}

/** Files of a case that no test reads. */
export function listStrayFiles(name: string): string[] {
  const known = ['input.json', 'input.txt', 'options.json', 'answers.json', 'expected'];
  return readdirSync(join(goldenFolder, name)).filter((file) => !known.includes(file));
}

function readJson(path: string): Record<string, unknown> | undefined {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

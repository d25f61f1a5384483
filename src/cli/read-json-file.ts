/** Reads the JSON files beside the workflow: answers, overrides, bindings and the squad. */
import type { Diagnostic } from '../index.js';
import type { Source } from './compile-input.js';
import type { Api } from './invocation.js';
import type { Io } from './io.js';
import { optionFiles } from './place.js';
import { inputName, readInput } from './read-input.js';

export interface SideFile {
  readonly source: Source;
  /** Null where the text is not JSON. */
  readonly value: unknown;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The value of a JSON file, and the faults of its text with their places. Whether the value has
 * the right form is for the compiler to say.
 */
export async function readJsonFile(
  path: string,
  file: 'answers' | 'squad' | keyof typeof optionFiles,
  api: Api,
  io: Io,
): Promise<SideFile> {
  const text = await readInput(path, io);
  // The reader of workflows looks at nothing but the text, so that it reads any JSON.
  const { workflow: value, diagnostics } = api.readWorkflow(text);
  const isDocument = file === 'answers' || file === 'squad';
  const [part, base] = isDocument
    ? ([file, ''] as const)
    : (['options', optionFiles[file]] as const);
  return {
    source: { name: inputName(path), text },
    value,
    diagnostics: diagnostics.map((each) => ({ ...each, in: part, at: base + each.at })),
  };
}

/** Reads the JSON files beside the workflow: answers and overrides. */
import type { Diagnostic } from '../compiler/ir/result.js';
import type { Source } from './compile-input.js';
import type { Api } from './invocation.js';
import type { Io } from './io.js';
import { overridesAt } from './place.js';
import { inputName, readInput } from './read-input.js';

export interface SideFile {
  readonly source: Source;
  /** Undefined where the text is not JSON. */
  readonly value: unknown;
  readonly diagnostics: readonly Diagnostic[];
}

/** Faults of the text alone; the other findings of the reader are about workflows. */
const textFaults: ReadonlySet<string> = new Set([
  'shape/not-json',
  'shape/duplicate-key',
  'shape/too-deep',
]);

/**
 * The value of a JSON file, and the faults of its text with their places. Whether the value has
 * the right form is for the compiler to say.
 */
export async function readJsonFile(
  path: string,
  part: 'answers' | 'options',
  api: Api,
  io: Io,
): Promise<SideFile> {
  const text = await readInput(path, io);
  const base = part === 'options' ? overridesAt : '';
  const diagnostics = api
    .readWorkflow(text)
    .diagnostics.filter(({ code }) => textFaults.has(code))
    .map((diagnostic) => ({ ...diagnostic, in: part, at: base + diagnostic.at }));
  const unread = diagnostics.some(({ severity }) => severity === 'error');
  return {
    source: { name: inputName(path), text },
    value: unread ? undefined : JSON.parse(text),
    diagnostics,
  };
}

/** Reads everything that `squadc check` was given: the workflow, the squad, the side files. */
import type { CheckFlags } from './check.js';
import { type CompileInput, readCompileInput, type Source } from './compile-input.js';
import type { Api } from './invocation.js';
import type { Io } from './io.js';
import { readJsonFile } from './read-json-file.js';
import { optionsOfResult } from './result-options.js';

export interface CheckInput extends CompileInput {
  readonly squad: Source;
  /** Null where the text of the squad is not JSON. */
  readonly document: unknown;
}

export async function readCheckInput(
  workflowFile: string,
  squadFile: string,
  flags: CheckFlags,
  api: Api,
  io: Io,
): Promise<CheckInput> {
  const input = await readCompileInput(workflowFile, flags, api, io);
  const { source, value, diagnostics } = await readJsonFile(squadFile, 'squad', api, io);
  // Of a page the check says what it is; as JSON there would only be its first sign to complain of.
  const isPage = value === null && source.text.trimStart().startsWith('<');
  const given = flags.result === undefined ? null : await optionsOfResult(flags.result, api, io);
  return {
    ...input,
    ...(given && { options: given }),
    squad: source,
    document: isPage ? source.text : value,
    diagnostics: [...input.diagnostics, ...(isPage ? [] : diagnostics)],
  };
}

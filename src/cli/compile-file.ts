/** How `squadc compile` and `squadc scenarios` begin: a workflow is read, compiled, reported on. */
import type { CompileFlags } from './compile-flags.js';
import { type CompileInput, readCompileInput } from './compile-input.js';
import { reportOn } from './compile-report.js';
import { type Compiled, compileInput } from './compile-run.js';
import type { Api, Invocation } from './invocation.js';
import { reportingRefutation } from './refutation.js';
import { filesOf } from './squad-options.js';
import { refuseOverwriting } from './write-output.js';

export interface CompiledFile {
  readonly api: Api;
  readonly input: CompileInput;
  readonly compiled: Compiled;
}

export async function compileFile(
  file: string,
  flags: CompileFlags,
  { io, loadApi }: Invocation,
): Promise<CompiledFile> {
  const api = await loadApi();
  const input = await readCompileInput(file, flags, api, io);
  await refuseOverwriting(flags.output, [file, ...filesOf(flags)], io);
  const compile = () => compileInput(input, flags, api);
  const compiled = await reportingRefutation(compile, input, flags, io);
  reportOn(compiled, input, flags, api, io);
  return { api, input, compiled };
}

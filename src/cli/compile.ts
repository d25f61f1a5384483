/** `squadc compile`: one workflow in, one squad out, or what stands between them. */
import { type Command, Option } from 'commander';
import type { CompileResult } from '../index.js';
import { type CompiledFile, compileFile } from './compile-file.js';
import { type CompileFlags, emitKinds } from './compile-flags.js';
import { reportSummary } from './compile-report.js';
import { type ExitCode, exitCodes, exitCodesHelp } from './exit.js';
import type { Invocation } from './invocation.js';
import { jsonResult } from './json-result.js';
import { standardInput } from './read-input.js';
import { addCompileOptions, filesOf, refuseTwoStandardInputs } from './squad-options.js';
import { jsonText, writeOutput } from './write-output.js';

const help = `${exitCodesHelp}

Example:
  squadc compile workflow.json --answers answers.json -o squad.json`;

/** Adds the command to the program. */
export function addCompileCommand(program: Command, invocation: Invocation): void {
  const command = program
    .command('compile')
    .summary('compile a workflow into a squad')
    .description(
      'Compiles a workflow into a squad. The squad goes to standard output, everything else to ' +
        'standard error: diagnostics, open questions with the answers to fill in, a summary.',
    )
    .argument('<file>', 'workflow as JSON; - reads standard input')
    .addHelpText('after', help)
    .action(async (file: string, flags: CompileFlags) => {
      refuseTwoStandardInputs([file, ...filesOf(flags)], command);
      invocation.exitCode = await compileCommand(file, flags, invocation);
    });
  addCompileOptions(command);
  addOutputOptions(command);
}

function addOutputOptions(command: Command): void {
  command
    .option(
      '-o, --output <file>',
      'write to this file (in one step, and only when complete) instead of standard output',
    )
    .addOption(
      new Option('--emit <what>', 'print this instead of the squad, as JSON')
        .choices(emitKinds)
        .conflicts('json'),
    )
    .option('--json', 'print the whole result as one JSON object')
    .option('--verbose', 'show informational diagnostics too');
}

async function compileCommand(
  file: string,
  flags: CompileFlags,
  invocation: Invocation,
): Promise<ExitCode> {
  const read = await compileFile(file, flags, invocation);
  const { compiled } = read;
  await deliver(read, flags, invocation);
  if (!flags.json) reportSummary(compiled, invocation.io);
  return exitCodeOf(compiled.result);
}

/** Puts out what was asked for; a file is written only when the result is complete. */
async function deliver(
  { api, input, compiled }: CompiledFile,
  flags: CompileFlags,
  { io }: Invocation,
): Promise<void> {
  const { result, document } = compiled;
  const toFile = flags.output !== undefined && flags.output !== standardInput;
  if (flags.json) io.stdout.write(jsonText(jsonResult(compiled, input, api)));
  if (document === null) return;
  if (toFile) {
    if (result.status === 'complete') await writeOutput(flags.output, jsonText(document), io);
  } else if (!flags.json) {
    io.stdout.write(jsonText(document));
  }
}

function exitCodeOf({ status }: CompileResult): ExitCode {
  if (status === 'complete') return exitCodes.complete;
  return status === 'needs-answers' ? exitCodes.questionsOpen : exitCodes.invalid;
}

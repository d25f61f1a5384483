/** `squadc compile`: one workflow in, one squad out, or what stands between them. */
import { type Command, Option } from 'commander';
import type { CompileResult } from '../index.js';
import {
  type CompileFlags,
  contextForms,
  emitKinds,
  parseContext,
  parseModel,
  parsePolicy,
} from './compile-flags.js';
import { type CompileInput, readCompileInput } from './compile-input.js';
import { reportOn, reportSummary } from './compile-report.js';
import { type Compiled, compileInput } from './compile-run.js';
import { type ExitCode, exitCodes, exitCodesHelp } from './exit.js';
import type { Api, Invocation } from './invocation.js';
import { jsonResult } from './json-result.js';
import { standardInput } from './read-input.js';
import { jsonText, refuseOverwriting, writeOutput } from './write-output.js';

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
      refuseTwoStandardInputs(file, flags, command);
      invocation.exitCode = await compileCommand(file, flags, invocation);
    });
  addAnswerOptions(command);
  addSquadOptions(command);
  addOutputOptions(command);
}

function addAnswerOptions(command: Command): void {
  command
    .option('--answers <file>', 'answers to questions of an earlier run, as JSON')
    .option('--accept-proposals', 'answer each open question that has a proposal with it')
    .option(
      '--policy <kind=choice>',
      'one choice for every question of a kind (repeatable)',
      parsePolicy,
    );
}

function addSquadOptions(command: Command): void {
  const choice = (flags: string, text: string, choices: readonly string[]) =>
    new Option(flags, text).choices(choices);
  command
    .addOption(
      choice('--target <target>', 'shape of the squad', ['squad', 'vapi']).default('squad'),
    )
    .addOption(choice('--boundary <rule>', 'where to split', ['branch', 'tools']).default('branch'))
    .addOption(
      choice(
        '--handoff-tools <form>',
        'one tool with several destinations, or one each (default: grouped; auto for vapi)',
        ['grouped', 'separate', 'auto'],
      ),
    )
    .option(
      '--model <provider/model>',
      "model of every assistant (default: the workflow's own, else openai/gpt-4o)",
      parseModel,
    )
    .option('--overrides <file>', 'settings for all members, as a JSON object')
    .option(
      '--context <plan>',
      `what crosses with a handoff: ${contextForms} (default: all)`,
      parseContext,
    )
    .option(
      '--dynamic <names...>',
      'variables that the caller supplies when the call starts (after the file)',
    )
    .option('--critical <names...>', 'variables that must never be missing (after the file)');
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

function refuseTwoStandardInputs(file: string, flags: CompileFlags, command: Command): void {
  const inputs = [file, flags.answers, flags.overrides];
  if (inputs.filter((input) => input === standardInput).length < 2) return;
  command.error('error: only one input can be read from standard input');
}

async function compileCommand(
  file: string,
  flags: CompileFlags,
  invocation: Invocation,
): Promise<ExitCode> {
  const { io } = invocation;
  const api = await invocation.loadApi();
  const input = await readCompileInput(file, flags, api, io);
  await refuseOverwriting(flags.output, [file, flags.answers, flags.overrides], io);
  const compiled = compileInput(input, flags, api);
  reportOn(compiled, input, flags, api, io);
  await deliver(compiled, input, flags, api, invocation);
  if (!flags.json) reportSummary(compiled, io);
  return exitCodeOf(compiled.result);
}

/** Puts out what was asked for; a file is written only when the result is complete. */
async function deliver(
  compiled: Compiled,
  input: CompileInput,
  flags: CompileFlags,
  api: Api,
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

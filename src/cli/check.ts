/** `squadc check`: whether a squad is a faithful migration of a workflow, whoever made it. */
import { type Command, Option } from 'commander';
import { bindFor } from '../adapters/tools/compile-bound.js';
import type { Verification } from '../index.js';
import { type CheckInput, readCheckInput } from './check-input.js';
import { reportCheck } from './check-report.js';
import type { SquadFlags } from './compile-flags.js';
import { type ExitCode, exitCodes } from './exit.js';
import type { Api, Invocation } from './invocation.js';
import { placedDiagnostics } from './json-result.js';
import {
  addAnswerOptions,
  addSquadOptions,
  filesOf,
  refuseTwoStandardInputs,
  targetOption,
} from './squad-options.js';
import { jsonText } from './write-output.js';

export interface CheckFlags extends SquadFlags {
  /** In place of answers and options: those of a migration. */
  readonly result?: string;
  readonly json?: true;
  readonly verbose?: true;
}

const help = `
Exit codes:
  0   the squad holds: no item fails, and no call shows a difference
  1   it does not hold, or an input is invalid or cannot be read
  64  wrong usage
  70  a bug of squadc's own

Examples:
  squadc check workflow.json squad.json --answers answers.json
  squadc check workflows/desk.json out/<key>/squad.json \\
    --result out/<key>/result.json`;

/** Adds the command to the program. */
export function addCheckCommand(program: Command, invocation: Invocation): void {
  const command = program
    .command('check')
    .summary('check a squad against its workflow')
    .description(
      'Checks a squad against the workflow that it replaces, whoever made it: the nine items of ' +
        'the checklist with their evidence, and calls that the squad answers otherwise. Give the ' +
        'answers and the options that the squad was made with.',
    )
    .argument('<workflow>', 'workflow as JSON; - reads standard input')
    .argument('<squad>', 'squad as JSON, in the shape of either target; - reads standard input')
    .addHelpText('after', help)
    .action(async (workflow: string, squad: string, flags: CheckFlags) => {
      refuseTwoStandardInputs([workflow, squad, ...filesOf(flags), flags.result], command);
      invocation.exitCode = await checkCommand(workflow, squad, flags, invocation);
    });
  addAnswerOptions(command);
  addSquadOptions(command, targetOption('the one that it has'));
  command
    .addOption(
      new Option(
        '--result <file>',
        'result.json of a migration: the answers and options that the squad was made with',
      ).conflicts(command.options.map((option) => option.attributeName())),
    )
    .option('--json', 'print the whole verification as one JSON object')
    .option('--verbose', 'show evidence that holds and informational diagnostics too');
}

async function checkCommand(
  workflowFile: string,
  squadFile: string,
  flags: CheckFlags,
  { io, loadApi }: Invocation,
): Promise<ExitCode> {
  const api = await loadApi();
  const input = await readCheckInput(workflowFile, squadFile, flags, api, io);
  const verification = verifyInput(input, api);
  if (flags.json) io.stdout.write(jsonText(jsonVerification(verification, input, api)));
  else reportCheck(verification, input, flags, api, io);
  return verification.holds ? exitCodes.complete : exitCodes.invalid;
}

/** Verifies what was read; an input that could not be read whole is not looked at. */
function verifyInput({ workflow, document, options, diagnostics }: CheckInput, api: Api) {
  if (diagnostics.some(({ severity }) => severity === 'error')) {
    return { holds: false, checklist: [], counterexamples: [], diagnostics };
  }
  const bound = bindFor(workflow, options);
  const found = api.verify(bound.workflow, document, bound.options);
  return {
    holds: found.holds,
    checklist: found.checklist,
    counterexamples: found.counterexamples,
    diagnostics: [...diagnostics, ...bound.diagnostics, ...found.diagnostics],
  };
}

function jsonVerification(verification: Verification, input: CheckInput, api: Api): object {
  return {
    ...verification,
    diagnostics: placedDiagnostics(verification.diagnostics, input, api),
  };
}

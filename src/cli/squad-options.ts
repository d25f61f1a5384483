/** The options that say what squad is wanted; `squadc compile` and `squadc check` share them. */
import { type Command, Option } from 'commander';
import {
  contextForms,
  parseContext,
  parseModel,
  parsePolicy,
  parseServiceUrl,
  type SquadFlags,
} from './compile-flags.js';
import { optionFileNames } from './place.js';
import { standardInput } from './read-input.js';

export function addAnswerOptions(command: Command): void {
  command
    .option('--answers <file>', 'answers to questions of an earlier run, as JSON')
    .option(
      '--policy <kind=choice>',
      'one choice for every question of a kind (repeatable)',
      parsePolicy,
    );
}

/** What a command takes that compiles a workflow: its answers, and what squad is wanted. */
export function addCompileOptions(command: Command): void {
  addAnswerOptions(command);
  command.option('--accept-proposals', 'answer each open question that has a proposal with it');
  addSquadOptions(command, targetOption());
}

/** The shape of the squad; what it is without the option differs between the commands. */
export function targetOption(
  usual = "squad for a workflow in the specification's shape, else vapi",
): Option {
  const text = `shape of the squad (default: ${usual})`;
  return choice('--target <target>', text, ['squad', 'vapi']);
}

export function addSquadOptions(command: Command, target: Option): void {
  command
    .addOption(target)
    .addOption(choice('--boundary <rule>', 'where to split', ['branch', 'tools']).default('branch'))
    .addOption(
      choice(
        '--handoff-tools <form>',
        'one tool with several destinations, or one each (default: grouped, for vapi auto)',
        ['grouped', 'separate', 'auto'],
      ),
    )
    .addOption(
      choice(
        '--pass <way>',
        'how variables cross a handoff: extracted from the conversation by a plan, or, for vapi, ' +
          'as required arguments of the handoff (default: plan)',
        ['plan', 'arguments'],
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
    .option('--critical <names...>', 'variables that must never be missing (after the file)')
    .option(
      '--tool-names <file>',
      'functions of tools that the platform keeps, by the id of the tool, as a JSON object of ' +
        '{ name, description }',
    );
  addToolOptions(command);
}

/** How the requests of the workflow reach the bills and documents APIs. */
function addToolOptions(command: Command): void {
  command
    .option('--bindings <file>', 'operations that requests call, by node id, as a JSON object')
    .addOption(
      choice(
        '--tools <way>',
        'how tools of operations reach the API: by a server of yours, or directly from the ' +
          'platform (default: server)',
        ['server', 'direct'],
      ),
    )
    .option('--tool-server <url>', 'the server that answers the calls of these tools')
    .option('--tool-credential <id>', 'credential of the platform for that server')
    .option(
      '--service-url <service=url>',
      'base address of a service, for --tools direct (repeatable)',
      parseServiceUrl,
    )
    .hook('preAction', refuseLoneCredential);
}

/** A credential goes nowhere but to the server that it is for. */
function refuseLoneCredential(_: Command, command: Command): void {
  const { toolServer, toolCredential } = command.opts<SquadFlags>();
  if (toolCredential === undefined || toolServer !== undefined) return;
  command.error('error: --tool-credential is for the server of --tool-server; name that too');
}

function choice(flags: string, text: string, choices: readonly string[]): Option {
  return new Option(flags, text).choices(choices);
}

/** All files that the flags name, to be read. */
export function filesOf({ answers, ...flags }: SquadFlags): (string | undefined)[] {
  return [answers, ...optionFileNames.map((name) => flags[name])];
}

/** Ends the command where more than one of its inputs is standard input. */
export function refuseTwoStandardInputs(
  inputs: readonly (string | undefined)[],
  command: Command,
): void {
  if (inputs.filter((input) => input === standardInput).length < 2) return;
  command.error('error: only one input can be read from standard input');
}

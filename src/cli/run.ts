/** The binary as a function: takes arguments, returns the exit code, and uses `io` for the rest. */
import { Command, CommanderError } from 'commander';
import { addCommand, compileExitCodes, helpAfter, type LoadApi, loadApi } from './command.js';
import { commandsFor } from './commands.js';
import { type ExitCode, exitCodes, Refusal, WrongUsage } from './exit.js';
import type { Io } from './io.js';
import { didYouMean, mayColour, printable } from './output/terminal.js';
import { packageVersion } from './version.js';

/**
 * Runs one command. `argv` holds only the arguments, without program and script. Loads the command
 * and the library as late as possible, so that help and usage errors stay fast.
 */
export async function run(
  argv: readonly string[],
  io: Io,
  load: LoadApi = loadApi,
): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.complete;
  const program = programFor(argv, io);
  try {
    for (const command of await commandsFor(argv)) {
      addCommand(program, command, async (action) => {
        exitCode = await action({ io, api: await load() });
      });
    }
    refuseUnknownTopic(program, argv);
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    return failed(error, program, io);
  }
}

function programFor(argv: readonly string[], io: Io): Command {
  const examples = ['squadc compile workflow.json -o squad.json'];
  return new Command('squadc')
    .description('Compiles voice-call workflows into squads of assistants.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .option('--debug', 'show the stack of an internal error')
    .addHelpText('after', helpAfter({ exitCodes: compileExitCodes, examples }))
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(squadc --help lists commands, squadc <command> --help their options)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) =>
        write(printable(withHint(withoutValue(text), argv).replace(/^error: /, 'squadc: '))),
      getOutHelpWidth: () => io.stdout.columns ?? 80,
      getErrHelpWidth: () => io.stderr.columns ?? 80,
      getOutHasColors: () => mayColour(io.stdout, io.env),
      getErrHasColors: () => mayColour(io.stderr, io.env),
    });
}

/** Removes the value of an unknown option, because it may be a key. */
function withoutValue(text: string): string {
  return text.replace(/(unknown option '-[^=']*)=[\s\S]*'/, "$1'");
}

/** Adds the choice or the required option that the user probably meant. */
function withHint(text: string, argv: readonly string[]): string {
  const hint = choiceHint(text) || requiredHint(text, argv);
  return hint === '' ? text : `${text.trimEnd()}${hint}\n`;
}

function choiceHint(text: string): string {
  const [, word = '', choices = ''] =
    / '([^']*)' is invalid.*\. Allowed choices are (.+)\.$/s.exec(text.trimEnd()) ?? [];
  return didYouMean(word, choices.split(', '));
}

/** The argument parser reports a misspelt required option as missing. */
function requiredHint(text: string, argv: readonly string[]): string {
  const [, option] = /^error: required option '(?:-\w, )?(--[a-z-]+)/.exec(text) ?? [];
  if (option === undefined) return '';
  const given = argv.filter((word) => /^--[a-z-]{2}/.test(word));
  const hints = given.map((word) => didYouMean(word.replace(/=.*/s, ''), [option]));
  return hints.find((hint) => hint !== '') ?? '';
}

/** Refuses `squadc help <unknown>`, for which the argument parser would print the general help. */
function refuseUnknownTopic(program: Command, argv: readonly string[]): void {
  const [first, topic] = argv.filter((each) => !each.startsWith('-'));
  if (first !== 'help' || topic === undefined) return;
  const names = ['help', ...program.commands.map((command) => command.name())];
  if (names.includes(topic)) return;
  throw new WrongUsage(`unknown command '${topic}'${didYouMean(topic, names)}`);
}

function failed(error: unknown, program: Command, io: Io): ExitCode {
  // The argument parser has already printed the message.
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? exitCodes.complete : exitCodes.wrongUsage;
  }
  if (error instanceof WrongUsage) {
    try {
      program.error(`error: ${error.message}`);
    } catch {
      return exitCodes.wrongUsage;
    }
  }
  if (error instanceof Refusal) {
    io.stderr.write(`squadc: ${printable(error.message)}\n`);
    return error.exitCode;
  }
  io.stderr.write(internalError(error, program.opts().debug === true));
  return exitCodes.internalError;
}

/** The message for a bug in squadc, with the stack only if `debug` is set. */
export function internalError(error: unknown, debug: boolean): string {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const hint = debug ? '' : ' and what --debug prints';
  return printable(
    `squadc: internal error: ${message}\n` +
      `This is a bug of squadc ${packageVersion()}. Please report it with the command, ` +
      `the input files${hint}.\n${debug ? `${stack}\n` : ''}`,
  );
}

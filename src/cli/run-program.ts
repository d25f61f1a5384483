/** A program of some commands: what all of them have in common, and how it ends. */
import { Command, CommanderError } from 'commander';
import type { AddCommand } from './commands.js';
import { type ExitCode, exitCodes, exitCodesHelp, Refusal } from './exit.js';
import type { Invocation, LoadApi } from './invocation.js';
import type { Io } from './io.js';
import { mayColour, printable } from './terminal.js';
import { refuseUnknownTopic, withHint } from './usage-hints.js';
import { packageVersion } from './version.js';

/** Runs the command that the arguments name, if it is among these. */
export async function runProgram(
  argv: readonly string[],
  io: Io,
  load: LoadApi,
  commands: readonly AddCommand[],
): Promise<ExitCode> {
  const invocation: Invocation = { io, loadApi: load, exitCode: exitCodes.complete };
  const program = programFor(argv, io);
  for (const add of commands) add(program, invocation);
  try {
    refuseUnknownTopic(program, argv);
    await program.parseAsync(argv, { from: 'user' });
    return invocation.exitCode;
  } catch (error) {
    return failed(error, program.opts().debug === true, io);
  }
}

function programFor(argv: readonly string[], io: Io): Command {
  return new Command('squadc')
    .description('Compiles voice-call workflows into squads of assistants.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .option('--debug', 'show the stack of an internal error')
    .addHelpText(
      'after',
      `${exitCodesHelp}\n\nExample:\n  squadc compile workflow.json -o squad.json`,
    )
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

/** The value of an unknown option is not repeated: it may be a key. */
function withoutValue(text: string): string {
  return text.replace(/(unknown option '-[^=']*)=[\s\S]*'/, "$1'");
}

function failed(error: unknown, debug: boolean, io: Io): ExitCode {
  // The argument parser has told the user already.
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? exitCodes.complete : exitCodes.wrongUsage;
  }
  if (error instanceof Refusal) {
    io.stderr.write(`squadc: ${printable(error.message)}\n`);
    return error.exitCode;
  }
  io.stderr.write(internalError(error, debug));
  return exitCodes.internalError;
}

/** What is said of a bug of squadc's own; the stack only where it was asked for. */
export function internalError(error: unknown, debug: boolean): string {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const hint = debug ? '' : ' and what --debug prints';
  return printable(
    `squadc: internal error: ${message}\n` +
      `This is a bug of squadc ${packageVersion()}. Please report it with the command, ` +
      `the input files${hint}.\n${debug ? `${stack}\n` : ''}`,
  );
}

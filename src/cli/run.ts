/**
 * The binary as a function: arguments in, exit code out, everything else by way of `io`.
 *
 * Only what a command needs is loaded, and when it needs it: the command when it is named, the
 * compiler, the schemas and the file writer by its action.
 */
import { commandsFor } from './commands.js';
import type { ExitCode } from './exit.js';
import { type LoadApi, loadApi } from './invocation.js';
import type { Io } from './io.js';
import { runProgram } from './run-program.js';

/** Runs one command; `argv` holds the arguments alone, without program and script. */
export async function run(
  argv: readonly string[],
  io: Io,
  load: LoadApi = loadApi,
): Promise<ExitCode> {
  return runProgram(argv, io, load, await commandsFor(argv));
}

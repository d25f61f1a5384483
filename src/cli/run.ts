/** The binary as a function: takes arguments, returns the exit code, and uses `io` for the rest. */
import { Command, CommanderError } from 'commander';
import {
  addCommand,
  type CommandData,
  compileExitCodes,
  helpAfter,
  type LoadApi,
  loadApi,
} from './command.js';
import { type ExitCode, exitCodes, Refusal, WrongUsage } from './exit.js';
import type { Io } from './io.js';
import { mayColour, printable } from './output/terminal.js';
import { packageVersion } from './version.js';

/** The commands in the order of the help. Each is loaded only when it is needed. */
const commands: Readonly<Record<string, () => Promise<CommandData>>> = {
  compile: async () => (await import('./commands/compile.js')).compileCommand,
  check: async () => (await import('./commands/check.js')).checkCommand,
  migrate: async () => (await import('./commands/migrate.js')).migrateCommand,
  assess: async () => (await import('./commands/assess.js')).assessCommand,
  report: async () => (await import('./commands/report.js')).reportCommand,
  answer: async () => (await import('./commands/answer.js')).answerCommand,
  walk: async () => (await import('./commands/walk.js')).walkCommand,
  playground: async () => (await import('./commands/playground.js')).playgroundCommand,
  scenarios: async () => (await import('./commands/scenarios.js')).scenariosCommand,
  graph: async () => (await import('./commands/graph.js')).graphCommand,
  callers: async () => (await import('./commands/callers.js')).callersCommand,
  pull: async () => (await import('./commands/pull.js')).pullCommand,
  push: async () => (await import('./commands/push.js')).pushCommand,
  rollback: async () => (await import('./commands/rollback.js')).rollbackCommand,
  explain: async () => (await import('./commands/explain.js')).explainCommand,
  fuzz: async () => (await import('./commands/fuzz.js')).fuzzCommand,
  sandbox: async () => (await import('./commands/sandbox.js')).sandboxCommand,
  tools: async () => (await import('./commands/tools.js')).toolsCommand,
  serve: async () => (await import('./commands/serve.js')).serveCommand,
  schema: async () => (await import('./commands/schema.js')).schemaCommand,
};

/** The command that the arguments name; all commands if they name none or ask for help. */
export async function commandsFor(argv: readonly string[]): Promise<readonly CommandData[]> {
  const word = argv.find((each) => !each.startsWith('-')) ?? 'help';
  const loads = Object.hasOwn(commands, word) ? [commands[word]!] : Object.values(commands);
  return Promise.all(loads.map((load) => load()));
}

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
  const program = programFor(io);
  try {
    for (const command of await commandsFor(argv)) {
      addCommand(program, command, async (action) => {
        exitCode = await action({ io, api: await load() });
      });
    }
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    return failed(error, program, io);
  }
}

function programFor(io: Io): Command {
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
        write(printable(withoutValue(text).replace(/^error: /, 'squadc: '))),
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

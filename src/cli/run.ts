/** The binary as a function: takes arguments, returns the exit code, and uses `io` for the rest. */
import { Command, CommanderError } from 'commander';
import { type Api, type CommandData, compileExitCodes, fillCommand, helpAfter } from './command.js';
import { type ExitCode, exitCodes, type Io, packageVersion, Refusal, usageHint } from './io.js';
import { mayColour, printable } from './output/terminal.js';

/** The commands in the order of the help: what each does, and how to load it. */
export const commands: Readonly<
  Record<string, readonly [summary: string, () => Promise<{ readonly command: CommandData }>]>
> = {
  compile: ['compile a workflow into a squad', () => import('./commands/compile.js')],
  check: ['check a squad against its workflow', () => import('./commands/check.js')],
  migrate: ['compile many workflows into a folder', () => import('./commands/migrate.js')],
  assess: ['estimate the work of a migration', () => import('./commands/assess.js')],
  report: ['write the pages of a migration', () => import('./commands/report.js')],
  answer: ['answer the open questions of a migration', () => import('./commands/answer.js')],
  walk: ['walk a call through a workflow and its squad', () => import('./commands/walk.js')],
  playground: ['a page to try a workflow in a browser', () => import('./commands/playground.js')],
  scenarios: ['plan test calls that cover a workflow', () => import('./commands/scenarios.js')],
  graph: ['draw a workflow or a squad', () => import('./commands/graph.js')],
  callers: ['find the programs that send workflowId', () => import('./commands/callers.js')],
  pull: ['fetch workflows from the platform', () => import('./commands/pull.js')],
  push: ['create or update squads on the platform', () => import('./commands/push.js')],
  rollback: ['undo what push did', () => import('./commands/rollback.js')],
  explain: ['explain a code or a kind of question', () => import('./commands/explain.js')],
  sandbox: ['serve the bills and documents APIs for tests', () => import('./commands/sandbox.js')],
  tools: ['list the tools that a squad can call', () => import('./commands/tools.js')],
  serve: ['answer the tool calls of a squad', () => import('./commands/serve.js')],
  schema: ['print a JSON Schema', () => import('./commands/schema.js')],
};

/**
 * Runs one command. `argv` holds only the arguments, without program and script. Loads the command
 * and the library as late as possible, so that help and usage errors stay fast.
 */
export async function run(
  argv: readonly string[],
  io: Io,
  load: () => Promise<Api> = () => import('../index.js'),
): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.complete;
  const program = programFor(io);
  const words = argv.filter((each) => !each.startsWith('-'));
  const named = words[0] === 'help' ? words[1] : words[0];
  try {
    for (const [name, [summary, loadCommand]] of Object.entries(commands)) {
      const command = program.command(name).summary(summary);
      if (name !== named) continue;
      fillCommand(command, (await loadCommand()).command, async (action) => {
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
    .showHelpAfterError(usageHint)
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
      `This is a bug in squadc ${packageVersion()}. Please report it with the command, ` +
      `the input files${hint}.\n${debug ? `${stack}\n` : ''}`,
  );
}

/** The binary as a function: takes arguments, returns the exit code, and uses `io` for the rest. */
import { Command, CommanderError } from 'commander';
import { type Api, type CommandData, fillCommand, helpAfter, helpStyle } from './command.js';
import { noConfig, readConfig } from './config.js';
import { type ExitCode, exitCodes, type Io, packageVersion, Refusal, usageHint } from './io.js';
import { mayColour, printable } from './output/terminal.js';

/** What each command does, by its group in the help. */
const groups = {
  'One workflow:': {
    compile: 'compile a workflow into a squad',
    check: 'check a squad against its workflow',
    graph: 'draw a workflow or a squad',
    walk: 'walk a call through both',
    replay: 'hold recorded calls against both',
    scenarios: 'plan test calls',
    playground: 'a page to try it in a browser',
  },
  'Many workflows:': {
    assess: 'estimate the work',
    migrate: 'compile them into a folder',
    answer: 'answer the open questions',
    report: 'write the pages',
  },
  'The platform:': {
    pull: 'download workflows',
    push: 'create or update squads',
    callers: 'find programs that send workflowId',
    rollback: 'undo what push did',
  },
  'Tools and the rest:': {
    serve: 'answer the tool calls of a squad',
    tools: 'list the tools',
    sandbox: 'imitate the two services for tests',
    explain: 'explain a code or a question',
    schema: 'print a JSON Schema',
  },
};

/** A command is the only export of the file with its name. */
export function loadCommand(name: string): Promise<{ readonly command: CommandData }> {
  return import(`./commands/${name}.ts`);
}

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
    for (const [group, summaries] of Object.entries(groups)) {
      for (const [name, summary] of Object.entries(summaries)) {
        const command = program.command(name).summary(summary).helpGroup(group);
        if (name !== named) continue;
        const data = (await loadCommand(name)).command;
        fillCommand(command, data, async (given, flags) => {
          const { config: path } = flags as { readonly config?: string };
          const config = data.hasConfig ? await readConfig(path, io, load) : noConfig;
          exitCode = await data.action(given, flags, { io, api: await load(), config });
        });
      }
    }
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    return failed(error, program, io);
  }
}

function programFor(io: Io): Command {
  const examples = ['squadc compile workflow.json -o squad.json'];
  const columns = () => io.stdout.columns ?? 80;
  const help = new Command('help').argument('[command]').helpGroup('Tools and the rest:');
  return new Command('squadc')
    .description('Compiles voice-call workflows into squads of assistants.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpCommand(help.description('print the help of a command'))
    .option('--debug', 'show the stack of an internal error')
    .addHelpText('after', () => helpAfter({ exits: [2, 74, 130], examples }, columns()))
    .configureHelp(helpStyle)
    .showHelpAfterError(usageHint)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) =>
        write(printable(withoutValue(text).replace(/^error: /, 'squadc: '))),
      getOutHelpWidth: columns,
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

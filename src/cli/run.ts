/** The binary as a function: takes arguments, returns the exit code, and uses `io` for the rest. */
import { Command, CommanderError, type Option } from 'commander';
import { type Api, type CommandData, fillCommand, helpAfter } from './command.js';
import { noConfig, readConfig } from './config.js';
import { type ExitCode, exitCodes, type Io, packageVersion, Refusal, usageHint } from './io.js';
import { mayColour, printable } from './output/terminal.js';

/** How to load a command. */
type Load = () => Promise<{ readonly command: CommandData }>;

const groups: Readonly<Record<string, Readonly<Record<string, readonly [string, Load]>>>> = {
  'One workflow:': {
    compile: ['compile a workflow into a squad', () => import('./commands/compile.js')],
    check: ['check a squad against its workflow', () => import('./commands/check.js')],
    graph: ['draw a workflow or a squad', () => import('./commands/graph.js')],
    walk: ['walk a call through both', () => import('./commands/walk.js')],
    replay: ['hold recorded calls against both', () => import('./commands/replay.js')],
    scenarios: ['plan test calls', () => import('./commands/scenarios.js')],
    playground: ['a page to try it in a browser', () => import('./commands/playground.js')],
  },
  'Many workflows:': {
    assess: ['estimate the work', () => import('./commands/assess.js')],
    migrate: ['compile them into a folder', () => import('./commands/migrate.js')],
    answer: ['answer the open questions', () => import('./commands/answer.js')],
    report: ['write the pages', () => import('./commands/report.js')],
  },
  'The platform:': {
    pull: ['download workflows', () => import('./commands/pull.js')],
    push: ['create or update squads', () => import('./commands/push.js')],
    callers: ['find programs that send workflowId', () => import('./commands/callers.js')],
    rollback: ['undo what push did', () => import('./commands/rollback.js')],
  },
  'Tools and the rest:': {
    serve: ['answer the tool calls of a squad', () => import('./commands/serve.js')],
    tools: ['list the tools', () => import('./commands/tools.js')],
    sandbox: ['imitate the two services for tests', () => import('./commands/sandbox.js')],
    explain: ['explain a code or a question', () => import('./commands/explain.js')],
    schema: ['print a JSON Schema', () => import('./commands/schema.js')],
  },
};

/** The commands by name: the group in the help, what each does, and how to load it. */
export const commands: Readonly<
  Record<string, readonly [group: string, summary: string, load: Load]>
> = Object.fromEntries(
  Object.entries(groups).flatMap(([group, rows]) =>
    Object.entries(rows).map(([name, row]) => [name, [group, ...row] as const]),
  ),
);

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
    for (const [name, [group, summary, loadCommand]] of Object.entries(commands)) {
      const command = program.command(name).summary(summary).helpGroup(group);
      if (name !== named) continue;
      const data = (await loadCommand()).command;
      fillCommand(command, data, async (given, flags) => {
        const { config: path } = flags as { readonly config?: string };
        const config = data.hasConfig ? await readConfig(path, io, load) : noConfig;
        exitCode = await data.action(given, flags, { io, api: await load(), config });
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
  const columns = () => io.stdout.columns ?? 80;
  return new Command('squadc')
    .description('Compiles voice-call workflows into squads of assistants.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .option('--debug', 'show the stack of an internal error')
    .addHelpText('after', () => helpAfter({ exits: [2, 74, 130], examples }, columns()))
    .configureHelp({
      showGlobalOptions: true,
      minWidthToWrap: 20,
      optionDescription: describeOption,
    })
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

function describeOption({
  description,
  argChoices,
  defaultValue,
  defaultValueDescription,
}: Option) {
  const choices = argChoices === undefined ? '' : `: ${argChoices.join(', ')}`;
  const isValue = !['undefined', 'boolean'].includes(typeof defaultValue);
  const usual = defaultValueDescription ?? (isValue ? defaultValue : null);
  return `${description}${choices}${usual === null ? '' : ` (default: ${usual})`}`;
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

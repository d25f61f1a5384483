/** What a shell can complete, read off the program itself. */
import type { Argument, Command, Option } from 'commander';

/** What may follow: one of these words, a file, or what nobody can list. */
export type Completed = readonly string[] | 'files' | 'unknown';

export interface CompletedOption {
  /** As they are typed: `-o`, `--output`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Null where it takes none. */
  readonly value: Completed | null;
  readonly repeatable: boolean;
}

export interface CompletedCommand {
  /** What is typed after the program's name; nothing for the program itself. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  readonly commands: readonly CompletedCommand[];
  /** Its arguments. */
  readonly takes: Completed;
}

/** Arguments and values of options that are files or folders, by their names in the help. */
const fileNames = /\b(?:file|files|folder|dir|path|paths|out|sources|squad|workflow)\b/i;
const names = /[<[]([^\]>]+)[\]>]/;

/** Words that mean something to a shell are never put into a script. */
const plainWord = /^[\w./:=-]+$/;

/** The command and those below it, each before those below it. */
export function allCommands(command: CompletedCommand): CompletedCommand[] {
  return [command, ...command.commands.flatMap(allCommands)];
}

export function completedProgram(program: Command): CompletedCommand {
  return completedCommand(program, [], []);
}

/** `siblings` are the commands beside it: what `help` can be asked about. */
function completedCommand(
  command: Command,
  path: readonly string[],
  siblings: readonly string[],
): CompletedCommand {
  const help = command.createHelp();
  const below = help.visibleCommands(command).filter((each) => plainWord.test(each.name()));
  const known = below.map((each) => each.name());
  const options = [...help.visibleOptions(command), ...globalOptions(command)];
  return {
    path,
    summary: help.subcommandDescription(command),
    options: options.map(completedOption),
    commands: below.map((each) => completedCommand(each, [...path, each.name()], known)),
    takes: path.at(-1) === 'help' ? siblings : completedArguments(command.registeredArguments),
  };
}

/** Those of the program that a command takes, too: not its help and version, which are its own. */
function globalOptions({ parent }: Command): readonly Option[] {
  if (parent === null) return [];
  const own = parent.options.filter(({ long }) => long !== '--version');
  return [...(parent.parent === null ? own : []), ...globalOptions(parent)];
}

function completedOption(option: Option): CompletedOption {
  const { short, long, description, flags, argChoices, required, optional, variadic } = option;
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    description,
    value: required || optional ? completedValue(flags, argChoices) : null,
    repeatable: variadic || /\(repeatable\)|may be (?:given|repeated)/.test(description),
  };
}

function completedArguments(all: readonly Argument[]): Completed {
  const [first] = all;
  return first === undefined ? 'unknown' : completedValue(`<${first.name()}>`, first.argChoices);
}

function completedValue(flags: string, choices: readonly string[] | undefined): Completed {
  if (choices !== undefined) return choices.filter((choice) => plainWord.test(choice));
  return fileNames.test(names.exec(flags)?.[1] ?? '') ? 'files' : 'unknown';
}

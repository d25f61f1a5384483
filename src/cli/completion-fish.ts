/** The completion of fish: one line for each command, option and argument. */
import {
  allCommands,
  type Completed,
  type CompletedCommand,
  type CompletedOption,
} from './completion-model.js';

export function fishCompletion(program: CompletedCommand): string {
  const lines = allCommands(program).flatMap(commandLines);
  return `# Completion of squadc for fish; made by: squadc completion fish
# Saved as ~/.config/fish/completions/squadc.fish, or: squadc completion fish | source

complete -c squadc -f
${lines.join('\n')}
`;
}

function commandLines(command: CompletedCommand): string[] {
  const { commands, options, takes } = command;
  const start = `complete -c squadc -n ${quoted(conditionOf(command))}`;
  return [
    ...commands.map(({ path, summary }) => `${start} -a ${path.at(-1)} -d ${quoted(summary)}`),
    ...options.map((option) => `${start} ${optionPart(option)}`),
    ...(takes === 'unknown' || commands.length > 0 ? [] : [`${start} ${argumentPart(takes)}`]),
  ];
}

/** Where the cursor must be: behind the command, and behind none of those below it. */
function conditionOf({ path, commands }: CompletedCommand): string {
  const below = commands.map((each) => each.path.at(-1)).join(' ');
  if (path.length === 0) return '__fish_use_subcommand';
  const behind = path.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
  return below === '' ? behind : `${behind}; and not __fish_seen_subcommand_from ${below}`;
}

function optionPart({ flags, description, value }: CompletedOption): string {
  const names = flags.map((flag) => {
    return flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`;
  });
  const taken = value === null ? [] : [valuePart(value)];
  return [...names, ...taken, `-d ${quoted(description)}`].join(' ');
}

function valuePart(value: Completed): string {
  if (value === 'files') return '-r -F';
  return value === 'unknown' ? '-x' : `-x -a ${quoted(value.join(' '))}`;
}

function argumentPart(takes: Completed): string {
  return takes === 'files'
    ? '-F'
    : `-a ${quoted(typeof takes === 'string' ? '' : takes.join(' '))}`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

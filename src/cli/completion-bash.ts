/** The completion of bash: one function that goes by the words before the cursor. */
import { allCommands, type Completed, type CompletedCommand } from './completion-model.js';

export function bashCompletion(program: CompletedCommand): string {
  const commands = allCommands(program);
  const paths = commands.filter(({ path }) => path.length > 0).map(stepTo);
  return `# Completion of squadc for bash; made by: squadc completion bash
# In ~/.bashrc: source <(squadc completion bash)

_squadc_offer() {
  compopt +o default 2>/dev/null
  COMPREPLY=($(compgen -W "$1" -- "$word"))
}

_squadc() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path= index
  COMPREPLY=()
  # To bash the sign between an option and its value is a word.
  if [[ $word == '=' ]]; then
    word=
  elif [[ $before == '=' ]]; then
    before="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$path \${COMP_WORDS[index]}" in
      ${paths.join(' | \\\n      ')})
        path="\${path:+$path }\${COMP_WORDS[index]}" ;;
    esac
  done
  case "$path $before" in
${valueCases(commands)}
  esac
  case "$path" in
${commands.map(commandCase).join('\n')}
  esac
}

# Without an offer, bash completes the names of files.
complete -o default -F _squadc squadc
`;
}

function pathOf({ path }: CompletedCommand): string {
  return path.join(' ');
}

/** The words so far, and the one that leads to the command. */
function stepTo({ path }: CompletedCommand): string {
  return `'${path.slice(0, -1).join(' ')} ${path.at(-1)}'`;
}

/** Options that take a value, those with the same values together. */
function valueCases(commands: readonly CompletedCommand[]): string {
  const cases = new Map<string, string[]>();
  for (const command of commands) {
    for (const { flags, value } of command.options) {
      if (value === null) continue;
      const offer = offerOf(value);
      const patterns = flags.map((flag) => `'${pathOf(command)} ${flag}'`);
      cases.set(offer, [...(cases.get(offer) ?? []), ...patterns]);
    }
  }
  return [...cases]
    .map(([offer, patterns]) => `    ${patterns.join(' | \\\n    ')})\n      ${offer}; return ;;`)
    .join('\n');
}

function commandCase(command: CompletedCommand): string {
  const { options, commands, takes } = command;
  const flags = options.flatMap((option) => option.flags);
  const words = commands.map(({ path }) => path.at(-1)!);
  return `    '${pathOf(command)}')
      case "$word" in
        -*) ${offerOf(flags)} ;;
        *) ${offerOf(words.length > 0 ? words : takes)} ;;
      esac ;;`;
}

function offerOf(completed: Completed): string {
  if (completed === 'files') return ':';
  return `_squadc_offer '${completed === 'unknown' ? '' : completed.join(' ')}'`;
}

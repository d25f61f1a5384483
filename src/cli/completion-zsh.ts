/** The completion of zsh, by its `_arguments`. */
import type { Completed, CompletedCommand, CompletedOption } from './completion-model.js';

export function zshCompletion(program: CompletedCommand): string {
  return `#compdef squadc
# Completion of squadc for zsh; made by: squadc completion zsh
# Saved as _squadc in a folder of $fpath, or in ~/.zshrc: source <(squadc completion zsh)

_squadc() {
  local context state state_descr line ret=1
  typeset -A opt_args
${commandBody(program, '  ')}
  return ret
}

if [[ $funcstack[1] == _squadc ]]; then
  _squadc "$@"
else
  compdef _squadc squadc
fi
`;
}

/** What completes one command, and those below it. */
function commandBody(command: CompletedCommand, indent: string): string {
  const { commands, takes, options, path } = command;
  const isGroup = commands.length > 0;
  const state = ['squadc', ...path].join('-');
  const specifications = [
    ...options.map(optionSpecification),
    ...(isGroup ? ["': :->commands'", `'*::: :->${state}'`] : argumentSpecifications(takes)),
  ];
  const lines = [
    `_arguments -C -s -S ${specifications.map((each) => `\\\n${indent}  ${each}`).join(' ')} && ret=0`,
  ];
  if (isGroup) lines.push(...groupLines(command, state, indent));
  return lines.map((line) => indent + line).join('\n');
}

function groupLines({ commands }: CompletedCommand, state: string, indent: string): string[] {
  const described = commands.map(({ path, summary }) => {
    return `${indent}      ${quoted(`${path.at(-1)}:${summary}`)}`;
  });
  const cases = commands.map((each) => {
    return `${indent}      (${each.path.at(-1)})\n${commandBody(each, `${indent}        `)} ;;`;
  });
  return [
    'case $state in',
    `  (commands)`,
    '    local -a known=(',
    ...described.map((line) => line.slice(indent.length)),
    '    )',
    "    _describe -t commands 'command' known && ret=0 ;;",
    `  (${state})`,
    `    words=($line[1] "\${words[@]}")`,
    '    (( CURRENT += 1 ))',
    `    curcontext="\${curcontext%:*:*}:${state}-$line[1]:"`,
    '    case $line[1] in',
    ...cases.map((each) => each.slice(indent.length)),
    '    esac ;;',
    'esac',
  ];
}

/** `'(-o --output)'{-o+,--output=}'[text]:value:_files'`; one that can be repeated begins with `*`. */
function optionSpecification({ flags, description, value, repeatable }: CompletedOption): string {
  const text = `[${description.replace(/[[\]\\:]/g, '\\$&')}]`;
  const rest = quoted(value === null ? text : `${text}:value:${actionOf(value)}`);
  const named = flags.map((flag) => {
    if (value === null) return flag;
    return flag.startsWith('--') ? `${flag}=` : `${flag}+`;
  });
  const [only = ''] = named;
  const alone = repeatable ? "'*'" : `'(${flags.join(' ')})'`;
  return `${alone}${named.length > 1 ? `{${named.join(',')}}` : only}${rest}`;
}

function argumentSpecifications(takes: Completed): string[] {
  return takes === 'unknown' ? [] : [`'*: :${actionOf(takes)}'`];
}

function actionOf(completed: Completed): string {
  if (completed === 'files') return '_files';
  return completed === 'unknown' ? ' ' : `(${completed.join(' ')})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** `squadc completion`: a script that lets a shell complete the commands and their options. */
import { Argument, type Command } from 'commander';
import type { Invocation } from './invocation.js';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

const help = `
Exit codes:
  0   printed
  64  wrong usage

Examples:
  source <(squadc completion bash)
  squadc completion zsh > ~/.zfunc/_squadc
  squadc completion fish > ~/.config/fish/completions/squadc.fish`;

/** Adds the command to the program. */
export function addCompletionCommand(program: Command, { io }: Invocation): void {
  program
    .command('completion')
    .summary('print a script that completes commands in a shell')
    .description(
      'Prints a script for the shell: it completes commands, options and their values, and calls ' +
        'nothing, squadc neither. Make it anew with each version.',
    )
    .addArgument(new Argument('<shell>', 'shell that reads it').choices(shells))
    .addHelpText('after', help)
    .action(async (shell: Shell) => {
      const { completedProgram } = await import('./completion-model.js');
      const script = await scriptOf(shell);
      io.stdout.write(script(completedProgram(program)));
    });
}

async function scriptOf(shell: Shell) {
  if (shell === 'bash') return (await import('./completion-bash.js')).bashCompletion;
  if (shell === 'zsh') return (await import('./completion-zsh.js')).zshCompletion;
  return (await import('./completion-fish.js')).fishCompletion;
}

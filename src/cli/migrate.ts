/** `squadc migrate`: many workflows into a folder, safe to stop and safe to repeat. */
import type { Command } from 'commander';
import type { OpenThreads } from '../batch/run.js';
import type { Invocation } from './invocation.js';
import { addMigrateOptions, type MigrateFlags, saidOf } from './migrate-flags.js';

const help = `
Written into the folder:
  <key>/squad.json     the squad, once it is complete
  <key>/result.json    diagnostics, questions, checklist, ledger, source map
  <key>/questions.md   open questions, where there are any
  summary.*            of the run: JSON, CSV, Markdown, SARIF, HTML
  .squadc/             what it takes to go on after a stop, and to skip what has
                       not changed

Exit codes, by the worst:
  0    all workflows are complete
  2    questions are open
  1    a workflow, an answer or an option is invalid
  74   something could not be read or written
  70   a bug of squadc's own
  64   wrong usage
  130  stopped; the same command goes on

Examples:
  squadc migrate workflows/ -o out
  squadc migrate 'exports/**/*.jsonl' -o out --target squad --jobs 8
  squadc answer out && squadc migrate 'exports/**/*.jsonl' -o out`;

/** Adds the command to the program; `open` opens other threads than those of the built package. */
export function addMigrateCommand(
  program: Command,
  invocation: Invocation,
  open?: OpenThreads,
): void {
  const command = program
    .command('migrate')
    .summary('compile many workflows into a folder')
    .description(
      'Compiles many workflows into a folder. What has not changed since the last time is skipped; ' +
        'a run that was stopped or killed goes on where it was. One workflow that fails leaves the ' +
        'others alone. Files that squadc did not write are not touched. The folder remembers the ' +
        'options that decide what is made; without --answers, its answers.json is read.',
    )
    .argument(
      '[sources...]',
      'workflows: files, folders, globs, JSONL (one a line); - reads standard input',
    )
    .requiredOption('-o, --output <folder>', 'where everything is written; made where it is not')
    .addHelpText('after', help)
    .action(async (sources: string[], flags: MigrateFlags) => {
      if (sources.length === 0 && flags.pull === undefined) {
        command.error('error: name what to migrate: files, folders, globs, -, or --pull');
      }
      const { migrateCommand } = await import('./migrate-run.js');
      invocation.exitCode = await migrateCommand(sources, flags, saidOf(command), invocation, open);
    });
  addMigrateOptions(command);
}

/** `squadc assess`: how much work a migration is, before anything is written. */
import type { Command } from 'commander';
import type { SummaryName } from '../report/write-summaries.js';
import { assessmentOf, reportAssessment } from './assess-report.js';
import { type ExitCode, exitCodes, Refusal } from './exit.js';
import type { Invocation } from './invocation.js';
import { addRunOptions, parseBytes, type RunFlags } from './migrate-flags.js';
import { wholeNumber } from './options/values.js';

export interface AssessFlags extends RunFlags {
  readonly json?: true;
  readonly csv?: true;
  readonly verbose?: true;
}

/** The summary that is shown, in pieces as it is made. */
export interface ShownSummary {
  readonly name: SummaryName;
  show(piece: string): void;
}

/** Runs over the sources without writing anything, and shows a summary of it. */
export type AssessRun = (
  sources: readonly string[],
  flags: AssessFlags,
  invocation: Invocation,
  shown: ShownSummary,
) => Promise<ExitCode>;

const inThreads: AssessRun = async (...given) =>
  (await import('./assess-run.js')).assessSources(...given);

const help = `
Levels:
  A   automatic: nobody has to do anything
  B   answers to open questions are needed
  C   work is needed, in the workflow or beside it
  1 to 5 behind the level is the size, by nodes and edges

Exit codes:
  0    all workflows would be complete
  1    one is invalid
  2    questions are open
  64   wrong usage
  70   a bug of squadc's own
  74   one could not be read
  130  stopped

Example:
  squadc assess workflows/`;

/** Adds the command to the program; `assessRun` does the work. */
export function addAssessCommand(
  program: Command,
  invocation: Invocation,
  assessRun: AssessRun = inThreads,
): void {
  const command = program
    .command('assess')
    .summary('estimate the work of a migration')
    .description(
      'Estimates what a migration leaves to a person: per workflow and together, what is ' +
        'automatic, which questions are open, and how long it takes. Nothing is written.',
    )
    .argument(
      '<sources...>',
      'workflows: files, folders, globs, JSONL (one a line); - reads standard input',
    )
    .addHelpText('after', help)
    .action(async (sources: string[], flags: AssessFlags) => {
      if (flags.json && flags.csv) {
        throw new Refusal('--json and --csv exclude each other', exitCodes.wrongUsage);
      }
      invocation.exitCode = await assessCommand(sources, flags, invocation, assessRun);
    });
  addRunOptions(command);
  command
    .option('--jobs <number>', 'how many threads (default: one per core)', wholeNumber(1, 256))
    .option('--max-bytes <size>', 'the largest workflow (default: 64MB)', parseBytes)
    .option('--json', 'print the summary as JSON')
    .option('--csv', 'print a line a workflow, for spreadsheets')
    .option('--verbose', 'list every workflow');
}

async function assessCommand(
  sources: readonly string[],
  flags: AssessFlags,
  invocation: Invocation,
  assessRun: AssessRun,
): Promise<ExitCode> {
  const { io } = invocation;
  if (flags.json || flags.csv) {
    const name = flags.csv ? 'summary.csv' : 'summary.json';
    const show = (piece: string) => io.stdout.write(piece);
    return assessRun(sources, flags, invocation, { name, show });
  }
  const assessment = assessmentOf(flags.verbose === true);
  const { show } = assessment;
  const exitCode = await assessRun(sources, flags, invocation, { name: 'summary.json', show });
  if (assessment.isThere()) reportAssessment(assessment, io);
  return exitCode;
}

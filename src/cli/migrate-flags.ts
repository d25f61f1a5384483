/** The flags of a run over many workflows, and the values that they take. */
import { Command, InvalidArgumentError, Option } from 'commander';
import type { WorkflowStatus } from '../report/model.js';
import type { KeyFlags } from './options/platform.js';
import { keyOptions } from './options/platform.js';
import { policyOption, proposalsOption, type SquadFlags, squadOptions } from './options/squad.js';
import { wholeNumber } from './options/values.js';

/** What decides what is made of the workflows. */
export interface RunFlags extends Omit<SquadFlags, 'answers'> {
  readonly answers?: readonly string[];
  readonly acceptProposals?: true;
  readonly jobs?: number;
  readonly maxBytes?: number;
}

/** The flags of `squadc migrate`. */
export interface MigrateFlags extends RunFlags, KeyFlags {
  readonly output: string;
  readonly dryRun?: true;
  readonly diff?: true;
  readonly only?: WorkflowStatus;
  readonly failFast?: true;
  readonly defaults?: true;
  readonly durable?: true;
  readonly force?: true;
  readonly prune?: true;
  readonly shard?: string;
  readonly pull?: readonly string[];
  readonly baseUrl?: string;
  /** True and false where it was asked for; else undefined. */
  readonly report?: boolean;
  readonly json?: true;
  readonly verbose?: true;
}

/** Whether the run writes nothing. */
export function isDryRun({ dryRun, diff }: MigrateFlags): boolean {
  return dryRun === true || diff === true;
}

export const statuses: readonly WorkflowStatus[] = [
  'complete',
  'needs-answers',
  'invalid',
  'failed',
];

/** Of one workflow. */
export const usualMaxBytes = 64 * 1024 ** 2;

const units: Readonly<Record<string, number>> = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

/** `64MB`, `1GB`, `500kB`, or a number of bytes. */
export function parseBytes(text: string): number {
  const [, digits, unit] = /^(\d{1,15})(?:([KMG])i?)?B?$/i.exec(text) ?? [];
  const bytes = Number(digits) * (units[(unit ?? '').toUpperCase()] ?? Number.NaN);
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  throw new InvalidArgumentError('Expected a size, for example 64MB or 1GB.');
}

/** The options that decide what is made of the workflows. */
export function addRunOptions(command: Command): void {
  command
    .option(
      '--answers <file>',
      'answers of the run, as JSON; later files win (repeatable)',
      (file: string, before: readonly string[] = []) => [...before, file],
    )
    .addOption(policyOption)
    .addOption(proposalsOption);
  for (const option of squadOptions()) command.addOption(option);
}

/** The options that a folder remembers, of those of this command. */
export function saidOf(command: Command): Record<string, unknown> {
  const names = new Command();
  addRunOptions(names);
  const said = names.options
    .map((option) => option.attributeName())
    .filter((name) => command.getOptionValueSource(name) === 'cli');
  return Object.fromEntries(said.map((name) => [name, command.getOptionValue(name)]));
}

export function addMigrateOptions(command: Command): void {
  addRunOptions(command);
  command
    .option('--jobs <number>', 'how many threads (default: one per core)', wholeNumber(1, 256))
    .option('--dry-run', 'write nothing; the summary goes to standard output')
    .option('--diff', 'write nothing; show how squads differ from those that are there')
    .addOption(
      new Option('--only <status>', 'only workflows that ended so the last time').choices(statuses),
    )
    .option('--fail-fast', 'begin nothing more once a workflow is invalid or failed')
    .option('--max-bytes <size>', 'the largest workflow (default: 64MB)', parseBytes)
    .option('--defaults', 'forget the options of the last run, which the folder remembers')
    .option('--durable', 'wait for the disk: nothing is lost where the power goes')
    .option('--force', 'overwrite files that squadc did not write')
    .option('--prune', 'remove the files of workflows that are gone from the sources')
    .option(
      '--shard <i/n>',
      'only the i-th of n parts, from 1 on; squadc report makes the summary of all',
    )
    .option('--report', 'write a page for each workflow (default: up to 1,000 workflows)')
    .option('--no-report', 'write no pages, summary.html among them')
    .option('--json', 'print summary.json to standard output')
    .option('--verbose', 'name all that is said to be many')
    .option('--pull <ids...>', 'fetch these workflows from the platform first')
    .option('--base-url <url>', "address of the platform's API, for --pull");
  for (const option of keyOptions) command.addOption(option);
}

/** The flags of a run over many workflows, and the values that they take. */
import { InvalidArgumentError, Option } from 'commander';
import type { WorkflowStatus } from '../../report/model.js';
import type { KeyFlags } from '../options/platform.js';
import { policyOption, proposalsOption, type SquadFlags, squadOptions } from '../options/squad.js';
import { wholeNumber } from '../options/values.js';

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

/** The options that decide what is made of the workflows; a folder remembers them. */
export const runOptions: readonly Option[] = [
  new Option(
    '--answers <file>',
    'answers of the run, as JSON; later files win (repeatable)',
  ).argParser((file: string, before: readonly string[] = []) => [...before, file]),
  policyOption,
  proposalsOption,
  ...squadOptions(),
];

/** How much is done at once. */
export const sizeOptions: readonly Option[] = [
  new Option('--jobs <number>', 'how many threads (default: one per core)').argParser(
    wholeNumber(1, 256),
  ),
  new Option('--max-bytes <size>', 'the largest workflow (default: 64MB)').argParser(parseBytes),
];

/** The values of those that were given, of the options that a folder remembers. */
export function rememberedOf(flags: object, said: ReadonlySet<string>): Record<string, unknown> {
  const values = flags as Readonly<Record<string, unknown>>;
  const names = runOptions.map((option) => option.attributeName());
  return Object.fromEntries(names.filter((name) => said.has(name)).map((it) => [it, values[it]]));
}

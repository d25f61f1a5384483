/** `squadc merge`: one summary of a run that several machines did, each its shard. */
import { statSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { reasonOf } from '../batch/system-error.js';
import type { Totals } from '../report/model.js';
import { exitCodes, Refusal } from './exit.js';
import type { Invocation } from './invocation.js';
import type { Io } from './io.js';
import { count } from './output/terminal.js';
import { jsonText } from './output/write.js';

interface MergeFlags {
  readonly output: string;
  readonly force?: true;
  readonly json?: true;
}

const help = `
A name that ends with .json is a file and gets the summary as JSON; any other is
a folder and gets summary.json, summary.csv, summary.md and summary.sarif.

Exit codes:
  0   merged
  1   the summaries do not belong together, or one cannot be read or written
  64  wrong usage, or a file is in the way that squadc did not write
  70  a bug of squadc's own

Example:
  squadc merge out-1 out-2 -o merged`;

/** Adds the command to the program. */
export function addMergeCommand(program: Command, { io }: Invocation): void {
  program
    .command('merge')
    .summary('put the summaries of shards together')
    .description(
      'Puts the summaries of a run together that was done in shards (squadc migrate --shard). The ' +
        'result is what one machine would have written. Shards of other versions or options, ' +
        'missing ones and those that are there twice are refused.',
    )
    .argument('<out...>', 'output folders of the shards')
    .requiredOption('-o, --output <file or folder>', 'where the summaries go')
    .option('--force', 'overwrite files that squadc did not write')
    .option('--json', 'print the totals as JSON')
    .addHelpText('after', help)
    .action(async (folders: string[], flags: MergeFlags) => {
      await mergeCommand(folders, flags, io);
    });
}

async function mergeCommand(folders: string[], flags: MergeFlags, io: Io): Promise<void> {
  const { folder, only } = targetOf(flags.output, io);
  refuseInput(folders, folder, flags.output, io);
  const totals = await merge(folders, folder, { ...flags, only }, io);
  if (flags.json) return io.stdout.write(jsonText(totals));
  const from = count(folders.length, 'folder');
  io.stderr.write(`merged: ${count(totals.workflows, 'workflow')} of ${from}\n`);
}

async function merge(
  folders: readonly string[],
  target: string,
  { only, force }: { readonly only: string | null; readonly force?: true },
  io: Io,
): Promise<Totals> {
  const { mergeSummaries } = await import('../report/merge-summaries.js');
  const { mergedFiles } = await import('./merge-output.js');
  const shards = folders.map((name) => ({ name, path: resolve(io.cwd, name) }));
  const files = mergedFiles(target, only, force === true);
  try {
    const totals = await mergeSummaries(shards, files.write);
    files.keep();
    return totals;
  } catch (error) {
    files.discard();
    throw refusalOf(error, io) ?? error;
  }
}

/** Null for a bug of squadc's own. */
function refusalOf(error: unknown, { cwd }: Io): Refusal | null {
  if (!(error instanceof Error)) return null;
  const isFault = error.name === 'CannotMerge' || error.name === 'NotASummary';
  if (!isFault && !('syscall' in error)) return null;
  const where = 'path' in error ? `${relative(cwd, String(error.path))}: ` : '';
  const why = isFault ? error.message : where + reasonOf(error);
  return new Refusal(`cannot merge: ${why}`, exitCodes.invalid);
}

/** A folder, or a file in one that takes the JSON alone. */
function targetOf(output: string, io: Io): { folder: string; only: string | null } {
  const path = resolve(io.cwd, output);
  return isFolder(path) || !output.endsWith('.json')
    ? { folder: path, only: null }
    : { folder: dirname(path), only: basename(path) };
}

/** What is not there, or cannot be, is none. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Merging into a shard would lose the summary of that shard. */
function refuseInput(folders: readonly string[], target: string, output: string, io: Io): void {
  if (folders.some((each) => resolve(io.cwd, each) === target)) {
    throw new Refusal(
      `the output ${output} is also one of the folders to merge`,
      exitCodes.wrongUsage,
    );
  }
}

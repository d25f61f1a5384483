/**
 * Goes through the journal of a run that has ended, and looks at the files of its workflows.
 *
 * Looking at a file costs more than reading and hashing the workflow that it was made of. So where
 * there are many, this is done in a thread of its own, beside the walk through the input.
 */
import { parseLine } from '../journal/records.js';
import { linesOf } from '../journal/scan-lines.js';
import { areUntouched } from '../output/untouched.js';

export interface FilesTask {
  /** The output folder; absolute. */
  readonly out: string;
  readonly journal: string;
}

/** A walk that has begun. */
export interface FilesWalk {
  /** How many lines of the journal, from the first one on, are of workflows with untouched files. */
  readonly untouched: Promise<number>;
  /** Ends it, wherever it is. */
  close(): Promise<void>;
}

export type WalkFiles = (task: FilesTask) => FilesWalk;

/** See `FilesWalk.untouched`. What cannot be looked at counts as touched. */
export function countUntouched({ out, journal }: FilesTask): number {
  let count = 0;
  try {
    for (const { bytes } of linesOf(journal)) {
      const record = parseLine(bytes);
      if (record?.kind !== 'done' || record.key.includes('/')) break;
      if (!areUntouched(`${out}/${record.folder}`, record.files)) break;
      count += 1;
    }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
  }
  return count;
}

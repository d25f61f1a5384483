/** What every thread of a run works by; the same for all of them, and for all blocks. */
import type { BoundOptions } from '../adapters/tools/compile-bound.js';
import type { Shard, WorkflowStatus } from '../report/model.js';
import type { RunAnswers } from './answers/run-answers.js';
import type { KnownTable } from './journal/known.js';
import type { Block } from './plan.js';

/** What is asked for, beside the sources. */
export interface RunRequest {
  /** The version of squadc. */
  readonly squadc: string;
  /** Without answers. */
  readonly options: BoundOptions;
  readonly answers: RunAnswers;
  readonly acceptProposals: boolean;
  /** The largest workflow that is read. */
  readonly maxBytes: number;
  /** Nothing counts as written before the disk has it. */
  readonly durable: boolean;
  /** Files that squadc did not write may be overwritten. */
  readonly force: boolean;
  /** The first workflow that is invalid or failed stops the run, and is named. */
  readonly failFast: boolean;
  /** Nothing is written to the output folder. */
  readonly dry: boolean;
  /** Rows say how the squad differs from the one that is there. */
  readonly diff: boolean;
  readonly shard: Shard | null;
  /** Only workflows that ended so the last time are done. */
  readonly only: WorkflowStatus | null;
}

export interface RunSetup extends RunRequest {
  /** The output folder; absolute. */
  readonly out: string;
  /** Where journals and temporary files are: `.squadc` in it, or a folder of a dry run. */
  readonly state: string;
  readonly spread: boolean;
  /** Whether a page of each workflow is made at the end. */
  readonly pages: boolean;
  readonly known: KnownTable;
  /** One number, shared by all threads: not 0 where no block is to be begun any more. */
  readonly stop: SharedArrayBuffer;
  /** Hashes of what files are made of: of all workflows, and of the answers of one by its key. */
  readonly made: { readonly ofRun: string; readonly ofAnswers: ReadonlyMap<string, string> };
  /** Journals of this run are numbered from here on. */
  readonly firstJournal: number;
}

/** What decides about a workflow beside itself, in the words of its row. */
export interface Verdict {
  readonly code: string;
  readonly message: string;
  /** Its text is not even looked at: a thread has died of it. */
  readonly unseen?: true;
}

export interface BlockTask {
  /** Several, as handing over costs time too. */
  readonly blocks: readonly Block[];
  /** Only these items of each, by their numbers: done whatever is known of them, or failed. */
  readonly only?: ReadonlyMap<number, Verdict | null>;
}

/** How many workflows are not what they should be. */
export interface Bad {
  readonly invalid: number;
  readonly failed: number;
  /** Those among the failed that failed by a bug of squadc's own. */
  readonly bugs: number;
}

/** What came of a block; its workflows by their numbers in it. */
export interface BlockOutcome {
  readonly index: number;
  /** Lines of the file that begin in it, blank ones included. */
  readonly lines: number;
  readonly items: number;
  /** The journal of the thread. */
  readonly journal: string;
  /**
   * Three for each item: the file of its line (`Place`), offset and length. Where the journal could
   * not be written, the offset is a number in `unwritten`.
   */
  readonly places: Float64Array;
  readonly unwritten: readonly string[];
  /** Two for each item, see `numbersOfKey`. */
  readonly keys: Int32Array;
  /** Line in the block, from 0 on; -1 for a file of its own. */
  readonly at: Int32Array;
  /** Items whose key another one has: who has it first is not known here. */
  readonly claims: readonly number[];
  readonly bad: Bad;
  /** Files that could not be read, by the names of their sources. */
  readonly unread: readonly string[];
  /** For standard error. */
  readonly notes: readonly string[];
}

/** The file that a place is in, where it is not the number of a known one. */
export const Place = { none: -1, own: -2, unwritten: -3 } as const;

/** Hash of what a workflow's files are made of beside the workflow; by its key. */
export function madeBy({ ofRun, ofAnswers }: RunSetup['made'], key: string): string {
  const answers = ofAnswers.get(key);
  return answers === undefined ? ofRun : `${ofRun}-${answers}`;
}

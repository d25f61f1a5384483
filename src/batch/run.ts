/**
 * A run over many workflows, from its sources to its summaries.
 *
 *     sources ─▶ blocks ─▶ threads ─▶ outcomes in the order of the input ─▶ summaries ─▶ journal
 *
 * Where nothing has changed since the last one, it ends before it begins. It can end at any moment,
 * and the next run goes on from the journals. Guarantees: what stands outside of `.squadc` depends
 * on the sources, the answers, the options and the version alone, whatever was known before.
 */
import type { SummaryName } from '../report/summary-names.js';
import type { ReportOptions, WrittenReport } from '../report/write-report.js';
import type { FinishedRun } from './ending/finish-run.js';
import type { WriteFault } from './faults.js';
import type { SquadDiff } from './journal/records.js';
import { madeOf } from './made-of.js';
import type { Plan } from './plan.js';
import type { Bad, RunRequest, RunSetup } from './setup.js';
import type { StateFolder } from './state/state-folder.js';
import type { WalkFiles } from './unchanged/files-walk.js';
import { findUnchanged } from './unchanged/find-unchanged.js';
import type { BlockWorkers } from './workers/run-blocks.js';

/** Opens threads that work by the setup. */
export type OpenBlockWorkers = (setup: RunSetup, jobs: number) => Promise<BlockWorkers>;

export interface RunInput {
  readonly request: RunRequest;
  /** The output folder; absolute. */
  readonly out: string;
  readonly plan: Plan;
  readonly state: StateFolder;
  readonly jobs: number;
  /** Removes the files of workflows that are gone. */
  readonly prune: boolean;
}

export interface RunHooks {
  readonly open: OpenBlockWorkers;
  /** Looks whether the files of the last run are as they were. */
  readonly walkFiles: WalkFiles;
  /** Aborted where the user wants to stop. */
  readonly stop: AbortSignal;
  /** Workflows and bytes that were done, and how many of them are failed or invalid. */
  progress(workflows: number, bytes: number, bad: number): void;
  /** Something to say beside the summary. */
  note(text: string): void;
  /** The summary that is shown, beside being written. */
  readonly shows: SummaryName | null;
  show(text: string): void;
  readonly wantsDiffs: boolean;
  /** How a squad differs from the one that is there. */
  diff(diff: SquadDiff): void;
  /** Absent where no pages are wanted. */
  readonly report?: ReportHook;
}

/** Makes the pages, when the summaries stand. */
export interface ReportHook {
  /** Whether each workflow has one too. */
  readonly pages: ReportOptions['pages'];
  write(
    files: Required<Pick<ReportOptions, 'writeFile' | 'isCurrent'>>,
  ): Promise<Pick<WrittenReport, 'foreign' | 'unread'>>;
}

/** A file stands where a summary would that squadc did not write; nothing was done. */
export class ForeignSummary extends Error {
  override readonly name = 'ForeignSummary';

  constructor(fault: WriteFault) {
    super(fault.message);
  }
}

/** What was done of a run that was stopped. */
export interface StoppedRun {
  /** Not by a workflow that is bad. */
  readonly byUser: boolean;
  readonly bad: Bad;
}

/** The engine is loaded where there is something for it to do. */
export async function runAll(input: RunInput, hooks: RunHooks): Promise<FinishedRun | StoppedRun> {
  const made = madeOf(input.request);
  const unchanged = await findUnchanged(input, made, hooks);
  if (unchanged !== null) return unchanged;
  const { runBlockwise } = await import('./run-blockwise.js');
  return runBlockwise(input, made, hooks);
}

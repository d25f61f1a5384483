/** The end of a run: its summaries, what is gone from the input, and the journal of it all. */
import type { Totals } from '../../report/model.js';
import { summaryNames } from '../../report/summary-names.js';
import { bugCodes, type WriteFault, writeFault } from '../faults.js';
import { clearThreadJournals, compactJournal } from '../journal/compact-journal.js';
import type { KnownTable } from '../journal/known.js';
import { keyOf, numbersOfKey, parseLine } from '../journal/records.js';
import type { Gathering } from '../outcomes/gather.js';
import type { Outcomes } from '../outcomes/outcomes.js';
import { OwnFiles } from '../output/own-files.js';
import type { RunHooks, RunInput } from '../run.js';
import type { Bad, RunSetup } from '../setup.js';
import { journalIn } from '../state/state-folder.js';
import { givenOfRun, RowPlaces } from '../unchanged/run-made.js';
import { findOrphans, type Orphan, pruneOrphans } from './orphans.js';
import { failedOf, summarize } from './summarize.js';
import { writePages } from './write-pages.js';

export interface RunEnd {
  readonly input: RunInput;
  readonly known: KnownTable;
  readonly made: RunSetup['made'];
  readonly outcomes: Outcomes;
  readonly gathering: Gathering;
  /** Sources that could not be read. */
  readonly unread: ReadonlySet<string>;
}

export interface FinishedRun {
  readonly totals: Totals;
  readonly bad: Bad;
  /** How many workflows failed, by code. */
  readonly failures: ReadonlyMap<string, number>;
  /** Each that failed, in words, where the summaries are not there to name them. */
  readonly unnamed: readonly string[];
  /** Workflows that are gone from the input, whose files were removed or stay. */
  readonly orphans: readonly Orphan[];
  /** Whether they are removed; a dry run only says so. */
  readonly pruned: boolean;
  /** Whether a workflow of the run has the key. */
  has(key: string): boolean;
  /** What of the summaries and the journal could not be written. */
  readonly faults: readonly WriteFault[];
}

/** Somebody else's file that stands where a summary would; null where there is none. */
export function findForeignSummary(
  { request: { durable, force }, out, state }: RunInput,
  known: KnownTable,
): WriteFault | null {
  const own = new OwnFiles({ out, state: state.path, durable, force }, known);
  try {
    return own.findForeign('.', summaryNames);
  } finally {
    own.close();
  }
}

export async function finishRun(end: RunEnd, hooks: RunHooks): Promise<FinishedRun> {
  const { input, known, outcomes } = end;
  const { request, state, out } = input;
  const { durable, force, dry } = request;
  const own = new OwnFiles({ out, state: state.path, durable, force }, known);
  try {
    const totals = await summarize(end, hooks, own);
    const { failures } = end.gathering;
    const unnamed = own.faults.length > 0 ? [...failedOf(outcomes.lines())] : [];
    for (const path of own.removed) hooks.note(`removed, as it is outdated: ${path}`);
    for (const path of own.kept) hooks.note(`kept, though outdated, as it was changed: ${path}`);
    const unmade = await writePages(own, hooks);
    const isWhole = request.shard === null && request.only === null;
    const isFine = own.faults.length + unmade + failures.size + end.unread.size === 0;
    const made = isWhole && isFine ? madeOfRun(end, hooks) : '';
    const orphans = isWhole ? findOrphans(known, outcomes.keys, end.unread) : [];
    const pruned = input.prune && end.unread.size === 0;
    if (pruned && !dry) {
      for (const path of pruneOrphans(orphans, known, own)) {
        hooks.note(`kept, as it was changed: ${path}`);
      }
    }
    if (!dry) compact(end, own, made, pruned ? orphans : []);
    const has = (key: string) => outcomes.keys.has(...numbersOfKey(key));
    return {
      totals,
      bad: badOf(totals, failures),
      failures,
      unnamed,
      orphans,
      pruned,
      has,
      faults: own.faults,
    };
  } finally {
    own.close();
  }
}

function badOf({ byStatus }: Totals, failures: ReadonlyMap<string, number>): Bad {
  const bugs = [...bugCodes].reduce((sum, code) => sum + (failures.get(code) ?? 0), 0);
  return { invalid: byStatus.invalid, failed: byStatus.failed, bugs };
}

/** By which the next run knows the summaries and pages again. */
function madeOfRun({ input, made, outcomes }: RunEnd, { report }: RunHooks): string {
  const pages = report?.pages ?? null;
  const rows = new RowPlaces(input.out, pages);
  for (const { index, line, bytes } of outcomes.lines()) {
    rows.add(index, line, parseLine(bytes)?.folder ?? '');
  }
  return `${givenOfRun(input.plan, made, pages)}-${rows.digest()}`;
}

function compact(
  { input, known, outcomes }: RunEnd,
  own: OwnFiles,
  made: string,
  pruned: readonly Orphan[],
): void {
  const { request, state } = input;
  try {
    const isSame =
      own.records.sign('.', made) &&
      pruned.length === 0 &&
      !own.hasChanged &&
      outcomes.areFirstOf(journalIn(state.path));
    if (isSame && known.paths.length === 1) {
      clearThreadJournals(state.path);
      return;
    }
    compactJournal({
      ...{ state: state.path, durable: request.durable, known, present: outcomes.keys },
      lines: outcomes.lines(),
      own: own.records.lines,
      gone: new Set(pruned.flatMap(({ key, folder }) => [key, keyOf(folder)])),
    });
  } catch (error) {
    // The journals of the threads are still there, and say the same.
    own.faults.push(writeFault('.squadc/journal.jsonl', error));
  }
}

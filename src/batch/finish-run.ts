/** The end of a run: its summaries, what is gone from the input, and the journal of it all. */
import type { Totals, WorkflowRow } from '../report/model.js';
import { placedRowText } from '../report/row-text.js';
import { type SummaryName, summaryNames, writeSummaries } from '../report/write-summaries.js';
import { clearThreadJournals, compactJournal, journalIn } from './compact-journal.js';
import { bugCodes, foreignFile, WriteFault, writeFault } from './faults.js';
import type { Gathering } from './gather.js';
import type { KnownTable } from './journal/known.js';
import { keyOf, numbersOfKey, rowOfLine } from './journal/records.js';
import { findOrphans, type Orphan, pruneOrphans } from './orphans.js';
import type { Outcomes, PlacedLine } from './outcomes.js';
import { OwnFiles } from './own-files.js';
import type { RunHooks, RunInput } from './run.js';
import type { Bad } from './setup.js';

export interface RunEnd {
  readonly input: RunInput;
  readonly known: KnownTable;
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
    const { totals, failures } = await summarize(end, hooks, own);
    const unnamed = own.faults.length > 0 ? [...failedOf(outcomes.lines())] : [];
    for (const path of own.removed) hooks.note(`removed, as it is outdated: ${path}`);
    await writePages(own, hooks);
    const isWhole = request.shard === null && request.only === null;
    const orphans = isWhole ? findOrphans(known, outcomes.keys, end.unread) : [];
    const pruned = input.prune && end.unread.size === 0 && !dry;
    if (pruned) {
      for (const path of pruneOrphans(orphans, known, own)) {
        hooks.note(`kept, as it was changed: ${path}`);
      }
    }
    if (!dry) compact(end, own, pruned ? orphans : []);
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

async function writePages(own: OwnFiles, { report }: RunHooks): Promise<void> {
  // Without the summaries there is nothing to make pages of.
  if (report === undefined || own.faults.length > 0) return;
  try {
    const foreign = await report({
      writeFile: (path, text) => own.write(path, text),
      // It went where what it was made of changed.
      isCurrent: ({ folder }) => own.isThere(folder, 'report.html'),
    });
    own.faults.push(...foreign.map(foreignFile));
  } catch (error) {
    if (!(error instanceof WriteFault)) throw error;
    own.faults.push(error);
  }
}

async function summarize({ input, outcomes, gathering }: RunEnd, hooks: RunHooks, own: OwnFiles) {
  const { squadc, options, shard, dry } = input.request;
  const { failures, total } = gathering;
  // Where none is written, an old one would be of another run.
  const pages = hooks.report === undefined ? ['summary.html'] : [];
  const write = (name: SummaryName, pieces: Iterable<string>): void => {
    const shown = hooks.shows === name ? tee(pieces, hooks.show) : pieces;
    if (!dry) own.stage('.', name, shown, name === 'summary.json' ? pages : []);
    else for (const _ of shown);
  };
  const rows = () => rowTexts(outcomes.lines());
  const head = { squadc, options, ...(shard && { shard }) };
  const totals = await writeSummaries(
    { ...head, rows, results: gathering.results(), totalResults: total },
    write,
  );
  for (const diff of gathering.diffs) hooks.diff(diff);
  own.commit();
  return { totals, failures };
}

function* rowTexts(lines: Iterable<PlacedLine>): Generator<string> {
  for (const { index, line, bytes } of lines) yield placedRowText(rowOfLine(bytes), index, line);
}

function compact({ input, known, outcomes }: RunEnd, own: OwnFiles, pruned: readonly Orphan[]) {
  const { request, state } = input;
  try {
    const isSame =
      pruned.length === 0 && !own.hasChanged && outcomes.areFirstOf(journalIn(state.path));
    if (isSame && known.paths.length === 1) return clearThreadJournals(state.path);
    compactJournal({
      ...{ state: state.path, durable: request.durable, known, present: outcomes.keys },
      lines: outcomes.lines(),
      own: own.lines,
      gone: new Set(pruned.flatMap(({ key, folder }) => [key, keyOf(folder)])),
    });
  } catch (error) {
    // The journals of the threads are still there, and say the same.
    own.faults.push(writeFault('.squadc/journal.jsonl', error));
  }
}

/** Why workflows failed, with their places. */
function* failedOf(lines: Iterable<PlacedLine>): Generator<string> {
  for (const text of rowTexts(lines)) {
    const { source, line, key, failure }: WorkflowRow = JSON.parse(text);
    if (failure === undefined) continue;
    const place = line === undefined ? source : `${source}:${line}`;
    yield `${failure.code}: ${place} ${key}: ${failure.message}`;
  }
}

/** The pieces, shown as they pass. */
function* tee(pieces: Iterable<string>, show: (text: string) => void): Generator<string> {
  for (const piece of pieces) {
    show(piece);
    yield piece;
  }
}

/**
 * Finds that nothing is left to do, before anything is begun.
 *
 *     input    workflow 0   workflow 1   workflow 2   …        each as its line says
 *     journal    line 0       line 1       line 2     …
 *     files    of line 0    of line 1    of line 2    …        untouched
 *
 * The journal of a run that has ended begins with the lines of its workflows in the order of the
 * input, and ends with what the summaries were made of. So two walks go through it, one beside the
 * input and one along the files, and no line has to be looked for. Nothing is written. The first
 * thing that is not as it was ends them, and the run is done as any other: so in doubt, the answer
 * is that something has changed.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readRun } from '../../report/read-run.js';
import { summaryNames } from '../../report/summary-names.js';
import type { FinishedRun } from '../ending/finish-run.js';
import { orphansAmong } from '../ending/orphans.js';
import { type DoneRecord, keyOf, parseLine } from '../journal/records.js';
import { lastLineOf } from '../journal/scan-lines.js';
import { madeOfRun } from '../made-of.js';
import { isUntouched } from '../output/untouched.js';
import type { RunHooks, RunInput } from '../run.js';
import type { RunSetup } from '../setup.js';
import { journalIn, journalsIn, stateName } from '../state/state-folder.js';
import { InputWalk } from './input-walk.js';
import { givenOfRun, type Pages, RowPlaces } from './run-made.js';

/** Whether the last run ended well that was asked for the same: then nothing is wrong with it. */
export function hasEndedWith(out: string, request: Parameters<typeof madeOfRun>[0]): boolean {
  try {
    return lastEnd(join(out, stateName))?.made.startsWith(`${madeOfRun(request)}-`) === true;
  } catch {
    // What is wrong with the folder is said when it is opened.
    return false;
  }
}

/** How the run ends in which nothing has changed; null where it has to be done. */
export async function findUnchanged(
  input: RunInput,
  made: RunSetup['made'],
  hooks: RunHooks,
): Promise<FinishedRun | null> {
  const { out, plan, state } = input;
  const pages = hooks.report?.pages ?? null;
  const last = isWhole(input, hooks) ? lastEnd(state.path) : null;
  const given = givenOfRun(plan, made, pages);
  if (!last?.made.startsWith(`${given}-`) || !areSummariesThere(out, last, pages)) return null;
  const rows = new RowPlaces(out, pages);
  const walk = new InputWalk(journalIn(state.path), plan.spread, rows);
  try {
    const isSame =
      (await isAsItWas(walk, input, hooks)) && last.made === `${given}-${rows.digest()}`;
    return isSame ? endOf(input, walk, hooks) : null;
  } catch (error) {
    // What cannot be looked at is named by the run itself.
    if (error instanceof Error && 'syscall' in error) return null;
    throw error;
  } finally {
    walk.close();
  }
}

/** Whether each workflow has its line, and its files are untouched. */
async function isAsItWas(
  walk: InputWalk,
  input: RunInput,
  { walkFiles, stop }: RunHooks,
): Promise<boolean> {
  const files = walkFiles({ out: input.out, journal: journalIn(input.state.path) });
  let limit = Number.POSITIVE_INFINITY;
  const untouched = files.untouched.then((count) => {
    limit = count;
  });
  try {
    const isOver = () => stop.aborted || walk.keys.size > limit;
    if (!(await walk.goThrough(input, isOver))) return false;
    await untouched;
    return walk.keys.size <= limit;
  } finally {
    await files.close();
  }
}

/** A run of all workflows that shows nothing of them; a dry one has no journal of its own. */
function isWhole({ request }: RunInput, { shows }: RunHooks): boolean {
  return request.shard === null && request.only === null && shows === null;
}

/** What the last run said when it ended, where nothing was written since. */
function lastEnd(state: string): DoneRecord | null {
  const { journals } = journalsIn(state);
  const ended = journalIn(state);
  if (journals.length !== 1 || journals[0] !== ended) return null;
  const line = lastLineOf(ended);
  const record = line === null ? null : parseLine(line);
  return record?.kind === 'done' && record.key === keyOf('.') ? record : null;
}

function areSummariesThere(out: string, { files }: DoneRecord, pages: Pages): boolean {
  const names = pages === null ? summaryNames : [...summaryNames, 'summary.html'];
  return names.every((name) => {
    const stats = lstatSync(join(out, name), { throwIfNoEntry: false });
    const known = Object.hasOwn(files, name) ? files[name] : undefined;
    return known !== undefined && stats?.isFile() === true && isUntouched(stats, known);
  });
}

/** Null where the run would do something all the same: remove files, or stop at what is bad. */
function endOf(
  { out, plan, prune, request }: RunInput,
  walk: InputWalk,
  hooks: RunHooks,
): FinishedRun | null {
  const { totals } = readRun(out);
  const { invalid, failed } = totals.byStatus;
  const orphans = orphansAmong(walk.others(), new Set());
  if (prune && orphans.length > 0) return null;
  if (request.failFast && invalid + failed > 0) return null;
  const bytes = plan.sources.reduce((sum, source) => sum + source.bytes, 0);
  hooks.progress(totals.workflows, bytes, invalid + failed);
  return {
    totals,
    bad: { invalid, failed, bugs: 0 },
    failures: new Map(),
    unnamed: [],
    orphans,
    pruned: prune,
    has: (key) => walk.keys.has(key),
    faults: [],
  };
}

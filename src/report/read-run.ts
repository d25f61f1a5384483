/** A run that has ended, read from its output folder, row by row. */
import { join } from 'node:path';
import type { Totals, WorkflowRow } from './model.js';
import { NotASummary, readSummary } from './read-summary.js';

export interface Run {
  readonly squadc: string;
  readonly totals: Totals;
  /** In the order of the input; can be asked for as often as needed. */
  rows(): Iterable<WorkflowRow>;
}

/** Throws `NotASummary` where `summary.json` is not one that squadc wrote. */
export function readRun(out: string): Run {
  const { head, items } = readSummary(join(out, 'summary.json'));
  const { squadc, totals } = head as { squadc?: unknown; totals?: Totals };
  if (typeof squadc !== 'string' || typeof totals?.workflows !== 'number') {
    throw new NotASummary('summary.json has no totals');
  }
  return { squadc, totals, rows: () => rowsOf(items) };
}

function* rowsOf(items: Iterable<string>): Generator<WorkflowRow> {
  for (const text of items) {
    const row = JSON.parse(text) as WorkflowRow;
    if (!isFolder(row.folder)) throw new NotASummary('summary.json names a folder of no run');
    yield row;
  }
}

/** As runs name them, so that nothing outside of the output folder is read or written. */
function isFolder(folder: unknown): boolean {
  return typeof folder === 'string' && /^(?:[0-9a-f]{2}\/)?[a-z0-9-]+$/.test(folder);
}

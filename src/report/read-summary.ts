/** Reads `summary.json` of a run, as squadc wrote it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../index.js';
import type { Totals, WorkflowRow } from './model.js';

/** A file that was not written by squadc. */
export class NotASummary extends Error {
  override readonly name = 'NotASummary';
}

export interface Run {
  readonly squadc: string;
  /** Without answers. */
  readonly options: Json | undefined;
  readonly totals: Totals;
  /** In the order of the input. */
  readonly rows: readonly WorkflowRow[];
}

/** Throws `NotASummary`, or an error of the file system if there is no such file. */
export function readRun(out: string): Run {
  const run = readSummary(out);
  const { squadc, totals, rows } = run;
  if (typeof squadc !== 'string' || typeof totals?.workflows !== 'number') {
    throw new NotASummary('summary.json has no totals');
  }
  // Only names that a run gives: nothing outside the output folder is read or written.
  const isOurs = ({ folder }: WorkflowRow) => /^(?:[0-9a-f]{2}\/)?[a-z0-9-]+$/.test(folder);
  if (!rows.every(isOurs)) throw new NotASummary('summary.json names an invalid folder');
  return run;
}

/** The rows and the head, not checked any further. */
export function readSummary(out: string): Run {
  const path = join(out, 'summary.json');
  const text = readFileSync(path, 'utf8');
  try {
    const { workflows: rows, ...head } = JSON.parse(text);
    if (Array.isArray(rows)) return { ...head, rows };
  } catch {
    // It is no JSON, or null.
  }
  throw new NotASummary(`${path} was not written by squadc`);
}

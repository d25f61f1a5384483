/** The summary of a run: written in all its forms, and read again. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BoundOptions } from '../serve/compile-bound.js';
import type { Json } from '../index.js';
import type { Totals, WorkflowRow } from './model.js';
import { totalsOf } from './rows.js';
import type { SarifResults } from './sarif.js';
import { renderSummaryCsv } from './summary-csv.js';
import { renderSummaryMarkdown } from './summary-markdown.js';

export interface SummaryInput {
  /** Version of squadc. */
  readonly squadc: string;
  readonly options: BoundOptions;
  /** In the order of the input. */
  readonly rows: readonly WorkflowRow[];
  readonly results: SarifResults;
}

/** In the order in which they are written. */
export const summaryNames = ['summary.csv', 'summary.md', 'summary.sarif', 'summary.json'] as const;
export type SummaryName = (typeof summaryNames)[number];

/** The JSON is written last: if it is new, so are the others. */
export async function writeSummaries(
  { squadc, options, rows, results }: SummaryInput,
  write: (name: SummaryName, text: string) => void | Promise<void>,
): Promise<Totals> {
  const totals = totalsOf(rows);
  await write('summary.csv', renderSummaryCsv(rows));
  await write('summary.md', renderSummaryMarkdown(squadc, totals, rows));
  await write('summary.sarif', results.render(squadc));
  const { answers, ...withoutAnswers } = options;
  const head = Object.entries({ squadc, options: withoutAnswers, totals }).map(
    ([name, value]) => `"${name}":${JSON.stringify(value)},\n`,
  );
  const list = rows.map((row) => `\n${JSON.stringify(row)}`).join(',');
  await write('summary.json', `{\n${head.join('')}"workflows":[${list}\n]\n}\n`);
  return totals;
}

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
  if (!rows.every(({ folder }) => /^[a-z0-9-]+$/.test(folder)))
    throw new NotASummary('summary.json names an invalid folder');
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

/** Writes the summary of a run in all its forms. */
import type { BoundOptions } from '../adapters/tools/compile-bound.js';
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

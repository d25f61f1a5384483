/** Writes the summaries of a run, of its rows in the order of the input. */
import type { SummaryHead, Totals, WorkflowRow } from './model.js';
import { totalsOf } from './rows.js';
import { renderSarif, type SarifResult } from './sarif.js';
import { renderSummaryCsv } from './summary-csv.js';
import { renderSummaryMarkdown } from './summary-markdown.js';

export interface SummaryInput extends SummaryHead {
  /** Texts as `model.ts` makes them. */
  readonly rows: () => Iterable<string>;
  readonly results: Iterable<SarifResult>;
  /** How many results there would be without the limit. */
  readonly totalResults: number;
}

/** The files that the summary of a run is made of, in the order in which they are written. */
export const summaryNames = ['summary.csv', 'summary.md', 'summary.sarif', 'summary.json'] as const;
export type SummaryName = (typeof summaryNames)[number];

/** Writes a file of the pieces, all of them; the caller says how. */
export type WritePieces = (name: SummaryName, pieces: Iterable<string>) => void | Promise<void>;

/** The JSON is written last: where it is new, the others are. */
export async function writeSummaries(input: SummaryInput, write: WritePieces): Promise<Totals> {
  const texts = [...input.rows()];
  const rows = texts.map((text): WorkflowRow => JSON.parse(text));
  const totals = totalsOf(rows);
  const { squadc, totalResults: total } = input;
  await write('summary.csv', [renderSummaryCsv(rows)]);
  await write('summary.md', [renderSummaryMarkdown(squadc, totals, rows)]);
  await write('summary.sarif', [renderSarif({ squadc, results: [...input.results], total })]);
  await write('summary.json', [renderSummaryJson(input, totals, texts)]);
  return totals;
}

/** A row a line; `rows` are texts as `model.ts` makes them. */
export function renderSummaryJson(
  { squadc, options, shard }: SummaryHead,
  totals: Totals,
  rows: readonly string[],
): string {
  const { answers, ...withoutAnswers } = options;
  const head = [
    ['squadc', squadc],
    ['options', withoutAnswers],
    ...(shard === undefined ? [] : [['shard', { index: shard.index, count: shard.count }]]),
    ['totals', totals],
  ].map(([name, value]) => `"${name}":${JSON.stringify(value)},\n`);
  const list = rows.map((row) => `\n${row}`).join(',');
  return `{\n${head.join('')}"workflows":[${list}\n]\n}\n`;
}

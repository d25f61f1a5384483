/**
 * Writes the summaries of a run, in pieces: none of them is ever held as a whole.
 *
 * In: the rows as texts, in the order of the input, as often as they are asked for. They are parsed
 * once, a row at a time, for the table, the totals and the workflows that need a person; the JSON
 * is made of the texts themselves.
 */
import type { SummaryHead, Totals, WorkflowRow } from './model.js';
import { renderSarif, type SarifResult } from './sarif.js';
import { csvHeader, csvLine } from './summary-csv.js';
import { renderSummaryMarkdown, selectForMarkdown } from './summary-markdown.js';
import { createTotals } from './totals.js';

export interface SummaryInput extends SummaryHead {
  /** Texts as `model.ts` makes them; asked for twice. */
  readonly rows: () => Iterable<string>;
  readonly results: Iterable<SarifResult>;
  /** How many results there would be without the limit. */
  readonly totalResults: number;
}

/** Writes a file of the pieces, all of them; the caller says how. */
export type WritePieces = (name: SummaryName, pieces: Iterable<string>) => void | Promise<void>;

/** The JSON is written last: where it is new, the others are. */
export async function writeSummaries(input: SummaryInput, write: WritePieces): Promise<Totals> {
  const totals = createTotals();
  const needed = selectForMarkdown();
  let isWhole = false;
  const ended = () => {
    isWhole = true;
  };
  await write('summary.csv', inBlocks(csvOf(input.rows(), [totals, needed], ended)));
  // The totals are of the rows that were taken.
  if (!isWhole) throw new Error('summary.csv was not written whole');
  const sums = totals.totals();
  await write('summary.md', inBlocks(renderSummaryMarkdown(input.squadc, sums, needed)));
  const { squadc, totalResults: total } = input;
  await write(
    'summary.sarif',
    inBlocks(renderSarif({ squadc, results: [...input.results], total })),
  );
  await write('summary.json', inBlocks(renderSummaryJson(input, sums, input.rows())));
  return sums;
}

/** The table; every row is shown to the others as it passes. */
function* csvOf(
  texts: Iterable<string>,
  others: readonly { add(row: WorkflowRow): void }[],
  ended: () => void,
): Generator<string> {
  yield `${csvHeader}\r\n`;
  for (const text of texts) {
    const row: WorkflowRow = JSON.parse(text);
    for (const other of others) other.add(row);
    yield csvLine(row);
  }
  ended();
}

/** Short pieces together, so that a file is not written line by line. */
function* inBlocks(pieces: Iterable<string>, length = 65_536): Generator<string> {
  let block: string[] = [];
  let held = 0;
  for (const piece of pieces) {
    block.push(piece);
    held += piece.length;
    if (held < length) continue;
    yield block.join('');
    block = [];
    held = 0;
  }
  if (held > 0) yield block.join('');
}

/** How the file begins. */
const jsonOpening = '{\n"squadc":';

/** The line under which the rows stand, and the one that ends them. */
export const rowsBegin = '"workflows":[';
export const rowsEnd = ']';

/** In pieces; `rows` are texts as `model.ts` makes them. */
export function* renderSummaryJson(
  { squadc, options, shard }: SummaryHead,
  totals: Totals,
  rows: Iterable<string>,
): Generator<string> {
  const { answers, ...withoutAnswers } = options;
  yield `${jsonOpening}${JSON.stringify(squadc)},\n`;
  yield `"options":${JSON.stringify(withoutAnswers)},\n`;
  if (shard !== undefined) {
    yield `"shard":${JSON.stringify({ index: shard.index, count: shard.count })},\n`;
  }
  yield `"totals":${JSON.stringify(totals)},\n`;
  yield rowsBegin;
  let separator = '\n';
  for (const row of rows) {
    yield separator + row;
    separator = ',\n';
  }
  yield `\n${rowsEnd}\n}\n`;
}

/** The files that the summary of a run is made of. */
export const summaryNames = ['summary.csv', 'summary.md', 'summary.sarif', 'summary.json'] as const;
export type SummaryName = (typeof summaryNames)[number];

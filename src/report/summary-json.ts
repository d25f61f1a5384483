/**
 * `summary.json`: the summary of a run as JSON, a row a line.
 *
 * The rows come as the texts that stand in it, so that a hundred thousand of them cost no more than
 * being copied, and whoever reads the file can take it line by line.
 */
import type { SummaryHead, Totals } from './model.js';

/** How the file begins. */
export const jsonOpening = '{\n"squadc":';

/** The line under which the rows stand, and the one that ends them. */
export const rowsBegin = '"workflows":[';
export const rowsEnd = ']';

/** In pieces; `rows` are texts as `row-text.ts` makes them. */
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

/** The summaries of a run, made of its lines and put in place together. */
import type { Totals, WorkflowRow } from '../../report/model.js';
import { placedRowText } from '../../report/row-text.js';
import type { SummaryName } from '../../report/summary-names.js';
import { writeSummaries } from '../../report/write-summaries.js';
import { rowOfLine } from '../journal/records.js';
import type { PlacedLine } from '../outcomes/outcomes.js';
import type { OwnFiles } from '../output/own-files.js';
import type { RunHooks } from '../run.js';
import type { RunEnd } from './finish-run.js';

export async function summarize(
  { input, outcomes, gathering }: RunEnd,
  hooks: RunHooks,
  own: OwnFiles,
): Promise<Totals> {
  const { squadc, options, shard, dry } = input.request;
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
    { ...head, rows, results: gathering.results(), totalResults: gathering.total },
    write,
  );
  for (const diff of gathering.diffs) hooks.diff(diff);
  own.commit();
  return totals;
}

function* rowTexts(lines: Iterable<PlacedLine>): Generator<string> {
  for (const { index, line, bytes } of lines) yield placedRowText(rowOfLine(bytes), index, line);
}

/** Why workflows failed, with their places. */
export function* failedOf(lines: Iterable<PlacedLine>): Generator<string> {
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

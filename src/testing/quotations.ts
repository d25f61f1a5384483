/**
 * What the squad quotes from its source, by the source map, each quotation compared with what
 * stands there on both sides.
 *
 * A text that looks like a part of another one is found by searching wherever that one stands. So
 * nothing is searched for: every text has to have a place of its own, and no two places overlap.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Json } from '../compiler/ir/json.js';
import type { SourceMapEntry } from '../compiler/ir/result.js';
import { demand } from './demand.js';
import type { SpecWorkflow } from './spec-workflow.js';
import { valueAt } from './squad-tracks.js';

/** A text of the source, and where it stands in the squad. */
export interface Quotation {
  readonly from: JsonPointer;
  readonly text: string;
  readonly at: JsonPointer;
  /** Offsets in the text at `at`. */
  readonly start: number;
  readonly end: number;
  /** The text that it stands in. */
  readonly within: string;
}

/** The quotations of texts, by where they come from; throws where one is none, or two overlap. */
export function readQuotations(
  workflow: SpecWorkflow,
  output: Json,
  sourceMap: readonly SourceMapEntry[],
): ReadonlyMap<JsonPointer, readonly Quotation[]> {
  const byOrigin = new Map<JsonPointer, Quotation[]>();
  const byPlace = new Map<JsonPointer, [number, number][]>();
  for (const entry of sourceMap) {
    const { output: at, range, origin } = entry;
    const within = valueAt(output, at);
    if (range !== undefined) {
      const [start, end] = range;
      const isThere = typeof within === 'string' && start >= 0 && start <= end;
      demand(isThere && end <= within.length, () => `${at} has no characters ${start} to ${end}`);
      byPlace.set(at, [...(byPlace.get(at) ?? []), [start, end]]);
    }
    if (origin.kind !== 'source' || typeof within !== 'string') continue;
    const [start, end] = range ?? [0, within.length];
    const text = valueAt(workflow as unknown as Json, origin.at);
    if (typeof text !== 'string' && range === undefined) continue;
    demand(within.slice(start, end) === text, () => {
      const found = JSON.stringify(within.slice(start, end));
      return `${at} ${start}–${end} is ${found}, not ${JSON.stringify(text)} of ${origin.at}`;
    });
    const quotation = { from: origin.at, text: text as string, at, start, end, within };
    byOrigin.set(origin.at, [...(byOrigin.get(origin.at) ?? []), quotation]);
  }
  for (const [at, ranges] of byPlace) demandApart(at, ranges);
  return byOrigin;
}

function demandApart(at: JsonPointer, ranges: readonly [number, number][]): void {
  const sorted = [...ranges].sort(([a], [b]) => a - b);
  for (const [index, [start]] of sorted.entries()) {
    const before = sorted[index - 1]?.[1] ?? 0;
    demand(before <= start, () => `ranges of ${at} overlap at ${start}`);
  }
}

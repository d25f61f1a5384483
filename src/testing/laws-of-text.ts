/**
 * Laws of the ledger and the source map: everything is accounted for on both sides, and no word is
 * lost: each text of the source stands in the squad, in its place.
 *
 * Searching would find a text that looks like a part of another wherever that one stands. So
 * nothing is searched for: the source map tells where each text stands, every text has to have a
 * place of its own, and no two places overlap.
 */
import { nodeOf, type Place } from '../call/machine.js';
import type { LedgerEntry, LedgerKind, SourceMapEntry } from '../compiler/ir/result.js';
import { withoutRaw } from '../compiler/ir/tokens.js';
import { groupBy } from '../graph/lists.js';
import type { Json } from '../text/json.js';
import { child, type JsonPointer, valueAt } from '../text/pointer.js';
import { compileAnswered, demand, type LawOptions, membersInLedger, trackAnswered } from './law.js';
import type { SpecWorkflow } from './spec-workflow.js';

/** Throws if what the source map traces to a text of the source is not that text, or overlaps. */
export function demandQuotations(
  document: unknown,
  output: Json,
  sourceMap: readonly SourceMapEntry[],
): void {
  for (const [at, entries] of groupBy(sourceMap, (entry) => entry.output)) {
    const whole = valueAt(output, at);
    const quoted: { from: JsonPointer; start: number; end: number }[] = [];
    let before = 0;
    for (const { origin, range } of entries.toSorted((a, b) => startOf(a) - startOf(b))) {
      const length = typeof whole === 'string' ? whole.length : 0;
      const [start, end] = range ?? [0, length];
      demand(start <= end && end <= length, () => `${at} has no characters ${start} to ${end}`);
      demand(before <= start, () => `ranges of ${at} overlap at ${start}`);
      before = range === undefined ? 0 : end;
      if (origin.kind !== 'source' || typeof whole !== 'string') continue;
      // Segments with raw marks between them belong to one text.
      const last = quoted.at(-1);
      const between = last?.from === origin.at ? whole.slice(last.end, start) : '';
      if (/^\{% (?:end)?raw %\}$/.test(between)) last!.end = end;
      else quoted.push({ from: origin.at, start, end });
    }
    for (const { from, start, end } of quoted) {
      const [text, written] = [String(whole).slice(start, end), valueAt(document, from)];
      const isWhole = typeof written !== 'string' && text === whole;
      demand(isWhole || text === written || withoutRaw(text) === written, () => {
        const texts = `${JSON.stringify(text)}, not ${JSON.stringify(written)}`;
        return `${at} has at ${start} ${texts} of ${from}`;
      });
    }
  }
}

const startOf = ({ range }: SourceMapEntry) => range?.[0] ?? 0;

/**
 * Prompts, lines, captures, conditions and messages stand word for word where a call needs them: at
 * each place of the squad there are all texts of its node, and where a step hands over, its
 * condition describes that. The source map and the ledger say the same.
 */
export function textsStandWordForWord(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement, output, tracks, graph } = trackAnswered(workflow, options);
  const { workflow: source, squad } = tracks;
  demandQuotations(workflow, output, settlement.result.sourceMap);
  const quotationsAt = ({ acts }: Place) => acts.flatMap((it) => ('text' in it ? it : []));
  for (const there of squad.places) {
    const { node, member, moves } = there;
    const found = quotationsAt(there);
    for (const { text } of quotationsAt(source.places[graph.rank[node]!]!)) {
      const where = `at ${nodeOf(graph, node).id} in member ${member}`;
      demand(
        found.some((it) => it.text === text),
        () => `${JSON.stringify(text?.value)} is not ${where}`,
      );
    }
    for (const { step, handoff } of moves) {
      if (step.edge === undefined) continue;
      const isTold = membersInLedger(settlement, 'edge', step.edge.at).includes(member);
      demand(isTold, () => `${step.edge?.at} has no place in member ${member}`);
      const isDescribed = found.some(
        ({ text, place }) =>
          text === step.edge?.condition && place === `${handoff?.at}/description`,
      );
      const isFree = handoff === null || step.edge.condition === null;
      demand(isFree || isDescribed, () => `${handoff?.at} does not say when it is made`);
    }
  }
}

/** Each item of the source has one entry in the ledger; converted items are in the squad. */
export function ledgerConserves(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement, output } = compileAnswered(workflow, options);
  const { ledger } = settlement.result;
  for (const [kind, at] of accountable(workflow)) demandOneEntry(ledger, kind, at);
  for (const { kind, at, status, outputs } of ledger) {
    const isKnown = valueAt(workflow, at) !== undefined;
    demand(isKnown, () => `the ledger's ${kind} ${at} is not in the source`);
    demand(status !== 'converted' || outputs.length > 0, () => `${kind} ${at} became nothing`);
    demand(status !== 'needs-answer', () => `${kind} ${at} still needs an answer`);
    const lost = outputs.find((place) => valueAt(output, place) === undefined);
    demand(lost === undefined, () => `${kind} ${at} became ${lost}, which is not in the output`);
  }
}

/** Throws unless the ledger has one entry for the item. */
export function demandOneEntry(
  ledger: readonly LedgerEntry[],
  kind: LedgerKind,
  at: JsonPointer,
): void {
  const { length } = ledger.filter((entry) => entry.kind === kind && entry.at === at);
  demand(length === 1, () => `${kind} ${at} has ${length} entries in the ledger`);
}

/** Parts of nodes, edges and the workflow that must be in the ledger unless they are empty. */
const accountableAt: readonly (readonly [LedgerKind, place: RegExp])[] = [
  ['node', /^\/nodes\/\d+$/],
  ['line', /^\/nodes\/\d+\/firstMessage$/],
  ['instruction', /^\/nodes\/\d+\/systemPrompt$/],
  ['transfer-message', /^\/nodes\/\d+\/transferPlan\/message$/],
  ['variable', /^\/nodes\/\d+\/(?:extract|response)Variables\/\d+$/],
  ['edge', /^\/edges\/\d+$/],
  ['condition', /^\/(?:nodes|edges)\/\d+\/condition$/],
  ['field', /^(?:\/(?:nodes|edges)\/\d+)?\/note$/],
];

/** Kind and place of everything that must be in the ledger. */
function accountable(workflow: SpecWorkflow): (readonly [LedgerKind, JsonPointer])[] {
  return placesIn(workflow).flatMap((at) => {
    const value = valueAt(workflow, at);
    const [kind] = accountableAt.find(([, place]) => place.test(at)) ?? [];
    const isBlank = kind === 'condition' && String(value).trim() === '';
    const isSilent = value === undefined || value === '' || isBlank;
    return kind === undefined || isSilent ? [] : [[kind, at]];
  });
}

/** Every value of the squad has an origin, and quotations match the source. */
export function sourceMapCovers(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement, output } = compileAnswered(workflow, options);
  const { sourceMap } = settlement.result;
  demandQuotations(workflow, output, sourceMap);
  const places = new Set(sourceMap.map((entry) => entry.output));
  const lost = [...places].find((place) => valueAt(output, place) === undefined);
  demand(lost === undefined, () => `no ${lost} in the output`);
  /** Whether the place, or one around it, has an origin; the whole document does not count. */
  const isCovered = (at: string): boolean =>
    at !== '' && (places.has(at) || isCovered(at.slice(0, at.lastIndexOf('/'))));
  const all = placesIn(output);
  const holders = new Set(all.map((at) => at.slice(0, at.lastIndexOf('/'))));
  for (const leaf of all.filter((at) => !holders.has(at)))
    demand(isCovered(leaf), () => `${leaf} has no origin`);
}

/** The places of all values within a value. */
function placesIn(value: unknown, at = ''): JsonPointer[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const place = child(at, key);
    return [place, ...placesIn(part, place)];
  });
}

/** Laws of the ledger and the source map: everything is accounted for, on both sides. */
import type { Json } from '../compiler/ir/json.js';
import type { LedgerKind, SourceMapEntry } from '../compiler/ir/result.js';
import { demand, type LawOptions, stand } from './law-ground.js';
import type { SpecNode, SpecWorkflow } from './spec-workflow.js';
import { valueAt } from './squad-tracks.js';

/** Each thing of the source has one entry in the ledger; what was converted is in the squad. */
export function ledgerConserves(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement, output } = stand(workflow, options);
  const { ledger } = settlement.result;
  for (const [kind, at] of accountable(workflow)) {
    const entries = ledger.filter((entry) => entry.kind === kind && entry.at === at);
    demand(entries.length === 1, () => `${kind} ${at} has ${entries.length} entries in the ledger`);
  }
  for (const { kind, at, status, outputs } of ledger) {
    const known = valueAt(workflow as unknown as Json, at) !== undefined;
    demand(known, () => `the ledger's ${kind} ${at} is not in the source`);
    demand(status !== 'converted' || outputs.length > 0, () => `${kind} ${at} became nothing`);
    demand(status !== 'needs-answer', () => `${kind} ${at} still needs an answer`);
    const lost = outputs.find((place) => valueAt(output, place) === undefined);
    demand(lost === undefined, () => `${kind} ${at} became ${lost}, which is not in the output`);
  }
}

/** Every value of the squad has an origin, and what is quoted from the source is a quotation. */
export function sourceMapCovers(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement, output } = stand(workflow, options);
  const byPlace = new Map<string, SourceMapEntry[]>();
  for (const entry of settlement.result.sourceMap) {
    demand(valueAt(output, entry.output) !== undefined, () => `no ${entry.output} in the output`);
    byPlace.set(entry.output, [...(byPlace.get(entry.output) ?? []), entry]);
    quotation(workflow, output, entry);
  }
  for (const leaf of leaves(output)) {
    demand(
      ancestors(leaf).some((at) => byPlace.has(at)),
      () => `${leaf} has no origin`,
    );
  }
  for (const [place, entries] of byPlace) apart(place, entries);
}

function quotation(
  workflow: SpecWorkflow,
  output: Json,
  { output: at, range, origin }: SourceMapEntry,
) {
  if (range === undefined) return;
  const text = valueAt(output, at);
  const [start, end] = range;
  demand(typeof text === 'string' && start >= 0 && start <= end && end <= text.length, () => {
    return `${at} has no characters ${start} to ${end}`;
  });
  if (origin.kind !== 'source') return;
  const quoted = valueAt(workflow as unknown as Json, origin.at);
  demand(text.slice(start, end) === quoted, () => {
    return `${at} ${start}–${end} is ${JSON.stringify(text.slice(start, end))}, not ${JSON.stringify(quoted)}`;
  });
}

function apart(place: string, entries: readonly SourceMapEntry[]): void {
  const ranges = entries.flatMap(({ range }) => (range ? [range] : [])).sort(([a], [b]) => a - b);
  for (const [index, [start]] of ranges.entries()) {
    const before = ranges[index - 1]?.[1] ?? 0;
    demand(before <= start, () => `ranges of ${place} overlap at ${start}`);
  }
}

/** Kind and place of everything that must be in the ledger. */
function accountable({ nodes, edges, ...rest }: SpecWorkflow): [LedgerKind, string][] {
  const found: [LedgerKind, string][] = 'note' in rest ? [['field', '/note']] : [];
  for (const [index, node] of nodes.entries()) {
    found.push(
      ...partsOf(node).map(([kind, key]): [LedgerKind, string] => [kind, `/nodes/${index}${key}`]),
    );
  }
  for (const [index, { condition, note }] of edges.entries()) {
    found.push(['edge', `/edges/${index}`]);
    if (condition !== undefined) found.push(['condition', `/edges/${index}/condition`]);
    if (note !== undefined) found.push(['field', `/edges/${index}/note`]);
  }
  return found;
}

function partsOf(node: SpecNode): [LedgerKind, string][] {
  const { extractVariables = [], responseVariables = [] } = node;
  const texts: [LedgerKind, string][] = [
    ['line', 'firstMessage'],
    ['instruction', 'systemPrompt'],
    ['condition', 'condition'],
    ['transfer-message', 'transferPlan/message'],
    ['field', 'note'],
  ];
  return [
    ['node', ''],
    ...extractVariables.map((_, each): [LedgerKind, string] => [
      'variable',
      `/extractVariables/${each}`,
    ]),
    ...responseVariables.map((_, each): [LedgerKind, string] => [
      'variable',
      `/responseVariables/${each}`,
    ]),
    ...texts
      .filter(([, key]) => valueAt(node as unknown as Json, `/${key}`) !== undefined)
      .map(([kind, key]): [LedgerKind, string] => [kind, `/${key}`]),
  ];
}

/** The places of all values that hold no others. */
function leaves(value: Json, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at];
  const parts = Object.entries(value);
  if (parts.length === 0) return [at];
  return parts.flatMap(([key, part]) =>
    leaves(part as Json, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

/** The place itself and those that hold it, but not the whole document. */
function ancestors(at: string): string[] {
  const segments = at.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 2).join('/'));
}

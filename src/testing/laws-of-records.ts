/** Laws of the ledger and the source map: everything is accounted for, on both sides. */
import type { Json } from '../compiler/ir/json.js';
import type { LedgerKind } from '../compiler/ir/result.js';
import { demand } from './demand.js';
import { type LawOptions, stand } from './law-ground.js';
import { readQuotations } from './quotations.js';
import { type SpecNode, type SpecWorkflow, said, saidCondition } from './spec-workflow.js';
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
  const { sourceMap } = settlement.result;
  const places = new Set(sourceMap.map((entry) => entry.output));
  for (const place of places) {
    demand(valueAt(output, place) !== undefined, () => `no ${place} in the output`);
  }
  readQuotations(workflow, output, sourceMap);
  for (const leaf of leaves(output)) {
    demand(
      ancestors(leaf).some((at) => places.has(at)),
      () => `${leaf} has no origin`,
    );
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
    if (saidCondition(condition) !== undefined) {
      found.push(['condition', `/edges/${index}/condition`]);
    }
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
      .filter(([kind, key]) => says(kind, valueAt(node as unknown as Json, `/${key}`)))
      .map(([kind, key]): [LedgerKind, string] => [kind, `/${key}`]),
  ];
}

function says(kind: LedgerKind, value: Json | undefined): boolean {
  if (typeof value !== 'string') return value !== undefined;
  return (kind === 'condition' ? saidCondition(value) : said(value)) !== undefined;
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

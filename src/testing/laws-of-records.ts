/** Laws of the ledger and the source map: everything is accounted for, on both sides. */
import type { Json } from '../compiler/ir/json.js';
import type { LedgerKind } from '../compiler/ir/result.js';
import { type SpecWorkflow, saidCondition } from '../simulator/spec-workflow.js';
import { valueAt } from '../simulator/squad.js';
import { compileAnswered, demand, type LawOptions } from './law.js';
import { readQuotations } from './laws-of-texts.js';

/** Each thing of the source has one entry in the ledger; what was converted is in the squad. */
export function ledgerConserves(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement, output } = compileAnswered(workflow, options);
  const { ledger } = settlement.result;
  for (const [kind, at] of accountable(workflow)) {
    const entries = ledger.filter((entry) => entry.kind === kind && entry.at === at);
    demand(entries.length === 1, () => `${kind} ${at} has ${entries.length} entries in the ledger`);
  }
  for (const { kind, at, status, outputs } of ledger) {
    const isKnown = valueAt(workflow as unknown as Json, at) !== undefined;
    demand(isKnown, () => `the ledger's ${kind} ${at} is not in the source`);
    demand(status !== 'converted' || outputs.length > 0, () => `${kind} ${at} became nothing`);
    demand(status !== 'needs-answer', () => `${kind} ${at} still needs an answer`);
    const lost = outputs.find((place) => valueAt(output, place) === undefined);
    demand(lost === undefined, () => `${kind} ${at} became ${lost}, which is not in the output`);
  }
}

/** Every value of the squad has an origin, and what is quoted from the source is a quotation. */
export function sourceMapCovers(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement, output } = compileAnswered(workflow, options);
  const { sourceMap } = settlement.result;
  readQuotations(workflow, output, sourceMap);
  const places = new Set(sourceMap.map((entry) => entry.output));
  const lost = [...places].find((place) => valueAt(output, place) === undefined);
  demand(lost === undefined, () => `no ${lost} in the output`);
  /** Whether the place, or one that holds it, has an origin; the whole document counts for none. */
  const isCovered = (at: string): boolean =>
    at !== '' && (places.has(at) || isCovered(at.slice(0, at.lastIndexOf('/'))));
  for (const leaf of leaves(output)) demand(isCovered(leaf), () => `${leaf} has no origin`);
}

/** What a node, an edge and the workflow hold that must be in the ledger, if it says something. */
const nodeTexts: readonly (readonly [LedgerKind, key: string])[] = [
  ['line', 'firstMessage'],
  ['instruction', 'systemPrompt'],
  ['condition', 'condition'],
  ['transfer-message', 'transferPlan/message'],
  ['field', 'note'],
];

/** Kind and place of everything that must be in the ledger. */
function accountable(workflow: SpecWorkflow): (readonly [LedgerKind, string])[] {
  const says = (kind: LedgerKind, at: string): boolean => {
    const value = valueAt(workflow as unknown as Json, at);
    if (typeof value !== 'string') return value !== undefined;
    return kind === 'condition' ? saidCondition(value) !== undefined : value !== '';
  };
  const { nodes, edges } = workflow;
  const found = [
    ['field', '/note'] as const,
    ...nodes.flatMap(({ extractVariables = [], responseVariables = [] }, index) => [
      ['node', `/nodes/${index}`] as const,
      ...extractVariables.map(
        (_, each) => ['variable', `/nodes/${index}/extractVariables/${each}`] as const,
      ),
      ...responseVariables.map(
        (_, each) => ['variable', `/nodes/${index}/responseVariables/${each}`] as const,
      ),
      ...nodeTexts.map(([kind, key]) => [kind, `/nodes/${index}/${key}`] as const),
    ]),
    ...edges.flatMap((_, index) => [
      ['edge', `/edges/${index}`] as const,
      ['condition', `/edges/${index}/condition`] as const,
      ['field', `/edges/${index}/note`] as const,
    ]),
  ];
  return found.filter(([kind, at]) => says(kind, at));
}

/** The places of all values that hold no others. */
function leaves(value: Json, at = ''): string[] {
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (parts.length === 0) return [at];
  return parts.flatMap(([key, part]) =>
    leaves(part as Json, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

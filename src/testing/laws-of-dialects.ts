/**
 * The law of dialects: what a document says does not depend on the shape that it is written in.
 *
 * A workflow is rewritten as every dialect would hold it, and compiled beside the workflow of the
 * specification's shape that the rewritten one equals, with answers by the same choices. Expected:
 * the same questions, the same status, and the same squad to the byte, for whichever target. Since
 * the bytes are the same, every law about squads that holds for the one holds for the other (texts,
 * grouping, plans, schemas); what is left to look at are the places, which differ.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Json } from '../compiler/ir/json.js';
import type { Origin } from '../compiler/ir/provenance.js';
import type { LedgerEntry, LedgerKind, Question, SourceMapEntry } from '../compiler/ir/result.js';
import { verify } from '../index.js';
import { choosing, type Settlement, settle } from './answering.js';
import { demand, firstDifference } from './demand.js';
import { type DialectName, dialects } from './dialects/dialect.js';
import { asRead, rewriteAs } from './dialects/rewrite.js';
import { type LawOptions, tearsEqualNodes } from './law-ground.js';
import { readQuotations } from './quotations.js';
import { type SpecWorkflow, wheel } from './spec-workflow.js';
import { valueAt } from './squad-tracks.js';

/**
 * In every dialect the workflow gives the squad that it gives in the specification's shape, `verify`
 * accepts it beside the rewritten document, every place that is told is one of that document, and
 * the ledger accounts for each of its nodes and edges as it does for the specification's.
 *
 * The first number chooses the dialect, so that a run costs no more than that of another law; without
 * numbers all are tried.
 */
export function dialectsAgree(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { numbers = [] } = options;
  const chosen = numbers.length === 0 ? dialects : [wheel(dialects, numbers[0] ?? 0)];
  for (const dialect of chosen) {
    try {
      agreesIn(dialect, workflow, options);
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      throw new Error(`in the dialect ${dialect}: ${fault}`);
    }
  }
}

/** As `dialectsAgree`, in one dialect. */
function agreesIn(
  dialect: DialectName,
  workflow: SpecWorkflow,
  { compile, numbers = [] }: LawOptions,
): void {
  const document = rewriteAs(workflow, dialect, numbers) as Json;
  const expected = settle(asRead(workflow, dialect, numbers), compile, choosing(numbers));
  const found = settle(document, compile, choosing(numbers));
  same(expected.asked.map(withoutPlaces), found.asked.map(withoutPlaces));
  same(expected.result.status, found.result.status);
  // A grouping that is refused gives no squad, and no ledger either, in any dialect.
  if (tearsEqualNodes(expected.result) && tearsEqualNodes(found.result)) return;
  same(expected.result.output, found.result.output);
  accountsFor(document, expected, found);
  placesResolve(document, found);
  const { output, sourceMap } = found.result;
  if (output === null) return;
  const names = nameEntries(expected.result.sourceMap);
  const kinds = (map: readonly SourceMapEntry[]): unknown[] =>
    map.map(({ output: at, range, origin }, entry) => [at, range, names.has(entry) || origin.kind]);
  same(kinds(expected.result.sourceMap), kinds(sourceMap));
  readQuotations(document as unknown as SpecWorkflow, output, sourceMap);
  const { holds, diagnostics } = verify(document, output, found.options);
  demand(holds, () => `refuted: ${diagnostics.map(({ message }) => message).join('; ')}`);
}

function same(expected: unknown, found: unknown): void {
  const [first, second] = [expected, found].map((each) => JSON.stringify(each) ?? '');
  demand(first === second, () => firstDifference(first!, second!));
}

/** What a human reads of a question, and what the answer refers to. */
function withoutPlaces({ at: _, ...question }: Question): unknown {
  return question;
}

/** Entries for the names of captures: in a schema they are keys, which have no place of their own. */
function nameEntries(sourceMap: readonly SourceMapEntry[]): ReadonlySet<number> {
  const isName = ({ origin }: SourceMapEntry): boolean =>
    origin.kind === 'source' && /\/extractVariables\/\d+\/name$/.test(origin.at);
  return new Set(sourceMap.flatMap((entry, index) => (isName(entry) ? [index] : [])));
}

/** One entry for each node and edge of the document, and all things fare as they do elsewhere. */
function accountsFor(document: Json, expected: Settlement, found: Settlement): void {
  const { ledger } = found.result;
  for (const kind of ['node', 'edge'] as const) {
    for (const place of partsOf(document, kind)) {
      const { length } = ledger.filter((entry) => entry.kind === kind && entry.at === place);
      demand(length === 1, () => `${kind} ${place} has ${length} entries in the ledger`);
    }
  }
  const added = new Set(addedBy(document));
  const others = ledger.filter(({ at }) => !added.has(at));
  same(fatesOf(expected.result.ledger), fatesOf(others));
}

/** What else a dialect adds says nothing of the call: fields and settings. */
const counted: readonly LedgerKind[] = [
  ...(['node', 'edge', 'variable'] as const),
  ...(['line', 'instruction', 'condition', 'transfer-message'] as const),
];

function fatesOf(ledger: readonly LedgerEntry[]): string[] {
  return ledger
    .filter(({ kind }) => counted.includes(kind))
    .map(fateOf)
    .sort();
}

/** The places of a variable are finer in one dialect than in another, so it becomes more or less. */
function fateOf({ kind, status, outputs }: LedgerEntry): string {
  return [kind, status, ...(kind === 'variable' ? [] : outputs)].join(' ');
}

/** The places of the nodes or edges of the document. */
function partsOf(document: Json, kind: 'node' | 'edge'): JsonPointer[] {
  const workflow = valueAt(document, '/nodes') === undefined ? '/workflow' : '';
  const list = valueAt(document, `${workflow}/${kind}s`);
  return Array.isArray(list) ? list.map((_, index) => `${workflow}/${kind}s/${index}`) : [];
}

/** The node of the type `start`, and the edge out of it. */
function addedBy(document: Json): JsonPointer[] {
  const starts = partsOf(document, 'node').filter(
    (at) => valueAt(document, `${at}/type`) === 'start',
  );
  const ids = starts.map((at) => valueAt(document, `${at}/id`));
  const ways = partsOf(document, 'edge').filter((at) =>
    ids.includes(valueAt(document, `${at}/from`)),
  );
  return [...starts, ...ways];
}

/** Whatever is told of the source stands in it. */
function placesResolve(document: Json, { result, asked }: Settlement): void {
  const { diagnostics, ledger, sourceMap, checklist } = result;
  const places: readonly (readonly [string, readonly JsonPointer[]])[] = [
    ...diagnostics
      .filter((each) => each.in === undefined)
      .map(({ code, at, related }) => [code, [at, ...related]] as const),
    ...ledger.map(({ kind, at }) => [`the ledger's ${kind}`, [at]] as const),
    ...sourceMap.map(
      ({ output, origin }) => [`the origin of ${output}`, placesWithin(origin)] as const,
    ),
    ...asked.map(({ id, at }) => [`the question ${id}`, at] as const),
    ...checklist.flatMap(({ item, evidence }) =>
      evidence.map(({ source }) => [`item ${item}`, source] as const),
    ),
  ];
  for (const [what, pointers] of places) {
    const lost = pointers.find((at) => valueAt(document, at) === undefined);
    demand(lost === undefined, () => `${what} is at ${lost}, which is not in the document`);
  }
}

function placesWithin(origin: Origin): readonly JsonPointer[] {
  if (origin.kind === 'source') return [origin.at];
  return origin.kind === 'synthesized' ? origin.from : [];
}

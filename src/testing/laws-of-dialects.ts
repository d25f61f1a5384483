/**
 * The law of dialects: the meaning of a document does not depend on its shape.
 *
 * A workflow is rewritten in every dialect, and compiled beside the equal workflow of the
 * specification's shape, with answers by the same choices. Expected: the same questions, the same
 * status, and the same squad byte for byte, for either target. Since the bytes are the same, every
 * law about squads that holds for one holds for the other; only the places differ and are checked
 * here.
 */
import type { LedgerEntry, LedgerKind, SourceMapEntry } from '../compiler/ir/result.js';
import type { Json } from '../text/json.js';
import { elements } from '../text/parts.js';
import { type JsonPointer, valueAt } from '../text/pointer.js';
import { choosing, type Settlement, settle } from './answering.js';
import { asRead, type DialectName, dialects, rewriteAs } from './dialects.js';
import { demand, demandSame, demandVerified, type LawOptions, tearsEqualNodes } from './law.js';
import { demandOneEntry, demandQuotations } from './laws-of-text.js';
import { wheel } from './pick.js';
import type { SpecWorkflow } from './spec-workflow.js';

/**
 * In every dialect the workflow gives the same squad as in the specification's shape, `verify`
 * accepts it with the rewritten document, every reported place is in that document, and the ledger
 * accounts for each of its nodes and edges like that of the specification's shape.
 *
 * The first number chooses the dialect, so that a run costs no more than that of another law;
 * without numbers all are tried.
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

function agreesIn(
  dialect: DialectName,
  workflow: SpecWorkflow,
  { compile: given, numbers = [] }: LawOptions,
): void {
  // Otherwise each dialect would have its usual target.
  const compile = { target: 'squad', ...given } as const;
  const document = rewriteAs(workflow, dialect, numbers) as Json;
  const expected = settle(asRead(workflow, dialect, numbers), compile, choosing(numbers));
  const found = settle(document, compile, choosing(numbers));
  const asked = (settlement: Settlement) => settlement.asked.map(({ at: _, ...rest }) => rest);
  demandSame('what is asked', asked(expected), asked(found));
  demandSame('the status', expected.result.status, found.result.status);
  // A rejected grouping gives neither a squad nor a ledger, in any dialect.
  if (tearsEqualNodes(expected.result) && tearsEqualNodes(found.result)) return;
  demandSame('the squad', expected.result.output, found.result.output);
  accountsFor(document, expected, found);
  placesResolve(document, found);
  const { output, sourceMap } = found.result;
  if (output === null) return;
  // Names of captures are keys in a schema and have no place of their own.
  const isName = ({ origin }: SourceMapEntry): boolean =>
    origin.kind === 'source' && /\/extractVariables\/\d+\/name$/.test(origin.at);
  const names = expected.result.sourceMap.map(isName);
  const kinds = (map: readonly SourceMapEntry[]): unknown[] =>
    map.map(({ output: at, range, origin }, entry) => [at, range, names[entry] || origin.kind]);
  demandSame('the source map', kinds(expected.result.sourceMap), kinds(sourceMap));
  demandQuotations(document, output, sourceMap);
  demandVerified(document, found);
}

/** Other entries of a dialect, fields and settings, do not affect the call. */
const counted: readonly LedgerKind[] = [
  ...(['node', 'edge', 'variable'] as const),
  ...(['line', 'instruction', 'condition', 'transfer-message'] as const),
];

/** One entry for each node and edge of the document, with the same outcome in every dialect. */
function accountsFor(document: Json, expected: Settlement, found: Settlement): void {
  const root = valueAt(document, '/nodes') === undefined ? '/workflow' : '';
  const partsOf = (kind: 'node' | 'edge'): JsonPointer[] =>
    elements(valueAt(document, `${root}/${kind}s`)).map((_, index) => `${root}/${kind}s/${index}`);
  const { ledger } = found.result;
  for (const kind of ['node', 'edge'] as const) {
    for (const place of partsOf(kind)) demandOneEntry(ledger, kind, place);
  }
  // Tasks have a node of the type `start`, and its outgoing edge.
  const starts = partsOf('node').filter((at) => valueAt(document, `${at}/type`) === 'start');
  const ids = starts.map((at) => valueAt(document, `${at}/id`));
  const edges = partsOf('edge').filter((at) => ids.includes(valueAt(document, `${at}/from`)));
  const fatesOf = (entries: readonly LedgerEntry[]): string[] =>
    entries
      .filter(({ kind }) => counted.includes(kind))
      // The places of a variable are finer in one dialect than in another.
      .map(({ kind, status, outputs }) =>
        [kind, status, ...(kind === 'variable' ? [] : outputs)].join(' '),
      )
      .sort();
  const others = ledger.filter(({ at }) => ![...starts, ...edges].includes(at));
  demandSame('the ledger', fatesOf(expected.result.ledger), fatesOf(others));
}

/** Every reported place of the source exists in it. */
function placesResolve(document: Json, { result, asked }: Settlement): void {
  const { diagnostics, ledger, sourceMap, checklist } = result;
  const ofSource = diagnostics.filter((each) => each.in === undefined);
  const places: readonly (readonly [string, readonly JsonPointer[]])[] = [
    ...ofSource.map(({ code, at, related }) => [code, [at, ...related]] as const),
    ...ledger.map(({ kind, at }) => [`the ledger's ${kind}`, [at]] as const),
    ...asked.map(({ id, at }) => [`the question ${id}`, at] as const),
    ...sourceMap.map(({ output, origin }) => {
      const own = origin.kind === 'source' ? [origin.at] : [];
      return [output, origin.kind === 'synthesized' ? origin.from : own] as const;
    }),
    ...checklist.flatMap(({ item, evidence }) =>
      evidence.map(({ source }) => [`item ${item}`, source] as const),
    ),
  ];
  for (const [what, pointers] of places) {
    const lost = pointers.find((at) => valueAt(document, at) === undefined);
    demand(lost === undefined, () => `${what} is at ${lost}, which is not in the document`);
  }
}

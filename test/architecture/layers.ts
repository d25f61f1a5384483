/**
 * Who may import whom.
 *
 *     cli → batch, report, platform, tools, testing → index → compile → phases → diagnostics → ir
 *
 * and beside it verify, the independent checker: it shares with the compiler the workflow reader
 * (1-read), the IR and the catalogue, and nothing else. Algorithms (graph, names) know no phase.
 * scenarios plans test calls on what the compiler made of a workflow: it runs compile and reads the
 * IR; of the phases it knows the reader of conditions (1-read) alone.
 * adapters are clients of two services on one request core, and a sandbox of both; none of them
 * knows another, nor the compiler:
 *
 *     entries (bills.ts, documents.ts) → bills, documents → http → operation tables
 *
 * tools is the handler of tool calls: it works with the clients that it is given. The table of tools
 * is one of the operation tables, data that the compiler and the checker read too.
 */
import { type Import, resolveImport, type SourceFile } from './source-file.js';

export type Layer =
  | 'cli'
  | 'batch'
  | 'report'
  | 'scenarios'
  | 'platform'
  | 'adapter-entry'
  | 'tools-entry'
  | 'bills'
  | 'documents'
  | 'sandbox'
  | 'tools'
  | 'http'
  | 'operation-table'
  | 'testing'
  | 'index'
  | 'compile'
  | 'phase'
  | 'algorithm'
  | 'verify'
  | 'diagnostics'
  | 'schemas'
  | 'ir';

/** First match wins. */
const places: readonly (readonly [pattern: RegExp, layer: Layer])[] = [
  [/^index\.ts$/, 'index'],
  [/^(?:bills|documents)(?:-schemas)?\.ts$/, 'adapter-entry'],
  [/^tools\.ts$/, 'tools-entry'],
  [/^adapters\/(?:[^/]+\/operations|http\/operation)\.ts$/, 'operation-table'],
  [/^adapters\/tools\/table\//, 'operation-table'],
  [/^adapters\/bills\//, 'bills'],
  [/^adapters\/documents\//, 'documents'],
  [/^adapters\/sandbox\//, 'sandbox'],
  [/^adapters\/tools\//, 'tools'],
  [/^adapters\/http\//, 'http'],
  [/^cli\//, 'cli'],
  [/^batch\//, 'batch'],
  [/^report\//, 'report'],
  [/^scenarios\//, 'scenarios'],
  [/^platform\//, 'platform'],
  [/^testing\//, 'testing'],
  [/^compiler\/[a-z-]+\.ts$/, 'compile'],
  [/^compiler\/\d-[a-z]+\//, 'phase'],
  [/^compiler\/(?:graph|names)\//, 'algorithm'],
  [/^compiler\/ir\//, 'ir'],
  [/^verify\//, 'verify'],
  [/^diagnostics\//, 'diagnostics'],
  [/^schemas\//, 'schemas'],
];

const adapters: readonly Layer[] = [
  'adapter-entry',
  'tools-entry',
  'sandbox',
  'tools',
  'operation-table',
];
const outer: readonly Layer[] = ['index', 'diagnostics', 'schemas', 'ir'];

/** What a layer may import beside itself. */
const mayImport: Readonly<Record<Layer, readonly Layer[]>> = {
  cli: ['batch', 'report', 'scenarios', 'platform', 'testing', 'algorithm', ...adapters, ...outer],
  batch: ['report', 'algorithm', ...outer],
  report: ['scenarios', ...outer],
  scenarios: ['compile', 'algorithm', 'diagnostics', 'ir'],
  platform: ['index', 'schemas', 'ir'],
  testing: ['sandbox', ...outer],
  'adapter-entry': ['bills', 'documents', 'http', 'operation-table'],
  'tools-entry': ['tools', 'operation-table'],
  bills: ['http', 'operation-table', 'schemas'],
  documents: ['http', 'operation-table', 'schemas'],
  sandbox: ['operation-table'],
  tools: ['adapter-entry', 'operation-table', 'http', 'index', 'schemas'],
  http: ['operation-table'],
  'operation-table': [],
  index: ['compile', 'verify', 'diagnostics', 'ir'],
  compile: ['phase', 'algorithm', 'verify', 'operation-table', 'diagnostics', 'schemas', 'ir'],
  phase: ['algorithm', 'operation-table', 'diagnostics', 'schemas', 'ir'],
  algorithm: ['ir'],
  verify: ['operation-table', 'diagnostics', 'schemas', 'ir'],
  diagnostics: ['schemas', 'ir'],
  schemas: ['ir'],
  ir: [],
};

/** The layer of a file below src/; null where the plan has no place for it. */
export function layerOf(path: string): Layer | null {
  return places.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

/** The phase that a file belongs to (`4-group`); null outside of the phases. */
function phaseOf(path: string): string | null {
  return /^compiler\/(\d-[a-z]+)\//.exec(path)?.[1] ?? null;
}

/** Why the import is not allowed; null where it is. */
export function faultOfImport(file: SourceFile, { specifier }: Import): string | null {
  const target = resolveImport(file.path, specifier);
  const from = layerOf(file.path);
  if (target === null || from === null) return null;
  const to = layerOf(target);
  if (to === null) return `imports ${target}, which has no place in the plan`;
  if (to === 'phase') return faultOfPhaseImport(file.path, from, target);
  if (from === to || mayImport[from].includes(to)) return null;
  return `${from} must not import ${to} (${target})`;
}

/** Only compile.ts imports phases; a phase itself, verify and scenarios the workflow reader. */
function faultOfPhaseImport(path: string, from: Layer, target: string): string | null {
  const phase = phaseOf(target);
  if (from === 'compile') return null;
  if ((from === 'verify' || from === 'scenarios') && phase === '1-read') return null;
  if (from === 'phase' && phaseOf(path) === phase) return null;
  return from === 'phase'
    ? `a phase must not import another phase (${target})`
    : `${from} must not import a phase (${target})`;
}

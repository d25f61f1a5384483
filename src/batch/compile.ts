/**
 * One workflow, from its bytes to the texts of its files and its row.
 *
 * A bug of squadc's own fails this workflow and no other. All but the squad is without secrets.
 */
import { type BoundResult, compileBound } from '../adapters/tools/compile-bound.js';
import { emptyResult } from '../compiler/ir/result.js';
import { redact } from '../compiler/ir/secrets.js';
import { diagnose } from '../diagnostics/diagnose.js';
import { compile, type Diagnostic, type Json, readWorkflow } from '../index.js';
import type { ResultFile, RowFacts, RunAnswer } from '../report/model.js';
import { questionsMarkdown } from '../report/questions-markdown.js';
import { placesIn, resultFileOf } from '../report/result-file.js';
import { findingsOf, type SarifFinding } from '../report/sarif.js';
import type { RunAnswers } from './answers.js';
import type { Failure } from './items.js';
import { type FileName, type FolderRecord, printOf, recordLine } from './record.js';
import { settleAnswers, subjectOf } from './settle.js';
import { reasonOf } from './system-error.js';

/** What decides what is made of a workflow. */
export interface CompileRequest {
  /** The version of squadc. */
  readonly squadc: string;
  /** Without answers. */
  readonly options: Parameters<typeof compileBound>[2];
  readonly answers: RunAnswers;
  readonly acceptProposals: boolean;
}

/** Renders the page of a workflow. */
export type RenderPage = (result: ResultFile, squad: Json, files: readonly string[]) => string;

export interface ItemFacts {
  readonly key: string;
  readonly source: string;
  readonly name: string | null;
  /** In a file of several workflows, from 1 on. */
  readonly line?: number;
  readonly bytes: Uint8Array;
  /** Digests, as the record has them. */
  readonly run: string;
  readonly made: string;
}

export interface MadeWorkflow {
  readonly row: RowFacts;
  readonly findings: readonly SarifFinding[];
  readonly files: ReadonlyMap<FileName, string>;
}

export function makeWorkflow(
  item: ItemFacts,
  request: CompileRequest,
  renderPage: RenderPage | null,
): MadeWorkflow {
  const text = decoded(item.bytes);
  const { result, failure } = resultOf(item, text, request);
  const files = new Map<FileName, string>();
  if (result.status === 'complete') {
    files.set('squad.json', `${JSON.stringify(result.output, null, 2)}\n`);
  }
  const { workflow, dialect, applied, diagnostics } = result;
  const { squadc, options, answers } = request;
  const file = resultFileOf({
    squadc,
    key: item.key,
    source: item.source,
    name: item.name,
    text: text ?? '',
    workflow: workflow as Json,
    dialect,
    options,
    answers: applied,
    policies: answers.policies,
    result,
    diagnostics,
    questions: result.questions.map((each) => ({ ...each, subject: subjectOf(each, workflow) })),
    ...(failure && { failure }),
  });
  if (file.questions.length > 0) {
    // In a line of JSONL, lines and columns of the text would mean nothing.
    const places = item.line === undefined ? file.questions.flatMap(({ at }) => at) : [];
    files.set('questions.md', questionsMarkdown(file, placesIn(text ?? '', places)));
  }
  if (renderPage !== null) {
    const squad = file.status === 'complete' ? redact(result.output as Json) : file.draft;
    files.set('report.html', renderPage(file, squad, [...files.keys(), 'result.json']));
  }
  const row = rowOf(file);
  const findings = findingsOf(file).map(({ line, ...rest }) =>
    item.line === undefined && line !== undefined ? { ...rest, line } : rest,
  );
  const members = Object.entries(file).map(
    ([name, value]) => `"${name}": ${JSON.stringify(value)}`,
  );
  const rest = `${members.join(',\n')}\n}\n`;
  const record: FolderRecord = {
    run: item.run,
    made: item.made,
    rest: printOf(rest),
    files: Object.fromEntries([...files].map(([name, content]) => [name, printOf(content)])),
    ...(item.line !== undefined && { line: item.line }),
    row,
    findings,
  };
  files.set('result.json', recordLine(record) + rest);
  return { row, findings, files };
}

/** What became of a workflow. */
interface Settled extends BoundResult {
  readonly workflow: unknown;
  readonly dialect: ResultFile['dialect'];
  readonly applied: Readonly<Record<string, RunAnswer>>;
}

function resultOf(
  { key }: ItemFacts,
  text: string | null,
  { options, answers, acceptProposals }: CompileRequest,
): { result: Settled; failure?: Failure } {
  const read = text === null ? null : readWorkflow(text);
  const workflow = read?.workflow ?? null;
  const notUtf8 = { ...diagnose('batch/not-utf8', '', {}), line: 1, column: 1 };
  const diagnostics: Diagnostic[] = read === null ? [notUtf8] : [...read.diagnostics];
  const common = { workflow, dialect: read?.dialect ?? null };
  const nothing = { ...emptyResult, ...common, applied: {}, diagnostics };
  if (diagnostics.some(({ severity }) => severity === 'error')) return { result: nothing };
  try {
    const { policies, workflows } = answers;
    const settled = settleAnswers(
      (given) => compileBound(compile, workflow, given),
      workflow,
      options,
      { answers: workflows.get(key), policies, acceptProposals },
    );
    const { result, applied } = settled;
    diagnostics.push(...settled.diagnostics, ...result.diagnostics);
    return { result: { ...result, ...common, applied, diagnostics } };
  } catch (error) {
    const isRefuted = error instanceof Error && error.name === 'VerificationRefuted';
    const code = isRefuted ? 'batch/refuted' : 'batch/internal-error';
    return { result: nothing, failure: { code, message: reasonOf(error) } };
  }
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** In the words of the file, which holds no secrets. */
function rowOf(file: ResultFile): RowFacts {
  const { key, source, name, status, failure, stats, diagnostics, assessment } = file;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const kinds = new Map<string, number>();
  for (const { kind } of file.questions) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const [first] = errors;
  const firstError = first && { code: first.code, at: first.at, message: first.message };
  return {
    key,
    folder: key,
    source,
    name,
    status,
    ...(failure && { failure }),
    ...(status === 'invalid' && firstError && { firstError }),
    stats,
    errors: errors.length,
    warnings: diagnostics.filter(({ severity }) => severity === 'warning').length,
    // Sorted, so that the row is the same for any order of questions.
    questions: Object.fromEntries([...kinds].sort(([one], [other]) => (one < other ? -1 : 1))),
    assessment,
  };
}

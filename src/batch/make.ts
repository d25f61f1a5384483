/**
 * Turns the bytes of a workflow into the texts of its files and its row.
 *
 * A bug in squadc fails only this workflow. Only the squad contains secrets.
 */
import { type BoundResult, compileBound } from '../adapters/tools/compile-bound.js';
import { emptyResult } from '../compiler/ir/result.js';
import { redact } from '../compiler/ir/secrets.js';
import { diagnose } from '../diagnostics/diagnose.js';
import { compile, type Diagnostic, type Json, readWorkflow } from '../index.js';
import type { ResultFile, RowFacts, RunAnswer } from '../report/model.js';
import { questionsMarkdown } from '../report/questions-markdown.js';
import { placesIn, resultFileOf } from '../report/result-file.js';
import { findingsOf } from '../report/sarif.js';
import type { RunAnswers } from './answers.js';
import type { FileName, Files, Recorded } from './folder.js';
import type { Failure } from './items.js';
import { settleAnswers, subjectOf } from './settle.js';
import { reasonOf } from './values.js';

/** Everything that determines the files of a workflow. */
export interface CompileRequest {
  /** The version of squadc. */
  readonly squadc: string;
  /** The options without answers. */
  readonly options: Parameters<typeof compileBound>[2];
  readonly answers: RunAnswers;
  readonly acceptProposals: boolean;
}

/** Renders the page of a workflow. */
export type RenderPage = (result: ResultFile, squad: Json, files: readonly string[]) => string;

/** A workflow and its source. */
export interface ReadItem
  extends Pick<Recorded, 'run' | 'made'>,
    Pick<RowFacts, 'key' | 'source' | 'name' | 'line'> {
  readonly bytes: Uint8Array;
}

export interface MadeWorkflow extends Pick<Recorded, 'row' | 'findings'> {
  /** All files except `result.json`. */
  readonly files: Files;
  /** `result.json` without its first line. */
  readonly rest: string;
}

export function makeWorkflow(
  item: ReadItem,
  request: CompileRequest,
  renderPage: RenderPage | null,
): MadeWorkflow {
  const { key, source, name } = item;
  const text = decoded(item.bytes);
  const made = resultOf(item, text, request);
  const { workflow, dialect, applied, diagnostics, failure } = made;
  const { squadc, options, answers } = request;
  const file = resultFileOf({
    squadc,
    key,
    source,
    name,
    text: text ?? '',
    workflow: workflow as Json,
    dialect,
    options,
    answers: applied,
    policies: answers.policies,
    result: made,
    diagnostics,
    questions: made.questions.map((each) => ({ ...each, subject: subjectOf(each, workflow) })),
    ...(failure && { failure }),
  });
  const files = new Map<FileName, string>();
  if (made.status === 'complete') {
    files.set('squad.json', `${JSON.stringify(made.output, null, 2)}\n`);
  }
  if (file.questions.length > 0) {
    // Lines and columns have no meaning within a line of JSONL.
    const places = item.line === undefined ? file.questions.flatMap(({ at }) => at) : [];
    files.set('questions.md', questionsMarkdown(file, placesIn(text ?? '', places)));
  }
  if (renderPage !== null) {
    const squad = file.status === 'complete' ? redact(made.output as Json) : file.draft;
    files.set('report.html', renderPage(file, squad, [...files.keys(), 'result.json']));
  }
  const findings = findingsOf(file).map(({ line, ...rest }) =>
    item.line === undefined && line !== undefined ? { ...rest, line } : rest,
  );
  const members = Object.entries(file).map(
    ([name, value]) => `"${name}": ${JSON.stringify(value)}`,
  );
  return { row: rowOf(file, item.line), findings, files, rest: `${members.join(',\n')}\n}\n` };
}

/** The status of a workflow. */
interface Settled extends BoundResult {
  readonly workflow: unknown;
  readonly dialect: ResultFile['dialect'];
  readonly applied: Readonly<Record<string, RunAnswer>>;
  readonly failure?: Failure;
}

function resultOf(
  { key }: ReadItem,
  text: string | null,
  { options, answers, acceptProposals }: CompileRequest,
): Settled {
  const read = text === null ? null : readWorkflow(text);
  const { workflow = null, dialect = null } = read ?? {};
  const notUtf8 = { ...diagnose('batch/not-utf8', '', {}), line: 1, column: 1 };
  const diagnostics: Diagnostic[] = read === null ? [notUtf8] : [...read.diagnostics];
  const nothing = { ...emptyResult, workflow, dialect, applied: {}, diagnostics };
  if (diagnostics.some(({ severity }) => severity === 'error')) return nothing;
  try {
    const { policies, workflows } = answers;
    const { result, applied, ...settled } = settleAnswers(
      (given) => compileBound(compile, workflow, given),
      workflow,
      options,
      { answers: workflows.get(key), policies, acceptProposals },
    );
    diagnostics.push(...settled.diagnostics, ...result.diagnostics);
    return { ...result, workflow, dialect, applied, diagnostics };
  } catch (error) {
    const isRefuted = error instanceof Error && error.name === 'VerificationRefuted';
    const code = isRefuted ? 'batch/refuted' : 'batch/internal-error';
    return { ...nothing, failure: { code, message: reasonOf(error) } };
  }
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Made from the result file, which contains no secrets. */
function rowOf(file: ResultFile, line: number | undefined): RowFacts {
  const { key, source, name, status, failure, stats, diagnostics, assessment } = file;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const questions: Record<string, number> = {};
  // Sorted, so that the order of questions does not matter.
  for (const kind of file.questions.map((each) => each.kind).sort()) {
    questions[kind] = (questions[kind] ?? 0) + 1;
  }
  const [first] = errors;
  const firstError = first && { code: first.code, at: first.at, message: first.message };
  return {
    ...(line !== undefined && { line }),
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
    questions,
    assessment,
  };
}

/**
 * Turns the bytes of a workflow into the texts of its files and its row.
 *
 * A bug in squadc fails only this workflow. Only the squad contains secrets.
 */
import { emptyResult } from '../compiler/ir/result.js';
import { redact } from '../compiler/ir/secrets.js';
import { diagnose } from '../diagnostics/diagnose.js';
import { groupBy } from '../graph/lists.js';
import { compile, type Json, readWorkflow } from '../index.js';
import { reasonOf } from '../io/files.js';
import type { ResultFile, RowFacts } from '../report/model.js';
import type { renderPage } from '../report/page/page.js';
import { questionsMarkdown } from '../report/questions-markdown.js';
import { type Compiled, placesIn, resultFileOf } from '../report/result-file.js';
import { findingsOf } from '../report/sarif.js';
import { type BoundResult, compileBound } from '../serve/compile-bound.js';
import type { RunAnswers } from './answers.js';
import type { FileName, Files, Recorded } from './folder.js';
import { decoded } from './items.js';
import { settleAnswers, subjectOf } from './settle.js';

/** Everything that determines the files of a workflow. */
export interface CompileRequest {
  /** The version of squadc. */
  readonly squadc: string;
  /** The options without answers. */
  readonly options: Parameters<typeof compileBound>[2];
  readonly answers: RunAnswers;
  readonly acceptProposals: boolean;
}

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
  render: typeof renderPage | null,
): MadeWorkflow {
  const { key, source, name, line } = item;
  const { squadc, options, answers } = request;
  const text = decoded(item.bytes);
  const compiled = compileText(text, key, request);
  const { result, workflow } = compiled;
  const file = resultFileOf({
    ...{ squadc, key, source, name, options, ...compiled },
    text: text ?? '',
    policies: answers.policies,
    questions: result.questions.map((each) => ({ ...each, subject: subjectOf(each, workflow) })),
  });
  const shown = redact({ workflow, squad: (result.output as Json) ?? file.draft });
  const files = new Map<FileName, string>();
  if (file.status === 'complete') {
    files.set('squad.json', `${JSON.stringify(result.output, null, 2)}\n`);
  }
  if (file.questions.length > 0) {
    // Lines and columns have no meaning within a line of JSONL.
    const asked = line === undefined ? file.questions.flatMap(({ at }) => at) : [];
    const places = placesIn(text ?? '', asked);
    files.set('questions.md', questionsMarkdown({ ...file, ...shown }, places));
  }
  if (render !== null) {
    files.set('report.html', render(file, shown.squad, [...files.keys(), 'result.json']));
  }
  const members = Object.entries(file).map(([name, part]) => `"${name}": ${JSON.stringify(part)}`);
  const rest = `${members.join(',\n')}\n}\n`;
  return { row: rowOf(file, line), findings: findingsOf(file), files, rest };
}

type CompiledText = Pick<
  Compiled,
  'workflow' | 'dialect' | 'answers' | 'diagnostics' | 'failure'
> & { readonly result: BoundResult };

/** `text` is null if it is not UTF-8. */
function compileText(
  text: string | null,
  key: string,
  { options, answers: { policies, workflows }, acceptProposals }: CompileRequest,
): CompiledText {
  const notUtf8 = { ...diagnose('batch/not-utf8', '', {}), line: 1, column: 1 };
  const read =
    text === null ? { workflow: null, dialect: null, diagnostics: [notUtf8] } : readWorkflow(text);
  const workflow = read.workflow as Json;
  const { dialect, diagnostics } = read;
  const nothing = { workflow, dialect, answers: {}, diagnostics, result: emptyResult };
  if (diagnostics.some(({ severity }) => severity === 'error')) return nothing;
  try {
    const settled = settleAnswers(
      (given) => compileBound(compile, workflow, given),
      workflow,
      options,
      { answers: workflows.get(key), policies, acceptProposals },
    );
    const { result, applied: answers } = settled;
    const all = [...diagnostics, ...settled.diagnostics, ...result.diagnostics];
    return { workflow, dialect, answers, diagnostics: all, result };
  } catch (error) {
    const isRefuted = error instanceof Error && error.name === 'VerificationRefuted';
    const code = isRefuted ? 'batch/refuted' : 'batch/internal-error';
    return { ...nothing, failure: { code, message: reasonOf(error) } };
  }
}

/** Made from the result file, which contains no secrets. */
function rowOf(file: ResultFile, line: number | undefined): RowFacts {
  const { key, source, name, status, failure, stats, diagnostics, assessment } = file;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  // Sorted, so that the order of questions does not matter.
  const kinds = groupBy(file.questions.map((each) => each.kind).sort(), (kind) => kind);
  const questions = Object.fromEntries(Array.from(kinds, ([kind, all]) => [kind, all.length]));
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

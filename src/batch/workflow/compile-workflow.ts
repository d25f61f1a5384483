/** From one workflow that was read to the texts of its files and its row. */

import { type BoundResult, compileBound } from '../../adapters/tools/compile-bound.js';
import { emptyResult } from '../../compiler/ir/result.js';
import { compile, type Diagnostic, locateAll } from '../../index.js';
import type { ResultFile } from '../../report/model.js';
import { questionsMarkdown } from '../../report/questions-markdown.js';
import { type RowFacts, rowText } from '../../report/row-text.js';
import { findingsOf, type SarifFinding } from '../../report/sarif-findings.js';
import { settleAnswers } from '../answers/settle-answers.js';
import { messageOf } from '../faults.js';
import type { RunRequest, Verdict } from '../setup.js';
import type { MadeWorkflow } from './made-workflow.js';
import type { ReadItem } from './read-item.js';
import { type Outcome, resultFileOf, resultPieces } from './result-file.js';
import { folderOf } from './workflow-key.js';

/** Compiles what was read. A bug of squadc's own fails this workflow and no other. */
export function makeWorkflow(item: ReadItem, request: RunRequest, spread: boolean): MadeWorkflow {
  const outcome = outcomeOf(item, request);
  const file = resultFileOf(outcome, request);
  const { status, failure, stats, assessment } = file;
  const files = new Map([['result.json', resultPieces(file)]]);
  const { output } = outcome.result;
  if (status === 'complete') files.set('squad.json', [JSON.stringify(output, null, 2), '\n']);
  if (file.questions.length > 0) files.set('questions.md', [questionsText(file, item)]);
  const { key, source, name } = item;
  const folder = folderOf(key, spread);
  const row = rowText({
    ...{ key, folder, source, name, status },
    ...(failure && { failure }),
    ...(status === 'invalid' && firstErrorOf(file)),
    stats,
    errors: count(file.diagnostics, 'error'),
    warnings: count(file.diagnostics, 'warning'),
    questions: kindsOf(file.questions),
    assessment,
  });
  const findings = findingsOf(file).map((each) => (item.isLine ? withoutLine(each) : each));
  const facts = { key, folder, source, name, status, ...(failure && { failure }) };
  return { ...facts, row, findings, files };
}

/** In the words of the file, which holds no secrets. */
function firstErrorOf({ diagnostics }: ResultFile): Pick<RowFacts, 'firstError'> {
  const found = diagnostics.find(({ severity }) => severity === 'error');
  if (found === undefined) return {};
  const { code, at, message } = found;
  return { firstError: { code, at, message } };
}

/** The line is the workflow's, which is known when all lines before it are counted. */
function withoutLine({ line: _, ...finding }: SarifFinding): SarifFinding {
  return finding;
}

/** In a line of JSONL, lines and columns of the text would mean nothing. */
function questionsText(file: ResultFile, { text, isLine }: ReadItem): string {
  if (isLine) return questionsMarkdown(file);
  return questionsMarkdown(file, locateAll(text, new Set(file.questions.flatMap(({ at }) => at))));
}

function outcomeOf(item: ReadItem, request: RunRequest): Outcome {
  const { key, source, name, text, read, faults } = item;
  const workflow = read?.workflow ?? null;
  const found = [...faults, ...(read?.diagnostics ?? [])];
  const dialect = read?.dialect ?? null;
  const common = { key, source, name, text, dialect, workflow };
  if (found.some(({ severity }) => severity === 'error')) {
    return { ...common, result: emptyResult, applied: {}, diagnostics: found };
  }
  try {
    const { options, answers, acceptProposals } = request;
    const { policies, workflows } = answers;
    const sources = { answers: workflows.get(key), policies, acceptProposals };
    const settled = settleAnswers(
      (given) => compileBound(compile, workflow, given),
      workflow,
      options,
      sources,
    );
    const { result, applied } = settled;
    const diagnostics = [...found, ...settled.diagnostics, ...result.diagnostics];
    return { ...common, ...finished(result), applied, diagnostics };
  } catch (error) {
    return {
      ...common,
      result: emptyResult,
      applied: {},
      diagnostics: found,
      failure: bugOf(error),
    };
  }
}

/** Some of a result is built when it is first read: a bug there is one of this workflow too. */
function finished(result: BoundResult): { readonly result: BoundResult } {
  const { status, output, draft, questions, diagnostics, checklist, reads, sourceMap } = result;
  const { ledger, stats, toolBindings } = result;
  const parts = { status, output, draft, questions, diagnostics, checklist, reads };
  return { result: { ...parts, sourceMap, ledger, stats, ...(toolBindings && { toolBindings }) } };
}

function bugOf(error: unknown): Verdict {
  const isRefuted = error instanceof Error && error.name === 'VerificationRefuted';
  return { code: isRefuted ? 'batch/refuted' : 'batch/internal-error', message: messageOf(error) };
}

function count(diagnostics: readonly Diagnostic[], severity: Diagnostic['severity']): number {
  return diagnostics.filter((each) => each.severity === severity).length;
}

/** Sorted, so that the row is the same for any order of questions. */
function kindsOf(questions: readonly { readonly kind: string }[]): Record<string, number> {
  const kinds = new Map<string, number>();
  for (const { kind } of questions) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  return Object.fromEntries([...kinds].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Rows as the JSON texts that stand in `summary.json`.
 *
 * Who compiles a workflow knows everything of its row but its place in the input, so a row comes in
 * two steps: its text without the place, and the place put in front. Neither needs the other parsed.
 */
import type { FirstError, WorkflowRow } from './model.js';

/** A row that does not know its place yet. */
export type RowFacts = Omit<WorkflowRow, 'index' | 'line'>;

/** The members in the order in which every summary has them, wherever the object came from. */
export function rowText(facts: RowFacts): string {
  const { key, folder, source, name, status, failure, firstError, stats } = facts;
  const { nodes, edges, assistants, handoffs, extractions, tools, questions } = stats;
  const { level, size, minutes, automatic, manual } = facts.assessment;
  return JSON.stringify({
    key,
    folder,
    source,
    name,
    status,
    ...(failure && { failure: { code: failure.code, message: failure.message } }),
    ...(firstError && { firstError: firstErrorOf(firstError) }),
    stats: { nodes, edges, assistants, handoffs, extractions, tools, questions },
    errors: facts.errors,
    warnings: facts.warnings,
    questions: facts.questions,
    assessment: { level, size, minutes, automatic, manual },
  });
}

function firstErrorOf({ code, at, message }: FirstError): FirstError {
  return { code, at, message };
}

/** The text of a row with its place in front. */
export function placedRowText(text: string, index: number, line?: number): string {
  const place = line === undefined ? `{"index":${index},` : `{"index":${index},"line":${line},`;
  return place + text.slice(1);
}

/** The text of a row that is whole. */
export function wholeRowText(row: WorkflowRow): string {
  return placedRowText(rowText(row), row.index, row.line);
}

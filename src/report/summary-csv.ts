/**
 * `summary.csv`: a row a workflow, for spreadsheets (RFC 4180, lines end with CR LF, UTF-8).
 *
 * Texts come from anybody. They stand in quotes; characters that steer a terminal or break a line
 * are written as escapes, so that a workflow is always one line; and a text that a spreadsheet
 * would take for a formula gets an apostrophe in front.
 */
import { codes, explain } from '../diagnostics/explain.js';
import { escapeControls } from '../diagnostics/quote.js';
import type { WorkflowRow } from './model.js';
import { openIn } from './rows.js';

/** A column and what it holds. */
export interface CsvColumn {
  readonly name: string;
  readonly about: string;
  readonly cell: (row: WorkflowRow) => string | number | null;
}

const column = (name: string, about: string, cell: CsvColumn['cell']): CsvColumn => ({
  name,
  about,
  cell,
});

/** The columns in their order; a new one is added at the end of its part, or of the line. */
export const csvColumns: readonly CsvColumn[] = [
  column('index', 'position in the input, starting at 0', (row) => row.index),
  column('key', 'key of the workflow, and name of its folder', (row) => row.key),
  column('name', 'name of the workflow; empty where it has none', (row) => row.name),
  column('source', 'source file', (row) => row.source),
  column('line', 'line of a JSONL file, starting at 1', (row) => row.line ?? null),
  column('folder', 'folder of its files, relative to the output folder', (row) => row.folder),
  column('status', 'complete, needs-answers, invalid or failed', (row) => row.status),
  column('failure', 'code of what went wrong, where it failed', (row) => row.failure?.code ?? null),
  column('failure_message', 'what went wrong', (row) => row.failure?.message ?? null),
  column('level', 'A automatic, B answers needed, C work needed', (row) => row.assessment.level),
  column('size', '1 to 5, by nodes and edges', (row) => row.assessment.size),
  column('minutes', 'estimated minutes of manual work', (row) => row.assessment.minutes),
  column('automatic', 'nodes, edges and variables converted automatically', (row) => {
    return row.assessment.automatic;
  }),
  column('manual', 'those that need an answer or work', (row) => row.assessment.manual),
  column('errors', 'errors found', (row) => row.errors),
  column('warnings', 'warnings found', (row) => row.warnings),
  column('nodes', 'nodes of the workflow', (row) => row.stats.nodes),
  column('edges', 'edges of the workflow', (row) => row.stats.edges),
  column('assistants', 'assistants of the squad', (row) => row.stats.assistants),
  column('handoffs', 'destinations of handoff tools', (row) => row.stats.handoffs),
  column('extractions', 'properties of extraction plans', (row) => row.stats.extractions),
  column('tools', 'tools of the squad', (row) => row.stats.tools),
  column('questions', 'open questions', openIn),
  ...questionKinds().map((kind) =>
    column(`questions_${kind}`, `open questions of the kind ${kind}`, ({ questions }) =>
      Object.hasOwn(questions, kind) ? (questions[kind] ?? 0) : 0,
    ),
  ),
  column('first_error', 'first error of an invalid workflow: code, place, text', (row) => {
    if (row.firstError === undefined) return null;
    const { code, at, message } = row.firstError;
    return `${at === '' ? code : `${code} ${at}`}: ${message}`;
  }),
];

function questionKinds(): string[] {
  return codes().filter((code) => explain(code)?.kind === 'question');
}

export function renderSummaryCsv(rows: readonly WorkflowRow[]): string {
  const head = csvColumns.map(({ name }) => name).join(',');
  const lines = rows.map((row) => csvColumns.map(({ cell }) => csvCell(cell(row))).join(','));
  return [head, ...lines].map((line) => `${line}\r\n`).join('');
}

/** What spreadsheets read as the beginning of a formula, the wide forms of these signs too. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/u;

/** Most texts: nothing in them has to be changed. */
const plain = /^[ !#-*,./0-<>?A-~][ !#-~]*$/;

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (plain.test(value)) return `"${value}"`;
  const guarded = formula.test(value) ? `'${value}` : value;
  return `"${escapeControls(guarded).replaceAll('"', '""')}"`;
}

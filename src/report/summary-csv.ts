/**
 * `summary.csv`: one row for each workflow, for spreadsheets (RFC 4180, CR LF, UTF-8).
 *
 * Texts may come from anybody. They are quoted, control characters and line breaks are written as
 * escapes, and a text that a spreadsheet would take for a formula gets an apostrophe in front.
 */
import { questionKinds } from '../diagnostics/answers.js';
import { escapeControls } from '../text/escape.js';
import type { WorkflowRow } from './model.js';
import { openIn } from './rows.js';

type Column = readonly [name: string, cell: (row: WorkflowRow) => string | number | null];

/** Add new columns at the end. */
const columns: readonly Column[] = [
  ['index', (row) => row.index],
  ['key', (row) => row.key],
  ['name', (row) => row.name],
  ['source', (row) => row.source],
  ['line', (row) => row.line ?? null],
  ['folder', (row) => row.folder],
  ['status', (row) => row.status],
  ['failure', (row) => row.failure?.code ?? null],
  ['failure_message', (row) => row.failure?.message ?? null],
  ['level', (row) => row.assessment.level],
  ['size', (row) => row.assessment.size],
  ['minutes', (row) => row.assessment.minutes],
  ['automatic', (row) => row.assessment.automatic],
  ['manual', (row) => row.assessment.manual],
  ['errors', (row) => row.errors],
  ['warnings', (row) => row.warnings],
  ['nodes', (row) => row.stats.nodes],
  ['edges', (row) => row.stats.edges],
  ['assistants', (row) => row.stats.assistants],
  ['handoffs', (row) => row.stats.handoffs],
  ['extractions', (row) => row.stats.extractions],
  ['tools', (row) => row.stats.tools],
  ['questions', openIn],
  ...[...questionKinds()]
    .sort()
    .map((kind): Column => [`questions_${kind}`, (row) => row.questions[kind] ?? 0]),
  ['first_error', firstError],
];

function firstError({ firstError: error }: WorkflowRow): string | null {
  if (error === undefined) return null;
  const { code, at, message } = error;
  return `${at === '' ? code : `${code} ${at}`}: ${message}`;
}

export function renderSummaryCsv(rows: readonly WorkflowRow[]): string {
  const head = columns.map(([name]) => name).join(',');
  const lines = rows.map((row) => columns.map(([, cell]) => csvCell(cell(row))).join(','));
  return [head, ...lines].map((line) => `${line}\r\n`).join('');
}

/** The beginning of a formula, in its wide form too. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/u;

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const guarded = formula.test(value) ? `'${value}` : value;
  return `"${escapeControls(guarded).replaceAll('"', '""')}"`;
}

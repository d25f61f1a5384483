/**
 * `summary.md`: the totals of a run and what needs a person first, to be read where Markdown is
 * shown. At most 500 workflows are listed; it says so, and `summary.csv` has all.
 */
import { explain } from '../diagnostics/explain.js';
import { markdownTable, markdownText } from './markdown-text.js';
import type { Totals, WorkflowRow } from './model.js';
import { byNeed, needsPerson, openIn } from './rows.js';
import { counted, duration } from './words.js';

/** How many workflows are listed at most. */
export const mostListed = 500;

export function renderSummaryMarkdown(
  squadc: string,
  totals: Totals,
  rows: readonly WorkflowRow[],
): string {
  return [
    `# Summary of the migration\n\n${sentence(squadc, totals)}\n`,
    '\n## Workflows\n\n',
    ...statusTable(totals),
    '\n## Work\n\n',
    ...levelTable(totals),
    ...questionSection(totals),
    '\n## What needs attention\n\n',
    ...neededSection(rows.filter(needsPerson).sort(byNeed)),
  ].join('');
}

function sentence(squadc: string, totals: Totals): string {
  const { workflows, nodes, assistants, minutes } = totals;
  return (
    `${counted(workflows, 'workflow')} with ${counted(nodes, 'node')}; ` +
    `${counted(assistants, 'assistant')}; about ${duration(minutes)} of manual work. ` +
    `Made by ${markdownText(`squadc ${squadc}`)}.`
  );
}

function statusTable({ byStatus, errors, warnings }: Totals): string[] {
  const rows = [
    ['complete', byStatus.complete, 'complete'],
    ['needs-answers', byStatus['needs-answers'], 'questions are open'],
    ['invalid', byStatus.invalid, 'the workflow has errors'],
    ['failed', byStatus.failed, 'reading or writing went wrong'],
  ] as const;
  return [
    ...markdownTable(
      ['Status', 'Meaning', 'Workflows'],
      rows.map(([status, number, meaning]) => [status, meaning, number]),
      2,
    ),
    `\n${counted(errors, 'error')}, ${counted(warnings, 'warning')}.\n`,
  ];
}

function levelTable({ byLevel }: Totals): string[] {
  return markdownTable(
    ['Level', 'Meaning', 'Workflows'],
    [
      ['A', 'automatic; only review and test', byLevel.A],
      ['B', 'answers are needed', byLevel.B],
      ['C', 'the workflow or something around it needs work', byLevel.C],
    ],
    2,
  );
}

function questionSection({ questions }: Totals): string[] {
  const kinds = Object.entries(questions);
  if (kinds.length === 0) return [];
  const rows = kinds.map(([kind, open]) => [
    markdownText(kind),
    markdownText(explain(kind)?.title ?? ''),
    open,
  ]);
  return ['\n## Open questions\n\n', ...markdownTable(['Kind', 'Meaning', 'Open'], rows, 2)];
}

function neededSection(rows: readonly WorkflowRow[]): string[] {
  if (rows.length === 0) return ['Nothing.\n'];
  const listed = rows.slice(0, mostListed);
  const head = ['Workflow', 'Key', 'Source', 'Status', 'Level', 'Min', 'Err', 'Warn', 'Open'];
  const table = markdownTable(head, listed.map(cellsOf), 5);
  if (listed.length === rows.length) return table;
  return [
    ...table,
    `\nThese are the first ${listed.length} of ${rows.length}; summary.csv has all.\n`,
  ];
}

function cellsOf(row: WorkflowRow): (string | number)[] {
  const { name, key, source, line, assessment, errors, warnings } = row;
  const place = line === undefined ? source : `${source}:${line}`;
  return [
    markdownText(name ?? '(no name)'),
    markdownText(key),
    markdownText(place),
    statusCell(row),
    `${assessment.level}${assessment.size}`,
    assessment.minutes,
    errors,
    warnings,
    openIn(row),
  ];
}

/** The status, and why: what went wrong, or what is wrong first and how much more there is. */
function statusCell({ status, failure, firstError, errors }: WorkflowRow): string {
  if (failure !== undefined) return `${status}: ${markdownText(failure.message)}`;
  if (firstError === undefined) return status;
  const { at, message } = firstError;
  const place = at === '' ? '' : ` (${markdownText(at)})`;
  const more = errors > 1 ? ` – and ${counted(errors - 1, 'more error')}` : '';
  return `${status}: ${markdownText(message)}${place}${more}`;
}

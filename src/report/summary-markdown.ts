/** `summary.md`: the totals of a run, and the workflows that need somebody, the most urgent first. */
import { explain } from '../diagnostics/explain.js';
import { counted } from '../text/counted.js';
import { markdownText } from '../text/escape.js';
import { duration } from './assess.js';
import type { Totals, WorkflowRow } from './model.js';
import { byNeed, needsPerson, openIn } from './rows.js';

/** `summary.csv` has all. */
const mostListed = 500;

export function renderSummaryMarkdown(
  squadc: string,
  totals: Totals,
  rows: readonly WorkflowRow[],
): string {
  const { byStatus, byLevel, questions, errors, warnings } = totals;
  const kinds = Object.entries(questions).map(([kind, open]) => {
    return [markdownText(kind), markdownText(explain(kind)?.title ?? ''), open];
  });
  return [
    `# Summary of the migration\n\n${sentence(squadc, totals)}\n`,
    '\n## Workflows\n\n',
    ...markdownTable(
      ['Status', 'Meaning', 'Workflows'],
      [
        ['complete', 'complete', byStatus.complete],
        ['needs-answers', 'questions are open', byStatus['needs-answers']],
        ['invalid', 'the workflow has errors', byStatus.invalid],
        ['failed', 'a file could not be read or written', byStatus.failed],
      ],
      2,
    ),
    `\n${counted(errors, 'error')}, ${counted(warnings, 'warning')}.\n`,
    '\n## Work\n\n',
    ...markdownTable(
      ['Level', 'Meaning', 'Workflows'],
      [
        ['A', 'automatic; only review and test', byLevel.A],
        ['B', 'answers are needed', byLevel.B],
        ['C', 'the workflow or something around it needs work', byLevel.C],
      ],
      2,
    ),
    ...(kinds.length === 0
      ? []
      : ['\n## Open questions\n\n', ...markdownTable(['Kind', 'Meaning', 'Open'], kinds, 2)]),
    '\n## What needs attention\n\n',
    ...neededRows(rows.filter(needsPerson).sort(byNeed)),
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

function neededRows(rows: readonly WorkflowRow[]): string[] {
  if (rows.length === 0) return ['Nothing.\n'];
  const listed = rows.slice(0, mostListed);
  const head = ['Workflow', 'Key', 'Source', 'Status', 'Level', 'Min', 'Err', 'Warn', 'Open'];
  const table = markdownTable(head, listed.map(cellsOf), 5);
  const isCut = listed.length < rows.length;
  const note = `\nThese are the first ${listed.length} of ${rows.length}; summary.csv has all.\n`;
  return isCut ? [...table, note] : table;
}

function cellsOf(row: WorkflowRow): (string | number)[] {
  const { name, key, source, line, assessment, errors, warnings } = row;
  return [
    markdownText(name ?? '(no name)'),
    markdownText(key),
    markdownText(line === undefined ? source : `${source}:${line}`),
    statusCell(row),
    `${assessment.level}${assessment.size}`,
    assessment.minutes,
    errors,
    warnings,
    openIn(row),
  ];
}

/** The status with the failure, or with the first error and the number of others. */
function statusCell({ status, failure, firstError, errors }: WorkflowRow): string {
  if (failure !== undefined) return `${status}: ${markdownText(failure.message)}`;
  if (firstError === undefined) return status;
  const { at, message } = firstError;
  const place = at === '' ? '' : ` (${markdownText(at)})`;
  const more = errors > 1 ? ` – and ${counted(errors - 1, 'more error')}` : '';
  return `${status}: ${markdownText(message)}${place}${more}`;
}

/** The lines of a table; columns from `numbersFrom` on are aligned to the right. */
export function markdownTable(
  head: readonly string[],
  rows: Iterable<readonly (string | number)[]>,
  numbersFrom = head.length,
): string[] {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |\n`;
  const rule = head.map((_, column) => (column < numbersFrom ? '---' : '---:'));
  return [line(head), line(rule), ...Array.from(rows, line)];
}

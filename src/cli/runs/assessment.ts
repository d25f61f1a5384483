/** What `squadc assess` prints for people: the totals, and a line a workflow. */
import type { FinishedRun } from '../../batch/run.js';
import { escapeControls } from '../../diagnostics/quote.js';
import { byWork, selectFirst } from '../../report/first-rows.js';
import type { Totals, WorkflowRow } from '../../report/model.js';
import { duration } from '../../report/words.js';
import type { Io } from '../io.js';
import { columnsOf, count, cutMiddle, hanging, type Style, styleFor } from '../output/terminal.js';

/** How many workflows are listed unless all are asked for. */
const mostListed = 200;

/** `rows` are the texts of all workflows. */
export function reportAssessment(
  { totals, rows }: Pick<FinishedRun, 'totals' | 'rows'>,
  isWhole: boolean,
  io: Io,
): void {
  const style = styleFor(io.stdout, io.env);
  const columns = columnsOf(io.stdout);
  const selection = selectFirst(isWhole ? Number.POSITIVE_INFINITY : mostListed, byWork);
  for (const row of rows) selection.add(JSON.parse(row));
  const listed = selection.rows();
  const left = totals.workflows - listed.length;
  const lines = [
    ...totalLines(totals, columns, style),
    ...(listed.length === 0 ? [] : ['', ...tableLines(listed, columns, style)]),
    ...(left > 0 ? [`… and ${left} more with less work (--verbose lists all)`] : []),
  ];
  io.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

function totalLines(totals: Totals, columns: number, style: Style): string[] {
  const { workflows, byLevel, byStatus, questions, nodes, assistants, minutes } = totals;
  const broken = (['invalid', 'failed'] as const)
    .filter((status) => byStatus[status] > 0)
    .map((status) => `${byStatus[status]} ${status}`);
  const kinds = Object.entries(questions).map(([kind, open]) => `${open} ${kind}`);
  const facts = [
    `${count(nodes, 'node')} → ${count(assistants, 'assistant')}`,
    `A ${byLevel.A} automatic, B ${byLevel.B} answers needed, C ${byLevel.C} work needed`,
    ...(broken.length > 0 ? [broken.join(', ')] : []),
    ...(kinds.length > 0 ? [`open questions: ${kinds.join(', ')}`] : []),
    `about ${duration(minutes)} of work for a person`,
  ];
  return [
    style.bold(count(workflows, 'workflow')),
    ...facts.flatMap((fact) => hanging('  ', fact, columns)),
  ];
}

interface Column {
  readonly head: string;
  readonly cell: (row: WorkflowRow) => string;
}

/** The numbers, each as wide as its widest; the name has the room that they leave. */
const numbers: readonly Column[] = [
  { head: 'level', cell: ({ assessment }) => `${assessment.level}${assessment.size}` },
  { head: 'min', cell: ({ assessment }) => String(assessment.minutes) },
  { head: 'nodes', cell: ({ stats }) => String(stats.nodes) },
  { head: 'assistants', cell: ({ stats }) => String(stats.assistants) },
  { head: 'open', cell: ({ questions }) => String(sum(Object.values(questions))) },
  { head: 'err', cell: ({ errors }) => String(errors) },
  { head: 'warn', cell: ({ warnings }) => String(warnings) },
];

/** Below this a name says nothing, and the lines may be wider than the terminal. */
const leastName = 10;

function tableLines(rows: readonly WorkflowRow[], columns: number, style: Style): string[] {
  const widths = numbers.map(({ head, cell }) =>
    rows.reduce((width, row) => Math.max(width, cell(row).length), head.length),
  );
  const before = (cells: readonly string[]) =>
    cells.map((cell, index) => `${cell.padStart(widths[index] ?? 0)}  `).join('');
  const heads = before(numbers.map(({ head }) => head));
  const room = Math.max(leastName, columns - heads.length);
  return [
    style.dim(`${heads}workflow`),
    ...rows.map((row) => {
      const name = cutMiddle(nameOf(row), room);
      return `${before(numbers.map(({ cell }) => cell(row)))}${painted(row, name, style)}`;
    }),
  ];
}

/** A workflow without a name is known by where it stands. */
function nameOf({ name, source, line }: WorkflowRow): string {
  const place = line === undefined ? source : `${source}:${line}`;
  return escapeControls(name === null || name.trim() === '' ? place : name);
}

function painted({ assessment }: WorkflowRow, text: string, style: Style): string {
  if (assessment.level === 'C') return style.red(text);
  return assessment.level === 'B' ? style.yellow(text) : text;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, each) => total + each, 0);
}

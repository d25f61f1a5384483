/** What the rows of a run come to together. */
import type { Assessment, Totals, WorkflowRow, WorkflowStatus } from './model.js';

/** In one pass, so that rows need not be held. */
export function totalsOf(rows: Iterable<WorkflowRow>): Totals {
  const counting = createTotals();
  for (const row of rows) counting.add(row);
  return counting.totals();
}

/** Counts rows as they come. */
export interface CountsRows {
  add(row: WorkflowRow): void;
  totals(): Totals;
}

export function createTotals(): CountsRows {
  const byStatus: Record<WorkflowStatus, number> = {
    complete: 0,
    'needs-answers': 0,
    invalid: 0,
    failed: 0,
  };
  const byLevel: Record<Assessment['level'], number> = { A: 0, B: 0, C: 0 };
  const questions = new Map<string, number>();
  const sums = { workflows: 0, nodes: 0, assistants: 0, minutes: 0, errors: 0, warnings: 0 };
  return {
    add(row) {
      byStatus[row.status] += 1;
      byLevel[row.assessment.level] += 1;
      for (const [kind, amount] of Object.entries(row.questions)) {
        questions.set(kind, (questions.get(kind) ?? 0) + amount);
      }
      sums.workflows += 1;
      sums.nodes += row.stats.nodes;
      sums.assistants += row.stats.assistants;
      sums.minutes += row.assessment.minutes;
      sums.errors += row.errors;
      sums.warnings += row.warnings;
    },
    totals() {
      const { workflows, ...others } = sums;
      return {
        workflows,
        byStatus: { ...byStatus },
        byLevel: { ...byLevel },
        questions: sortedCounts(questions),
        ...others,
      };
    },
  };
}

/** In an order that no order of the input changes. */
function sortedCounts(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

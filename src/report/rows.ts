/** The rows of a run: their totals, and which of them need somebody first. */
import type { Totals, WorkflowRow } from './model.js';

export function totalsOf(rows: readonly WorkflowRow[]): Totals {
  const byStatus = { complete: 0, 'needs-answers': 0, invalid: 0, failed: 0 };
  const byLevel = { A: 0, B: 0, C: 0 };
  const questions = new Map<string, number>();
  const sums = { nodes: 0, assistants: 0, minutes: 0, errors: 0, warnings: 0 };
  for (const row of rows) {
    byStatus[row.status] += 1;
    byLevel[row.assessment.level] += 1;
    for (const [kind, amount] of Object.entries(row.questions)) {
      questions.set(kind, (questions.get(kind) ?? 0) + amount);
    }
    sums.nodes += row.stats.nodes;
    sums.assistants += row.stats.assistants;
    sums.minutes += row.assessment.minutes;
    sums.errors += row.errors;
    sums.warnings += row.warnings;
  }
  // Sorted: the order of the input makes no difference.
  const kinds = [...questions].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    workflows: rows.length,
    byStatus,
    byLevel,
    questions: Object.fromEntries(kinds),
    ...sums,
  };
}

const urgency = ['failed', 'invalid', 'needs-answers', 'complete'] as const;

/** Failed, invalid, open, complete; of each, the most work first. */
export function byNeed(a: WorkflowRow, b: WorkflowRow): number {
  return urgency.indexOf(a.status) - urgency.indexOf(b.status) || byWork(a, b);
}

/** The most work first, then the order of the input. */
export function byWork(a: WorkflowRow, b: WorkflowRow): number {
  return b.assessment.minutes - a.assessment.minutes || a.index - b.index;
}

/** Whether somebody has to do something. */
export function needsPerson({ status, assessment }: WorkflowRow): boolean {
  return status !== 'complete' || assessment.level !== 'A';
}

/** The number of open questions. */
export function openIn({ questions }: WorkflowRow): number {
  return Object.values(questions).reduce((sum, each) => sum + each, 0);
}

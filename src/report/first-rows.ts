/** Which workflows of a run need a person first, without holding all of them. */
import type { WorkflowRow } from './model.js';

/** Keeps the first rows by an order, however many come. */
export interface Selection {
  add(row: WorkflowRow): void;
  /** In order. */
  rows(): readonly WorkflowRow[];
  /** How many came. */
  seen(): number;
}

type Order = (a: WorkflowRow, b: WorkflowRow) => number;

/** Cutting only when twice as many are held makes a row cost what sorting it costs, and no more. */
export function selectFirst(limit: number, order: Order): Selection {
  let held: WorkflowRow[] = [];
  let seen = 0;
  const cut = () => {
    held = held.sort(order).slice(0, limit);
    return held;
  };
  return {
    add(row) {
      seen += 1;
      held.push(row);
      if (held.length >= 2 * limit) cut();
    },
    rows: cut,
    seen: () => seen,
  };
}

const urgency: Readonly<Record<WorkflowRow['status'], number>> = {
  failed: 0,
  invalid: 1,
  'needs-answers': 2,
  complete: 3,
};

/** What could not be done before what waits for answers; within, the most work first. */
export function byNeed(a: WorkflowRow, b: WorkflowRow): number {
  const status = urgency[a.status] - urgency[b.status];
  return status || byWork(a, b);
}

/** The most work first; rows with as much of it as they came. */
export function byWork(a: WorkflowRow, b: WorkflowRow): number {
  return b.assessment.minutes - a.assessment.minutes || a.index - b.index;
}

/** Whether somebody has to do something. */
export function needsPerson({ status, assessment }: WorkflowRow): boolean {
  return status !== 'complete' || assessment.level !== 'A';
}

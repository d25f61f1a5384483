/** The summary of a bill list: how many bills of each category, and what they come to. */
import { type BillRecord, statuses } from './record.js';

/** Categories in the order of their totals; a bill can belong to more than one. */
const categories: readonly (readonly [name: string, statuses: readonly number[]])[] = [
  ['2approval', [statuses.sentToApproval, statuses.partlyApproved]],
  ['active', [statuses.active]],
  ['approved', [statuses.approved]],
  ['cancel', [statuses.cancelled]],
  ['disapproved', [statuses.disapproved]],
  ['intransit', [statuses.inTransit]],
  ['paid', [statuses.paid]],
  ['sent2approval', [statuses.sentToApproval]],
];

const settled: ReadonlySet<number> = new Set([
  ...[statuses.cancelled, statuses.paid, statuses.inTransit],
]);

export function summaryOf(bills: readonly BillRecord[], pageSize: number, now: number): object {
  const today = new Date(now).toISOString().slice(0, 10);
  const overdue = bills.filter(
    ({ DueDate, Status }) => DueDate !== null && DueDate < today && !settled.has(Status),
  );
  const groups: (readonly [string, readonly BillRecord[]])[] = categories.map(([name, wanted]) => [
    name,
    bills.filter(({ Status }) => wanted.includes(Status)),
  ]);
  groups.push(['overdue', overdue]);
  return {
    pageidentifier: null,
    pageSize,
    totalPages: pageSize > 0 ? Math.ceil(bills.length / pageSize) : 0,
    totalRecords: bills.length,
    totalAmount: amountOf(bills),
    ...Object.fromEntries(groups.map(([name, each]) => [`total${name}`, each.length])),
    ...Object.fromEntries(groups.map(([name, each]) => [`totalamount${name}`, amountOf(each)])),
  };
}

/** Added in cents, so that sums are what a ledger says. */
function amountOf(bills: readonly BillRecord[]): number {
  return bills.reduce((sum, { TotalAmount }) => sum + Math.round(TotalAmount * 100), 0) / 100;
}

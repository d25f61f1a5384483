/**
 * Approval of bills.
 *
 * Each time a bill is sent to approval, approvers are added, and all of them are asked (again). Their
 * decisions make the status. Who decides without saying as whom decides for all of them.
 */
import { Refused } from '../answer.js';
import { type Approval, type BillRecord, statuses } from './record.js';

export function createApprovals() {
  const ids = new Map<string, number>();
  const approver = (email: string): Approval => {
    const id = ids.get(email) ?? ids.size + 1;
    ids.set(email, id);
    return { Id: id, email, approved: 0, approvedTime: null };
  };
  /** Approvers by name, those who are there with what they have decided. */
  const named = ({ billApprovals }: BillRecord, users: readonly string[]): Approval[] =>
    [...new Set(users)].map(
      (user) => billApprovals?.find(({ email }) => email === user) ?? approver(user),
    );
  return {
    /** Makes these the approvers; the same ones twice change nothing. */
    set(record: BillRecord, users: readonly string[]): void {
      record.billApprovals = named(record, users);
      if (inApproval.has(record.Status)) record.Status = statusOf(record.billApprovals);
    },

    ask(record: BillRecord, users: readonly string[]): void {
      const before = (record.billApprovals ?? []).map(({ email }) => email);
      record.billApprovals = [...new Set([...before, ...users])].map(approver);
      record.Status = statuses.sentToApproval;
    },

    decide(record: BillRecord, approved: boolean, email: string | undefined, at: string): void {
      const deciding = (record.billApprovals ?? []).filter(
        (each) => email === undefined || each.email === email,
      );
      if (deciding.length === 0) {
        throw new Refused(400, 'The bill was not sent to this approver', 'Send it to approval.');
      }
      for (const each of deciding) {
        each.approved = approved ? 1 : -1;
        each.approvedTime = at;
      }
      record.Status = statusOf(record.billApprovals ?? []);
    },
  };
}

/** Statuses that the decisions of approvers make. */
const inApproval: ReadonlySet<number> = new Set([
  statuses.sentToApproval,
  statuses.partlyApproved,
  statuses.approved,
  statuses.disapproved,
]);

function statusOf(approvals: readonly Approval[]): number {
  if (approvals.some(({ approved }) => approved < 0)) return statuses.disapproved;
  const decided = approvals.filter(({ approved }) => approved > 0).length;
  if (decided === 0) return statuses.sentToApproval;
  return decided === approvals.length ? statuses.approved : statuses.partlyApproved;
}

/**
 * Fields by which bills are filtered and sorted, and how they are read from a bill.
 *
 * The table of the specification, then fields of the record itself, by which the service filters
 * too. What the specification does not say is settled here: `method` is the method of payment,
 * `event` the texts of the bill's events, `target` their references, `scheduleId` the id of a bill
 * that is scheduled.
 */
import type { BillRecord } from './record.js';

export type FieldValue = string | number | null;

export interface BillField {
  readonly operators: readonly string[];
  /** Whether lists of an organization know it. */
  readonly byOrg: boolean;
  readonly read: (bill: BillRecord) => readonly FieldValue[];
}

const inside = ['in', 'nin', 'eq', 'ne'];
const equal = ['eq', 'ne'];
const ordered = [...equal, 'gt', 'ge', 'lt', 'le'];
const texts = [...inside, 'ct', 'nct'];

const one = (
  operators: readonly string[],
  read: (bill: BillRecord) => FieldValue,
  byOrg = true,
): BillField => ({ operators, byOrg, read: (bill) => [read(bill)] });

const many = (
  operators: readonly string[],
  read: (bill: BillRecord) => readonly FieldValue[],
): BillField => ({ operators, byOrg: true, read });

export const billFields: ReadonlyMap<string, BillField> = new Map([
  ['frequency', one(inside, (bill) => bill.Frequency)],
  ['method', one(inside, (bill) => bill.PaymentMethod)],
  ['event', many(inside, (bill) => bill.billEvents.map(({ description }) => description))],
  [
    'target',
    many(['ct', 'nct', 'eq', 'ne'], (bill) => bill.billEvents.map(({ refData }) => refData)),
  ],
  ['status', one(equal, (bill) => bill.Status)],
  ['approvalUserId', many(equal, (bill) => (bill.billApprovals ?? []).map(({ Id }) => Id))],
  [
    'approvalUserEmail',
    many(equal, (bill) => (bill.billApprovals ?? []).map(({ email }) => email)),
  ],
  ['parentOrgId', one(inside, (bill) => bill.ParentOrgId)],
  ['scheduleId', one(equal, (bill) => (bill.Mode === 1 ? bill.IdBill : null), false)],
  ['idBill', one([...ordered, ...inside], (bill) => bill.IdBill)],
  ['totalAmount', one([...ordered, ...inside], (bill) => bill.TotalAmount)],
  ['netAmount', one([...ordered, ...inside], (bill) => bill.NetAmount)],
  ['billDate', one(ordered, (bill) => bill.BillDate)],
  ['dueDate', one(ordered, (bill) => bill.DueDate)],
  ['createdAt', one(ordered, (bill) => bill.CreatedAt)],
  ['billNumber', one(texts, (bill) => bill.BillNumber)],
  ['comments', one(texts, (bill) => bill.Comments)],
  ['vendorNumber', one(texts, (bill) => String(bill.Vendor.VendorNumber))],
]);

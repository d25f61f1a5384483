/**
 * Lists of bills: filtered, sorted, one page of them with a summary of all, or all as a CSV file.
 *
 * A filter is `field(operator)=value`, bare in the query; a bill must meet all of them. `parameters`
 * and what is sent under it are passed over, as the service does. Of a field with more than one value
 * (events, approvers), a filter asks for one that fits, a negated one for none.
 */
import { type Bills, type StoredRecord, statuses } from './bills.js';
import { type Answer, type Call, fileAnswer, jsonAnswer, Refused } from './call.js';

type Read = (bill: StoredRecord) => readonly unknown[];

/**
 * The fields by which bills are filtered and sorted, with any operator: those of the specification,
 * and fields of the record. What the specification does not say is settled here: `event` are the texts
 * of a bill's events, `target` their references, `scheduleId` is the id of a bill that is scheduled.
 */
const readers = new Map<string, Read>([
  ['method', (bill) => [bill.PaymentMethod]],
  ['event', (bill) => bill.billEvents.map(({ description }) => description)],
  ['target', (bill) => bill.billEvents.map(({ refData }) => refData)],
  ['approvalUserId', (bill) => (bill.billApprovals ?? []).map(({ Id }) => Id)],
  ['approvalUserEmail', (bill) => (bill.billApprovals ?? []).map(({ email }) => email)],
  ['scheduleId', (bill) => (bill.Mode === 1 ? [bill.IdBill] : [])],
]);
const ownFields = [
  ...(['Frequency', 'Status', 'ParentOrgId', 'IdBill', 'TotalAmount', 'NetAmount'] as const),
  ...(['BillDate', 'DueDate', 'CreatedAt', 'BillNumber', 'Comments'] as const),
];
for (const name of ownFields) {
  readers.set(name.charAt(0).toLowerCase() + name.slice(1), (bill) => [bill[name]]);
}

/** Answers a list of those bills that are meant by the path. */
export function listBills(
  call: Call,
  bills: Bills,
  isMeant: (bill: StoredRecord) => boolean,
): Answer {
  const filters = [...call.query]
    .filter(([name]) => !notFilters.test(name))
    .map(([name, value]) => filterOf(name, value));
  const found = bills.all().filter((bill) => isMeant(bill) && filters.every((fits) => fits(bill)));
  const sorted = sortedBy(call.query.get('sortBy'), found);
  const from = Math.max(0, call.integer('fromRecord', 0));
  const limit = call.integer('limitRecord', 20);
  const page = sorted.slice(from, limit > 0 ? from + limit : undefined);
  const format = call.query.get('exportFormat');
  if (format === 'csv') return fileAnswer(csv(page), 'text/csv; charset=utf-8', 'bills.csv');
  if (format !== null) throw new Refused(400, 'The sandbox only exports csv');
  const today = bills.clock.timestamp().slice(0, 10);
  return jsonAnswer(200, {
    Summary: summaryOf(found, limit > 0 ? limit : found.length, today),
    Records: page.map((bill) => ({ ...bill, Transaction: null })),
  });
}

const notFilters = /^(?:exportFormat|fromRecord|limitRecord|sortBy|parameters(?:[[.=].*)?)$/;

/** What operators say of how a value stands to the one that is sent; `ct` is of texts. */
const comparisons = new Map<string, (order: number) => boolean>([
  ['eq', (order) => order === 0],
  ['in', (order) => order === 0],
  ['gt', (order) => order > 0],
  ['ge', (order) => order >= 0],
  ['lt', (order) => order < 0],
  ['le', (order) => order <= 0],
]);
const negated = new Map([
  ['ne', 'eq'],
  ['nct', 'ct'],
  ['nin', 'in'],
]);

function filterOf(name: string, sent: string) {
  const [, field = '', written] = /^(\w+)(?:\((\w*)\))?$/.exec(name) ?? [];
  const read = readers.get(field);
  const operator = written || 'eq';
  const positive = negated.get(operator);
  const isKnown = comparisons.has(positive ?? operator) || (positive ?? operator) === 'ct';
  if (read === undefined || !isKnown) {
    throw new Refused(400, `Bills are not filtered by ${JSON.stringify(name)}`);
  }
  const test = testOf(positive ?? operator, sent);
  return (bill: StoredRecord) => read(bill).some(test) === (positive === undefined);
}

function testOf(operator: string, sent: string): (value: unknown) => boolean {
  const holds = comparisons.get(operator);
  if (holds === undefined) return (value) => String(value ?? '').includes(sent);
  const values = operator === 'in' ? sent.split('|') : [sent];
  return (value) => values.some((each) => holds(compare(value, each)));
}

/** Numbers as numbers, texts as texts; not a number where there is nothing to compare. */
function compare(value: unknown, sent: string): number {
  if (typeof value === 'string') return value === sent ? 0 : value < sent ? -1 : 1;
  return typeof value === 'number' && sent !== '' ? value - Number(sent) : Number.NaN;
}

function sortedBy(sortBy: string | null, bills: readonly StoredRecord[]): StoredRecord[] {
  if (sortBy === null) return [...bills];
  const [, direction, inner, bare] = /^(?:(asc|desc)\((\w+)\)|(\w+))$/.exec(sortBy) ?? [];
  const read = readers.get(inner ?? bare ?? '');
  if (read === undefined) throw new Refused(400, 'sortBy names no field');
  const sign = direction === 'desc' ? -1 : 1;
  // Equal ones stay in the order in which they were created.
  const key = (bill: StoredRecord) => (read(bill)[0] ?? '') as string;
  return [...bills].sort((a, b) => sign * (Number(key(a) > key(b)) - Number(key(a) < key(b))));
}

/** Categories of the summary by statuses; a bill can belong to more than one. */
const categories: Readonly<Record<string, readonly number[]>> = {
  '2approval': [statuses.sentToApproval, statuses.partlyApproved],
  active: [statuses.active],
  approved: [statuses.approved],
  cancel: [statuses.cancelled],
  disapproved: [statuses.disapproved],
  intransit: [statuses.inTransit],
  paid: [statuses.paid],
  sent2approval: [statuses.sentToApproval],
};
const settled: readonly number[] = [statuses.cancelled, statuses.paid, statuses.inTransit];

function summaryOf(bills: readonly StoredRecord[], pageSize: number, today: string): object {
  const groups = Object.entries(categories).map(
    ([name, wanted]) => [name, bills.filter(({ Status }) => wanted.includes(Status))] as const,
  );
  const overdue = bills.filter(
    ({ DueDate, Status }) => (DueDate ?? today) < today && !settled.includes(Status),
  );
  const totals = [...groups, ['overdue', overdue] as const].flatMap(([name, group]) => [
    [`total${name}`, group.length],
    [`totalamount${name}`, amountOf(group)],
  ]);
  return {
    pageidentifier: null,
    pageSize,
    totalPages: pageSize > 0 ? Math.ceil(bills.length / pageSize) : 0,
    totalRecords: bills.length,
    totalAmount: amountOf(bills),
    ...Object.fromEntries(totals),
  };
}

/** Added in cents, so that sums are what a ledger says. */
function amountOf(bills: readonly StoredRecord[]): number {
  return bills.reduce((sum, { TotalAmount }) => sum + Math.round(TotalAmount * 100), 0) / 100;
}

const columns = ['IdBill', 'BillNumber', 'NetAmount', 'BillDate', 'DueDate', 'Status'] as const;

/** A file as RFC 4180 has it. */
function csv(bills: readonly StoredRecord[]): Buffer {
  const rows = bills.map((bill) => columns.map((name) => bill[name]));
  const quoted = (cell: unknown) =>
    /[",\r\n]/.test(`${cell}`) ? `"${`${cell}`.replaceAll('"', '""')}"` : (cell ?? '');
  const lines = [columns, ...rows].map((row) => `${row.map(quoted).join(',')}\r\n`);
  return Buffer.from(lines.join(''));
}

/**
 * Lists of bills: filtered, sorted, one page of them with a summary of all, or all as a CSV file.
 *
 * A filter is `field(operator)=value`, bare in the query; a bill must meet all of them. `parameters`
 * and what is sent under it are passed over, as the service does. Of a field with more than one value
 * (events, approvers), a filter asks for one that fits, a negated one for none.
 */
import { filterFields, orgFilterFields } from '../bills/operations.js';
import { type StoredRecord, statuses } from './bills-state.js';
import { type Answer, type Call, fileAnswer, jsonAnswer, Refused } from './call.js';

type Read = (bill: StoredRecord) => readonly unknown[];

/**
 * The fields by which bills are filtered and sorted: those of the table of operations, and fields of
 * the record by which the service filters too, with any operator. What the specification does not say
 * is settled here: `event` are the texts of a bill's events, `target` their references, `scheduleId`
 * is the id of a bill that is scheduled.
 */
const readers = new Map<string, Read>([
  ...(['Frequency', 'Status', 'ParentOrgId', 'IdBill', 'TotalAmount', 'NetAmount'] as const).map(
    read,
  ),
  ...(['BillDate', 'DueDate', 'CreatedAt', 'BillNumber', 'Comments'] as const).map(read),
  ['method', (bill) => [bill.PaymentMethod]],
  ['event', (bill) => bill.billEvents.map(({ description }) => description)],
  ['target', (bill) => bill.billEvents.map(({ refData }) => refData)],
  ['approvalUserId', (bill) => (bill.billApprovals ?? []).map(({ Id }) => Id)],
  ['approvalUserEmail', (bill) => (bill.billApprovals ?? []).map(({ email }) => email)],
  ['scheduleId', (bill) => (bill.Mode === 1 ? [bill.IdBill] : [])],
]);

function read(name: keyof StoredRecord): [field: string, Read] {
  return [name.charAt(0).toLowerCase() + name.slice(1), (bill) => [bill[name]]];
}

/** Answers a list of those bills that the path leaves. */
export function listBills(call: Call, bills: readonly StoredRecord[], now: string): Answer {
  const filters = [...call.query]
    .filter(([name]) => !notFilters.test(name))
    .map(([name, value]) => filterOf(call, name, value));
  const found = bills.filter((bill) => filters.every((filter) => filter(bill)));
  const sorted = sortedBy(call.query.get('sortBy'), found);
  const from = Math.max(0, call.integer('fromRecord', 0));
  const limit = call.integer('limitRecord', 20);
  const page = sorted.slice(from, limit > 0 ? from + limit : undefined);
  const format = call.query.get('exportFormat');
  if (format === 'csv') return fileAnswer(csv(page), 'text/csv; charset=utf-8', 'bills.csv');
  if (format !== null) throw new Refused(400, 'The sandbox exports csv alone');
  return jsonAnswer(200, {
    Summary: summaryOf(found, limit > 0 ? limit : found.length, now),
    Records: page.map((bill) => ({ ...bill, Transaction: null })),
  });
}

const notFilters = /^(?:exportFormat|fromRecord|limitRecord|sortBy|parameters(?:[[.=].*)?)$/;

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  in: (order) => order === 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
};
const negated: Readonly<Record<string, string>> = { ne: 'eq', nct: 'ct', nin: 'in' };
const everyOperator = [...Object.keys(comparisons), ...Object.keys(negated), 'ct'];

function filterOf({ operation }: Call, name: string, sent: string) {
  const [, field = '', written = ''] = /^(\w+)(?:\((\w*)\))?$/.exec(name) ?? [];
  const read = readers.get(field);
  const table = operation.id === 'bills.listByOrg' ? orgFilterFields : filterFields;
  const operators = field in filterFields ? table[field] : everyOperator;
  if (read === undefined || operators === undefined) {
    throw new Refused(400, `Bills are not filtered by ${JSON.stringify(name)}`);
  }
  const operator = written === '' ? 'eq' : written;
  if (!operators.includes(operator)) {
    throw new Refused(400, `${field} is not filtered with ${operator}`);
  }
  const positive = negated[operator];
  const test = testOf(positive ?? operator, sent);
  return (bill: StoredRecord) => read(bill).some(test) === (positive === undefined);
}

function testOf(operator: string, sent: string): (value: unknown) => boolean {
  const holds = comparisons[operator];
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

type Category = (bill: StoredRecord, today: string) => boolean;

const withStatus =
  (...wanted: readonly number[]): Category =>
  ({ Status }) =>
    wanted.includes(Status);
const isSettled = withStatus(statuses.cancelled, statuses.paid, statuses.inTransit);

/** Categories of the summary; a bill can belong to more than one. */
const categories: Readonly<Record<string, Category>> = {
  '2approval': withStatus(statuses.sentToApproval, statuses.partlyApproved),
  active: withStatus(statuses.active),
  approved: withStatus(statuses.approved),
  cancel: withStatus(statuses.cancelled),
  disapproved: withStatus(statuses.disapproved),
  intransit: withStatus(statuses.inTransit),
  overdue: (bill, today) => (bill.DueDate ?? today) < today && !isSettled(bill, today),
  paid: withStatus(statuses.paid),
  sent2approval: withStatus(statuses.sentToApproval),
};

function summaryOf(bills: readonly StoredRecord[], pageSize: number, now: string): object {
  const groups = Object.entries(categories).map(
    ([name, isIn]) => [name, bills.filter((bill) => isIn(bill, now.slice(0, 10)))] as const,
  );
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
function amountOf(bills: readonly StoredRecord[]): number {
  return bills.reduce((sum, { TotalAmount }) => sum + Math.round(TotalAmount * 100), 0) / 100;
}

const columns = [
  ...(['IdBill', 'BillNumber', 'NetAmount', 'BillDate', 'DueDate', 'Status', 'Vendor'] as const),
  ...(['Comments', 'PaypointEntryname', 'CreatedAt'] as const),
];

/** A file as RFC 4180 has it. */
function csv(bills: readonly StoredRecord[]): Buffer {
  const rows = bills.map((bill) =>
    columns.map((name) => (name === 'Vendor' ? bill.Vendor.VendorNumber : bill[name])),
  );
  const quoted = (cell: unknown) =>
    /[",\r\n]/.test(`${cell}`) ? `"${`${cell}`.replaceAll('"', '""')}"` : (cell ?? '');
  const lines = [columns, ...rows].map((row) => `${row.map(quoted).join(',')}\r\n`);
  return Buffer.from(lines.join(''));
}

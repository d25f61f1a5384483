/**
 * Lists of bills: filtered, sorted and paged, as JSON or as a CSV file.
 *
 * Filters go straight into the query as `field(operator)=value`; a bill must meet all of them. Like
 * the service, the sandbox ignores whatever is sent under `parameters`. If a field has several
 * values (events, approvers), at least one must match; for a negated filter, none may.
 */
import { capitalized, type StoredRecord } from './bills-state.js';
import { type Call, Download, Refused } from './call.js';

type Read = (bill: StoredRecord) => readonly unknown[];

const ownFields = [
  ...['frequency', 'status', 'parentOrgId', 'idBill', 'totalAmount', 'netAmount', 'billDate'],
  ...['dueDate', 'createdAt', 'billNumber', 'comments'],
];

/**
 * By filter field: its values. The specification leaves some open, so it is decided here: `event` is
 * the texts of a bill's events, `target` their references, `scheduleId` the id of a scheduled bill.
 */
const readers = new Map<string, Read>([
  ...ownFields.map((field): [string, Read] => {
    const name = capitalized(field) as keyof StoredRecord;
    return [field, (bill) => [bill[name]]];
  }),
  ['method', (bill) => [bill.PaymentMethod]],
  ['event', (bill) => bill.billEvents.map(({ description }) => description)],
  ['target', (bill) => bill.billEvents.map(({ refData }) => refData)],
  ['approvalUserId', (bill) => (bill.billApprovals ?? []).map(({ Id }) => Id)],
  ['approvalUserEmail', (bill) => (bill.billApprovals ?? []).map(({ email }) => email)],
  ['scheduleId', (bill) => (bill.Mode === 1 ? [bill.IdBill] : [])],
]);

type Fits = (bill: StoredRecord) => boolean;

/** Answers with the owner's bills that the query asks for. */
export function listBills(call: Call, bills: readonly StoredRecord[], isOwned: Fits): object {
  const filters = [...call.query]
    .filter(([name]) => !notFilters.test(name))
    .map(([name, value]) => filterOf(name, value));
  const found = bills.filter((bill) => isOwned(bill) && filters.every((fits) => fits(bill)));
  const from = Math.max(0, call.integer('fromRecord', 0));
  const limit = call.integer('limitRecord', 20);
  const sorted = sortedBy(call.query.get('sortBy'), found);
  const page = sorted.slice(from, limit > 0 ? from + limit : undefined);
  const format = call.query.get('exportFormat');
  if (format === 'csv') {
    return new Download({ name: 'bills.csv', type: 'text/csv; charset=utf-8', content: csv(page) });
  }
  if (format !== null) throw new Refused(400, 'The sandbox only exports csv');
  return {
    Summary: summaryOf(found, limit > 0 ? limit : found.length),
    Records: page.map((bill) => ({ ...bill, Transaction: null })),
  };
}

const notFilters = /^(?:exportFormat|fromRecord|limitRecord|sortBy|parameters(?:[[.=].*)?)$/;

/** By operator: whether a bill's value matches the sent one. Other operators negate these. */
const operators = new Map<string, (value: unknown, sent: string) => boolean>([
  ['eq', (value, sent) => compare(value, sent) === 0],
  ['in', (value, sent) => sent.split('|').some((each) => compare(value, each) === 0)],
  ['gt', (value, sent) => compare(value, sent) > 0],
  ['ge', (value, sent) => compare(value, sent) >= 0],
  ['lt', (value, sent) => compare(value, sent) < 0],
  ['le', (value, sent) => compare(value, sent) <= 0],
  ['ct', (value, sent) => String(value ?? '').includes(sent)],
]);
const negated = new Map([
  ['ne', 'eq'],
  ['nct', 'ct'],
  ['nin', 'in'],
]);

function filterOf(name: string, sent: string): Fits {
  const [, field = '', operator] = /^(\w+)(?:\((\w*)\))?$/.exec(name) ?? [];
  const read = readers.get(field);
  const positive = negated.get(operator ?? '');
  const fits = operators.get(positive ?? (operator || 'eq'));
  if (read === undefined || fits === undefined) {
    throw new Refused(400, `Bills are not filtered by ${JSON.stringify(name)}`);
  }
  const wanted = positive === undefined;
  return (bill) => read(bill).some((value) => fits(value, sent)) === wanted;
}

/** Compares numbers as numbers and texts as texts; NaN if there is nothing to compare. */
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
  const key = (bill: StoredRecord) => (read(bill)[0] ?? '') as string;
  return [...bills].sort((a, b) => sign * (Number(key(a) > key(b)) - Number(key(a) < key(b))));
}

/** Page and sum totals, without the number of bills in each status. */
function summaryOf(bills: readonly StoredRecord[], pageSize: number): object {
  const cents = bills.reduce((sum, { TotalAmount }) => sum + Math.round(TotalAmount * 100), 0);
  const totalPages = pageSize > 0 ? Math.ceil(bills.length / pageSize) : 0;
  const totals = { totalPages, totalRecords: bills.length, totalAmount: cents / 100 };
  return { pageidentifier: null, pageSize, ...totals };
}

const columns = ['IdBill', 'BillNumber', 'NetAmount', 'BillDate', 'DueDate', 'Status'] as const;

/** A CSV file according to RFC 4180. */
function csv(bills: readonly StoredRecord[]): Buffer {
  const rows = [columns, ...bills.map((bill) => columns.map((name) => bill[name]))];
  const cell = (value: unknown) => {
    const text = `${value ?? ''}`;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return Buffer.from(rows.map((row) => `${row.map(cell).join(',')}\r\n`).join(''));
}

/**
 * Lists of bills: filtered, sorted, one page of them, as JSON or as a CSV file.
 *
 * A filter is `field(operator)=value`, bare in the query; a bill must meet all of them. What is sent
 * under `parameters` is ignored, as the service does. Of a field with more than one value (events,
 * approvers) a filter asks for one that fits, a negated one for none.
 */
import { capitalized, type StoredRecord } from './bill-record.js';
import { type Answer, type Call, fileAnswer, jsonAnswer, Refused } from './call.js';

type Read = (bill: StoredRecord) => readonly unknown[];

/**
 * Fields to filter by that are no field of the record. What the specification does not say is decided
 * here: `event` are the texts of a bill's events, `target` their references, `scheduleId` is the id
 * of a bill that is scheduled.
 */
const readers = new Map<string, Read>([
  ['method', (bill) => [bill.PaymentMethod]],
  ['event', (bill) => bill.billEvents.map(({ description }) => description)],
  ['target', (bill) => bill.billEvents.map(({ refData }) => refData)],
  ['approvalUserId', (bill) => (bill.billApprovals ?? []).map(({ Id }) => Id)],
  ['approvalUserEmail', (bill) => (bill.billApprovals ?? []).map(({ email }) => email)],
  ['scheduleId', (bill) => (bill.Mode === 1 ? [bill.IdBill] : [])],
]);
const ownFields =
  /^(?:frequency|status|parentOrgId|idBill|(?:total|net)Amount|(?:bill|due)Date|createdAt|billNumber|comments)$/;

function readerOf(field: string): Read | undefined {
  if (!ownFields.test(field)) return readers.get(field);
  const name = capitalized(field) as keyof StoredRecord;
  return (bill) => [bill[name]];
}

type Fits = (bill: StoredRecord) => boolean;

/** Answers a list of those of an owner's bills that the query asks for. */
export function listBills(call: Call, bills: readonly StoredRecord[], isOwned: Fits): Answer {
  const filters = [...call.query]
    .filter(([name]) => !notFilters.test(name))
    .map(([name, value]) => filterOf(name, value));
  const found = bills.filter((bill) => isOwned(bill) && filters.every((fits) => fits(bill)));
  const from = Math.max(0, call.integer('fromRecord', 0));
  const limit = call.integer('limitRecord', 20);
  const sorted = sortedBy(call.query.get('sortBy'), found);
  const page = sorted.slice(from, limit > 0 ? from + limit : undefined);
  const format = call.query.get('exportFormat');
  if (format === 'csv') return fileAnswer(csv(page), 'text/csv; charset=utf-8', 'bills.csv');
  if (format !== null) throw new Refused(400, 'The sandbox only exports csv');
  return jsonAnswer(200, {
    Summary: summaryOf(found, limit > 0 ? limit : found.length),
    Records: page.map((bill) => ({ ...bill, Transaction: null })),
  });
}

const notFilters = /^(?:exportFormat|fromRecord|limitRecord|sortBy|parameters(?:[[.=].*)?)$/;

/** By operator: whether a value of a bill fits what was sent; the others negate one of these. */
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
  const read = readerOf(field);
  const positive = negated.get(operator ?? '');
  const fits = operators.get(positive ?? (operator || 'eq'));
  if (read === undefined || fits === undefined) {
    throw new Refused(400, `Bills are not filtered by ${JSON.stringify(name)}`);
  }
  const wanted = positive === undefined;
  return (bill) => read(bill).some((value) => fits(value, sent)) === wanted;
}

/** Numbers as numbers, texts as texts; not a number where there is nothing to compare. */
function compare(value: unknown, sent: string): number {
  if (typeof value === 'string') return value === sent ? 0 : value < sent ? -1 : 1;
  return typeof value === 'number' && sent !== '' ? value - Number(sent) : Number.NaN;
}

function sortedBy(sortBy: string | null, bills: readonly StoredRecord[]): StoredRecord[] {
  if (sortBy === null) return [...bills];
  const [, direction, inner, bare] = /^(?:(asc|desc)\((\w+)\)|(\w+))$/.exec(sortBy) ?? [];
  const read = readerOf(inner ?? bare ?? '');
  if (read === undefined) throw new Refused(400, 'sortBy names no field');
  const sign = direction === 'desc' ? -1 : 1;
  const key = (bill: StoredRecord) => (read(bill)[0] ?? '') as string;
  return [...bills].sort((a, b) => sign * (Number(key(a) > key(b)) - Number(key(a) < key(b))));
}

/** Pages and sums; how many bills are in which status is not counted. */
function summaryOf(bills: readonly StoredRecord[], pageSize: number): object {
  const cents = bills.reduce((sum, { TotalAmount }) => sum + Math.round(TotalAmount * 100), 0);
  const totalPages = pageSize > 0 ? Math.ceil(bills.length / pageSize) : 0;
  const totals = { totalPages, totalRecords: bills.length, totalAmount: cents / 100 };
  return { pageidentifier: null, pageSize, ...totals };
}

const columns = ['IdBill', 'BillNumber', 'NetAmount', 'BillDate', 'DueDate', 'Status'] as const;

/** A file as RFC 4180 has it. */
function csv(bills: readonly StoredRecord[]): Buffer {
  const rows = [columns, ...bills.map((bill) => columns.map((name) => bill[name]))];
  const cell = (value: unknown) => {
    const text = `${value ?? ''}`;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return Buffer.from(rows.map((row) => `${row.map(cell).join(',')}\r\n`).join(''));
}

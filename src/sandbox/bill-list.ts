/**
 * Lists of bills: filtered, sorted and paged.
 *
 * Filters go straight into the query as `field(operator)=value`; a bill must meet all of them. Like
 * the service, the sandbox ignores whatever is sent under `parameters`. If a field has several
 * values (events, approvers), at least one must match; for a negated filter, none may.
 */
import type { BillEvent, BillRecord } from '../schemas/bills-types.generated.js';
import { type Call, Download, Refused } from './call.js';

export interface StoredRecord extends BillRecord {
  readonly IdBill: number;
  Status: number;
  readonly billEvents: BillEvent[];
  readonly DocumentsRef: NonNullable<BillRecord['DocumentsRef']>;
}

export function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

type Read = (bill: StoredRecord) => readonly unknown[];

/**
 * By filter field, its values; other fields are those of the record. The specification leaves some open,
 * so it is decided here: `event` is the texts of a bill's events, `target` their references,
 * `scheduleId` the id of a scheduled bill.
 */
const readers: Readonly<Record<string, Read>> = {
  method: (bill) => [bill.PaymentMethod],
  event: (bill) => bill.billEvents.map(({ description }) => description),
  target: (bill) => bill.billEvents.map(({ refData }) => refData),
  approvalUserId: (bill) => (bill.billApprovals ?? []).map(({ Id }) => Id),
  approvalUserEmail: (bill) => (bill.billApprovals ?? []).map(({ email }) => email),
  scheduleId: (bill) => (bill.Mode === 1 ? [bill.IdBill] : []),
};

const own =
  /^(?:frequency|status|parentOrgId|idBill|totalAmount|netAmount|billDate|dueDate|billNumber)$/;

function readerOf(field: string): Read | undefined {
  const name = capitalized(field) as keyof StoredRecord;
  if (own.test(field)) return (bill) => [bill[name]];
  return Object.hasOwn(readers, field) ? readers[field] : undefined;
}

type Fits = (bill: StoredRecord) => boolean;

const notFilters = /^(?:exportFormat|fromRecord|limitRecord|sortBy|parameters(?:[[.=].*)?)$/;

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
  if (call.query.has('exportFormat')) {
    const rows = page.map(
      ({ IdBill, NetAmount, Status }) => `${IdBill},${NetAmount},${Status}\r\n`,
    );
    const content = Buffer.from(`IdBill,NetAmount,Status\r\n${rows.join('')}`);
    return new Download({ name: 'bills.csv', type: 'text/csv; charset=utf-8', content });
  }
  const pageSize = limit > 0 ? limit : found.length;
  const cents = found.reduce(
    (sum, { TotalAmount }) => sum + Math.round((TotalAmount ?? 0) * 100),
    0,
  );
  const totalPages = pageSize > 0 ? Math.ceil(found.length / pageSize) : 0;
  const totals = { totalPages, totalRecords: found.length, totalAmount: cents / 100 };
  return {
    Summary: { pageidentifier: null, pageSize, ...totals },
    Records: page.map((bill) => ({ ...bill, Transaction: null })),
  };
}

/** By operator: whether a bill's value matches the sent one. Other operators negate these. */
const operators: ReadonlyMap<string, (value: unknown, sent: string) => boolean> = new Map([
  ['eq', (value, sent) => compare(value, sent) === 0],
  ['in', (value, sent) => sent.split('|').some((each) => compare(value, each) === 0)],
  ['gt', (value, sent) => compare(value, sent) > 0],
  ['ge', (value, sent) => compare(value, sent) >= 0],
  ['lt', (value, sent) => compare(value, sent) < 0],
  ['le', (value, sent) => compare(value, sent) <= 0],
  ['ct', (value, sent) => String(value ?? '').includes(sent)],
]);

function filterOf(name: string, sent: string): Fits {
  const [, field = '', operator = ''] = /^(\w+)(?:\((\w*)\))?$/.exec(name) ?? [];
  const read = readerOf(field);
  const positive = { ne: 'eq', nct: 'ct', nin: 'in' }[operator];
  const fits = operators.get((positive ?? operator) || 'eq');
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
  const [, direction, field = ''] = /^(asc|desc)\((\w+)\)$/.exec(sortBy) ?? [];
  const read = readerOf(field);
  if (read === undefined) throw new Refused(400, 'sortBy names no field');
  const sign = direction === 'desc' ? -1 : 1;
  const key = (bill: StoredRecord) => (read(bill)[0] ?? '') as string;
  return [...bills].sort((a, b) => sign * (Number(key(a) > key(b)) - Number(key(a) < key(b))));
}

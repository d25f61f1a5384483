/** Lists of bills: filtered, sorted, one page of them with a summary of all, or all as a file. */
import { type Answer, fileAnswer, jsonAnswer, Refused } from '../answer.js';
import { type Call, integer, queryParameter } from '../call.js';
import { csv, type Table, xlsx } from '../table-files.js';
import { billFields, type FieldValue } from './bill-fields.js';
import { readFilters } from './filters.js';
import type { BillRecord } from './record.js';
import { summaryOf } from './summary.js';
import { vendorInList } from './vendor.js';

const defaultLimit = 20;

/** Answers a list of those bills that the scope leaves. */
export function listBills(
  call: Call,
  scope: 'entry' | 'org',
  bills: readonly BillRecord[],
  now: number,
): Answer {
  const filters = readFilters(call.query, scope);
  const found = bills.filter((bill) => filters.every((filter) => filter(bill)));
  const sorted = sortBills(found, queryParameter(call, 'sortBy'));
  const from = Math.max(0, integer(call, 'fromRecord', 0));
  const limit = integer(call, 'limitRecord', defaultLimit);
  const page = sorted.slice(from, limit > 0 ? from + limit : undefined);
  const format = queryParameter(call, 'exportFormat');
  if (format !== undefined) return exported(page, format);
  return jsonAnswer(200, {
    Summary: summaryOf(found, limit > 0 ? limit : found.length, now),
    Records: page.map((bill) => ({
      ...bill,
      Vendor: vendorInList(bill.Vendor),
      Transaction: null,
    })),
  });
}

function sortBills(bills: readonly BillRecord[], sortBy: string | undefined): BillRecord[] {
  if (sortBy === undefined) return [...bills];
  const [, direction = 'asc', inner, bare] = /^(?:(asc|desc)\((\w+)\)|(\w+))$/.exec(sortBy) ?? [];
  const field = billFields.get(inner ?? bare ?? '');
  if (field === undefined) throw new Refused(400, 'sortBy names no field');
  const sign = direction === 'desc' ? -1 : 1;
  // The sort is stable: equal ones stay in the order in which they were created.
  return [...bills].sort((a, b) => sign * order(field.read(a)[0], field.read(b)[0]));
}

/** Nothing goes before everything else. */
function order(a: FieldValue = null, b: FieldValue = null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}

function exported(bills: readonly BillRecord[], format: string): Answer {
  const table = tableOf(bills);
  if (format === 'csv') return fileAnswer(csv(table), 'text/csv; charset=utf-8', 'bills.csv');
  if (format === 'xlsx') return fileAnswer(xlsx(table), workbookType, 'bills.xlsx');
  throw new Refused(400, 'exportFormat must be csv or xlsx');
}

const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

function tableOf(bills: readonly BillRecord[]): Table {
  return {
    columns: [
      ...['IdBill', 'BillNumber', 'NetAmount', 'BillDate', 'DueDate', 'Status', 'Vendor'],
      ...['Comments', 'PaypointEntryname', 'CreatedAt'],
    ],
    rows: bills.map((bill) => [
      ...[bill.IdBill, bill.BillNumber, bill.NetAmount, bill.BillDate, bill.DueDate, bill.Status],
      ...[String(bill.Vendor.VendorNumber), bill.Comments, bill.PaypointEntryname, bill.CreatedAt],
    ]),
  };
}

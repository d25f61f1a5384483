/**
 * Reads the request record of a bill, which creates one or changes one.
 *
 * Only what is given is checked and taken over; fields that the record does not have are passed
 * over, as a service does that has more of them.
 */
import { Refused } from '../answer.js';
import { isObject, type JsonObject } from '../call.js';
import { type BillRecord, statuses } from './record.js';
import { vendorRecord } from './vendor.js';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const isInteger: Check = (value) => Number.isSafeInteger(value);
const knownStatuses: ReadonlySet<unknown> = new Set(Object.values(statuses));

const isObjects: Check = (value) => Array.isArray(value) && value.every(isObject);

const frequencies: ReadonlySet<unknown> = new Set([
  ...['onetime', 'weekly', 'every2weeks', 'every6months', 'monthly', 'every3months', 'annually'],
]);

const isDate: Check = (value) => {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = Date.parse(value);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
};

/** What each field must be, in the words of a refusal. */
const fields: readonly (readonly [name: string, check: Check, expected: string])[] = [
  ['billNumber', isText, 'a text'],
  ['netAmount', isNumber, 'a number'],
  ['billDate', isDate, 'a date YYYY-MM-DD'],
  ['dueDate', isDate, 'a date YYYY-MM-DD'],
  ['endDate', isDate, 'a date YYYY-MM-DD'],
  ['comments', isText, 'a text'],
  ['billItems', isObjects, 'an array of objects'],
  ['mode', (value) => value === 0 || value === 1, '0 or 1'],
  ['accountingField1', isText, 'a text'],
  ['frequency', (value) => frequencies.has(value), 'a known frequency'],
  ['terms', isText, 'a text'],
  ['status', (value) => isInteger(value) && knownStatuses.has(value), 'a known status'],
  [
    'vendor',
    (value) => isObject(value) && isText(value.vendorNumber),
    'an object with vendorNumber',
  ],
  ['attachments', isObjects, 'an array of objects'],
];

/** Refuses a record of which a field is not what it must be; null stands for an absent field. */
export function checkRequest(request: JsonObject): void {
  for (const [name, check, expected] of fields) {
    const value = request[name];
    if (value === undefined || value === null || check(value)) continue;
    throw new Refused(400, `${name} is not ${expected}`, `Send ${name} as ${expected}.`);
  }
}

/** Takes over what the request gives. Attachments are taken over elsewhere. */
export function applyRequest(bill: BillRecord, request: JsonObject): void {
  const { billNumber, netAmount, comments, billItems, mode, vendor } = request;
  if (isString(billNumber)) bill.BillNumber = billNumber;
  if (typeof netAmount === 'number') bill.NetAmount = bill.TotalAmount = netAmount;
  if (isString(comments)) bill.Comments = comments;
  if (Array.isArray(billItems)) bill.BillItems = billItems;
  if (typeof mode === 'number') bill.Mode = mode;
  if (isObject(vendor)) bill.Vendor = vendorRecord(String(vendor.vendorNumber), bill);
  applyDetails(bill, request);
}

function applyDetails(bill: BillRecord, request: JsonObject): void {
  const { billDate, dueDate, endDate, accountingField1, frequency, terms, status } = request;
  if (isString(billDate)) bill.BillDate = billDate;
  if (isString(dueDate)) bill.DueDate = dueDate;
  if (isString(endDate)) bill.EndDate = endDate;
  if (isString(accountingField1)) bill.AccountingField1 = accountingField1;
  if (isString(frequency)) bill.Frequency = frequency;
  if (isString(terms)) bill.Terms = terms;
  if (typeof status === 'number') bill.Status = status;
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

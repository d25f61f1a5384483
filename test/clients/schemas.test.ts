/**
 * Tables, schemas and texts of both services describe the same operations. Tests of the sandbox check
 * that answers match the schemas.
 */
import { expect, it } from 'vitest';
import { billsOperations } from '../../src/bills.js';
import { billsSchema, billsTexts, billsValidators } from '../../src/bills-schemas.js';
import { documentOperations } from '../../src/documents.js';
import {
  documentsSchema,
  documentsTexts,
  documentsValidators,
} from '../../src/documents-schemas.js';

it.each([
  ['bills', Object.values(billsOperations), billsSchema, billsTexts, billsValidators],
  ['documents', documentOperations, documentsSchema, documentsTexts, documentsValidators],
] as const)('%s: schema, validators and texts describe the operations of the table', (...row) => {
  const [, operations, schema, texts, validators] = row;
  const ids = operations.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const each of [schema['properties'], texts, validators]) {
    expect(Object.keys(each as object)).toEqual(ids);
  }
  for (const { id, body, path, query = [], key } of operations) {
    const validator = validators[id];
    const hasBody = /json|empty/.test(`${body}`);
    expect(typeof validator?.request, id).toBe(hasBody ? 'function' : 'undefined');
    expect(typeof validator?.response, id).toBe('function');
    const { description, parameters } = texts[id] ?? { description: '', parameters: {} };
    const { users: _, ...named } = parameters;
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const all = [...inPath, ...query, ...(key ? [key] : [])];
    expect(Object.keys(named).sort(), id).toEqual(all.sort());
    expect(Object.keys(named).slice(0, inPath.length), id).toEqual(inPath);
    for (const text of [description, ...Object.values(parameters)]) {
      expect(text, id).toMatch(/^(?:[A-Z]|true).{9,}[^.]$/s);
    }
  }
});

const file = { url: 'https://example.com/a.pdf' };
const fields = [{ name: 7, type: 'string' }];
const chunks = { output: { chunks: [{}] } };
const items = [{ itemCost: 5, itemCategories: null }];
const attachments = [{ ftype: 'pdf', filename: 'b.pdf', furl: 'https://example.com/b.pdf' }];
const bill = { netAmount: 12.5, billDate: '2026-03-01', billItems: items, attachments };
const done = { responseCode: 1, isSuccess: true, responseText: 'Success' };
const vendor = { VendorId: 1, Contacts: [], Summary: { ActiveBills: 1, ActiveBillsAmount: 1.5 } };
const record = { IdBill: 17, Discount: null, billApprovals: null, Vendor: vendor, Unheard: 'of' };
const listed = { Summary: { totalRecords: 1 }, Records: [{ ...record, Transaction: null }] };

it.each<[side: 'request' | 'response', id: string, body: unknown, place: string | null]>([
  ['request', 'bills.create', { ...bill, vendor: { vendorNumber: 'V-1' } }, null],
  ['response', 'bills.create', { ...done, responseData: 1 }, null],
  ['response', 'bills.get', { ...done, responseData: record }, null],
  ['response', 'bills.deleteAttachment', { ...done, responseData: record }, null],
  ['response', 'bills.list', listed, null],
  ['request', 'bills.create', { ...bill, netAmount: '12' }, '/netAmount must be number'],
  ['request', 'bills.create', { billItems: [{ itemCost: '5' }] }, '/billItems/0/itemCost must be'],
  ['request', 'bills.sendToApproval', {}, 'body must be array'],
  ['response', 'bills.listByOrg', { Records: [{ IdBill: '1' }] }, '/Records/0/IdBill must be'],
  ['request', 'extract', { file, extractor: { id: 'ex_1' } }, null],
  ['request', 'extract', { file: { id: 'f' }, config: { schema: {} }, more: 1 }, null],
  ['request', 'classifyRuns.create', { file, classifier: {} }, '/classifier'],
  ['request', 'extractors.create', { name: 'n', config: { fields } }, '/config/fields/0/name'],
  ['request', 'extractRuns.cancel', { reason: 'x' }, 'body'],
  ['request', 'workflowRuns.create', { workflowId: 'w', files: [file] }, null],
  ['request', 'workflowRuns.create', { workflow: { id: 'w' }, file }, null],
  ['request', 'workflowRuns.create', { workflow: { id: 'w' } }, 'body'],
  ['response', 'extractRuns.get', { id: 'r', status: 'NEW_STATUS', output: null }, null],
  ['response', 'extractRuns.get', { id: 'r', status: 'PROCESSED', output: 'x' }, '/output'],
  ['response', 'parseRuns.get', { id: 'r', status: 'x', ...chunks }, '/output/chunks/0'],
  ['response', 'files.delete', undefined, null],
  ['response', 'files.get', undefined, 'body'],
])('the %s of %s is validated: %j', (side, id, body, place) => {
  const validators = { ...billsValidators, ...documentsValidators };
  const findings = validators[id]?.[side]?.(body) ?? ['no validator'];
  if (place === null) return expect(findings).toEqual([]);
  expect(findings.some((finding) => `${finding} `.startsWith(place))).toBe(true);
});

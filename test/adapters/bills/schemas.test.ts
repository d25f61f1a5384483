import { describe, expect, it } from 'vitest';
import { type BillsOperation, billsOperations } from '../../../src/bills.js';
import { billsSchema, billsTexts, billsValidators } from '../../../src/bills-schemas.js';
import { success } from './recording-server.js';

const operations: readonly BillsOperation[] = Object.values(billsOperations);
const ids = operations.map(({ id }) => id);

interface Part {
  readonly properties: Readonly<Record<string, Part & { readonly $ref?: string }>>;
  readonly required?: readonly string[];
}

const { properties } = billsSchema as unknown as Part;

describe('every operation', () => {
  it('is there, the specified eleven', () => {
    expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /Bill/single/{entry}',
      'DELETE /Bill/{idBill}',
      'PUT /Bill/{idBill}',
      'GET /Bill/{idBill}',
      'DELETE /Bill/attachedFileFromBill/{idBill}/{filename}',
      'GET /Bill/attachedFileFromBill/{idBill}/{filename}',
      'PUT /Bill/approval/{idBill}',
      'POST /Bill/approval/{idBill}',
      'GET /Bill/approval/{idBill}/{approved}',
      'GET /Query/bills/{entry}',
      'GET /Query/bills/org/{orgId}',
    ]);
    expect(new Set(ids).size).toBe(11);
  });

  it('has a schema, validators and texts', () => {
    expect(Object.keys(properties)).toEqual(ids);
    expect(Object.keys(billsTexts)).toEqual(ids);
    expect(Object.keys(billsValidators)).toEqual(ids);
  });

  it.each(operations)(
    '$id: parameters have schemas and texts, bodies have schemas',
    (operation) => {
      const { parameters, request, response } = properties[operation.id]?.properties ?? {};
      const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(parameters?.required).toEqual(inPath);
      const { query = [], key } = operation;
      const named = key === undefined ? query : [...query, key];
      expect(Object.keys(parameters?.properties ?? {}).sort()).toEqual(
        [...inPath, ...named].sort(),
      );
      const { users: _, ...texts } = billsTexts[operation.id]?.parameters ?? {};
      expect(Object.keys(texts).sort()).toEqual(Object.keys(parameters?.properties ?? {}).sort());
      expect(request !== undefined).toBe('body' in operation);
      expect(response).toBeDefined();
    },
  );

  it('is described in words', () => {
    for (const { description, parameters } of Object.values(billsTexts)) {
      for (const text of [description, ...Object.values(parameters)]) {
        expect(text).toMatch(/^(?:[A-Z]|true).*[^.]$/);
      }
    }
  });
});

const bill = {
  billNumber: 'B-1',
  netAmount: 12.5,
  billDate: '2026-03-01',
  vendor: { vendorNumber: 'V-1' },
  billItems: [{ itemCost: 5, itemCategories: null }],
  attachments: [{ ftype: 'pdf', filename: 'b.pdf', furl: 'https://example.com/b.pdf' }],
};

const record = {
  IdBill: 17,
  Discount: null,
  billApprovals: null,
  Terms: null,
  DocumentsRef: {
    zipfile: 'a.zip',
    filelist: [{ originalName: 'b', zipName: '0_b', descriptor: 'x' }],
  },
  Vendor: { VendorId: 1, Contacts: [], Summary: { ActiveBills: 1, ActiveBillsAmount: 1.5 } },
  Unheard: 'of',
};

describe('a validator', () => {
  it.each<[keyof typeof billsValidators, 'request' | 'response', unknown]>([
    ['bills.create', 'request', bill],
    ['bills.update', 'request', { comments: 'only this' }],
    ['bills.setApprovers', 'request', ['a@example.com']],
    ['bills.create', 'response', success],
    ['bills.get', 'response', { ...success, responseData: record }],
    ['bills.deleteAttachment', 'response', success],
    ['bills.deleteAttachment', 'response', { ...success, responseData: record }],
    [
      'bills.list',
      'response',
      { Summary: { totalRecords: 1 }, Records: [{ ...record, Transaction: null }] },
    ],
  ])('takes what %s has as %s (%#)', (id, side, body) => {
    expect(billsValidators[id]?.[side]?.(body)).toEqual([]);
  });

  it.each<[keyof typeof billsValidators, 'request' | 'response', unknown, string]>([
    ['bills.create', 'request', { ...bill, netAmount: '12' }, '/netAmount must be number'],
    [
      'bills.create',
      'request',
      { billItems: [{ itemCost: '5' }] },
      '/billItems/0/itemCost must be number',
    ],
    ['bills.create', 'request', [], 'body must be object'],
    ['bills.sendToApproval', 'request', {}, 'body must be array'],
    ['bills.get', 'response', { ...success, responseData: 5 }, '/responseData must be object'],
    [
      'bills.listByOrg',
      'response',
      { Records: [{ IdBill: '1' }] },
      '/Records/0/IdBill must be integer',
    ],
  ])('finds what is wrong in %s as %s (%#)', (id, side, body, finding) => {
    expect(billsValidators[id]?.[side]?.(body)).toContain(finding);
  });

  it('finds a date in another form', () => {
    const findings = billsValidators['bills.update']?.request?.({ dueDate: '1.3.2026' });
    expect(findings?.join()).toMatch(/^\/dueDate must match pattern/);
  });
});

/** A right value of every parameter of every tool, by its name. */
import type { ToolDefinition } from '../../../src/adapters/tools/table.js';

const byName: Readonly<Record<string, unknown>> = {
  idBill: 17,
  filename: '0_invoice.pdf',
  approved: false,
  returnObject: true,
  entry: 'entry-1',
  orgId: 100,
  email: 'lee@example.com',
  users: ['lee@example.com', 'kim'],
  autocreateUser: true,
  idempotencyKey: '9f2c',
  netAmount: 125.5,
  billDate: '2026-03-01',
  dueDate: '2026-03-31',
  endDate: '2026-12-31',
  billNumber: 'INV-2026/17',
  vendorNumber: 'V-7',
  comments: 'Checked by telephone.',
  billItems: [{ itemProductName: 'Paper', itemCost: 5, itemQty: 2 }],
  mode: 1,
  frequency: 'monthly',
  accountingField1: '4711',
  terms: 'NET30',
  attachments: [{ ftype: 'pdf', filename: 'a.pdf', furl: 'https://files.example.com/a.pdf' }],
  fromRecord: 20,
  limitRecord: 5,
  rawFilters: { 'frequency(eq)': 'monthly' },
  sortBy: { field: 'dueDate', direction: 'desc' },
  fileUrl: 'https://files.example.com/a.pdf?b=c',
  fileName: 'a.pdf',
  fileId: 'file_1',
  fileSettings: { password: 'open' },
  config: { schema: { type: 'object' } },
  metadata: { call: '1' },
  extractorId: 'ex_1',
  classifierId: 'cl_1',
  splitterId: 'sp_1',
  version: '1.0',
  overrideConfig: { rules: [] },
  dataRetention: { days: 1 },
  workflowId: 'workflow_1',
  id: 'exr_1',
};

/** A status to look for is a text, one to set a number. */
export function exampleOf({ operation }: ToolDefinition, name: string): unknown {
  if (name === 'status') return operation.includes('.list') ? '20' : 1;
  if (!Object.hasOwn(byName, name)) throw new Error(`no example of ${name}`);
  return byName[name];
}

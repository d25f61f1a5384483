/**
 * The tools of the eleven bill operations.
 *
 * From the caller numbers, days, amounts and decisions about bills. Whose bills they are, who decides
 * on them, whether a bill comes again, its status and everything that is free text belongs to the
 * configuration. Section "Endpoints" of the bills specification.
 */
import { billsOperations } from '../bills/operations.js';
import { fixed, said, saying, type ToolDefinition, toolOf } from './tool.js';

const idBill = said('idBill', 'path');
const filename = said('filename', 'path');
const users = fixed('users', 'body', { required: true, at: '' });
const idempotencyKey = fixed('idempotencyKey', 'header');

/** What may be said of a bill; a new one needs the amount and the day. */
const billSaid = (required: boolean) => [
  said('netAmount', 'body', { required }),
  said('billDate', 'body', { required }),
  ...['dueDate', 'endDate', 'billNumber'].map((name) => said(name, 'body')),
];

/** Whom a bill is from: said for a new one, and never changed by a call. */
const vendorNumber = (required: boolean) =>
  (required ? said : fixed)('vendorNumber', 'body', { required, at: '/vendor/vendorNumber' });

/** What nobody says on the telephone. */
const billFixed = [
  ...['comments', 'billItems', 'mode', 'frequency', 'accountingField1', 'terms', 'status'],
  'attachments',
].map((name) => fixed(name, 'body'));

/** The page of a list, and what it is narrowed to. */
const listing = [
  said('status', 'query', { at: 'status(eq)' }),
  ...['fromRecord', 'limitRecord', 'rawFilters', 'sortBy'].map((name) => fixed(name, 'query')),
];

/** What stays of a bill when everything that people wrote is left out. */
const ofBill = (below: string) => [
  ...saying('identifier', below, { idBill: 'IdBill' }),
  ...saying('sign', below, { billNumber: 'BillNumber' }),
  ...saying('amount', below, { netAmount: 'NetAmount', totalAmount: 'TotalAmount' }),
  ...saying('date', below, { billDate: 'BillDate', dueDate: 'DueDate' }),
  ...saying('status', below, { status: 'Status' }),
];

const ofList = [
  ...saying('count', '/Summary', { bills: 'totalRecords', overdue: 'totaloverdue' }),
  ...saying('amount', '/Summary', { amount: 'totalAmount', amountOverdue: 'totalamountoverdue' }),
  ...ofBill('/Records/*'),
];

const change = {
  effect: 'changes',
  sayable: saying('identifier', '', { idBill: 'responseData' }),
} as const;

const read = { effect: 'reads' } as const;

export const billsTools: readonly ToolDefinition[] = [
  toolOf(billsOperations.create, {
    ...change,
    name: 'create_bill',
    description:
      'Creates a bill to be paid to a vendor. Ask for the vendor number, amount and date, ' +
      'read everything back, and call it once the caller has said yes. Never call it twice for one bill.',
    parameters: [
      ...billSaid(true),
      vendorNumber(true),
      fixed('entry', 'path'),
      ...billFixed,
      idempotencyKey,
    ],
  }),
  toolOf(billsOperations.delete, {
    ...change,
    name: 'delete_bill',
    description:
      'Deletes a bill permanently. Name the bill, say that this cannot be undone, and call it ' +
      'only after a clear yes.',
    parameters: [idBill],
  }),
  toolOf(billsOperations.update, {
    ...change,
    name: 'change_bill',
    description:
      'Changes the amount, the dates or the number of a bill. Pass only what should change, and ' +
      'read it back first.',
    parameters: [idBill, ...billSaid(false), vendorNumber(false), ...billFixed],
  }),
  toolOf(billsOperations.get, {
    ...read,
    name: 'get_bill',
    description:
      'Gives the number, amount, dates and status of a bill. Ask for the number of the bill first, ' +
      'unless a list has given it.',
    parameters: [idBill],
    sayable: [
      ...ofBill('/responseData'),
      ...saying('date', '/responseData', { endDate: 'EndDate' }),
      ...saying('count', '/responseData', { items: 'BillItems', approvers: 'billApprovals' }),
      ...saying('count', '/responseData/DocumentsRef', { files: 'filelist' }),
    ],
  }),
  toolOf(billsOperations.deleteAttachment, {
    ...change,
    name: 'delete_bill_file',
    description:
      'Deletes a file that is attached to a bill. Name the file and the bill, and call it only ' +
      'after a clear yes.',
    parameters: [idBill, filename],
  }),
  toolOf(billsOperations.getAttachment, {
    ...read,
    name: 'get_bill_file',
    description:
      'Says whether a bill has a file with this name, and its type. It does not read ' +
      'the file aloud.',
    parameters: [
      idBill,
      filename,
      // The answer as an object in the place of bytes: the only one that a tool can read.
      fixed('returnObject', 'query'),
    ],
    sayable: saying('sign', '', { fileType: 'ftype' }),
  }),
  toolOf(billsOperations.setApprovers, {
    ...change,
    name: 'set_bill_approvers',
    description:
      'Replaces the approvers of a bill; who they are is already set. Call it when ' +
      'the caller asks for it.',
    parameters: [idBill, users],
  }),
  toolOf(billsOperations.sendToApproval, {
    ...change,
    name: 'send_bill_to_approval',
    description:
      'Sends a bill to its approvers; who they are is already set. Call it once, when ' +
      'the caller asks for it.',
    parameters: [idBill, users, fixed('autocreateUser', 'query'), idempotencyKey],
  }),
  toolOf(billsOperations.setApproved, {
    ...change,
    name: 'decide_on_bill',
    description:
      'Approves or rejects a bill. Say the number and amount of the bill, ask which of the two it ' +
      'should be, and call it only after a clear answer.',
    parameters: [idBill, said('approved', 'path'), fixed('email', 'query')],
  }),
  toolOf(billsOperations.list, {
    ...read,
    name: 'list_bills',
    description:
      'Lists all bills, or those with one status, with their number and total. ' +
      'Use it to find the number of a bill.',
    parameters: [...listing, fixed('entry', 'path')],
    sayable: ofList,
  }),
  toolOf(billsOperations.listByOrg, {
    ...read,
    name: 'list_organization_bills',
    description:
      'Lists bills of the whole organization, all or those with one status, with their number ' +
      'and total.',
    parameters: [...listing, fixed('orgId', 'path')],
    sayable: ofList,
  }),
];

/**
 * The tools of the eleven bill operations.
 *
 * A caller says numbers, days, amounts and decisions about bills. Whose bills they are, who decides
 * on them, whether a bill comes again, its status and everything that is free text belongs to the
 * configuration. Section "Endpoints" of the bills specification.
 */
import { billsOperations } from '../bills/operations.js';
import {
  amount,
  day,
  fileName,
  fixed,
  flag,
  line,
  listOf,
  oneOf,
  said,
  saying,
  serial,
  settings,
  sign,
  type ToolDefinition,
  toolOf,
  type ValueSchema,
} from './tool.js';

const idBill = said(
  'idBill',
  'path',
  serial,
  "The service's own number of the bill, as a list of bills tells it; not the number printed on it.",
);

const filename = said(
  'filename',
  'path',
  fileName,
  'Name of the attached file, exactly as it was given to you.',
);

const approved = said(
  'approved',
  'path',
  flag,
  'true to approve the bill, false to reject it. Only what the caller clearly said.',
);

const users = fixed(
  'users',
  'body',
  listOf(line(254), 50),
  'Addresses or names of the users who are to approve.',
  { required: true, at: '' },
);

const idempotencyKey = fixed(
  'idempotencyKey',
  'header',
  line(200),
  'Made by the handler for each call. A fixed one would let only one call in two minutes act.',
);

/** What may be said of a bill; a new one needs the amount and the day. */
const billSaid = (required: boolean) => [
  said('netAmount', 'body', amount, 'Amount of the bill in units of the currency, like 125.50.', {
    required,
  }),
  said('billDate', 'body', day, 'Day of the bill, YYYY-MM-DD.', { required }),
  said('dueDate', 'body', day, 'Day on which the bill is due, YYYY-MM-DD.'),
  said('endDate', 'body', day, 'Last day of a bill that comes again, YYYY-MM-DD.'),
  said('billNumber', 'body', sign, 'Number printed on the bill.'),
];

/** Whom a bill is from: said for a new one, and never changed by a call. */
const vendorNumber = (required: boolean) =>
  (required ? said : fixed)(
    'vendorNumber',
    'body',
    sign,
    'Number of the vendor whom the bill is from.',
    {
      required,
      at: '/vendor/vendorNumber',
    },
  );

const frequencies = [
  ...['onetime', 'weekly', 'every2weeks', 'monthly', 'every3months', 'every6months', 'annually'],
];

/** What nobody says on the telephone. */
const billFixed = [
  fixed('comments', 'body', line(1000), 'A note on the bill.'),
  fixed('billItems', 'body', listOf(settings, 100), 'Lines of the bill.'),
  fixed('mode', 'body', { enum: [0, 1] }, '0: once, 1: by a schedule.'),
  fixed('frequency', 'body', oneOf(...frequencies), 'How often a bill by a schedule comes.'),
  fixed('accountingField1', 'body', line(200), "A field of the account's own."),
  fixed('terms', 'body', line(60), 'Terms of payment, like NET30.'),
  fixed('status', 'body', { type: 'integer', minimum: -99, maximum: 100 }, 'Status to set.'),
  fixed('attachments', 'body', listOf(settings, 20), 'Files of the bill.'),
];

/** Conditions as field(operator) and value. */
const conditions: ValueSchema = {
  type: 'object',
  propertyNames: { pattern: '^\\w[\\w.]*\\([a-z]+\\)$', maxLength: 60 },
  additionalProperties: {
    anyOf: [{ type: 'string', minLength: 1, maxLength: 200 }, { type: 'number' }],
  },
  maxProperties: 20,
};

const order: ValueSchema = {
  type: 'object',
  properties: {
    field: { type: 'string', pattern: '^\\w[\\w.]*$', maxLength: 60 },
    direction: oneOf('asc', 'desc'),
  },
  required: ['field', 'direction'],
  additionalProperties: false,
};

const count = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum });

/** The page of a list, and what it is narrowed to. */
const listing = [
  said(
    'status',
    'query',
    oneOf('1', '2', '5', '11', '20', '50', '100', '-99'),
    'Only bills with this status: 1 active, 2 sent to approval, 5 partially approved, ' +
      '11 disapproved, 20 approved, 50 in transit, 100 paid, -99 cancelled.',
    { at: 'status(eq)' },
  ),
  fixed('fromRecord', 'query', count(0, 1_000_000), 'How many bills to skip.'),
  fixed('limitRecord', 'query', count(1, 100), 'How many bills to list at most.'),
  fixed(
    'rawFilters',
    'query',
    conditions,
    'Conditions that always hold, as field(operator) and value.',
  ),
  fixed(
    'sortBy',
    'query',
    order,
    'Field to sort by, and whether upwards (asc) or downwards (desc).',
  ),
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
      'Creates a bill that is to be paid to a vendor. Ask for vendor number, amount and date, ' +
      'read all of it back, and call it once the caller has said yes. Never call it twice for one bill.',
    parameters: [
      ...billSaid(true),
      vendorNumber(true),
      fixed('entry', 'path', line(100), "Name of the paypoint's entrypoint."),
      ...billFixed,
      idempotencyKey,
    ],
  }),
  toolOf(billsOperations.delete, {
    ...change,
    name: 'delete_bill',
    description:
      'Deletes a bill for good. Name the bill, say that it cannot be brought back, and call it ' +
      'only after a clear yes.',
    parameters: [idBill],
  }),
  toolOf(billsOperations.update, {
    ...change,
    name: 'change_bill',
    description:
      'Changes the amount, the dates or the number of a bill. Give only what is to change, and ' +
      'read it back before.',
    parameters: [idBill, ...billSaid(false), vendorNumber(false), ...billFixed],
  }),
  toolOf(billsOperations.get, {
    ...read,
    name: 'get_bill',
    description:
      'Tells number, amount, dates and status of a bill. Ask for the number of the bill first, ' +
      'unless a list has told it.',
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
      'Tells whether a bill has a file of this name, and of what type it is. It does not read ' +
      'the file out.',
    parameters: [
      idBill,
      filename,
      // The answer as an object in the place of bytes: the only one that a tool can read.
      fixed('returnObject', 'query', { const: true }, 'Asks for the file as an object.'),
    ],
    sayable: saying('sign', '', { fileType: 'ftype' }),
  }),
  toolOf(billsOperations.setApprovers, {
    ...change,
    name: 'set_bill_approvers',
    description:
      'Replaces the people who are to approve a bill; who they are is set already. Call it when ' +
      'the caller asks for it.',
    parameters: [idBill, users],
  }),
  toolOf(billsOperations.sendToApproval, {
    ...change,
    name: 'send_bill_to_approval',
    description:
      'Sends a bill to the people who approve; who they are is set already. Call it once, when ' +
      'the caller asks for it.',
    parameters: [
      idBill,
      users,
      fixed('autocreateUser', 'query', flag, 'Whether to create users that do not exist.'),
      idempotencyKey,
    ],
  }),
  toolOf(billsOperations.setApproved, {
    ...change,
    name: 'decide_on_bill',
    description:
      'Approves a bill or rejects it. Say number and amount of the bill, ask which of both it ' +
      'is to be, and call it only after a clear answer.',
    parameters: [
      idBill,
      approved,
      fixed(
        'email',
        'query',
        line(254),
        'Address or name of the user in whose name the decision is made.',
      ),
    ],
  }),
  toolOf(billsOperations.list, {
    ...read,
    name: 'list_bills',
    description:
      'Lists bills, all or those of one status, and tells how many there are and what they come ' +
      'to. Use it to find the number of a bill.',
    parameters: [
      ...listing,
      fixed('entry', 'path', line(100), "Name of the paypoint's entrypoint."),
    ],
    sayable: ofList,
  }),
  toolOf(billsOperations.listByOrg, {
    ...read,
    name: 'list_organization_bills',
    description:
      'Lists bills of the whole organization, all or those of one status, and tells how many ' +
      'there are and what they come to.',
    parameters: [...listing, fixed('orgId', 'path', serial, 'Number of the organization.')],
    sayable: ofList,
  }),
];

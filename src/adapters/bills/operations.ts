/**
 * The operations of the bills service, by the name of the client's method.
 *
 * Repeating: creating a bill and sending one to approval act again with each request unless a key
 * tells the service that it has seen it; all others do the same thing twice, approval included
 * (it sets a value, although with GET).
 */
import type { Method, Operation } from '../http/operation.js';

export type BillsOperationName =
  | 'create'
  | 'delete'
  | 'update'
  | 'get'
  | 'deleteAttachment'
  | 'getAttachment'
  | 'setApprovers'
  | 'sendToApproval'
  | 'setApproved'
  | 'list'
  | 'listByOrg';

export type BillsOperationId = `bills.${BillsOperationName}`;

export interface BillsOperation extends Operation {
  readonly id: BillsOperationId;
}

type Row = readonly [method: Method, path: string, more?: Partial<Operation>];

const integers = ['idBill', 'orgId'];

const bill = '/Bill/{idBill}';
const attachment = '/Bill/attachedFileFromBill/{idBill}/{filename}';
const approval = '/Bill/approval/{idBill}';

const key = 'idempotencyKey';
const json: Partial<Operation> = { body: 'json' };
const keyed: Partial<Operation> = { ...json, headers: [key], key, repeat: 'with-key' };
const returned: Partial<Operation> = { query: ['returnObject'] };
const listed: Partial<Operation> = {
  query: ['exportFormat', 'fromRecord', 'limitRecord', 'sortBy'],
  answer: 'json-or-file',
};

const rows: Readonly<Record<BillsOperationName, Row>> = {
  create: ['POST', '/Bill/single/{entry}', keyed],
  delete: ['DELETE', bill],
  update: ['PUT', bill, json],
  get: ['GET', bill],
  deleteAttachment: ['DELETE', attachment, returned],
  getAttachment: ['GET', attachment, { ...returned, answer: 'json-or-file' }],
  setApprovers: ['PUT', approval, json],
  sendToApproval: ['POST', approval, { ...keyed, query: ['autocreateUser'] }],
  setApproved: ['GET', `${approval}/{approved}`, { query: ['email'] }],
  list: ['GET', '/Query/bills/{entry}', listed],
  listByOrg: ['GET', '/Query/bills/org/{orgId}', listed],
};

export const billsOperations = Object.fromEntries(
  Object.entries(rows).map(([name, [method, path, more]]) => [
    name,
    { id: `bills.${name}`, method, path, integers, repeat: 'always', ...more },
  ]),
) as { readonly [Name in BillsOperationName]: BillsOperation & { readonly id: `bills.${Name}` } };

/**
 * The operations of the bills service, by the name of the client's method.
 *
 * Repeating: creating a bill and sending one to approval act again with each request unless a key
 * tells the service that it has seen it; all others do the same thing twice, approval included
 * (it sets a value, although with GET).
 *
 * `query` has the names under which parameters are given; arguments.ts writes them as they are sent.
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

/** Names an operation in errors and bindings: `bills.get`. */
export type BillsOperationId = `bills.${BillsOperationName}`;

/** Fields with their operators. Section "Filters". */
export type FilterTable = Readonly<Record<string, readonly string[]>>;

/** One of the eleven of section "Endpoints" of the bills specification. */
export interface BillsOperation extends Operation {
  readonly id: BillsOperationId;
  /** By what a list is filtered. */
  readonly filters?: FilterTable;
}

const equal = ['eq', 'ne'] as const;
const oneOf = ['eq', 'ne', 'in', 'nin'] as const;
const contained = ['eq', 'ne', 'ct', 'nct'] as const;

/** By what the bills of an organization are filtered. Fields are told by their capitals. */
export const orgFilterFields = {
  frequency: oneOf,
  method: oneOf,
  event: oneOf,
  target: contained,
  status: equal,
  approvalUserId: equal,
  approvalUserEmail: equal,
  parentOrgId: oneOf,
} as const;

/** By what those of an entrypoint are. */
export const filterFields = { ...orgFilterFields, scheduleId: equal } as const;

type More = Partial<Omit<BillsOperation, 'id' | 'method' | 'path'>>;

type Row = readonly [method: Method, path: string, more?: More];

const bill = '/Bill/{idBill}';
const attachment = '/Bill/attachedFileFromBill/{idBill}/{filename}';
const approval = '/Bill/approval/{idBill}';

const answer = 'json-or-file';
const json: More = { body: 'json' };
const keyed: More = { ...json, key: 'idempotencyKey', repeat: 'with-key' };
const returned: More = { query: ['returnObject'] };
const listed: More = {
  query: ['fromRecord', 'limitRecord', 'sortBy', 'filters', 'rawFilters', 'format'],
  answer,
};

const rows: Readonly<Record<BillsOperationName, Row>> = {
  create: ['POST', '/Bill/single/{entry}', keyed],
  delete: ['DELETE', bill],
  update: ['PUT', bill, json],
  get: ['GET', bill],
  deleteAttachment: ['DELETE', attachment, returned],
  getAttachment: ['GET', attachment, { ...returned, answer }],
  setApprovers: ['PUT', approval, json],
  sendToApproval: ['POST', approval, { ...keyed, query: ['autocreateUser'] }],
  setApproved: ['GET', `${approval}/{approved}`, { query: ['email'] }],
  list: ['GET', '/Query/bills/{entry}', { ...listed, filters: filterFields }],
  listByOrg: ['GET', '/Query/bills/org/{orgId}', { ...listed, filters: orgFilterFields }],
};

/** The eleven operations as data, by the name of the client's method. */
export const billsOperations = Object.fromEntries(
  Object.entries(rows).map(([name, [method, path, more]]) => [
    name,
    { id: `bills.${name}`, method, path, integers: ['idBill', 'orgId'], repeat: 'always', ...more },
  ]),
) as { readonly [Name in BillsOperationName]: BillsOperation & { readonly id: `bills.${Name}` } };

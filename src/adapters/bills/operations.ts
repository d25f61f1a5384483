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

/** Names an operation in errors and bindings: `bills.get`. */
export type BillsOperationId<Name extends string = keyof typeof billsOperations> = `bills.${Name}`;

/** One of the eleven of section "Endpoints" of the bills specification. */
export interface BillsOperation<Id extends string = BillsOperationId> extends Operation {
  readonly id: Id;
}

function operation<Name extends string>(
  name: Name,
  method: Method,
  path: string,
  more?: Partial<Operation>,
): BillsOperation<BillsOperationId<Name>> {
  const integers = ['idBill', 'orgId'];
  return { repeat: 'always', ...more, id: `bills.${name}`, method, path, integers };
}

const bill = '/Bill/{idBill}';
const attachment = '/Bill/attachedFileFromBill/{idBill}/{filename}';
const approval = '/Bill/approval/{idBill}';

const answer = 'json-or-file';
const json = { body: 'json' } as const;
const keyed = { ...json, key: 'idempotencyKey', repeat: 'with-key' } as const;
const returned = { query: ['returnObject'] };
const listed = {
  query: ['fromRecord', 'limitRecord', 'sortBy', 'filters', 'rawFilters', 'format'],
  answer,
} as const;

/** The eleven operations as data, by the name of the client's method. */
export const billsOperations = {
  create: operation('create', 'POST', '/Bill/single/{entry}', keyed),
  delete: operation('delete', 'DELETE', bill),
  update: operation('update', 'PUT', bill, json),
  get: operation('get', 'GET', bill),
  deleteAttachment: operation('deleteAttachment', 'DELETE', attachment, returned),
  getAttachment: operation('getAttachment', 'GET', attachment, { ...returned, answer }),
  setApprovers: operation('setApprovers', 'PUT', approval, json),
  sendToApproval: operation('sendToApproval', 'POST', approval, {
    ...keyed,
    query: ['autocreateUser'],
  }),
  setApproved: operation('setApproved', 'GET', `${approval}/{approved}`, { query: ['email'] }),
  list: operation('list', 'GET', '/Query/bills/{entry}', listed),
  listByOrg: operation('listByOrg', 'GET', '/Query/bills/org/{orgId}', listed),
};

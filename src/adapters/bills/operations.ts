/**
 * The operations of the bills service, by the name of the client's method.
 *
 * Repeating: creating a bill and sending one to approval act again with each request, unless the
 * service recognizes the key. Repeating any other changes nothing, not even approval: although a
 * GET, it sets a value.
 *
 * `query` lists parameters under the caller's names; arguments.ts writes them as they are sent.
 */
import type { Bills } from '../../schemas/bills-types.generated.js';
import type { Method, Operation } from '../http/operation.js';

/** Names an operation in errors and bindings: `bills.get`. */
export type BillsOperationId = keyof Bills;

/** One of the eleven operations of section "Endpoints" of the bills specification. */
export interface BillsOperation<Id extends string = BillsOperationId> extends Operation {
  readonly id: Id;
}

/** By the name of the client's method. */
type Operations = {
  readonly [Id in BillsOperationId as Id extends `bills.${infer Name}`
    ? Name
    : never]: BillsOperation<Id>;
};

type Row = readonly [Method, path: string, more?: Partial<Operation>];

const bill = '/Bill/{idBill}';
const attachment = '/Bill/attachedFileFromBill/{idBill}/{filename}';
const approval = '/Bill/approval/{idBill}';

const json = { body: 'json' } as const;
const keyed = { ...json, key: 'idempotencyKey', repeat: 'with-key' } as const;
const returned = { query: ['returnObject'] };
const listed = {
  query: ['fromRecord', 'limitRecord', 'sortBy', 'filters', 'rawFilters', 'format'],
};

const table: Readonly<Record<keyof Operations, Row>> = {
  create: ['POST', '/Bill/single/{entry}', keyed],
  delete: ['DELETE', bill],
  update: ['PUT', bill, json],
  get: ['GET', bill],
  deleteAttachment: ['DELETE', attachment, returned],
  getAttachment: ['GET', attachment, returned],
  setApprovers: ['PUT', approval, json],
  sendToApproval: ['POST', approval, { ...keyed, query: ['autocreateUser'] }],
  setApproved: ['GET', `${approval}/{approved}`, { query: ['email'] }],
  list: ['GET', '/Query/bills/{entry}', listed],
  listByOrg: ['GET', '/Query/bills/org/{orgId}', listed],
};

/** The eleven operations as data, by the name of the client's method. */
export const billsOperations = Object.fromEntries(
  Object.entries(table).map(([name, [method, path, more]]) => [
    name,
    {
      repeat: 'always',
      ...more,
      id: `bills.${name}`,
      method,
      path,
      integers: ['idBill', 'orgId'],
    },
  ]),
) as unknown as Operations;

/**
 * The operations of the bills service, by the name of the client's method.
 *
 * Repeating: creating a bill and sending one to approval act again with each request, unless the
 * service recognizes the key. Of approving, although a GET, and of changing the approvers, the
 * specification does not say that repeating them changes nothing.
 *
 * `query` lists parameters under the caller's names; arguments.ts writes them as they are sent.
 */
import type { Bills } from '../../schemas/bills-types.generated.js';
import type { Checks, Method, Operation } from '../http/operation.js';
import { isFlag, isPositive, isText } from '../http/request.js';

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

/** A real day as YYYY-MM-DD, or none. Date would turn February 30 into March 1. */
const isDay = (value: unknown) =>
  value === null || new Date(`${value}`).toJSON()?.slice(0, 10) === value;
const isUsers = (body: unknown) => Array.isArray(body) && body.every(isText);

/** Everything else in a body is left to the service. */
const checks: Checks = [
  [/^(idBill|orgId)$/, isPositive],
  [/^(approved|autocreateUser|returnObject)$/, isFlag],
  [/Record$|[mM]ode$/, Number.isSafeInteger],
  [/Amount$|^item(Cost|Qty|TaxRate)$/, Number.isFinite],
  [/Date$/, isDay],
];

const bill = '/Bill/{idBill}';
const attachment = '/Bill/attachedFileFromBill/{idBill}/{filename}';
const approval = '/Bill/approval/{idBill}';

const keyed = { key: 'idempotencyKey', repeat: 'with-key' } as const;
const users: Partial<Operation> = { checks: [[/^body$/, isUsers], ...checks] };
const once = { repeat: 'never' } as const;
const returned = { query: ['returnObject'] };
const listed = {
  query: ['fromRecord', 'limitRecord', 'sortBy', 'filters', 'rawFilters', 'format'],
};

const table: Readonly<Record<keyof Operations, Row>> = {
  create: ['POST', '/Bill/single/{entry}', keyed],
  delete: ['DELETE', bill],
  update: ['PUT', bill],
  get: ['GET', bill],
  deleteAttachment: ['DELETE', attachment, returned],
  getAttachment: ['GET', attachment, returned],
  setApprovers: ['PUT', approval, { ...users, ...once }],
  sendToApproval: ['POST', approval, { ...keyed, ...users, query: ['autocreateUser'] }],
  setApproved: ['GET', `${approval}/{approved}`, { ...once, query: ['email'] }],
  list: ['GET', '/Query/bills/{entry}', listed],
  listByOrg: ['GET', '/Query/bills/org/{orgId}', listed],
};

/** The eleven operations as data, by the name of the client's method. */
export const billsOperations = Object.fromEntries(
  Object.entries(table).map(([name, [method, path, more]]) => [
    name,
    {
      repeat: 'always',
      checks,
      ...(method.startsWith('P') && { body: 'json' }),
      ...more,
      id: `bills.${name}`,
      method,
      path,
    },
  ]),
) as unknown as Operations;

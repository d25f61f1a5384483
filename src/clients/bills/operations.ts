/**
 * The operations of the bills service, by the name of the client's method.
 *
 * Repeating: creating a bill and sending one to approval act again with each request, unless the
 * service recognizes the key. Of approving, although a GET, and of changing the approvers, the
 * specification does not say that repeating them changes nothing.
 *
 * Query parameters have the callers' names; client.ts writes them as they are sent.
 */
import type { Bills } from '../../schemas/bills-types.generated.js';
import { type Checks, mapValues, type Operation } from '../http/operation.js';
import { isFlag, isPositive, isText } from '../http/request.js';

/** Names an operation in errors and bindings: `bills.get`. */
export type BillsOperationId = keyof Bills;

/** One of the eleven operations of section "Endpoints" of the bills specification. */
export interface BillsOperation extends Operation {
  readonly id: BillsOperationId;
}

export type BillsMethod = BillsOperationId extends `bills.${infer Name}` ? Name : never;

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

type Method = Operation['method'];
type Repeat = Operation['repeat'];

const attachment = '/Bill/attachedFileFromBill/{idBill}/{filename}?returnObject';
const paged = 'fromRecord&limitRecord&sortBy&filters&rawFilters&format';

/** Each request, and when it is repeated, if not always. */
const rows: Readonly<Record<BillsMethod, `${Method} /${string}`>> = {
  create: 'POST /Bill/single/{entry} with-key',
  delete: 'DELETE /Bill/{idBill}',
  update: 'PUT /Bill/{idBill}',
  get: 'GET /Bill/{idBill}',
  deleteAttachment: `DELETE ${attachment}`,
  getAttachment: `GET ${attachment}`,
  setApprovers: 'PUT /Bill/approval/{idBill} never',
  sendToApproval: 'POST /Bill/approval/{idBill}?autocreateUser with-key',
  setApproved: 'GET /Bill/approval/{idBill}/{approved}?email never',
  list: `GET /Query/bills/{entry}?${paged}`,
  listByOrg: `GET /Query/bills/org/{orgId}?${paged}`,
};

/** The eleven operations as data, by the name of the client's method. */
export const billsOperations: Readonly<Record<BillsMethod, BillsOperation>> = mapValues(
  rows,
  (row, name) => {
    const [method, address, repeat = 'always'] = row.split(' ') as [Method, string, Repeat?];
    const [path, query] = address.split('?') as [string, string?];
    return {
      id: `bills.${name}`,
      method,
      path,
      repeat,
      checks: /approval/.test(path) ? [[/^body$/, isUsers], ...checks] : checks,
      ...(query && { query: query.split('&') }),
      ...(repeat === 'with-key' && { key: 'idempotencyKey' }),
      ...(method[0] === 'P' && { body: 'json' }),
    };
  },
);

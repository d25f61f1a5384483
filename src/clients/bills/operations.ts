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
import { type Checks, type Operation, parseRequest, type Request } from '../http/operation.js';
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

const users: Partial<Operation> = { checks: [[/^body$/, isUsers], ...checks] };
const never = { repeat: 'never' } as const;
const keyed = { key: 'idempotencyKey', repeat: 'with-key' } as const;
const attachment = '/Bill/attachedFileFromBill/{idBill}/{filename}?returnObject';
const paged = 'fromRecord&limitRecord&sortBy&filters&rawFilters&format';

const rows = {
  create: ['POST /Bill/single/{entry}', keyed],
  delete: ['DELETE /Bill/{idBill}'],
  update: ['PUT /Bill/{idBill}'],
  get: ['GET /Bill/{idBill}'],
  deleteAttachment: [`DELETE ${attachment}`],
  getAttachment: [`GET ${attachment}`],
  setApprovers: ['PUT /Bill/approval/{idBill}', { ...users, ...never }],
  sendToApproval: ['POST /Bill/approval/{idBill}?autocreateUser', { ...users, ...keyed }],
  setApproved: ['GET /Bill/approval/{idBill}/{approved}?email', never],
  list: [`GET /Query/bills/{entry}?${paged}`],
  listByOrg: [`GET /Query/bills/org/{orgId}?${paged}`],
} satisfies Readonly<Record<BillsMethod, readonly [Request, Partial<Operation>?]>>;

/** The eleven operations as data, by the name of the client's method. */
export const billsOperations = Object.fromEntries(
  Object.entries(rows).map(([name, [request, more]]: [string, readonly [Request, object?]]) => [
    name,
    {
      id: `bills.${name}`,
      repeat: 'always',
      checks,
      ...parseRequest(request),
      ...(/^P/.test(request) && { body: 'json' }),
      ...more,
    },
  ]),
) as Readonly<Record<BillsMethod, BillsOperation>>;

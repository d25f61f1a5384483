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

/** Fields with their operators. Section "Filters". */
export type FilterTable = Readonly<Record<string, readonly string[]>>;

interface OperationOf<Id extends string> extends Operation {
  readonly id: Id;
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

type More = Partial<Omit<OperationOf<string>, 'id' | 'method' | 'path'>>;

function operation<Name extends string>(
  name: Name,
  method: Method,
  path: string,
  more?: More,
): OperationOf<`bills.${Name}`> {
  const integers = ['idBill', 'orgId'];
  return { id: `bills.${name}`, method, path, integers, repeat: 'always', ...more };
}

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
const byEntry: More = { ...listed, filters: filterFields };
const byOrg: More = { ...listed, filters: orgFilterFields };

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
  list: operation('list', 'GET', '/Query/bills/{entry}', byEntry),
  listByOrg: operation('listByOrg', 'GET', '/Query/bills/org/{orgId}', byOrg),
} as const;

/** Names an operation in errors and bindings: `bills.get`. */
export type BillsOperationId = `bills.${keyof typeof billsOperations}`;

/** One of the eleven of section "Endpoints" of the bills specification. */
export type BillsOperation = OperationOf<BillsOperationId>;

/** What a field is compared with; texts are not empty. */
export type FilterValue = string | number;

/** One condition per field and operator of a table; `in` and `nin` take lists. */
type FilterOf<Table extends FilterTable> = {
  [Field in keyof Table]: {
    [Operator in Table[Field][number]]: {
      readonly field: Field;
      readonly op: Operator;
      readonly value: Operator extends 'in' | 'nin' ? readonly FilterValue[] : FilterValue;
    };
  }[Table[Field][number]];
}[keyof Table];

/**
 * A condition on an entrypoint's bills. Section "Filters": eq equal, ne not equal, ct contains, nct
 * does not contain, in one of a list, nin none of a list.
 */
export type BillFilter = FilterOf<typeof filterFields>;

/** A condition on an organization's bills. */
export type OrgBillFilter = FilterOf<typeof orgFilterFields>;

/** A page, a selection and an order of bills. */
export interface BillQuery<Filter = BillFilter> {
  /** How many records are skipped. */
  readonly fromRecord?: number | undefined;
  /** How many records are returned at most; 0 or less: all. The service takes 20. */
  readonly limitRecord?: number | undefined;
  /** Conditions that hold all together. */
  readonly filters?: readonly Filter[] | undefined;
  /** Conditions by `field(op)`, sent as they are: for fields that the table does not have. */
  readonly rawFilters?: Readonly<Record<string, FilterValue>> | undefined;
  readonly sortBy?: { readonly field: string; readonly direction: 'asc' | 'desc' } | undefined;
}

/** The same for an organization, whose bills are not filtered by schedules. */
export type OrgBillQuery = BillQuery<OrgBillFilter>;

/** A query whose answer is a file. */
export type BillExport<Filter = BillFilter> = BillQuery<Filter> & {
  readonly format: 'csv' | 'xlsx';
};

/** The same for an organization. */
export type OrgBillExport = BillExport<OrgBillFilter>;

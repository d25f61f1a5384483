/**
 * What a list of bills is asked for, and how it stands in the query.
 *
 * In: the query of a caller, unchecked. Out: query parameters. Conditions go bare into the query as
 * `field(op)=value`, `eq` written out, and all of them hold; lists of values are joined by `|`.
 *
 * Example: { filters: [{ field: 'status', op: 'eq', value: 2 }] } becomes { 'status(eq)': [2] }.
 */
import { checkArguments } from './arguments.js';
import {
  type BillFilter,
  type FilterValue,
  filterFields,
  type OrgBillFilter,
  orgFilterFields,
} from './filter-fields.js';
import { type BillsOperation, billsOperations } from './operations.js';

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

export type OrgBillQuery = BillQuery<OrgBillFilter>;

/** The same as a file. */
export type BillExport = BillQuery & { readonly format: 'csv' | 'xlsx' };

export type OrgBillExport = OrgBillQuery & { readonly format: 'csv' | 'xlsx' };

const names = ['fromRecord', 'limitRecord', 'filters', 'rawFilters', 'sortBy'];

type Parameters = Record<string, FilterValue | readonly FilterValue[]>;

/** With `exported`, a format is demanded. */
export function listParameters(
  { id }: BillsOperation,
  given: unknown,
  exported = false,
): Parameters {
  const table = id === billsOperations.list.id ? filterFields : orgFilterFields;
  const demanded = exported ? ['format'] : [];
  const query = checkArguments(id, given, names, demanded, table) as Partial<BillExport>;
  const { filters = [], rawFilters = {}, sortBy, format, ...page } = query;
  const parameters: Parameters = { ...(page as Parameters) };
  if (format) parameters['exportFormat'] = format;
  if (sortBy) parameters['sortBy'] = `${sortBy.direction}(${sortBy.field})`;
  const conditions = filters.map(({ field, op, value }): [string, FilterValue] => [
    `${field}(${op})`,
    typeof value === 'object' ? value.join('|') : value,
  ]);
  for (const [name, value] of [...conditions, ...Object.entries(rawFilters)]) {
    // The same condition may be given twice (not this, and not that): a list repeats the name.
    parameters[name] = [...((parameters[name] as FilterValue[] | undefined) ?? []), value];
  }
  return parameters;
}

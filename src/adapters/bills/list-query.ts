/** What a list of bills is asked for. Section "Query parameters of operations 10 and 11". */
import type { BillFilter, FilterValue, OrgBillFilter } from './filter.js';

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
export type BillExport = BillQuery & { readonly format: 'csv' | 'xlsx' };

/** The same for an organization. */
export type OrgBillExport = OrgBillQuery & { readonly format: 'csv' | 'xlsx' };
